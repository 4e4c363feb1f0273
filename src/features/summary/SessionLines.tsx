import type { Session } from '#features/sessions/session.ts'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import { sessionName } from '#features/sessions/standing-text.ts'
import { TickBox } from './TickBox.tsx'

interface SessionLinesProps {
  label: string
  sessions: readonly Session[]
  isFull: boolean
  onEdit?: ((session: Session) => void) | undefined
  /** Which are selected, and what pressing a box does. Omitted while nothing is being selected. */
  selecting?:
    { ids: ReadonlySet<string>; onTick: (id: string, press: { isRange: boolean }) => void } | undefined
}

/** Sessions as log rows, with boxes in front while some are being selected. */
export function SessionLines({ label, sessions, isFull, onEdit, selecting }: SessionLinesProps) {
  return (
    <ul className="card list overflow-hidden" aria-label={label}>
      {sessions.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          isFull={isFull}
          onEdit={selecting ? undefined : onEdit}
          tick={
            selecting && (
              <TickBox
                label={`Select ${sessionName(session)}`}
                isSet={selecting.ids.has(session.id)}
                onPress={(press) => selecting.onTick(session.id, press)}
              />
            )
          }
        />
      ))}
    </ul>
  )
}
