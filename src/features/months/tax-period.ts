// A tax period of a practice: what it received by the day it was paid, and what it taught by the day of the lesson.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import type { Charge } from '#features/charges/charge.ts'
import { KIND_LABELS, METHOD_LABELS } from '#features/payments/payment-form.ts'
import type { Payment } from '#features/payments/payment.ts'
import { REASON_LABELS } from '#features/payments/payment-words.ts'
import { FoundSessions } from '#features/sessions/session.ts'
import { addDays, type CalendarDay, Day } from '#kernel/calendar-day.ts'
import { amountInDigits, cents, centsOfDollars, Currency, dollars } from '#kernel/money.ts'

export const PERIOD_KINDS = ['year', 'uk', 'school', 'range'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]
export const PERIOD_LABELS: Record<PeriodKind, string> = {
  year: 'Calendar year',
  uk: 'UK tax quarters',
  school: 'School year',
  range: 'Any days',
}

interface Period {
  /** What it's called in the URL. */
  id: string
  label: string
  from: CalendarDay
  to: CalendarDay
}

/** How many years of periods to offer. */
const YEARS = 6
/** A school year begins in September. */
const SCHOOL_BEGINS = '09-01'
/** The first days of the quarters of a UK tax year. The last two are in the year after. */
const UK_QUARTERS = ['04-06', '07-06', '10-06', '01-06'] as const

const dayBefore = (day: string) => addDays(day as CalendarDay, -1)
const between = (year: number) => `${year}/${String(year + 1).slice(2)}`

/** The periods of a kind to choose from, newest first. They have all begun. Any days have none to choose from. */
export function periodsOf(kind: PeriodKind, today: CalendarDay): Period[] {
  const thisYear = Number(today.slice(0, 4))
  const years = Array.from({ length: YEARS + 1 }, (_, back) => thisYear - back)
  const all = { year: calendarYear, uk: ukYear, school: schoolYear, range: () => [] }[kind]
  return years.flatMap(all).filter(({ from }) => from <= today)
}

function calendarYear(year: number): Period[] {
  return [period(`${year}`, `${year}`, `${year}-01-01`, `${year + 1}-01-01`)]
}

function schoolYear(year: number): Period[] {
  const [from, next] = [`${year}-${SCHOOL_BEGINS}`, `${year + 1}-${SCHOOL_BEGINS}`]
  return [period(`school-${year}`, between(year), from, next)]
}

/** The year's quarters, the last one first, and then the year itself. */
function ukYear(year: number): Period[] {
  const starts = [...UK_QUARTERS, UK_QUARTERS[0]].map((day, at) => `${at < 3 ? year : year + 1}-${day}`)
  const quarters = UK_QUARTERS.map((_, at) =>
    period(
      `uk-${year}-${at + 1}`,
      `Quarter ${at + 1} of ${between(year)}`,
      starts[at] ?? '',
      starts[at + 1] ?? '',
    ),
  )
  const whole = period(`uk-${year}`, `Tax year ${between(year)}`, starts[0] ?? '', starts[4] ?? '')
  return [...quarters.toReversed(), whole]
}

const period = (id: string, label: string, from: string, next: string): Period => ({
  id,
  label,
  from: from as CalendarDay,
  to: dayBefore(next),
})

const Money = z.object({
  currency: Currency,
  /** How many payments or charges. */
  count: z.number(),
  /** Dollars. */
  amount: z.number(),
})
type Money = z.output<typeof Money>

export const TaxPeriod = z.object({
  /** What families paid less what was refunded, by the day of each. The count is of payments. */
  received: z.array(Money),
  /** What `received` was lowered by. */
  refunded: z.array(Money),
  /** What families paid and nobody confirmed yet, so that it counts in no balance. */
  on_its_way: z.array(Money),
  /** The lessons, by their day. */
  taught: FoundSessions,
  /** Confirmed charges and other credits, by their day. Neither is money that was received. */
  charges: z.array(Money),
  credits: z.array(Money),
})
export type TaxPeriod = z.output<typeof TaxPeriod>

const range = z.strictObject({ from: Day, to: Day })
const refusals = {
  backwards: { status: 422, title: "The last day can't be before the first", field: 'to' },
} as const

