import { Link, useParams } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { useAfterDeleting } from '#features/connections/client.web.ts'
import {
  StudentConnectionSection,
  useStudentActions,
} from '#features/connections/StudentConnectionSection.tsx'
import { TutorConnectionSection, useTutorActions } from '#features/connections/TutorConnectionSection.tsx'
import { papersWith } from '#features/site/paths.ts'
import { ChildForm } from '#features/students/ChildForm.tsx'
import { studentCalls } from '#features/students/client.web.ts'
import { deletionOf as deletionOfStudent } from '#features/students/student.ts'
import { StudentDialog } from '#features/students/StudentDialog.tsx'
import { tutorCalls, useOwnTutor } from '#features/tutors/client.web.ts'
import { Email, Phone } from '#features/tutors/ContactRow.tsx'
import { DELETION as DELETION_OF_TUTOR } from '#features/tutors/tutor.ts'
import { TutorForm } from '#features/tutors/TutorForm.tsx'
import { Badge } from '#platform/ui/Badge.tsx'
import type { Kind } from './account.ts'
import { useStudent, useTutor } from './client.web.ts'
import { AboutCard, RateRow, TextRow } from './parts/AboutCard.tsx'
import { StudentTerms, TutorTerms } from './parts/TermsSection.tsx'
import { PersonView } from './parts/PersonView.tsx'

/** The page of one tutor, child or student. Another person's page starts with nothing typed or opened. */
export default function PersonPage({ kind }: { kind: Kind }) {
  const { id = '' } = useParams()
  if (kind === 'tutor') return <TutorPage key={id} id={id} />
  return kind === 'child' ? <ChildPage key={id} id={id} /> : <StudentPage key={id} id={id} />
}

function TutorPage({ id }: { id: string }) {
  const menu = useTutorActions()
  const useAfter = () => useAfterDeleting().tutor
  return (
    <PersonView
      kind="tutor"
      noun="Tutor"
      who={{ tutor_id: id }}
      found={useTutor(id)}
      menu={menu}
      calls={tutorCalls}
      deletion={{ ...DELETION_OF_TUTOR, useAfter }}
      terms={(tutor) => <TutorTerms tutor={tutor} />}
      form={(tutor, close) => <TutorForm tutor={tutor} onAdded={close} onClose={close} />}
      about={(tutor, edit) => (
        <AboutCard>
          <RateRow rate={tutor.hourly_rate} onChange={edit} />
          <TextRow label="Subjects">
            {tutor.subjects.length > 0 && (
              <span className="flex flex-wrap gap-1.5">
                {tutor.subjects.map((subject) => (
                  <Badge key={subject}>{subject}</Badge>
                ))}
              </span>
            )}
          </TextRow>
          <TextRow label="Email">{tutor.email && <Email tutor={tutor} />}</TextRow>
          <TextRow label="Phone">{tutor.phone && <Phone tutor={tutor} />}</TextRow>
          <TextRow label="Notes">{tutor.notes}</TextRow>
          <TutorConnectionSection tutor={tutor} />
          <PapersLink tutorId={tutor.id} />
        </AboutCard>
      )}
    />
  )
}

/** Leads to receipts and records, for those who can see amounts and everyone. */
function PapersLink({ tutorId }: { tutorId: string }) {
  const { can_see_amounts: seesAmounts, has_all_students: seesAll } = useMe()
  if (!seesAmounts || !seesAll) return null
  return (
    <Link className="link mt-1 inline-flex min-h-11 items-center" to={papersWith(tutorId)}>
      Receipts and records
    </Link>
  )
}

function ChildPage({ id }: { id: string }) {
  const useAfter = () => useAfterDeleting().child
  return (
    <PersonView
      kind="child"
      noun="Child"
      who={{ student_id: id }}
      found={useStudent(id)}
      calls={studentCalls}
      deletion={{ ...deletionOfStudent('child'), useAfter }}
      form={(child, close) => <ChildForm child={child} onAdded={close} onClose={close} />}
      about={({ grade, notes }) =>
        (grade || notes) && (
          <AboutCard>
            <TextRow label="Grade">{grade}</TextRow>
            <TextRow label="Notes">{notes}</TextRow>
          </AboutCard>
        )
      }
    />
  )
}

function StudentPage({ id }: { id: string }) {
  const menu = useStudentActions()
  const ownRate = useOwnTutor()?.hourly_rate ?? null
  const useAfter = () => useAfterDeleting().student
  return (
    <PersonView
      kind="student"
      noun="Student"
      who={{ student_id: id }}
      found={useStudent(id)}
      menu={menu}
      calls={studentCalls}
      deletion={{ ...deletionOfStudent('student'), useAfter }}
      terms={(student) => <StudentTerms student={student} />}
      form={(student, close) => <StudentDialog student={student} onClose={close} />}
      about={(student, edit) => (
        <AboutCard>
          <RateRow
            rate={student.hourly_rate ?? ownRate}
            note={student.hourly_rate === null && ownRate !== null ? 'Your usual rate' : undefined}
            onChange={edit}
          />
          <TextRow label="Grade">{student.grade}</TextRow>
          <TextRow label="Notes">{student.notes}</TextRow>
          <StudentConnectionSection student={student} />
        </AboutCard>
      )}
    />
  )
}
