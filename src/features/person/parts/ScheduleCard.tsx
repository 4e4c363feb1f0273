import { Link } from 'react-router'
import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { useSchedules } from '#features/schedules/client.web.ts'
import {
  FREQUENCY_LABELS,
  hasClasses,
  type Schedule,
  timesOfSchedule,
  WEEKDAYS,
} from '#features/schedules/schedule.ts'
import { paths } from '#features/site/paths.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useLessonDays } from '../client.web.ts'
import { lessonDaysOf, nextInWords, type Who } from '../lesson-days.ts'

/** A person's recurring classes and the next one. */
export function ScheduleCard({ who }: { who: Who }) {
  const schedules = useSchedules()
  const days = useLessonDays()
  const canWrite = useCanWrite()
  const today = dayIn(new Date())
  const own = (schedules.data ?? [])
    .filter(
      (one) =>
        hasClasses(one, today) &&
        ('tutor_id' in who ? one.tutor_id === who.tutor_id : one.student_id === who.student_id),
    )
    .toSorted((a, b) => a.day_of_week - b.day_of_week || a.start_time.localeCompare(b.start_time))
  const hasNone = schedules.data !== undefined && own.length === 0
  const next = days.data && lessonDaysOf(days.data, who).next
  return (
    <section className="card px-5 pt-3 pb-4">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2>Schedule</h2>
        <Link
          className="link inline-flex min-h-11 min-w-11 items-center justify-end"
          to={hasNone && canWrite ? `${paths.schedules}?new` : paths.schedules}
        >
          {hasNone && canWrite ? 'Create Schedule' : 'Schedules'}
        </Link>
      </div>
      {(schedules.isLoading || days.isLoading) && (
        <Loading label="Loading schedules...">
          <div className="sk h-4 w-3/5" />
        </Loading>
      )}
      <ListRetry list={schedules} plural="schedules" />
      {next && <p className="num font-semibold">Next: {nextInWords(next, today)}</p>}
      {hasNone && <p className="text-ink-2">No recurring classes</p>}
      <ul className="text-ink-2">
        {own.map((one) => (
          <Line key={one.id} schedule={one} isWithTutor={'student_id' in who} />
        ))}
      </ul>
    </section>
  )
}

function Line({ schedule, isWithTutor }: { schedule: Schedule; isWithTutor: boolean }) {
  const side = useSide()
  const { day_of_week: weekday, frequency, subject } = schedule
  const other = isWithTutor
    ? side === 'parent' && (schedule.tutor_name ?? UNKNOWN_TUTOR)
    : (schedule.student_name ?? UNKNOWN_STUDENT)
  return (
    <li className="num wrap-anywhere">
      {inOneLine([
        `${WEEKDAYS[weekday]}s at ${timesOfSchedule(schedule)}`,
        hoursInWords(schedule.duration),
        frequency === 'weekly' ? null : FREQUENCY_LABELS[frequency].toLowerCase(),
        subject,
        other ? `with ${other}` : null,
      ])}
    </li>
  )
}
