// What emails and their page say about classes.
import { timesOf } from '#features/schedules/occurrence.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { firstName, plainName } from '#kernel/plain-name.ts'

/** A class as people know it. */
interface NamedClass {
  date: string
  start_time: string
  /** When it starts for the reader, if their own time zone shows another day or time. */
  yours: { date: string; start_time: string } | null
  /** Hours. */
  duration: number
  student_name: string
  tutor_name: string
}

/** Who meets: for a family, their child with the tutor; for a tutor, the student. */
export function whoMeets(
  { student_name: student, tutor_name: tutor }: Pick<NamedClass, 'student_name' | 'tutor_name'>,
  reader: 'parent' | 'tutor',
): string {
  const name = firstName(student) || 'Your student'
  return reader === 'parent' ? `${name} with ${plainName(tutor, 'your tutor')}` : name
}

/** For example, "Tue, Nov 24, 4:00 PM (1.5 h)", or "Tue, Nov 24, 4:00 PM, 10:00 PM for you (1.5 h)". */
export function whenIs(one: NamedClass): string {
  const day = formatDay(one.date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })
  return `${day}, ${timesOf(one, true)} (${hoursInWords(one.duration)})`
}

/** One line of an email. */
export function classLine(one: NamedClass, reader: 'parent' | 'tutor'): string {
  return `${whoMeets(one, reader)}: ${whenIs(one)}`
}

/** The words of the question after one or several classes. The subject names nobody: it may be read on a lock screen. */
export function questionWords(count: number): { subject: string; text: string; label: string } {
  return count === 1
    ? {
        subject: 'Did this class take place?',
        text: 'This class is over, and nobody has said yet whether it took place:',
        label: 'Answer',
      }
    : {
        subject: `Did these ${count} classes take place?`,
        text: `These ${count} classes are over, and nobody has said yet whether they took place:`,
        label: 'Answer',
      }
}

/** The title of the reminder about the next day's classes, which may have had to wait for that morning. */
export function tomorrowWords(count: number, isToday: boolean): string {
  const whose = isToday ? 'Today’s' : 'Tomorrow’s'
  return count === 1 ? `${whose} class` : `${whose} ${count} classes`
}
