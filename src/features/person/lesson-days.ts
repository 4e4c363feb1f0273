// When each child or student last had a lesson, and when the next class is. Lists of people show it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Occurrence, timesOf, yourDay, yourTime } from '#features/schedules/occurrence.ts'
import { TimeOfDay } from '#features/schedules/schedule.ts'
import { addDays, type CalendarDay, Day, formatDay } from '#kernel/calendar-day.ts'

/** How far back to look for somebody's last lesson. Keeps the cost independent of how long they've been here. */
export const LAST_WITHIN_DAYS = 366

const NextClass = z.pick(Occurrence, { date: true, start_time: true, yours: true })
type NextClass = z.output<typeof NextClass>

/** A student with a tutor. */
const LessonDays = z.object({
  student_id: z.string(),
  tutor_id: z.string(),
  last: z.nullable(z.string()),
  next: z.nullable(NextClass),
})
type LessonDays = z.output<typeof LessonDays>

export const ListLessonDays = endpoint({
  operation: 'ListLessonDays',
  summary: 'List the last lesson (within a year) and the next class of each student with each tutor',
  method: 'GET',
  path: '/api/v1/lesson-days',
  access: 'confirmed',
  input: z.strictObject({
    /** The caller's local date and time. If the time is omitted, all of today's classes are still to come. */
    today: z.optional(Day),
    time: z.optional(TimeOfDay),
  }),
  output: z.array(LessonDays),
})

/** Whose page or card it is. */
export type Who = { student_id: string } | { tutor_id: string }

/** A person's last lesson and next class, with anyone. */
export function lessonDaysOf(
  days: readonly LessonDays[],
  who: Who,
): { last: string | null; next: NextClass | null } {
  const own = days.filter((one) =>
    'student_id' in who ? one.student_id === who.student_id : one.tutor_id === who.tutor_id,
  )
  const last = own.reduce<string | null>(
    (latest, one) => ((one.last ?? '') > (latest ?? '') ? one.last : latest),
    null,
  )
  const next = own
    .flatMap((one) => one.next ?? [])
    .toSorted((a, b) => `${yourDay(a)} ${yourTime(a)}`.localeCompare(`${yourDay(b)} ${yourTime(b)}`))[0]
  return { last, next: next ?? null }
}

/** Puts the last lessons and the next classes of the same student and tutor together. */
export function joinedDays(
  lasts: readonly { student_id: string; tutor_id: string; day: string }[],
  nexts: readonly ({ student_id: string; tutor_id: string } & NextClass)[],
): LessonDays[] {
  const pairs = new Map<string, LessonDays>()
  const pairOf = ({ student_id, tutor_id }: Pick<LessonDays, 'student_id' | 'tutor_id'>) => {
    const key = `${student_id} ${tutor_id}`
    const pair = pairs.get(key) ?? { student_id, tutor_id, last: null, next: null }
    pairs.set(key, pair)
    return pair
  }
  for (const last of lasts) pairOf(last).last = last.day
  // The soonest class comes first.
  for (const { date, start_time, yours, ...next } of nexts) pairOf(next).next ??= { date, start_time, yours }
  return [...pairs.values()]
}

/** A day that's close, by its name: "today", "tomorrow", "Tue, Nov 3", or with its year if that's another. */
function dayInWords(day: string, today: CalendarDay, hasWeekday = true): string {
  if (day === today) return 'today'
  if (day === addDays(today, 1)) return 'tomorrow'
  if (day === addDays(today, -1)) return 'yesterday'
  return dateInWords(day, today, hasWeekday)
}

function dateInWords(day: string, today: CalendarDay, hasWeekday = true): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' as const }
  const weekday = hasWeekday ? { weekday: 'short' as const } : {}
  return formatDay(day as CalendarDay, { ...weekday, month: 'short', day: 'numeric', ...year })
}

/** A card's line: "Last: Nov 20 · Next: Tue, Dec 1, 4:00 PM". */
export function lessonDaysInWords(
  { last, next }: ReturnType<typeof lessonDaysOf>,
  today: CalendarDay,
): string {
  const parts = [
    last && `Last: ${dayInWords(last, today, false)}`,
    next && `Next: ${classInWords(next, today)}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : 'No lessons in the past year'
}

// The day is the one where the class takes place. It's named by its date if it's another one for the reader.
function classInWords(next: NextClass, today: CalendarDay): string {
  const day = yourDay(next) === next.date ? dayInWords(next.date, today) : dateInWords(next.date, today)
  return `${day}, ${timesOf(next, true)}`
}

/** The next class in full, such as "Tue, Dec 1, 4:00 PM". */
export function nextInWords(next: NextClass, today: CalendarDay): string {
  const words = classInWords(next, today)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
