// What a family and a tutor can agree on about missed classes and fees: the fields of terms. Amounts are cents here,
// and dollars in JSON (docs/product-decisions.md, section 11).
import * as z from 'zod/mini'
import { amountUpTo, type Cents, cents, dollars } from '#kernel/money.ts'
import { dependsOnTerm, inSchoolYear } from './term.ts'

/** Four weeks. */
const MAX_NOTICE_HOURS = 672
export const MAX_BANDS = 3
export const DEFAULT_NOTICE_HOURS = 24
/** With the price of a whole day, what a class costs is still below MAX_AMOUNT. */
const MAX_FEE = cents(500_000_000)
const NO_AMOUNT = 'Enter an amount above 0'

const wholeUpTo = (least: number, most: number, error: string) =>
  z.number({ error }).check(z.int(error), z.gte(least, error), z.lte(most, error))

const Fee = amountUpTo(MAX_FEE, {
  negative: NO_AMOUNT,
  tooLarge: 'The amount can be at most 5,000,000',
}).check(z.refine((amount) => amount > 0, NO_AMOUNT))
const Percent = wholeUpTo(1, 100, 'Enter a percentage from 1 to 100')
const Days = wholeUpTo(1, 366, 'Enter a number of days from 1 to 366')
const Count = wholeUpTo(1, 100, 'Enter a number from 1 to 100')

const cost = {
  /** Of the class's price. */
  percent: z.optional(z.nullable(Percent)),
  amount: z.optional(z.nullable(Fee)),
}
const NOTHING_COSTS = 'Enter a percentage, an amount, or both'
const costsSomething = z.refine<{ percent?: number | null | undefined; amount?: Cents | null | undefined }>(
  (one) => Boolean(one.percent ?? one.amount),
  NOTHING_COSTS,
)

const Band = z
  .strictObject({
    /** The band ends this many hours before the class, and begins where the one before it ends. */
    until_hours: wholeUpTo(0, MAX_NOTICE_HOURS, 'Enter a number of hours'),
    ...cost,
  })
  .check(costsSomething)
type Band = z.output<typeof Band>
export type Cost = Pick<Band, 'percent' | 'amount'>

const MakeUps = z.strictObject({
  /** Which classes are made up: those canceled in time, or all that the family missed. */
  for: z.enum(['in_time', 'missed'], { error: 'Choose which classes are made up' }),
  /** How many; without a number, each one. */
  most: z.optional(z.nullable(Count)),
  /** What the number counts: those owed at once, or those given in a month or a term. */
  per: z._default(z.enum(['once', 'month', 'term']), 'once'),
  /** After how many days one lapses, or with the term; without, never. */
  until: z.optional(z.nullable(z.union([z.literal('term'), Days], { error: 'Enter a number of days' }))),
})
export type MakeUps = z.output<typeof MakeUps>

const BY_TUTOR = ['nothing', 'make_up', 'credit', 'make_up_or_credit'] as const
const TutorCancels = z
  .strictObject({
    brings: z.enum(BY_TUTOR, { error: 'Choose what a cancellation by the tutor brings' }),
    /** By when a make-up has to be held. */
    within_days: z.optional(z.nullable(Days)),
    /** Off the next lesson, if the tutor cancels later than the notice. */
    late_percent_off: z.optional(z.nullable(Percent)),
  })
  .check(
    z.refine(
      ({ brings, within_days: days }) => !days || brings.startsWith('make_up'),
      'Only a make-up has a last day',
    ),
  )
export type TutorCancels = z.output<typeof TutorCancels>

const PeriodFee = z.strictObject({
  per: z.enum(['month', 'term'], { error: 'Choose a month or a term' }),
  amount: Fee,
  /** How many lessons it includes; without a number, all of them. */
  lessons: z.optional(z.nullable(Count)),
  is_in_advance: z._default(z.boolean(), false),
})
export type PeriodFee = z.output<typeof PeriodFee>

/** Months from 1 to 12, in the order of a school year. */
const TermMonths = z.array(wholeUpTo(1, 12, 'Choose months from 1 to 12')).check(
  z.minLength(1, 'Choose 1 to 4 months'),
  z.maxLength(4, 'Choose 1 to 4 months'),
  z.refine((months) => new Set(months).size === months.length, 'Choose each month once'),
  z.overwrite((months) => inSchoolYear(months)),
)

