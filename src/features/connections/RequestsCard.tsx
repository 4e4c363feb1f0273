import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerConnection, useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { MatchDialog } from './MatchDialog.tsx'
import { nameOfOther } from '#features/workspaces/sides.ts'
import { SharedFromLine } from './SharedFromField.tsx'

/** Who asks this side to confirm, families a tutor and tutors a family: accept or decline. Nothing where none asks. */
export function RequestsCard() {
  const connects = useConnects()
  const side = useSide()
  const connections = useConnections()
  const answer = useAnswerConnection()
  const toast = useToast()
  const [accepted, setAccepted] = useState<Connection>()
  const asking = connections.data?.filter(
    ({ state, is_asked_by_you: isOwn }) => connects && state === 'asked' && !isOwn,
  )
  useReopen('match', asking, (connection) => connection !== 'new' && setAccepted(connection))
  const decline = async (connection: Connection) => {
    try {
      await answer.mutateAsync({ connection, input: { state: 'declined' } })
      toast.success('Declined')
    } catch {
      toast.error('Error', 'Your answer was not taken. Please look again.')
    }
  }
  if (!asking?.length) return <ListRetry list={connections} plural="connections" />
  return (
    <>
      <ul className="mt-5 grid gap-3">
        {asking.map((connection) => (
          <li key={connection.id} className="rounded-lg bg-accent-soft p-5">
            <h2 className="wrap-anywhere">{nameOfOther(connection, side)} asks you to confirm sessions</h2>
            <p className="mt-1.5 text-ink-2">
              What either of you logs, both of you see and confirm. Either of you can end it, and then each
              keeps a copy.
            </p>
            <SharedFromLine connection={connection} />
            <div className="mt-4 flex gap-3">
              <Button
                tone="secondary"
                busy={answer.isPending && answer.variables.connection.id === connection.id}
                busyText="Declining..."
                onClick={() => void decline(connection)}
              >
                Decline
              </Button>
              <Button className="flex-1 md:flex-none md:px-10" onClick={() => setAccepted(connection)}>
                Accept
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {accepted && <MatchDialog connection={accepted} onClose={() => setAccepted(undefined)} />}
    </>
  )
}
