import type { ComponentType } from 'react'
import { useCanAddPeople, useCanWrite } from '#features/accounts/client.web.ts'
import { PeoplePage } from '#features/people/PeoplePage.tsx'
import { PeopleTable } from '#features/people/PeopleTable.tsx'
import { PersonButtons } from '#features/people/PersonButtons.tsx'
import { paths, personPage } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { ChildForm } from './ChildForm.tsx'
import { studentCalls, useStudents } from './client.web.ts'
import { deletionOf, type Student } from './student.ts'

interface ChildrenPageProps {
  /** A child's last and next lesson. */
  Lines: ComponentType<{ child: Student }>
  /** Explains what happens to a connection if the child is deleted. */
  useAfter: () => (child: Student) => string | undefined
}

export default function ChildrenPage({ Lines, useAfter }: ChildrenPageProps) {
  const canWrite = useCanWrite()
  return (
    <PeoplePage<Student>
      noun="Child"
      title="Children"
      emptyTitle="No children added yet"
      emptyLine="Add your first child to start logging sessions"
      usePeople={useStudents}
      calls={studentCalls}
      canAdd={useCanAddPeople()}
      placeholders={3}
      form={(child, close, leadOn) => (
        <ChildForm key={child?.id ?? 'new'} child={child} onAdded={leadOn} onClose={close} />
      )}
      next={`${paths.tutors}?new=first`}
      formPlace="in the page"
      rows={(children, buttonsOf, isArchived) => (
        <PeopleTable
          people={children}
          label={isArchived ? 'Archived children' : 'Children'}
          columns={[
            { key: 'grade', header: 'Grade' },
            { key: 'notes', header: 'Notes' },
          ]}
          cells={({ grade, notes }) => ({ grade, notes: <span className="line-clamp-2">{notes}</span> })}
          pageOf={({ id }) => personPage('child', id)}
          lines={(child) => <Lines child={child} />}
          details={({ grade, notes }) => (
            <>
              {grade && (
                <p className="mt-1">
                  <Badge>{grade}</Badge>
                </p>
              )}
              {notes && <p className="mt-1.5 line-clamp-2 text-small text-ink-2">{notes}</p>}
            </>
          )}
          buttons={canWrite ? (child) => <PersonButtons {...buttonsOf(child)} /> : undefined}
        />
      )}
      deletion={{ ...deletionOf('child'), useAfter }}
    />
  )
}
