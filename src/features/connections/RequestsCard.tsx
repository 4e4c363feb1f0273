import { useContext, useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { QuietAnswers } from '#features/agreements/AnswerRow.tsx'
import { studentsQuery } from '#features/students/client.web.ts'
import { CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Arriving } from './ArrivalCard.tsx'
import { useAnswerConnection, useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { pairsInWords } from './matching.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'
import { SharedFromLine } from './SharedFromField.tsx'

const ArrivalCard = late(async () => (await import('./ArrivalCard.tsx')).ArrivalCard)
const isArriving = (connection: Connection): connection is Arriving => connection.arriving !== null
const EndDialog = late(async () => (await import('./EndDialog.tsx')).EndDialog)
const MatchDialog = late(async () => (await import('./MatchDialog.tsx')).MatchDialog)

const WORDS = {
  asked: {
    title: (other: string) => `${other} asks you to confirm sessions`,
    text: 'You’ll both see and confirm what either of you logs. Either of you can end it at any time, and then you each keep a copy.',
    yes: 'Accept',
  },
  answered: {
    title: (other: string) => `Add your sessions with ${other}`,
    text: 'You’ve been confirming them by email. Your sessions, payments and everything you’ve both confirmed will be added.',
    yes: 'Add them',
  },
}
const wordsFor = ({ is_answered: isAnswered }: Connection) => (isAnswered ? 'answered' : 'asked')

/**
 * Requests to share and confirm sessions, which the reader can accept or decline. Renders nothing if there
 * are none.
 * @param limit the maximum number to list; only the dashboard sets one
 */
export function RequestsCard({ limit }: { limit?: number | undefined }) {
  const connects = useConnects()
  const side = useSide()
  const connections = useConnections()
  const answer = useAnswerConnection()
  const toast = useToast()
  const isQuiet = useContext(QuietAnswers)
  const [accepted, setAccepted] = useState<Connection>()
  const [declined, setDeclined] = useState<Connection>()
  const asking = connections.data?.filter(
    ({ state, is_asked_by_you: isOwn }) => connects && state === 'asked' && !isOwn,
  )
  useReopen('match', asking, (connection) => connection !== 'new' && setAccepted(connection))
  // The reader has already answered by email. If they have no students yet, there's nothing to match, so this
  // accepts the request right away.
  const accept = async (connection: Connection) => {
    const known = await queryClient.fetchQuery(studentsQuery('all'))
    if (known.length > 0) return void setAccepted(connection)
    const people = connection.people.map(({ id }) => ({ id, student_id: null }))
    return answer.mutateAsync({ connection, input: { state: 'active', people } })
  }
  const add = async (connection: Connection) => {
    try {
      const accepted = await accept(connection)
      if (accepted)
        toast.success(`${nameOfOther(connection, side)} is connected`, pairsInWords(accepted.pairs))
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed
          ? error.problem.title
          : 'Your answer could not be saved. Please try again.',
      )
    }
  }
  if (!asking?.length) return <ListRetry list={connections} plural="connections" />
  return (
    <>
      <ul className="mt-5 grid gap-3 empty:hidden">
        {asking.slice(0, limit).map((connection) => (
          <li key={connection.id}>
            {isArriving(connection) ? (
              <ArrivalCard
                connection={connection}
                onAdd={() => accept(connection)}
                onDecline={() => setDeclined(connection)}
              />
            ) : (
              <div className="rounded-lg bg-accent-soft p-5">
                <h2 className="wrap-anywhere">
                  {WORDS[wordsFor(connection)].title(nameOfOther(connection, side))}
                </h2>
                <p className="mt-1.5 text-ink-2">{WORDS[wordsFor(connection)].text}</p>
                <SharedFromLine connection={connection} />
                <div className="mt-4 flex gap-3">
                  <Button tone="secondary" onClick={() => setDeclined(connection)}>
                    Decline
                  </Button>
                  <Button
                    tone={isQuiet ? 'secondary' : 'primary'}
                    className="flex-1 md:flex-none md:px-10"
                    busy={answer.isPending && answer.variables.connection.id === connection.id}
                    busyText="Adding..."
                    onClick={() => (connection.is_answered ? void add(connection) : setAccepted(connection))}
                  >
                    {WORDS[wordsFor(connection)].yes}
                  </Button>
                </div>
              </div>
            )}
          </li>
        ))}
      </ul>
      {accepted && <MatchDialog connection={accepted} onClose={() => setAccepted(undefined)} />}
      {declined && (
        <EndDialog
          connection={declined}
          other={nameOfOther(declined, side)}
          onClose={() => setDeclined(undefined)}
        />
      )}
    </>
  )
}
