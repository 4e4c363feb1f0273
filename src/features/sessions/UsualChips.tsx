import { typedNumber } from '#kernel/typed-number.ts'
import type { Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { chipText, type Usual } from './usual.ts'

interface UsualChipsProps {
  usual: Usual[]
  students: Student[]
  tutors: Tutor[]
  /** Whether the tutor is always the user. */
  isOwnTutor: boolean
  /** The values currently in the form. */
  current: Usual
  onChoose: (usual: Usual) => void
}

/** Chips for the sessions the user usually logs. Tapping one fills in the form. */
export function UsualChips({ usual, students, tutors, isOwnTutor, current, onChoose }: UsualChipsProps) {
  if (usual.length === 0) return null
  return (
    <div
      className="mt-5 flex gap-2 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1 max-md:[scrollbar-width:none] md:flex-wrap"
      role="group"
      aria-label="Usual sessions"
    >
      {usual.map((one) => (
        <button
          key={JSON.stringify(one)}
          type="button"
          className="chip max-md:max-w-[80%] max-md:shrink-0"
          aria-pressed={
            one.student_id === current.student_id &&
            one.tutor_id === current.tutor_id &&
            one.subject === current.subject &&
            typedNumber(one.duration) === typedNumber(current.duration)
          }
          onClick={() => onChoose(one)}
        >
          <span className="line-clamp-2">{chipText(one, students, tutors, isOwnTutor)}</span>
        </button>
      ))}
    </div>
  )
}