export const Rules = z
  .strictObject({
    /** How long before a class canceling is free. 0: always. */
    notice_hours: z._default(
      wholeUpTo(0, MAX_NOTICE_HOURS, 'Enter at most 672 hours, which is 4 weeks'),
      DEFAULT_NOTICE_HOURS,
    ),
    /** What a later cancellation costs, from the notice down to the class itself; none costs nothing. */
    bands: z._default(z.array(Band).check(z.maxLength(MAX_BANDS, 'Use at most three steps')), []),
    /** What a class costs that nobody canceled or came to; without, as much as the latest cancellation. */
    no_show: z.optional(z.nullable(z.strictObject(cost).check(costsSomething))),
    free_per_half_year: z.optional(z.nullable(Count)),
    free_if_rescheduled_days: z.optional(z.nullable(Days)),
    is_illness_free: z._default(z.boolean(), false),
    /** Snow days, school closings. */
    are_closings_free: z._default(z.boolean(), false),
    /** Late arrivals are taught to the planned end, and pay the planned price. */
    are_late_arrivals_charged: z._default(z.boolean(), false),
    fee: z.optional(z.nullable(PeriodFee)),
    /** The months in which a term begins; without, January and July. */
    term_months: z.optional(z.nullable(TermMonths)),
    /** Percent of a lesson's price for each week in which the family cancels all lessons, to hold the place. */
    holding_percent: z.optional(z.nullable(Percent)),
    make_ups: z.optional(z.nullable(MakeUps)),
    tutor_cancels: z.optional(z.nullable(TutorCancels)),
    /** The day of the month on which money is due: the next month's, or this one's if it's paid in advance. */
    due_day: z.optional(z.nullable(wholeUpTo(1, 28, 'Choose a day from 1 to 28'))),
  })
  .check((context) => {
    const problem = problemWithBands(context.value)
    if (problem)
      context.issues.push({ code: 'custom', message: problem, path: ['bands'], input: context.value.bands })
    const { fee, bands, no_show: noShow } = context.value
    if (fee && (noShow || bands.length > 0))
      context.issues.push({ code: 'custom', message: COVERED, path: ['fee'], input: fee })
    if (fee && context.value.holding_percent)
      context.issues.push({ code: 'custom', message: HELD, path: ['holding_percent'], input: fee })
    if (context.value.term_months && !dependsOnTerm(context.value))
      context.issues.push({
        code: 'custom',
        message: NO_TERM,
        path: ['term_months'],
        input: context.value.term_months,
      })
    if (saysNothing(context.value))
      context.issues.push({ code: 'custom', message: SAYS_NOTHING, path: ['bands'], input: context.value })
  })
/** The rules of terms. */
export type Rules = z.output<typeof Rules>

const COVERED = 'A fee covers missed lessons, so they cost nothing more'
const HELD = 'A fee already pays for weeks without lessons'
const NO_TERM = 'Nothing here depends on when terms begin'
const SAYS_NOTHING = 'Say at least one thing: what a late cancellation or a no-show costs, a fee, or make-ups'

/** Whether terms say nothing more than having none. */
function saysNothing(rules: Pick<Rules, 'notice_hours'>): boolean {
  return Object.entries(rules).every(
    ([name, value]) => name === 'notice_hours' || !value || (Array.isArray(value) && value.length === 0),
  )
}

/**
 * Why these steps can't be: each has to end later than it begins, the last at the class itself, and none costs less
 * than the one before it.
 */
function problemWithBands({
  notice_hours: notice,
  bands,
}: Pick<Rules, 'notice_hours' | 'bands'>): string | undefined {
  let from = notice
  for (const { until_hours: until } of bands) {
    if (until >= from) return 'Each step has to be closer to the class than the one before it'
    from = until
  }
  if (bands.length > 0 && from !== 0) return 'The last step has to go up to the class itself (0 hours)'
  const isLess = bands.some((band, at) => {
    const before = bands[at - 1]
    return before !== undefined && costsLess(band, before)
  })
  return isLess ? "A later cancellation can't cost less than an earlier one" : undefined
}

function costsLess(one: Cost, other: Cost): boolean {
  const [percent, amount] = [
    (one.percent ?? 0) - (other.percent ?? 0),
    (one.amount ?? 0) - (other.amount ?? 0),
  ]
  return percent <= 0 && amount <= 0 && percent + amount < 0
}

/** Rules as they are stored, and as strict equality compares them: fields that say nothing are left out. */
export function storedRules(rules: Rules): Rules {
  return bare(rules) as Rules
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([name, one]) => [name, bare(one)]),
  )
}

/** Rules as JSON has them, with amounts in dollars. Reading them with `Rules` gives the same rules again. */
export function rulesInDollars(rules: Rules): z.input<typeof Rules> {
  const { bands, no_show: noShow, fee } = rules
  return {
    ...rules,
    bands: bands.map((band) => ({ ...band, ...costInDollars(band) })),
    ...(noShow ? { no_show: costInDollars(noShow) } : {}),
    ...(fee ? { fee: { ...fee, amount: dollars(fee.amount) } } : {}),
  }
}

function costInDollars({ percent, amount }: Cost): { percent?: number; amount?: number } {
  return { ...(percent ? { percent } : {}), ...(amount ? { amount: dollars(amount) } : {}) }
}
