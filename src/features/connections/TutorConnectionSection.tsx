import { Clock, Send } from 'lucide-react'
import { useState } from 'react'
import type { Tutor } from '#features/tutors/tutor.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { RowActions } from '#platform/ui/RowMenu.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { AskDialog } from './AskDialog.tsx'
import { useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { useEnding } from './EndDialog.tsx'
import { LinkLine, linkInWords } from './LinkLine.tsx'
import { isOpen } from './matching.ts'
import { PairsLink } from './PairsCard.tsx'
import { SharedFromLine } from './SharedFromField.tsx'

/** Shows whether a tutor shares and confirms sessions, with a button for the first request. */
export function TutorConnectionSection({ tutor }: { tutor: Tutor }) {
  const connections = useConnections()
  const connects = useConnects()
  const [isAsking, setIsAsking] = useState(false)
  if (tutor.is_self || !connections.isEnabled) return null
  if (!connections.data) return <ListRetry list={connections} plural="connections" />
  const connection = connections.data.find((candidate) => candidate.tutor_id === tutor.id)
  if (!connection && !connects) return null
  return (
    <>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-1.5">
        {connection ? (
          <State connection={connection} />
        ) : (
          <span className="mr-1.5">
            <Badge>Not asked yet</Badge>
          </span>
        )}
        {connects && !connection && (
          <Button
            tone="quiet"
            size="small"
            className="-mx-4"
            aria-label={`Ask to confirm, ${tutor.name}`}
            onClick={() => setIsAsking(true)}
          >
            <Send className="size-4!" aria-hidden="true" />
            Ask to confirm
          </Button>
        )}
        {isAsking && <AskDialog tutor={tutor} onClose={() => setIsAsking(false)} />}
      </div>
      {connection && <LinkLine connection={connection} other={tutor.name} />}
      {connection && isOpen(connection) && <SharedFromLine connection={connection} />}
      {connects && connection && connection.pairs > 0 && <PairsLink connection={connection} />}
    </>
  )
}

/** The connection actions in a tutor's "..." menu: end the connection, or ask again. */
export function useTutorActions(): RowActions<Tutor> {
  const connections = useConnections()
  const connects = useConnects()
  const ending = useEnding()
  const [asked, setAsked] = useState<Tutor>()
  return {
    actionsFor(tutor) {
      const connection = connections.data?.find(({ tutor_id: id }) => id === tutor.id)
      if (!connects || !connection) return []
      if (isOpen(connection)) return [ending.action({ connection, other: tutor.name })]
      return [{ label: 'Ask again', Icon: Send, run: () => setAsked(tutor) }]
    },
    dialog: asked ? <AskDialog tutor={asked} onClose={() => setAsked(undefined)} /> : ending.question,
  }
}

function State({ connection }: { connection: Connection }) {
  if (connection.state === 'active')
    return connection.is_read_only ? (
      <span className="mr-1.5">
        <Badge>Account closed, read only</Badge>
      </span>
    ) : (
      <span className="ver mr-1.5">
        <Ticks />
        Confirms sessions
      </span>
    )
  if (connection.state === 'asked')
    return (
      <span className="mr-1.5">
        <Badge tone="warn">
          <Clock aria-hidden="true" />
          {linkInWords(connection) ?? 'Request sent, no answer yet'}
        </Badge>
      </span>
    )
  return (
    <span className="mr-1.5">
      <Badge>{connection.state === 'declined' ? 'Declined' : endedWords(connection)}</Badge>
    </span>
  )
}

function endedWords({ ended_by: by }: Connection): string {
  return by === 'other' ? 'Ended by the tutor' : by === null ? 'No answer' : 'Ended'
}
