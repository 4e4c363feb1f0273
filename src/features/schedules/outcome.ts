// How a planned class ended if it didn't take place. It's kept on the class; a class that took place is a session.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { type Outcome, OUTCOMES } from '#features/terms/outcome.ts'
import { type CalendarDay, Day, dayIn } from '#kernel/calendar-day.ts'
import { cents, centsOfDollars, Currency, formatAmount, formatMoney } from '#kernel/money.ts'
import { daysBetween } from './recurrence.ts'

/** What a cancellation most likely was, from when it's recorded. Either side may say otherwise. */
export function suggestedOutcome(
  recordedAt: Date,
  beginsAt: Date,
  noticeHours: number,
): 'canceled_in_time' | 'canceled_late' {
  const hoursBefore = (beginsAt.getTime() - recordedAt.getTime()) / 3_600_000
  return hoursBefore >= noticeHours ? 'canceled_in_time' : 'canceled_late'
}

/** What to choose from, the suggestion first. Nobody can fail to show up before a class began. */
export function outcomeChoices(
  suggested: 'canceled_in_time' | 'canceled_late',
  hasBegun: boolean,
): Outcome[] {
  const other = suggested === 'canceled_late' ? 'canceled_in_time' : 'canceled_late'
  return [suggested, other, ...(hasBegun ? (['no_show'] as const) : []), 'canceled_by_tutor']
}

/** Whether a class on this day may have begun, if nobody knows where on earth it takes place. */
export function mayHaveBegun(day: CalendarDay, now: Date): boolean {
  return day <= dayIn(now, 'Pacific/Kiritimati')
}

type Reader = 'parent' | 'tutor'

/** For example, "Canceled late". */
export function outcomeInWords(outcome: Outcome, reader: Reader): string {
  if (outcome === 'canceled_by_tutor') return reader === 'tutor' ? 'Canceled by you' : 'Canceled by the tutor'
  return { canceled_in_time: 'Canceled in time', canceled_late: 'Canceled late', no_show: 'No-show' }[outcome]
}

/** For example, "2 missed, $45.00": with what their charges come to in each currency, less credits. */
export function missedInWords(missed: readonly Pick<MissedClass, 'charge'>[]): string {
  const sums = new Map<Currency, number>()
  for (const { charge } of missed)
    if (charge) sums.set(charge.currency, (sums.get(charge.currency) ?? 0) + centsOfDollars(charge.amount))
  const amounts = [...sums].map(([currency, sum]) => formatMoney(cents(sum), currency))
  return [`${missed.length} missed`, ...amounts].join(', ')
}

/** For example, "Charge of $22.50" or "Waived". */
export function costInWords({ charge, is_waived }: Pick<MissedClass, 'charge' | 'is_waived'>): string {
  if (!charge) return is_waived ? 'Waived' : 'Nothing is charged'
  const amount = formatAmount(Math.abs(charge.amount), charge.currency)
  return `${charge.amount < 0 ? 'Credit' : 'Charge'} of ${amount}`
}

/** What a missed class costs, as `MissedClass` and the answer to an outcome have it. */
export const consequence = {
  /** What agreed terms say about how it ended, in one sentence; null if none apply, or for those who see no amounts. */
  because: z.nullable(z.string()),
  /** Its charge, or credit if the amount is negative; null if there's none. */
  charge: z.nullable(
    z.object({
      id: z.string(),
      amount: z.number(),
      currency: Currency,
      own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
      other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
      version: z.number(),
    }),
  ),
  /** Whether its charge was waived; null for those who see no amounts. */
  is_waived: z.nullable(z.boolean()),
}

export const MissedClass = z.object({
  schedule_id: z.string(),
  /** The day the class would have taken place. */
  date: z.string(),
  /** The day that the schedule gives. */
  original_date: z.string(),
  start_time: z.string(),
  /** Hours. */
  duration: z.number(),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  outcome: z.enum(OUTCOMES),
  ...consequence,
})
export type MissedClass = z.output<typeof MissedClass>

/** The longest range that one call can request: two years. */
const MAX_RANGE_DAYS = 732
const RANGE = "The range can be at most two years and can't end before it starts"

/** A range of days that one call can request. */
export const DayRange = z.strictObject({ from: Day, to: Day }).check((context) => {
  const { from, to } = context.value
  if (to < from || daysBetween(from, to) > MAX_RANGE_DAYS)
    context.issues.push({ code: 'custom', path: ['to'], message: RANGE, input: context.value })
})

export const ListMissed = endpoint({
  operation: 'ListMissed',
  summary: "List the planned classes in a date range that didn't take place, newest first",
  method: 'GET',
  path: '/api/v1/missed',
  access: 'confirmed',
  input: DayRange,
  output: z.array(MissedClass),
})
