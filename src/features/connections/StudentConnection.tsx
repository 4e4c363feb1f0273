import { Clock, Send } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import type { Student } from '#features/students/student.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { EndButton } from './EndDialog.tsx'
import { InviteFamilyDialog } from './InviteFamilyDialog.tsx'
import { newestWith } from './matching.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import { SharedFromLine } from './SharedFromField.tsx'

/** Whether a student's family shares and confirms sessions, and the button to ask or to end it. */
export function StudentConnection({ student }: { student: Student }) {
  const connections = useConnections()
  const connects = useConnects()
  const [isInviting, setIsInviting] = useState(false)
  if (!connections.isEnabled) return null
  if (!connections.data) return <ListRetry list={connections} plural="connections" />
  const connection = newestWith(connections.data, student.id)
  if (!connection && !connects) return null
  const sharing = connections.data.filter(
    ({ state, people }) => state === 'active' && people.some((person) => person.student_id === student.id),
  )
  // Which of them to end is chosen in their own list.
  if (sharing.length > 1) return <SeveralFamilies sharing={sharing} />
  const isOpen = connection?.state === 'asked' || connection?.state === 'active'
  const inviteLabel = connection ? 'Invite again' : 'Invite the family'
  return (
    <>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2">
        <State connection={connection} />
        {connects && isOpen && (
          <EndButton
            connection={connection}
            other={familyOf(
              connection.other_name,
              connection.people.map((person) => person.first_name),
            )}
            className="-mx-4"
          />
        )}
        {connects && !isOpen && (
          <Button
            tone="quiet"
            size="small"
            className="-mx-4"
            aria-label={`${inviteLabel}, ${student.name}`}
            onClick={() => setIsInviting(true)}
          >
            <Send className="size-4!" aria-hidden="true" />
            {inviteLabel}
          </Button>
        )}
        {isInviting && <InviteFamilyDialog student={student} onClose={() => setIsInviting(false)} />}
      </div>
      {isOpen && <SharedFromLine connection={connection} />}
    </>
  )
}

/** The families that share one student, by name. */
function SeveralFamilies({ sharing }: { sharing: Connection[] }) {
  const names = sharing.map((one) =>
    familyOf(
      one.other_name,
      one.people.map((person) => person.first_name),
    ),
  )
  return (
    <>
      <p className="ver mt-1.5">
        <Ticks />
        {sharing.length} families confirm sessions
      </p>
      <Link to={paths.toConfirm} className="link inline-flex min-h-11 items-center wrap-anywhere">
        {names.join(', ')}
      </Link>
    </>
  )
}

function State({ connection }: { connection: Connection | undefined }) {
  if (!connection) return <Badge>Not asked yet</Badge>
  if (connection.state === 'active')
    return connection.is_read_only ? (
      <Badge>Account closed, read only</Badge>
    ) : (
      <span className="ver">
        <Ticks />
        The family confirms sessions
      </span>
    )
  if (connection.state === 'asked')
    return (
      <Badge tone="warn">
        <Clock aria-hidden="true" />
        Asked, no answer yet
      </Badge>
    )
  const ended = connection.ended_by === 'other' ? 'Ended by the family' : 'Ended'
  return <Badge>{connection.state === 'declined' ? 'Declined' : ended}</Badge>
}
