import type { ListedStudent, Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { useSide } from '#features/accounts/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { accountsOf, type Holder, owedInWords } from './account.ts'
import { useLessonDays, useOwed } from './client.web.ts'
import { lessonDaysInWords, lessonDaysOf, type Who } from './lesson-days.ts'

interface CardLinesProps {
  who: Who
  /** Whose balance to show; omitted for children, because balances are kept with tutors. */
  holder?: Holder
  /** The name on the card. A family's balance stands on the card of its first student only. */
  name?: string
}

/**
 * A card's quiet lines: the balance, and the last and next lesson. The lines are there from the start, so that
 * nothing moves when they load; while they load or if they can't, they're empty.
 */
function CardLines({ who, holder, name }: CardLinesProps) {
  const side = useSide()
  const owed = useOwed()
  const days = useLessonDays()
  const [first, ...more] =
    holder && owed.data
      ? accountsOf(owed.data, holder).filter(({ is_only_yours: isOnlyYours }) => !isOnlyYours)
      : []
  const isFamily = first !== undefined && first.balance !== 0 && first.students.length > 1
  const keeper =
    isFamily && more.length === 0 && first.students.includes(name ?? '') ? first.students[0] : name
  const whose =
    more.length > 0 ? (
      `and ${more.length} more`
    ) : isFamily ? (
      <>
        by <bdi>{first.name}</bdi>
      </>
    ) : undefined
  return (
    <div className="num mt-1.5 text-small text-ink-2">
      {holder && owed.isEnabled && (
        <p className="flex min-h-5 gap-x-1">
          {keeper === name ? (
            <>
              <span>{first && owedInWords(first, side)}</span>
              {whose && <span className="min-w-0 flex-1 basis-0 truncate">{whose}</span>}
            </>
          ) : (
            <span className="min-w-0 truncate">
              With <bdi>{keeper}</bdi> on <bdi>{first?.name}</bdi>’s account
            </span>
          )}
        </p>
      )}
      <p className="min-h-5">
        {days.data && lessonDaysInWords(lessonDaysOf(days.data, who), dayIn(new Date()))}
      </p>
    </div>
  )
}

export function TutorLines({ tutor }: { tutor: Tutor }) {
  return <CardLines who={{ tutor_id: tutor.id }} holder={tutor} />
}

export function ChildLines({ child }: { child: Student }) {
  return <CardLines who={{ student_id: child.id }} />
}

export function StudentLines({ student }: { student: ListedStudent }) {
  return <CardLines who={{ student_id: student.id }} holder={student} name={student.name} />
}
