// The form for terms: what is chosen and typed, as text, and the rules that it stands for.
import type * as z from 'zod/mini'
import { typedNumber } from '#kernel/typed-number.ts'
import { DEFAULT_NOTICE_HOURS, type Rules } from './rules.ts'
import { dependsOnTerm, inSchoolYear, termMonthsOf, USUAL_TERM_MONTHS } from './term.ts'

/** Rules as JSON has them, with amounts in dollars or as they were typed. */
export type TypedRules = z.input<typeof Rules>

/** What something costs: one of three usual answers, or a percentage and an amount. */
interface CostFields {
  what: 'nothing' | 'half' | 'full' | 'same' | 'other'
  percent: string
  amount: string
}
interface StepFields {
  until_hours: string
  percent: string
  amount: string
}

export interface TermsFields {
  notice_hours: string
  /** The last step, up to the class itself. */
  late: CostFields
  /** Up to two steps before it. */
  steps: StepFields[]
  no_show: CostFields
  free_per_half_year: string
  free_if_rescheduled_days: string
  is_illness_free: boolean
  are_closings_free: boolean
  are_late_arrivals_charged: boolean
  fee: { per: '' | 'month' | 'term'; amount: string; lessons: string; is_in_advance: boolean }
  /** The chosen months, from "1" to "12". */
  term_months: string[]
  holding_percent: string
  make_ups: {
    for: '' | 'in_time' | 'missed'
    most: string
    per: 'once' | 'month' | 'term'
    lapses: 'never' | 'days' | 'term'
    days: string
  }
  tutor_cancels: {
    brings: '' | 'nothing' | 'make_up' | 'credit' | 'make_up_or_credit'
    within_days: string
    late_percent_off: string
  }
  due_day: string
}

/** Where to start from. Everything can be changed afterwards. */
export const STARTS: readonly { label: string; rules: TypedRules }[] = [
  { label: '24 hours, then full price', rules: { bands: [{ until_hours: 0, percent: 100 }] } },
  {
    label: '24 hours, then half',
    rules: { bands: [{ until_hours: 0, percent: 50 }], no_show: { percent: 100 } },
  },
  {
    label: 'Monthly fee',
    rules: {
      fee: { per: 'month', amount: '', lessons: 4 },
      make_ups: { for: 'missed', most: 2, per: 'once', until: 30 },
      tutor_cancels: { brings: 'credit' },
    },
  },
]

export const NOTICES = [0, 2, 6, 12, 24, 36, 48, 72, 168] as const

type TypedCost = { percent?: unknown; amount?: unknown }
const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))

function costFields(cost: TypedCost | null | undefined, none: CostFields['what']): CostFields {
  if (!cost) return { what: none, percent: '', amount: '' }
  const isWhole = text(cost.amount) === ''
  const what = isWhole && cost.percent === 100 ? 'full' : isWhole && cost.percent === 50 ? 'half' : 'other'
  return what === 'other'
    ? { what, percent: text(cost.percent), amount: text(cost.amount) }
    : { what, percent: '', amount: '' }
}

const feeFields = (fee: TypedRules['fee']): TermsFields['fee'] => ({
  per: fee?.per ?? '',
  amount: text(fee?.amount),
  lessons: text(fee?.lessons),
  is_in_advance: fee?.is_in_advance ?? false,
})

const makeUpFields = (makeUps: TypedRules['make_ups']): TermsFields['make_ups'] => ({
  for: makeUps?.for ?? '',
  most: text(makeUps?.most),
  per: makeUps?.per ?? 'once',
  lapses: typeof makeUps?.until === 'number' ? 'days' : makeUps?.until === 'term' ? 'term' : 'never',
  days: typeof makeUps?.until === 'number' ? text(makeUps.until) : '',
})

const tutorFields = (tutor: TypedRules['tutor_cancels']): TermsFields['tutor_cancels'] => ({
  brings: tutor?.brings ?? '',
  within_days: text(tutor?.within_days),
  late_percent_off: text(tutor?.late_percent_off),
})

/** The form's fields for these rules. */
export function fieldsOf(rules: TypedRules): TermsFields {
  const { bands = [], fee, make_ups: makeUps, tutor_cancels: tutor } = rules
  return {
    notice_hours: text(rules.notice_hours ?? DEFAULT_NOTICE_HOURS),
    late: costFields(bands.at(-1), 'nothing'),
    steps: bands.slice(0, -1).map((band) => ({
      until_hours: text(band.until_hours),
      percent: text(band.percent),
      amount: text(band.amount),
    })),
    no_show: costFields(rules.no_show, 'same'),
    free_per_half_year: text(rules.free_per_half_year),
    free_if_rescheduled_days: text(rules.free_if_rescheduled_days),
    is_illness_free: rules.is_illness_free ?? false,
    are_closings_free: rules.are_closings_free ?? false,
    are_late_arrivals_charged: rules.are_late_arrivals_charged ?? false,
    fee: feeFields(fee),
    term_months: termMonthsOf(rules).map(String),
    holding_percent: text(rules.holding_percent),
    make_ups: makeUpFields(makeUps),
    tutor_cancels: tutorFields(tutor),
    due_day: text(rules.due_day),
  }
}

