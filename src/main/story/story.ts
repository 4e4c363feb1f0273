// The story behind all example data: what the people in cast.ts do, as a list of the API's operations. The
// demo accounts, the demo in the browser and tests all play it, so it knows neither a server nor ids.
import type { Side } from '#features/access/role.ts'
import type { AddCharge, ConfirmCharge } from '#features/charges/charge.ts'
import type { AnswerConnection, AskConnection } from '#features/connections/connection.ts'
import type { CloseMonth } from '#features/months/closing.ts'
import type { ConfirmPayment } from '#features/payments/confirmation.ts'
import type { SetPaymentWays } from '#features/payments/own-ways.ts'
import type { AddPayment } from '#features/payments/payment.ts'
import { weekdayOf } from '#features/schedules/recurrence.ts'
import type { CreateSchedule } from '#features/schedules/schedule.ts'
import type { ConfirmSession, DisputeSession } from '#features/sessions/confirmation.ts'
import type { LogSession } from '#features/sessions/session.ts'
import type { AddStudent } from '#features/students/student.ts'
import type { AddTutor, UpdateTutor } from '#features/tutors/tutor.ts'
import type { ConfirmTerms, ProposeTerms } from '#features/terms/terms.ts'
import { addDays, type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { type Cents, centsOfDollars, currencyOf, dollars, priceOf } from '#kernel/money.ts'
import { addMonths, monthsBack } from '#kernel/month.ts'
import { type Account, ACCOUNTS, type Actor, CHILDREN, type Class, INGRID, SHARED, TUTORS } from './cast.ts'

/** The operations a story consists of, by name. */
export interface Operations {
  AddStudent: typeof AddStudent
  AddTutor: typeof AddTutor
  UpdateTutor: typeof UpdateTutor
  SetPaymentWays: typeof SetPaymentWays
  CreateSchedule: typeof CreateSchedule
  AskConnection: typeof AskConnection
  AnswerConnection: typeof AnswerConnection
  LogSession: typeof LogSession
  ConfirmSession: typeof ConfirmSession
  DisputeSession: typeof DisputeSession
  AddPayment: typeof AddPayment
  ConfirmPayment: typeof ConfirmPayment
  AddCharge: typeof AddCharge
  ConfirmCharge: typeof ConfirmCharge
  CloseMonth: typeof CloseMonth
  ProposeTerms: typeof ProposeTerms
  ConfirmTerms: typeof ConfirmTerms
}

/** One thing that someone does on a day. Ids are names of people, or names that earlier steps gave. */
export type Step = {
  [Name in keyof Operations]: {
    by: Actor
    day: CalendarDay
    operation: Name
    /** What the operation changes: the `:id` in its path. */
    of?: string
    input: InputOf<Operations[Name]>
    /** The name of what the step adds. */
    adds?: string
  }
}[keyof Operations]

/** How many months a year's story covers, including the current one. */
export const YEAR = 12
/** How many months the two sides have closed, up to the one before last. */
const CLOSED_MONTHS = 2
const SIDES: Side[] = ['family', 'practice']
const TRIAL_MINUTES = 30

const SUMMARIES: Record<string, string[]> = {
  Math: ['Adding fractions with unlike denominators.', 'Word problems with percentages.', 'Solving for x.'],
  Reading: ['Read chapter 3 aloud together.', 'Main idea and details.', 'Talked about the ending.'],
  English: ['An outline for the essay.', 'Commas and semicolons.', 'Read the first act.'],
  'SAT prep': ['Timed reading section.', 'Linear equations.', 'Grammar rules we keep missing.'],
  Calculus: ['The chain rule.', 'Related rates.', 'Area under a curve.'],
  Physics: ['Forces on a slope.', 'Reading velocity graphs.', 'Energy and work.'],
}
const HOMEWORK = ['Page 84, 3 to 9.', 'The worksheet from today.', 'Read the next chapter.']
const NOTES = ['Homework was done.', 'Bring the workbook next time.', 'Arrived ten minutes late.']

/**
 * How everyone begins, before the story's first month: with people, classes, trial lessons and connections. The
 * trial lessons are paid in cash before the two sides connect, so only the practice has that payment.
 */
export function opening(today: CalendarDay): Step[] {
  const day = addDays(firstDay(today, YEAR), -3)
  const tried = [...new Set(SHARED.classes.map(({ child }) => child))]
  const cost = dollars(priceOf(centsOfDollars(INGRID.rate), TRIAL_MINUTES * tried.length, currencyOf('USD')))
  return [
    ...CHILDREN.flatMap(({ firstName, names, grade, notes }) =>
      SIDES.flatMap((by): Step[] => {
        const input = { name: names[by] ?? '', grade, notes: notes?.[by] ?? null }
        return names[by] ? [{ by, day, operation: 'AddStudent', adds: firstName, input }] : []
      }),
    ),
    ...TUTORS.map(({ firstName, rate, ...tutor }): Step => {
      const input = { ...tutor, hourly_rate: rate }
      return { by: 'family', day, operation: 'AddTutor', adds: firstName, input }
    }),
    { by: 'practice', day, operation: 'UpdateTutor', of: 'Ingrid', input: { hourly_rate: INGRID.rate } },
    {
      by: 'practice',
      day,
      operation: 'SetPaymentWays',
      input: {
        ways: [
          { kind: 'link', url: 'https://paypal.me/example' },
          { kind: 'text', text: 'A check or cash at the next lesson is fine too.' },
        ],
      },
    },
    ...tried.map((child): Step => {
      const lesson = { date: day, duration: TRIAL_MINUTES / 60, subject: 'Trial lesson' }
      const input = { student_id: child, tutor_id: INGRID.firstName, ...lesson }
      return { by: 'family', day, operation: 'LogSession', adds: nameOf(child, day), input }
    }),
    {
      by: 'practice',
      day,
      operation: 'AddPayment',
      adds: paymentName('Maya', monthOf(day)),
      input: { student_id: 'Maya', date: day, amount: cost, method: 'cash' },
    },
    ...TUTORS.map(({ firstName }): Step => ({
      by: 'family',
      day,
      operation: 'AskConnection',
      adds: connectionWith(firstName),
      input: { tutor_id: firstName },
    })),
    {
      by: 'practice',
      day,
      operation: 'AnswerConnection',
      of: connectionWith('Ingrid'),
      input: { state: 'active' },
    },
    ...ACCOUNTS.flatMap((account) => account.classes.flatMap((one) => scheduled(account, one, day, today))),
    ...tried.map((child): Step => ({
      by: 'practice',
      day,
      operation: 'ConfirmSession',
      of: nameOf(child, day),
      input: {},
    })),
    ...agreeing(day),
  ]
}

/** The tutor proposes terms to the family, which agrees. */
export function agreeing(day: CalendarDay): Step[] {
  const rules = {
    bands: [{ until_hours: 0, percent: 50 }],
    no_show: { percent: 100 },
    free_per_half_year: 1,
    is_illness_free: true,
    due_day: 5,
  }
  return [
    { by: 'practice', day, operation: 'ProposeTerms', adds: TERMS, input: { student_id: 'Maya', rules } },
    { by: 'family', day, operation: 'ConfirmTerms', of: TERMS, input: {} },
  ]
}

const TERMS = 'terms'

/**
 * What's owed for more than lessons: a workbook that the family and Marcus agreed on, a missed lesson that waits for the
 * family's answer, and a calculator in the practice's own records.
 */
export function charged(today: CalendarDay): Step[] {
  const bought = addDays(today, -12)
  const missed = addDays(today, -2)
  return [
    {
      by: 'family',
      day: bought,
      operation: 'AddCharge',
      adds: WORKBOOK,
      input: {
        tutor_id: 'Marcus',
        student_id: 'Ella',
        connection_id: connectionWith('Marcus'),
        date: bought,
        amount: 14.5,
        reason: 'materials',
        label: 'Grammar workbook',
      },
    },
    { by: 'Marcus', day: bought, operation: 'ConfirmCharge', of: WORKBOOK, input: {} },
    {
      by: 'Marcus',
      day: missed,
      operation: 'AddCharge',
      adds: 'missed lesson',
      input: { date: missed, amount: 20, reason: 'missed_lesson' },
    },
    {
      by: 'practice',
      day: missed,
      operation: 'AddCharge',
      adds: 'calculator',
      input: { student_id: 'Priya', date: missed, amount: 29, reason: 'materials', label: 'Calculator' },
    },
  ]
}

const WORKBOOK = 'workbook'

/** The step that adds a class: for both sides, if they're connected. */
function scheduled(account: Account, one: Class, day: CalendarDay, today: CalendarDay): Step[] {
  const start = addDays(today, -one.before)
  const input = {
    student_id: one.child,
    tutor_id: tutorOf(account),
    subject: one.subject,
    day_of_week: weekdayOf(start),
    start_time: one.start,
    duration: Math.max(one.minutes, 60) / 60,
    frequency: one.isBiWeekly ? ('bi-weekly' as const) : ('weekly' as const),
    start_date: addDays(start, -7 * weeksOf(one)),
    is_active: !one.isOver,
  }
  const adds = className(one.child, input.day_of_week)
  return [account.by, account.answeredBy]
    .filter((by) => by === 'family' || by === 'practice')
    .slice(0, 1)
    .map((by) => ({ by, day, operation: 'CreateSchedule', adds, input }))
}

const weeksOf = ({ weeks }: Class) => weeks ?? 52

/** A lesson, with its number in the account, counted back from today, and in its month, counted back from the last. */
interface Lesson {
  account: Account
  of: Class
  day: CalendarDay
  number: number
  numberInMonth: number
}

/**
 * What happens in the months up to today, oldest first: lessons and their answers, payments and closings.
 * Lessons and their facts are counted back from today, so they're the same on any day of the year.
 */
export function story(today: CalendarDay, months: number, accounts: readonly Account[]): Step[] {
  const current = monthOf(today)
  return accounts
    .flatMap((account) => {
      const lessons = lessonsOf(account, today, firstDay(today, months))
      return monthsBack(current, months)
        .reverse()
        .flatMap((month) => {
          const taught = lessons.filter(({ day }) => monthOf(day) === month)
          const logged = [...taught].reverse().flatMap((lesson) => lessonSteps(lesson, today))
          return month === current ? logged : [...logged, ...paymentSteps(account, taught, month, today)]
        })
    })
    .sort((one, other) => one.day.localeCompare(other.day))
}

const firstDay = (today: CalendarDay, months: number) =>
  daysOfMonth(addMonths(monthOf(today), 1 - months)).from

/** An account's lessons, latest first. */
function lessonsOf(account: Account, today: CalendarDay, from: CalendarDay): Lesson[] {
  const inMonth = new Map<string, number>()
  return account.classes
    .filter(({ isOver }) => !isOver)
    .flatMap((one) => {
      const days: { of: Class; day: CalendarDay }[] = []
      const weeks = one.isBiWeekly ? 2 : 1
      // On the first of a month, yesterday's lesson is today as well, so that no month is empty.
      const before = one.before === 1 && today.endsWith('-01') ? 0 : one.before
      const latest = addDays(today, -before)
      const first = addDays(latest, -7 * weeksOf(one))
      for (let day = latest; day >= from && day >= first; day = addDays(day, -7 * weeks))
        days.push({ of: one, day })
      return days
    })
    .sort((one, other) => other.day.localeCompare(one.day))
    .map(({ of, day }, number) => {
      const numberInMonth = inMonth.get(monthOf(day)) ?? 0
      inMonth.set(monthOf(day), numberInMonth + 1)
      return { account, of, day, number, numberInMonth }
    })
}

/** One of last month's lessons with the other side is still waiting, which keeps the month from being closed. */
const isLeftOpen = ({ account, day, numberInMonth }: Lesson, today: CalendarDay) =>
  account === SHARED && monthOf(day) === addMonths(monthOf(today), -1) && numberInMonth === 1

/** How far a lesson is. */
function stateOf(lesson: Lesson, today: CalendarDay) {
  if (isLeftOpen(lesson, today)) return 'waiting'
  const { account, day, number } = lesson
  return (monthOf(day) === monthOf(today) && account.latest[number]) || 'agreed'
}

const minutesOf = ({ of, number }: Lesson) => of.minutes + (number % 13 === 6 ? 30 : 0)
/** The rate of an online lesson, which costs less. Undefined for the others. */
const onlineRate = ({ account, number }: Lesson) => (number % 11 === 7 ? account.rate - 6 : undefined)
const costOf = (lesson: Lesson) =>
  priceOf(centsOfDollars(onlineRate(lesson) ?? lesson.account.rate), minutesOf(lesson), currencyOf('USD'))

/** What happens to a lesson: someone logs it and, unless it's waiting, someone else answers. */
function lessonSteps(lesson: Lesson, today: CalendarDay): Step[] {
  const { account, of, day, number } = lesson
  const state = stateOf(lesson, today)
  if (state === 'not logged') return []
  const isByPractice = account === SHARED && (number % 3 !== 1 || isLeftOpen(lesson, today))
  const by = isByPractice ? 'practice' : account.by
  const name = nameOf(of.child, day)
  const isTold = number % 2 === 0
  const logged: Step = {
    by,
    day,
    operation: 'LogSession',
    adds: name,
    input: {
      student_id: of.child,
      tutor_id: tutorOf(account),
      date: day,
      duration: minutesOf(lesson) / 60,
      hourly_rate: onlineRate(lesson) ?? null,
      subject: of.subject,
      // Today's lesson has no start time, because it might be in the future.
      start_time: day === today ? null : of.start,
      summary: isTold ? (SUMMARIES[of.subject]?.[number % 3] ?? null) : null,
      homework: isTold ? (HOMEWORK[number % 3] ?? null) : null,
      notes: number % 5 === 2 ? (NOTES[number % 3] ?? null) : null,
    },
  }
  if (!account.answeredBy || state === 'waiting') return [logged]
  const answer = { by: isByPractice ? account.by : account.answeredBy, day, of: name }
  return state === 'sent back'
    ? [logged, { ...answer, operation: 'DisputeSession', input: { note: 'We stopped 15 minutes early.' } }]
    : [logged, { ...answer, operation: 'ConfirmSession', input: {} }]
}

/**
 * The payment for a month, at the start of the next one. It's confirmed a month later, and only then is the
 * month closed, so last month's payment is still on its way.
 */
function paymentSteps(account: Account, taught: Lesson[], month: string, today: CalendarDay): Step[] {
  const { with: name, by, answeredBy, method } = account
  const amount = taught.reduce((sum, lesson) => sum + costOf(lesson), 0) as Cents
  if (amount === 0) return []
  const secondDay = (later: number) => {
    const day = addDays(daysOfMonth(addMonths(month, later)).from, 1)
    return day < today ? day : today
  }
  const date = secondDay(1)
  const payment = paymentName(name, addMonths(month, 1))
  const party = by === 'family' ? { tutor_id: name } : { student_id: name }
  const steps: Step[] = [
    {
      by,
      day: date,
      operation: 'AddPayment',
      adds: payment,
      input: { ...party, date, amount: dollars(amount), method },
    },
  ]
  const isLast = month === addMonths(monthOf(today), -1)
  if (!answeredBy || isLast) return steps
  const later = secondDay(2)
  steps.push({ by: answeredBy, day: later, operation: 'ConfirmPayment', of: payment, input: {} })
  if (account === SHARED && month >= addMonths(monthOf(today), -1 - CLOSED_MONTHS))
    for (const side of SIDES)
      steps.push({
        by: side,
        day: later,
        operation: 'CloseMonth',
        input: { connection_id: connectionWith(name), month },
      })
  return steps
}

const tutorOf = ({ by, with: name }: Account) => (by === 'family' ? name : INGRID.firstName)

/** What steps call a class, a lesson, a payment and a connection. */
export const className = (child: string, weekday: number) => `class ${child} ${weekday}`
const nameOf = (child: string, day: string) => `${child} ${day}`
export const paymentName = (name: string, month: string) => `payment ${name} ${month}`
export const connectionWith = (tutor: string) => `connection ${tutor}`

/** The ids of what a story names. People and classes have an id of their own on each side. */
export class Names {
  private readonly ids = new Map<string, string>()

  learn(by: Actor, name: string, id: string): void {
    this.ids.set(`${by}: ${name}`, id)
    // What both sides share has one id, no matter who added it.
    if (!this.ids.has(name)) this.ids.set(name, id)
  }

  has(by: Actor, name: string): boolean {
    return this.ids.has(`${by}: ${name}`)
  }

  idOf(by: Actor, name: string): string {
    const id = this.ids.get(`${by}: ${name}`) ?? this.ids.get(name)
    if (!id) throw new Error(`nothing in the story is called "${name}"`)
    return id
  }

  /** A step's id and input, with ids instead of names. */
  idsIn({ by, of, input }: Step): { id: string; input: object } {
    const named = Object.entries(input).map(([field, value]: [string, unknown]) => [
      field,
      field.endsWith('_id') ? this.idOf(by, String(value)) : value,
    ])
    return { id: of ? this.idOf(by, of) : '', input: Object.fromEntries(named) as object }
  }
}
