import type { ComponentType } from 'react'
import { useCanAddPeople } from '#features/accounts/client.web.ts'
import { PeoplePage } from '#features/people/PeoplePage.tsx'
import { PersonButtons, type PersonButtonsProps } from '#features/people/PersonButtons.tsx'
import { PersonLink } from '#features/people/PersonLink.tsx'
import { personPage } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import type { RowActions } from '#platform/ui/RowMenu.tsx'
import { studentCalls, useStudents } from './client.web.ts'
import { deletionOf, type ListedStudent, type Student } from './student.ts'
import { StudentDialog } from './StudentDialog.tsx'

/** How many placeholder rows to show while loading (docs/product.md, section 9). */
const PLACEHOLDERS = 6

interface StudentsPageProps {
  /** Shows whether a student's family confirms sessions and, if not, how to invite them. */
  Connection: ComponentType<{ student: Student }>
  /** A student's balance, and the last and next lesson. */
  Lines: ComponentType<{ student: ListedStudent }>
  /** The menu items for a student's connection with a family. */
  useActions: () => RowActions<Student>
  /** True while the connections are loading. */
  isLoading: boolean
  /** Explains what happens to a connection if the student is deleted. */
  useAfter: () => (student: Student) => string | undefined
}

export default function StudentsPage({
  Connection,
  Lines,
  useActions,
  isLoading,
  useAfter,
}: StudentsPageProps) {
  const { actionsFor, dialog } = useActions()
  return (
    <>
      <PeoplePage<ListedStudent>
        noun="Student"
        title="My Students"
        subtitle="Manage your students and their information"
        emptyTitle="No students yet"
        emptyLine="Add your first student to get started"
        usePeople={useStudents}
        calls={studentCalls}
        canAdd={useCanAddPeople()}
        // A connection makes a student's card taller, so the list isn't shown until the connections have loaded.
        isAwaited={isLoading}
        placeholders={PLACEHOLDERS}
        form={(student, close) => (
          <StudentDialog key={student?.id ?? 'new'} student={student} onClose={close} />
        )}
        formPlace="on top"
        rows={(students, buttonsOf) => (
          <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
            {students.map((student) => (
              <StudentCard
                key={student.id}
                student={student}
                Connection={Connection}
                Lines={Lines}
                buttons={{ ...buttonsOf(student), actions: actionsFor(student) }}
              />
            ))}
          </ul>
        )}
        deletion={{ ...deletionOf('student'), useAfter }}
      />
      {dialog}
    </>
  )
}

interface StudentCardProps extends Pick<StudentsPageProps, 'Connection' | 'Lines'> {
  student: ListedStudent
  buttons: PersonButtonsProps
}

function StudentCard({ student, Connection, Lines, buttons }: StudentCardProps) {
  const money = useMoney()
  return (
    <li className="card flex min-w-0 flex-col p-4 pl-5">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1 pt-2">
          <h2 className="line-clamp-2 text-[1.1875rem] leading-snug" title={student.name}>
            <PersonLink to={personPage('student', student.id)} name={student.name} />
          </h2>
          {student.grade && (
            <p className="mt-1.5">
              <Badge tone="tutor">{student.grade}</Badge>
            </p>
          )}
        </div>
        <PersonButtons {...buttons} />
      </div>
      {student.hourly_rate !== null && (
        <p className="num mt-1.5 font-semibold">
          {money(student.hourly_rate)}
          <span className="font-normal text-ink-2">/hour</span>
        </p>
      )}
      {student.notes && (
        <p className="mt-2 line-clamp-2 pr-2 text-[.9375rem] leading-snug text-ink-2">{student.notes}</p>
      )}
      <Lines student={student} />
      <div className="mt-auto">
        <Connection student={student} />
      </div>
    </li>
  )
}
