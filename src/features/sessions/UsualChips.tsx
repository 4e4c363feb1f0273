import { Plus } from 'lucide-react'
import type { Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import { chipText, type Offer, type Usual } from './usual.ts'

interface UsualChipsProps {
  usual: Usual[]
  /** Those of them that one tap logs. */
  offers: Offer[]
  students: Student[]
  tutors: Tutor[]
  /** Whether the tutor is always the user. */
  isOwnTutor: boolean
  /** The values currently in the form. */
  current: Usual
  today: CalendarDay
  onChoose: (usual: Usual) => void
  onAdd: (offer: Offer) => void
}

/**
 * Chips for the sessions the user usually logs. A chip with a day logs the session at once; one without fills in the
 * form.
 */
export function UsualChips({
  usual,
  offers,
  students,
  tutors,
  isOwnTutor,
  current,
  today,
  onChoose,
  onAdd,
}: UsualChipsProps) {
  if (usual.length === 0) return null
  return (
    <div
      className="relative mt-5 flex gap-2 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1 max-md:[scrollbar-width:none] md:flex-wrap"
      role="group"
      aria-label="Usual sessions"
    >
      {usual.map((one) => {
        const offer = offers.find((offered) => isSame(offered, one))
        return (
          <button
            key={JSON.stringify(one)}
            type="button"
            className="chip relative flex items-center gap-1.5 max-md:max-w-[80%] max-md:shrink-0"
            aria-pressed={offer ? undefined : isSame(one, current)}
            onClick={() => (offer ? onAdd(offer) : onChoose(one))}
          >
            {offer && <Plus className="size-4 shrink-0" aria-hidden="true" />}
            <span className="line-clamp-2 min-w-0 wrap-anywhere">
              {offer && <span className="sr-only">Add </span>}
              {chipText(offer ?? one, students, tutors, isOwnTutor, today)}
            </span>
          </button>
        )
      })}
    </div>
  )
}

function isSame(one: Usual, other: Usual): boolean {
  return (
    one.student_id === other.student_id &&
    one.tutor_id === other.tutor_id &&
    one.subject === other.subject &&
    typedNumber(one.duration) === typedNumber(other.duration)
  )
}
