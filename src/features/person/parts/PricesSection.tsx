import { PricesCard } from '#features/prices/PricesCard.tsx'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { isComing } from '#platform/query.web.ts'
import type { Who } from '../lesson-days.ts'

/** The prices of a tutor for each child, of a child with each tutor, or of a practice's student. */
export function PricesSection({ who }: { who: Who }) {
  const students = useStudents('all')
  const tutors = useTutors('all')
  // What's below waits for it.
  if (isComing(students) || isComing(tutors)) return <div hidden aria-busy="true" />
  const isOf = {
    students: 'student_id' in who ? who.student_id : undefined,
    tutors: 'tutor_id' in who ? who.tutor_id : undefined,
  }
  const taught = (students.data ?? []).filter(({ id, archived }) =>
    isOf.students ? id === isOf.students : !archived,
  )
  const teaching = (tutors.data ?? []).filter(({ id, archived }) =>
    isOf.tutors ? id === isOf.tutors : !archived,
  )
  const pairs = taught.flatMap((student) =>
    teaching.map((tutor) => ({
      student_id: student.id,
      tutor_id: tutor.id,
      student: student.name,
      tutor: tutor.is_self ? undefined : tutor.name,
    })),
  )
  return <PricesCard pairs={pairs} prices={taught.flatMap(({ prices }) => prices)} />
}
