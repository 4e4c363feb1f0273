import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import type { HeardPeople } from './learned-name.ts'
import { NextTime } from './NextTime.tsx'

interface NextTimeListProps {
  heard: HeardPeople
  fields: { student_id: string; tutor_id: string }
  onChange: (heard: HeardPeople) => void
}

/** What the spoken words will mean from now on, for people chosen in the form. What a card has said isn't said again. */
export function NextTimeList({ heard, fields, onChange }: NextTimeListProps) {
  const students = useStudents()
  const tutors = useTutors()
  const { child, tutor } = heard
  const student = students.data?.find(({ id }) => id === fields.student_id && id !== child.told)
  const teacher = tutors.data?.find(({ id }) => id === fields.tutor_id && id !== tutor.told)
  return (
    <div className="grid gap-1 lg:col-span-2">
      <NextTime
        heard={child}
        chosen={student}
        onUndo={() => onChange({ child: { ...child, words: null }, tutor })}
      />
      <NextTime
        heard={tutor}
        chosen={teacher && (teacher.is_self ? { ...teacher, name: 'You' } : teacher)}
        onUndo={() => onChange({ child, tutor: { ...tutor, words: null } })}
      />
    </div>
  )
}
