// Demo people with a year of tutoring, generated from a seed. The same seed and day produce the same people.
import { addDays, type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { addMonths } from '#kernel/month.ts'
import { type Cents, priceOf } from '#kernel/money.ts'
import type { Method } from '#features/payments/payment.ts'
import { weekdayOf } from '#features/schedules/recurrence.ts'

export interface DemoTutor {
  name: string
  email: string | null
  phone: string | null
  rate: Cents
  subjects: string[]
  /** True for the tutor's own entry on their list. */
  isSelf: boolean
}

export interface DemoSchedule {
  /** An index into the person's list of students. */
  student: number
  tutor: number
  subject: string
  dayOfWeek: number
  startTime: string
  minutes: Minutes
  frequency: 'weekly' | 'bi-weekly'
  start: CalendarDay
  isActive: boolean
}

export interface DemoSession {
  student: number
  tutor: number
  day: CalendarDay
  minutes: Minutes
  rateOverride: Cents | null
  tutorRate: Cents
  subject: string
  /** HH:MM. */
  startTime: string
  summary: string | null
  homework: string | null
  notes: string | null
  /** For a shared session, true if the tutor logged it. */
  isByTutor: boolean
  /** How the other side answers. */
  answer: 'confirmed' | 'disputed' | 'none'
}

export interface DemoPayment {
  /** The index of the tutor in the person's lists, or of the student if the person is a tutor. */
  place: number
  day: CalendarDay
  amount: Cents
  method: Method
}

export interface DemoPerson {
  email: string
  name: string
  role: 'parent' | 'tutor'
  students: { name: string; grade: string; notes: string | null }[]
  tutors: DemoTutor[]
  schedules: DemoSchedule[]
  /** Oldest first, up to today. */
  sessions: DemoSession[]
  /** Oldest first. The payment for each month is made a few days after the month ends. */
  payments: DemoPayment[]
}

interface Plan extends Omit<DemoSchedule, 'start' | 'isActive'> {
  /** True if lessons continue every other week during the summer. */
  inSummer?: boolean
  /** True if the demo family shares these sessions with its tutor. */
  isShared?: boolean
}

type WithoutYear = Omit<DemoPerson, 'schedules' | 'sessions' | 'payments'>

const cents = (dollars: number) => (dollars * 100) as Cents
const minutes = (count: number) => count as Minutes
const DAYS_BACK = 365
const FAMILY_EMAIL = 'family@example.com'
/** The tutor who shares sessions with the demo family. */
export const TUTOR_EMAIL = 'tutor@example.com'

/** The demo's people, each with a year of sessions up to today. */
export function demonstration(seed: number, today: CalendarDay): DemoPerson[] {
  const family: WithoutYear = {
    email: FAMILY_EMAIL,
    name: 'Dana Whitfield',
    role: 'parent',
    students: [
      { name: 'Maya Whitfield', grade: '8th Grade', notes: 'Likes worked examples before exercises.' },
      { name: 'Noah Whitfield', grade: '5th Grade', notes: null },
      { name: 'Ella Whitfield', grade: 'Sophomore', notes: 'SAT in the spring.' },
    ],
    tutors: [
      {
        name: 'Ingrid Halvorsen',
        email: TUTOR_EMAIL,
        phone: '555-0142',
        rate: cents(52),
        subjects: ['Math', 'Physics'],
        isSelf: false,
      },
      {
        name: 'Marcus Bell',
        email: 'marcus.bell@example.com',
        phone: '555-0177',
        rate: cents(40),
        subjects: ['English', 'Reading'],
        isSelf: false,
      },
      {
        name: 'Yuki Tanaka',
        email: null,
        phone: '555-0119',
        rate: cents(68),
        subjects: ['SAT prep', 'Chemistry'],
        isSelf: false,
      },
    ],
  }
  const tutor: WithoutYear = {
    email: TUTOR_EMAIL,
    name: 'Ingrid Halvorsen',
    role: 'tutor',
    students: [
      { name: 'Maya W.', grade: '8th Grade', notes: 'Fractions are solid, but word problems need practice.' },
      { name: 'Oliver Brandt', grade: '7th Grade', notes: null },
      { name: 'Priya Raman', grade: 'Junior', notes: 'Starting calculus in January.' },
      { name: 'Sam Okafor', grade: '10th Grade', notes: null },
    ],
    tutors: [{ name: 'You', email: null, phone: null, rate: cents(52), subjects: [], isSelf: true }],
  }
  return [
    withYear(
      family,
      [
        {
          student: 0,
          tutor: 0,
          subject: 'Math',
          dayOfWeek: 2,
          startTime: '16:30',
          minutes: minutes(60),
          frequency: 'weekly',
          inSummer: true,
        },
        {
          student: 1,
          tutor: 1,
          subject: 'Reading',
          dayOfWeek: 3,
          startTime: '15:30',
          minutes: minutes(60),
          frequency: 'weekly',
        },
        {
          student: 2,
          tutor: 2,
          subject: 'SAT prep',
          dayOfWeek: 6,
          startTime: '10:00',
          minutes: minutes(90),
          frequency: 'bi-weekly',
          inSummer: true,
        },
        {
          student: 2,
          tutor: 0,
          subject: 'Physics',
          dayOfWeek: 4,
          startTime: '17:30',
          minutes: minutes(60),
          frequency: 'weekly',
        },
      ],
      seed,
      today,
    ),
    withYear(
      tutor,
      [
        {
          student: 0,
          tutor: 0,
          subject: 'Math',
          dayOfWeek: 2,
          startTime: '16:30',
          minutes: minutes(60),
          frequency: 'weekly',
          inSummer: true,
          isShared: true,
        },
        {
          student: 1,
          tutor: 0,
          subject: 'Math',
          dayOfWeek: 1,
          startTime: '16:00',
          minutes: minutes(60),
          frequency: 'weekly',
        },
        {
          student: 2,
          tutor: 0,
          subject: 'Calculus',
          dayOfWeek: 4,
          startTime: '18:30',
          minutes: minutes(90),
          frequency: 'weekly',
          inSummer: true,
        },
        {
          student: 3,
          tutor: 0,
          subject: 'Physics',
          dayOfWeek: 3,
          startTime: '17:00',
          minutes: minutes(60),
          frequency: 'bi-weekly',
        },
      ],
      seed + 1,
      today,
    ),
  ]
}

function withYear(person: WithoutYear, plans: Plan[], seed: number, today: CalendarDay): DemoPerson {
  const first = addDays(today, -DAYS_BACK)
  const sessions = plans.flatMap((plan, place) =>
    plan.isShared
      ? []
      : sessionsOf(
          plan,
          person.tutors[plan.tutor]?.rate ?? cents(0),
          first,
          today,
          dice(seed * 31 + place + 1),
        ),
  )
  const schedules = plans.map(({ inSummer, isShared: _isShared, ...plan }, place): DemoSchedule => ({
    ...plan,
    start: first,
    isActive: inSummer === true || place !== plans.length - 1,
  }))
  sessions.sort((a, b) => a.day.localeCompare(b.day))
  const payments =
    person.role === 'parent'
      ? paymentsFor(
          sessions.filter((session) => session !== paidInCash({ ...person, sessions })),
          'tutor',
          today,
        )
      : paymentsFor(sessions, 'student', today)
  return { ...person, schedules, sessions, payments }
}

/** The one lesson that the family paid for in cash: the first one with the child the demo tutor already knew. */
export function paidInCash({
  tutors,
  sessions,
}: Pick<DemoPerson, 'tutors' | 'sessions'>): DemoSession | undefined {
  return sessions.find(({ student, tutor }) => student === 0 && tutors[tutor]?.email === TUTOR_EMAIL)
}

/** The price of a session. */
export function costOf({ rateOverride, tutorRate, minutes: length }: DemoSession): Cents {
  return priceOf(rateOverride ?? tutorRate, length)
}

function paymentsFor(
  sessions: readonly DemoSession[],
  keptWith: 'tutor' | 'student',
  today: CalendarDay,
): DemoPayment[] {
  const months = [...new Set(sessions.map(({ day }) => monthOf(day)))]
  const places = [...new Set(sessions.map((session) => session[keptWith]))]
  return places
    .flatMap((place) =>
      months.map((month): DemoPayment => {
        const owed = sessions.filter(
          (session) =>
            session[keptWith] === place && session.day.startsWith(month) && session.answer !== 'disputed',
        )
        return {
          place,
          day: addDays(daysOfMonth(month).to, 2 + place),
          amount: owed.reduce((sum, session) => sum + costOf(session), 0) as Cents,
          method: PAID_BY[place % PAID_BY.length] ?? 'transfer',
        }
      }),
    )
    .filter(({ amount, day }) => amount > 0 && day <= today)
    .sort((one, other) => one.day.localeCompare(other.day))
}

const PAID_BY: Method[] = ['transfer', 'app', 'check']

function sessionsOf(
  plan: Plan,
  rate: Cents,
  first: CalendarDay,
  today: CalendarDay,
  roll: () => number,
): DemoSession[] {
  const sessions: DemoSession[] = []
  const monthAgo = daysOfMonth(addMonths(monthOf(today), -1)).from
  const start = addDays(first, (plan.dayOfWeek - weekdayOf(first) + 7) % 7)
  for (let day = start, week = 0; day <= today; day = addDays(day, 7), week++) {
    // Draw random numbers even for weeks without lessons, so that holidays don't change the rest of the
    // sequence.
    const [missed, longer, special, noted, confirmed] = [roll(), roll(), roll(), roll(), roll()]
    if (plan.frequency === 'bi-weekly' && week % 2 === 1) continue
    if (isHoliday(day) || (isSummer(day) && (!plan.inSummer || week % 2 === 1)) || missed < 0.06) continue
    const isExamTime = /-(01|05)-/.test(day)
    // Rates were slightly lower until six months ago.
    const rateThen = (day < addDays(today, -182) ? rate - 400 : rate) as Cents
    sessions.push({
      student: plan.student,
      tutor: plan.tutor,
      day,
      subject: plan.subject,
      tutorRate: rateThen,
      minutes: minutes(plan.minutes + (isExamTime && longer < 0.5 ? 30 : longer < 0.06 ? -15 : 0)),
      // Some lessons have a different rate, such as online lessons and those booked shortly before an exam.
      // The fifth lesson always does, so that every year has at least one.
      rateOverride:
        special < 0.05 || sessions.length === 4
          ? ((rateThen - 500) as Cents)
          : isExamTime && special > 0.9
            ? ((rateThen + 1000) as Cents)
            : null,
      startTime: plan.startTime,
      // Every other lesson has a summary; the summaries cycle through the list.
      summary: week % 2 === 1 ? (SUMMARIES[plan.subject]?.[week % 3] ?? null) : null,
      homework: week % 2 === 1 ? (HOMEWORK[week % HOMEWORK.length] ?? null) : null,
      notes: noted < 0.2 ? (NOTES[Math.floor(noted * 5 * NOTES.length)] ?? null) : null,
      isByTutor: week % 4 === 1,
      // Most sessions older than ten days are confirmed. All of those older than a month are paid for and
      // agreed on.
      answer: day < monthAgo || confirmed < (day < addDays(today, -10) ? 0.9 : 0.3) ? 'confirmed' : 'none',
    })
  }
  // Regardless of the random numbers, each side has something waiting, and one session was sent back.
  const last: Partial<DemoSession>[] = [
    { answer: 'disputed', isByTutor: false },
    { answer: 'none', isByTutor: true },
    { answer: 'none', isByTutor: false, homework: 'Page 84, 3 to 9.' },
  ]
  return sessions.map((session, at) => ({ ...session, ...last[at - sessions.length + last.length] }))
}

const SUMMARIES: Record<string, string[]> = {
  Math: ['Adding fractions with unlike denominators.', 'Word problems with percentages.', 'Solving for x.'],
  Physics: ['Forces on a slope.', 'Reading velocity graphs.', 'Energy and work.'],
  Reading: ['Read chapter 3 aloud together.', 'Main idea and details.', 'Talked about the ending.'],
  'SAT prep': ['Timed reading section.', 'Linear equations.', 'Grammar rules we keep missing.'],
  Calculus: ['The chain rule.', 'Related rates.', 'Area under a curve.'],
}
const HOMEWORK = [
  'Page 84, 3 to 9.',
  'The worksheet from today.',
  'Finish the last three problems.',
  'Read the next chapter.',
]

const NOTES = [
  'Homework was done.',
  'Bring the workbook next time.',
  'Arrived ten minutes late.',
  'Went over the last test.',
  'Online.',
  'A new chapter.',
]

/**
 * True when there are no lessons: from late December to early January, around Thanksgiving, and in the first
 * few days of April.
 */
export function isHoliday(day: CalendarDay): boolean {
  const date = day.slice(5)
  if (date >= '12-21' || date <= '01-03' || (date >= '04-01' && date <= '04-07')) return true
  const firstOfNovember = `${day.slice(0, 4)}-11-01` as CalendarDay
  const thanksgiving = addDays(firstOfNovember, ((4 - weekdayOf(firstOfNovember) + 7) % 7) + 21)
  return day >= addDays(thanksgiving, -1) && day <= addDays(thanksgiving, 3)
}

/** True during the summer vacation. */
export function isSummer(day: CalendarDay): boolean {
  return day.slice(5) >= '06-20' && day.slice(5) <= '08-25'
}

// Marsaglia's xorshift: a seeded random number generator that returns numbers from 0 to 1. Not for generating
// secrets.
function dice(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