/** The fields that hold amounts and count, by what's chosen. */
export function amountsIn({ late, no_show: noShow, fee, steps }: TermsFields) {
  if (fee.per !== '') return ['fee.amount' as const]
  return [
    ...(late.what === 'other' ? ['late.amount' as const] : []),
    ...(noShow.what === 'other' ? ['no_show.amount' as const] : []),
    ...steps.map((_, at) => `steps.${at}.amount` as const),
  ]
}

/** A typed number; null if nothing was typed. What isn't a number stays a text, which the schema refuses. */
function numberOf(typed: string): number | string | null {
  return typed.trim() === '' ? null : typedNumber(typed)
}

const PERCENTS: Partial<Record<CostFields['what'], number>> = { half: 50, full: 100 }

function costOf({ what, percent, amount }: CostFields): TypedCost | null {
  if (what === 'nothing' || what === 'same') return null
  const whole = PERCENTS[what]
  return whole ? { percent: whole } : typedCost({ percent, amount })
}

function typedCost({ percent, amount }: Pick<StepFields, 'percent' | 'amount'>): TypedCost {
  return { percent: numberOf(percent), amount: amount.trim() === '' ? null : amount }
}

/** Whether something that's chosen in the form needs to know when a term begins. */
export function needsTermMonths({ fee, make_ups: makeUps }: Pick<TermsFields, 'fee' | 'make_ups'>): boolean {
  return dependsOnTerm({
    fee: fee.per === '' ? null : { per: fee.per },
    make_ups:
      makeUps.for === '' ? null : { per: makeUps.per, most: makeUps.most.trim(), until: makeUps.lapses },
  })
}

/** The months that the form says; null where they're the usual ones, or nothing depends on them. */
function termMonths(fields: TermsFields): number[] | null {
  const months = fields.term_months.map(Number)
  const isUsual = inSchoolYear(months).join() === inSchoolYear(USUAL_TERM_MONTHS).join()
  return isUsual || !needsTermMonths(fields) ? null : months
}

/** The rules that the form says, to be checked by their schema. */
export function rulesOf(fields: TermsFields): unknown {
  const { fee, make_ups: makeUps, tutor_cancels: tutor } = fields
  const isOneByOne = fee.per === ''
  const last = isOneByOne ? costOf(fields.late) : null
  return {
    notice_hours: numberOf(fields.notice_hours) ?? undefined,
    bands: [
      ...(isOneByOne ? fields.steps : []).map((step) => ({
        until_hours: numberOf(step.until_hours),
        ...typedCost(step),
      })),
      ...(last ? [{ until_hours: 0, ...last }] : []),
    ],
    no_show: isOneByOne ? costOf(fields.no_show) : null,
    free_per_half_year: numberOf(fields.free_per_half_year),
    free_if_rescheduled_days: numberOf(fields.free_if_rescheduled_days),
    is_illness_free: fields.is_illness_free,
    are_closings_free: fields.are_closings_free,
    are_late_arrivals_charged: fields.are_late_arrivals_charged,
    fee:
      fee.per === ''
        ? null
        : {
            per: fee.per,
            amount: fee.amount,
            lessons: numberOf(fee.lessons),
            is_in_advance: fee.is_in_advance,
          },
    term_months: termMonths(fields),
    holding_percent: numberOf(fields.holding_percent),
    make_ups:
      makeUps.for === ''
        ? null
        : {
            for: makeUps.for,
            most: numberOf(makeUps.most),
            per: makeUps.per,
            until: { never: null, term: 'term', days: numberOf(makeUps.days) ?? '' }[makeUps.lapses],
          },
    tutor_cancels:
      tutor.brings === ''
        ? null
        : {
            brings: tutor.brings,
            within_days: tutor.brings.startsWith('make_up') ? numberOf(tutor.within_days) : null,
            late_percent_off: numberOf(tutor.late_percent_off),
          },
    due_day: numberOf(fields.due_day),
  }
}

/** What a text says that another doesn't: new sentences are marked, and those that are gone come last. */
export function comparedTo(
  sentences: readonly string[],
  before: readonly string[] | undefined,
): { text: string; change?: 'new' | 'gone' }[] {
  if (!before) return sentences.map((one) => ({ text: one }))
  return [
    ...sentences.map((one) => (before.includes(one) ? { text: one } : { text: one, change: 'new' as const })),
    ...before
      .filter((one) => !sentences.includes(one))
      .map((one) => ({ text: one, change: 'gone' as const })),
  ]
}
