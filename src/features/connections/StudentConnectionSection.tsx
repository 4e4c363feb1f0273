import { Clock, Send } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import type { Student } from '#features/students/student.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { RowActions } from '#platform/ui/RowMenu.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { useEnding } from './EndDialog.tsx'
import { InviteFamilyDialog } from './InviteFamilyDialog.tsx'
import { LinkLine, linkInWords } from './LinkLine.tsx'
import { isOpen, newestWith } from './matching.ts'
import { familyOf, nameOfOther } from '#features/workspaces/sides.ts'
import { SharedFromLine } from './SharedFromField.tsx'

/** Shows whether a student's family shares and confirms sessions, with a button for the first invitation. */
export function StudentConnectionSection({ student }: { student: Student }) {
  const connections = useConnections()
  const connects = useConnects()
  const [isInviting, setIsInviting] = useState(false)
  if (!connections.isEnabled) return null
  if (!connections.data) return <ListRetry list={connections} plural="connections" />
  const connection = newestWith(connections.data, student.id)
  if (!connection && !connects) return null
  const sharing = sharingWith(connections.data, student)
  // If there are several families, the user picks the connection to end from the list of families.
  if (sharing.length > 1) return <SeveralFamilies sharing={sharing} />
  return (
    <>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2">
        <State connection={connection} />
        {connects && !connection && (
          <Button
            tone="quiet"
            size="small"
            className="-mx-4"
            aria-label={`Invite the family, ${student.name}`}
            onClick={() => setIsInviting(true)}
          >
            <Send className="size-4!" aria-hidden="true" />
            Invite the family
          </Button>
        )}
        {isInviting && <InviteFamilyDialog student={student} onClose={() => setIsInviting(false)} />}
      </div>
      {connection && <LinkLine connection={connection} other={nameOfOther(connection, 'tutor')} />}
      {connection && isOpen(connection) && <SharedFromLine connection={connection} />}
    </>
  )
}

/** The active connections that share a student's sessions. */
function sharingWith(connections: Connection[], { id }: Student): Connection[] {
  return connections.filter(
    ({ state, people }) => state === 'active' && people.some(({ student_id: of }) => of === id),
  )
}

/** The connection actions in a student's "..." menu: end the connection, or invite again. */
export function useStudentActions(): RowActions<Student> {
  const connections = useConnections()
  const connects = useConnects()
  const ending = useEnding()
  const [invited, setInvited] = useState<Student>()
  return {
    actionsFor(student) {
      const list = connections.data ?? []
      const connection = newestWith(list, student.id)
      if (!connects || !connection || sharingWith(list, student).length > 1) return []
      if (!isOpen(connection)) return [{ label: 'Invite again', Icon: Send, run: () => setInvited(student) }]
      const children = connection.people.map((person) => person.first_name)
      return [ending.action({ connection, other: familyOf(connection.other_name, children) })]
    },
    dialog: invited ? (
      <InviteFamilyDialog student={invited} onClose={() => setInvited(undefined)} />
    ) : (
      ending.question
    ),
  }
}

/** The names of the families that share one student. */
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
        {linkInWords(connection) ?? 'Request sent, no answer yet'}
      </Badge>
    )
  const ended = connection.ended_by === 'other' ? 'Ended by the family' : 'Ended'
  return <Badge>{connection.state === 'declined' ? 'Declined' : ended}</Badge>
}
