// Which price counts: 20 cases, for the rule and for the server, including what caregivers log.
import type { CalendarDay } from '#kernel/calendar-day.ts'

/** Amounts in cents. Prices of the pair are [since, amount, minutes of the lesson or null for an hour]. */
export interface PriceCase {
  name: string
  day: CalendarDay
  minutes: number
  override?: number
  schedule?: number
  pair?: [since: string, cents: number, lessonMinutes: number | null][]
  /** Only a practice's students have a rate. */
  student?: number
  tutor?: number
  counts: {
    source: string
    cents: number
    lesson: number | null
    since: string | null
    amount: number
  } | null
}

const AUG_31 = '2026-08-31' as CalendarDay
const SEP_1 = '2026-09-01' as CalendarDay
const NOV_3 = '2026-11-03' as CalendarDay

const hourly = (source: string, cents: number, amount: number, since: string | null = null) => ({
  source,
  cents,
  lesson: null,
  since,
  amount,
})
const pair = (cents: number, lesson: number | null, since: string, amount: number) => ({
  source: 'pair',
  cents,
  lesson,
  since,
  amount,
})
const SINCE_SEP: PriceCase['pair'] = [[SEP_1, 3250, 45]]
const TWO: PriceCase['pair'] = [
  [SEP_1, 3250, 45],
  ['2026-11-01', 6000, null],
]

export const PRICE_CASES: PriceCase[] = [
  { name: 'no price at all', day: NOV_3, minutes: 60, counts: null },
  { name: "only the tutor's", day: NOV_3, minutes: 90, tutor: 4500, counts: hourly('tutor', 4500, 6750) },
  { name: "the tutor's of 0 is a price", day: NOV_3, minutes: 60, tutor: 0, counts: hourly('tutor', 0, 0) },
  {
    name: "the student's before the tutor's",
    day: NOV_3,
    minutes: 60,
    student: 6000,
    tutor: 4500,
    counts: hourly('student', 6000, 6000),
  },
  {
    name: "a student's of 0 before the tutor's",
    day: NOV_3,
    minutes: 60,
    student: 0,
    tutor: 4500,
    counts: hourly('student', 0, 0),
  },
  {
    name: "the pair's before the tutor's, on its first day",
    day: SEP_1,
    minutes: 45,
    pair: SINCE_SEP,
    tutor: 4500,
    counts: pair(3250, 45, SEP_1, 3250),
  },
  {
    name: "the tutor's on the day before the pair's begins",
    day: AUG_31,
    minutes: 45,
    pair: SINCE_SEP,
    tutor: 4500,
    counts: hourly('tutor', 4500, 3375),
  },
  {
    name: "nothing before the pair's begins, without another price",
    day: AUG_31,
    minutes: 45,
    pair: SINCE_SEP,
    counts: null,
  },
  {
    name: "the pair's before the student's and the tutor's",
    day: NOV_3,
    minutes: 60,
    pair: [[SEP_1, 7000, null]],
    student: 6000,
    tutor: 4500,
    counts: pair(7000, null, SEP_1, 7000),
  },
  {
    name: "the student's before the pair's begins",
    day: AUG_31,
    minutes: 60,
    pair: [[SEP_1, 7000, null]],
    student: 6000,
    tutor: 4500,
    counts: hourly('student', 6000, 6000),
  },
  {
    name: "the pair's later one from its day on",
    day: '2026-11-01' as CalendarDay,
    minutes: 60,
    pair: TWO,
    tutor: 4500,
    counts: pair(6000, null, '2026-11-01', 6000),
  },
  {
    name: "the pair's earlier one until the day before",
    day: '2026-10-31' as CalendarDay,
    minutes: 45,
    pair: TWO,
    tutor: 4500,
    counts: pair(3250, 45, SEP_1, 3250),
  },
  {
    name: 'a price per lesson, for a longer one, half up',
    day: NOV_3,
    minutes: 60,
    pair: [[SEP_1, 3251, 45]],
    counts: pair(3251, 45, SEP_1, 4335),
  },
  {
    name: 'a price per lesson, for a shorter one: exactly half a cent goes up',
    day: NOV_3,
    minutes: 15,
    pair: [[SEP_1, 1001, 30]],
    counts: pair(1001, 30, SEP_1, 501),
  },
  {
    name: "the pair's of 0 before the tutor's",
    day: NOV_3,
    minutes: 60,
    pair: [[SEP_1, 0, 60]],
    tutor: 4500,
    counts: pair(0, 60, SEP_1, 0),
  },
  {
    name: "the schedule's before the pair's",
    day: NOV_3,
    minutes: 60,
    schedule: 5000,
    pair: SINCE_SEP,
    student: 6000,
    tutor: 4500,
    counts: hourly('schedule', 5000, 5000),
  },
  {
    name: "the schedule's of 0 before the pair's",
    day: NOV_3,
    minutes: 60,
    schedule: 0,
    pair: SINCE_SEP,
    counts: hourly('schedule', 0, 0),
  },
  {
    name: "the session's own before all others",
    day: NOV_3,
    minutes: 60,
    override: 8000,
    schedule: 5000,
    pair: SINCE_SEP,
    student: 6000,
    tutor: 4500,
    counts: hourly('override', 8000, 8000),
  },
  {
    name: "the session's own of 0, per hour, before a price per lesson",
    day: NOV_3,
    minutes: 45,
    override: 0,
    pair: SINCE_SEP,
    counts: hourly('override', 0, 0),
  },
  {
    name: 'a lesson of no minutes costs nothing',
    day: NOV_3,
    minutes: 0,
    pair: SINCE_SEP,
    tutor: 4500,
    counts: pair(3250, 45, SEP_1, 0),
  },
]
