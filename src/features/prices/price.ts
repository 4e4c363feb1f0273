// Prices: which one counts for a lesson, and the price of a pair from a day on (docs/product-decisions.md, section 13).
// The form, the server, one-tap answers, voice, imports and planned classes all use this rule.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { type CalendarDay, Day } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import {
  type Cents,
  cents,
  centsOfDollars,
  type Currency,
  formatAmount,
  formatMoney,
  leastAmountOf,
  priceOf,
  Rate,
} from '#kernel/money.ts'

/** Money for an hour, or for a lesson of a stated length. */
export interface Price {
  cents: Cents
  /** How long the lesson is that the amount is for. Null if it's for an hour. */
  lesson_minutes: number | null
}

/** What a pair's lessons cost from a day on. */
export interface PairPrice extends Price {
  since: CalendarDay
}

/**
 * Whose price counts: the session's own (override), its schedule's, its pair's, its student's, its tutor's, or one that
 * several students share.
 */
export const PRICE_SOURCES = ['schedule', 'pair', 'student', 'tutor', 'shared'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

/** The price that counts for a lesson, and why. */
export interface CountingPrice extends Price {
  source: PriceSource | 'override'
  /** Since when it applies, if it's a pair's. */
  since: CalendarDay | null
}

/** The prices that could count for a lesson. Those that aren't set are null or omitted. */
export interface PossiblePrices {
  /** The rate set on the session itself, per hour. */
  override?: Cents | null
  /** The schedule's rate. */
  schedule?: Cents | null
  /** All prices of the tutor and the child; in a practice, of the student. */
  prices?: readonly PairPrice[]
  /** The student's rate, in a practice. */
  student?: Cents | null
  /** The tutor's rate. */
  tutor?: Cents | null
}

/**
 * The price that counts on a day: the session's own, or else the first that's set of the schedule's, the pair's, the
 * student's and the tutor's. Null if there isn't any. A price of 0 counts.
 */
export function priceThatCounts(
  { override, schedule, prices = [], student, tutor }: PossiblePrices,
  day: CalendarDay,
): CountingPrice | null {
  const pair = pairPriceOn(prices, day)
  return (
    hourly('override', override) ??
    hourly('schedule', schedule) ??
    (pair && { cents: pair.cents, lesson_minutes: pair.lesson_minutes, source: 'pair', since: pair.since }) ??
    hourly('student', student) ??
    hourly('tutor', tutor) ??
    null
  )
}

function hourly(source: CountingPrice['source'], rate: Cents | null | undefined): CountingPrice | undefined {
  return rate === null || rate === undefined
    ? undefined
    : { cents: rate, lesson_minutes: null, source, since: null }
}

/** The pair's price on a day: the one with the latest day that isn't after it. */
function pairPriceOn<P extends PairPrice>(prices: readonly P[], day: CalendarDay): P | undefined {
  let latest: P | undefined
  for (const price of prices)
    if (price.since <= day && (latest === undefined || price.since > latest.since)) latest = price
  return latest
}

/** What decides the price of a session: its people, its day, and the prices of both. */
interface Situation extends Pick<PossiblePrices, 'prices' | 'student' | 'tutor'> {
  studentId: string | null
  tutorId: string | null
  day: CalendarDay
}

/**
 * A session's price after a change. It stays as it was when the session was logged, unless the tutor changes; or the
 * student does, and either one has a price; or the day does, and the pair has another price by then. A schedule's or a
 * shared price isn't the day's to change, nor is one that the other side took.
 * @param kept the price stored when the session was logged
 */
export function priceAfterChange<Kept extends { source: CountingPrice['source'] | null } | null>(
  kept: Kept,
  before: Omit<Situation, 'tutor'>,
  after: Situation,
): Kept | CountingPrice | null {
  const isOtherStudent = after.studentId !== before.studentId
  const follows = kept?.source === 'pair' || kept?.source === 'student' || kept?.source === 'tutor'
  const [was, is] = [before, after].map(({ prices = [], day }) => pairPriceOn(prices, day))
  const isOtherPair =
    (isOtherStudent || (after.day !== before.day && follows)) &&
    (was?.since !== is?.since || !isSamePrice(was, is))
  const hasStudentRate = (after.student ?? null) !== null || (before.student ?? null) !== null
  return after.tutorId !== before.tutorId || (isOtherStudent && hasStudentRate) || isOtherPair
    ? priceThatCounts(after, after.day)
    : kept
}

export function isSamePrice(one: Price | null | undefined, other: Price | null | undefined): boolean {
  return one?.cents === other?.cents && one?.lesson_minutes === other?.lesson_minutes
}

/** What a lesson costs. Null if there's no price. */
export function amountAt(price: Price | null, minutes: Minutes, currency: Currency): Cents | null {
  return price && priceOf(price.cents, minutes, currency, price.lesson_minutes ?? 60)
}

/**
 * What each student pays of a lesson's price that several share, in the order of their names: the same, in the
 * currency's smallest amount, and what's left over goes to the first.
 */
export function sharesOf(amount: Cents, students: number, currency: Currency): Cents[] {
  const least = leastAmountOf(currency)
  const each = Math.floor(amount / students / least) * least
  return Array.from({ length: students }, (_, place) =>
    cents(place === 0 ? amount - each * (students - 1) : each),
  )
}

/** A price as people say it: "$45.00/hour", or "€32.50 per lesson of 45 min". */
export function priceInWords({ cents: amount, lesson_minutes: minutes }: Price, currency: Currency): string {
  const money = formatMoney(amount, currency)
  return minutes === null ? `${money}/hour` : `${money} per lesson of ${minutes} min`
}

/** The same in a few words, after how long a lesson was: "$45.00", or "€32.50 per 45 min". */
export function priceAt({ cents: amount, lesson_minutes: minutes }: Price, currency: Currency): string {
  const money = formatMoney(amount, currency)
  return minutes === null ? money : `${money} per ${minutes} min`
}

/** A price in a few characters: "€45.00/h", "€32.50/45 min", or that there's none. */
export function priceInShort(
  shown: {
    /** Per hour, in dollars. */
    rate: number | null
    /** Per lesson, if there's no rate. */
    lesson_price?: number | null
    lesson_minutes?: number | null
  },
  currency: Currency,
  none = 'no rate',
): string {
  if (shown.rate !== null) return `${formatAmount(shown.rate, currency)}/h`
  if (shown.lesson_price == null) return none
  return `${formatAmount(shown.lesson_price, currency)}/${shown.lesson_minutes} min`
}

/** A pair's price as the API sends it. */
export const ListedPrice = z.object({
  id: z.string(),
  student_id: z.string(),
  tutor_id: z.string(),
  /** The first day on which it applies. */
  from: z.string(),
  /** In dollars. */
  amount: z.number(),
  /** How many minutes the lesson has that the amount is for. Null if it's for an hour. */
  lesson_minutes: z.nullable(z.number()),
  version: z.number(),
})
export type ListedPrice = z.output<typeof ListedPrice>

/** The prices of a student with one tutor, as the rule takes them. */
export function pricesOfPair(
  listed: readonly Omit<ListedPrice, 'student_id' | 'version' | 'id'>[],
  tutorId: string,
): PairPrice[] {
  return listed
    .filter(({ tutor_id: tutor }) => tutor === tutorId)
    .map(({ from, amount, lesson_minutes }) => ({
      since: from as CalendarDay,
      cents: centsOfDollars(amount),
      lesson_minutes,
    }))
}

/** More prices than any family's or practice's pairs ever have. Limits how much one account can store (promise I17). */
export const MOST_PRICES = 5000

const NOT_A_LENGTH = 'Enter the length of a lesson in minutes, from 5 to 480'
const LessonMinutes = z
  .number({ error: NOT_A_LENGTH })
  .check(z.int(NOT_A_LENGTH), z.minimum(5, NOT_A_LENGTH), z.maximum(480, NOT_A_LENGTH))

const fields = {
  from: Day,
  amount: Rate,
  lesson_minutes: z.optional(z.nullable(LessonMinutes)),
}
export const NewPrice = z.strictObject({
  student_id: z.uuid({ error: 'Please select a student' }),
  tutor_id: z.uuid({ error: 'Please select a tutor' }),
  ...fields,
})
const PriceChanges = z.strictObject({ ...fields, from: z.optional(Day), amount: z.optional(Rate) })

const shared = { access: ['parent', 'tutor', 'admin'] } as const
const refusals = {
  too_high: { status: 422, title: 'The price can be at most 500,000 an hour', field: 'amount' },
  same_day: { status: 409, title: 'There is a price from this day already. Change that one.', field: 'from' },
} as const
const changed = {
  changed: { status: 409, title: 'This was changed somewhere else. Please check it and try again.' },
} as const

export const AddPrice = endpoint({
  ...shared,
  operation: 'AddPrice',
  summary: "Set a tutor's price for a child or student from a day on; logged sessions keep theirs",
  method: 'POST',
  path: '/api/v1/prices',
  creates: true,
  input: NewPrice,
  output: ListedPrice,
  refusals: {
    ...refusals,
    unknown_student: { status: 422, title: 'This child is no longer on your list', field: 'student_id' },
    unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
    too_many_rows: { status: 422, title: "You've reached the limit of 5,000 prices" },
  },
})
export const UpdatePrice = endpoint({
  ...shared,
  operation: 'UpdatePrice',
  summary: 'Change a price of a tutor and a child or student; logged sessions keep theirs',
  method: 'PATCH',
  path: '/api/v1/prices/:id',
  input: PriceChanges,
  output: ListedPrice,
  refusals: { ...refusals, ...changed },
})
export const DeletePrice = endpoint({
  ...shared,
  operation: 'DeletePrice',
  summary: 'Delete a price of a tutor and a child or student; logged sessions keep theirs',
  method: 'DELETE',
  path: '/api/v1/prices/:id',
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: changed,
})