export const ReadTaxPeriod = endpoint({
  operation: 'ReadTaxPeriod',
  summary:
    'Get what a practice received in a range of days, less refunds, by the day of payment, and what it taught, by the day of the lesson',
  method: 'GET',
  path: '/api/v1/tax-period',
  access: ['tutor', 'admin'],
  needsAllStudents: true,
  input: range,
  output: TaxPeriod,
  refusals,
})
export const DownloadPayments = endpoint({
  operation: 'DownloadPayments',
  summary: 'Export the payments that a practice received in a range of days, and its refunds, as CSV',
  method: 'GET',
  path: '/api/v1/statements/payments.csv',
  access: ['tutor', 'admin'],
  needsAllStudents: true,
  input: range,
  output: z.string(),
  produces: 'text/csv',
  refusals,
  limit: { hits: 120, seconds: 3600 },
})

type PaidFacts = Pick<
  Payment,
  'kind' | 'amount' | 'currency' | 'counts' | 'own_confirmation' | 'other_confirmation' | 'deletion_asked_by'
>

/** Whether money changed hands. A debt from before the first entry is none. */
const isMoney = ({ kind, amount }: Pick<Payment, 'kind' | 'amount'>) => kind !== 'opening' && amount !== 0

/** Whether a confirmed credit says that money went back. */
const isRefund = ({ amount, reason, counts }: Pick<Charge, 'amount' | 'reason' | 'counts'>) =>
  counts && reason === 'refund' && amount < 0

/** The payments that were received: money that both sides confirmed, or that's only in your own records. */
function receivedOf<Paid extends Pick<Payment, 'kind' | 'amount' | 'counts'>>(
  payments: readonly Paid[],
): Paid[] {
  return payments.filter((payment) => payment.counts && isMoney(payment))
}

export function taxPeriodOf({
  payments,
  charges,
  taught,
}: {
  payments: readonly PaidFacts[]
  charges: readonly Pick<Charge, 'amount' | 'currency' | 'reason' | 'counts'>[]
  taught: FoundSessions
}): TaxPeriod {
  const counted = charges.filter(({ counts }) => counts)
  const received = receivedOf(payments)
  const refunds = charges.filter(isRefund)
  const isOpen = (one: PaidFacts) =>
    !one.counts &&
    one.deletion_asked_by === null &&
    one.own_confirmation !== 'disputed' &&
    one.other_confirmation !== 'disputed'
  return {
    received: summed([...received, ...refunds]).map((sum) => ({
      ...sum,
      count: received.filter(({ currency }) => currency === sum.currency).length,
    })),
    refunded: summed(refunds.map((refund) => ({ ...refund, amount: -refund.amount }))),
    on_its_way: summed(payments.filter((one) => isOpen(one) && isMoney(one))),
    taught,
    charges: summed(counted.filter(({ amount }) => amount > 0)),
    credits: summed(counted.filter((one) => one.amount < 0 && !isRefund(one))),
  }
}

/** Sums by currency. Amounts in different currencies are never added. */
function summed(entries: readonly { currency: Currency; amount: number }[]): Money[] {
  return [...Map.groupBy(entries, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    count: own.length,
    amount: dollars(cents(own.reduce((sum, { amount }) => sum + centsOfDollars(amount), 0))),
  }))
}

const HEADER = [
  'Date',
  'From',
  'Student',
  'Amount',
  'Currency',
  'Type',
  'Hours paid for',
  'Method',
  'Reference',
  'Note',
]

/**
 * The spreadsheet of received payments and of refunds, which are negative, oldest first.
 * @param familyOf returns what the practice calls a connection's family
 */
export function paymentsCsv(
  payments: readonly Payment[],
  charges: readonly Charge[],
  familyOf: (connectionId: string | null) => string | null,
): { header: string[]; rows: (string | number | null)[][] } {
  const rowOf = (one: Payment | Charge, type: string, ...more: (string | number | null)[]) => [
    one.date,
    familyOf(one.connection_id),
    one.student_name,
    // A text with a minus would be guarded like a formula, and no longer be added up.
    one.amount < 0 ? one.amount : amountInDigits(one.amount, one.currency),
    one.currency,
    type,
    ...more,
  ]
  const refunds = charges
    .filter(isRefund)
    .map((one) => rowOf(one, REASON_LABELS.refund, null, null, null, one.label))
  const paid = receivedOf(payments).map((one) => {
    const method = one.method && METHOD_LABELS[one.method]
    return rowOf(one, KIND_LABELS[one.kind], one.hours, method, one.reference, one.note)
  })
  return {
    header: HEADER,
    rows: [...refunds, ...paid]
      .toReversed()
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : Number(one !== other))),
  }
}
