// Which fees agreed terms ask for by themselves. Pure: everything is passed in.
import { type CalendarDay, daysOfMonth, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { addMonths, monthLabel } from '#kernel/month.ts'
import type { Cents } from '#kernel/money.ts'
import type { Rules } from './rules.ts'
import { type Term, type TermMonths, termMonthsOf, termOf } from './term.ts'
import { applyingOn, isAgreed, latestOn, type Span, type Version } from './terms.ts'

/** A version of terms that both sides agree on. */
export interface AgreedVersion {
  rules: Rules
  applies_from: CalendarDay
  ended_on: CalendarDay | null
}

/** A fee that terms ask for, as a charge. */
export interface AskedFee {
  /** What it's for, so that it's asked for once: a month such as "2026-11", or a term such as "term 2026-09-01". */
  period: string
  /** The day of the charge, from which on it's asked for. */
  day: CalendarDay
  amount: Cents
  /** Why, in one sentence that both sides read. */
  because: string
}

/** What of a version decides which days its fee is for. */
type WithFee = Span & { rules: TermMonths & { fee?: { per: 'month' | 'term' } | null | undefined } }

/** A month or a term with a fee, and the version that it belongs to as a whole. */
interface Period<Version> extends Term {
  per: 'month' | 'term'
  version: Version
}

/**
 * The fees that these versions ask for up to a day, oldest first. What's paid in advance is asked for on the first
 * day of its month or term, anything else on its last.
 */
export function feesUpTo(versions: readonly AgreedVersion[], today: CalendarDay): AskedFee[] {
  return periodsUpTo(versions, today)
    .flatMap((period) => askedFor(period))
    .filter(({ day }) => day <= today)
}

/** Whether a month's or a term's fee covers the lessons of a day. */
export function feeCovering(versions: readonly WithFee[], day: CalendarDay): 'month' | 'term' | undefined {
  const last = periodsUpTo(versions, day).at(-1)
  return last && day <= last.to ? last.per : undefined
}

/**
 * What applies to a class on a day: the terms of that day, with the fee of its month or term, which belongs to those of its first
 * day. Terms that begin in the middle of a month have a fee later on, and one that's asked for covers its month whatever comes.
 */
export function rulesOn(
  versions: readonly (Version & { rules: Rules })[],
  day: CalendarDay,
): Rules | undefined {
  const agreed = versions.filter((one) => one.connection_id === null || isAgreed(one))
  const rules = applyingOn(agreed, day)?.rules
  if (!rules) return undefined
  const last = periodsUpTo(agreed, day).at(-1)
  return { ...rules, fee: last && day <= last.to ? last.version.rules.fee : null }
}

/**
 * The months and terms with a fee that began by a day. Each belongs as a whole to the version that applies on its
 * first day, so that no fee is for days before the sides agreed on it, and none is for days that a term's fee
 * already covers. The database says the same about a day (is_covered_by_fee in db/repeatable/fees.sql).
 */
function periodsUpTo<One extends WithFee>(versions: readonly One[], last: CalendarDay): Period<One>[] {
  const first = versions.flatMap(({ applies_from: from }) => from ?? []).toSorted()[0]
  if (!first) return []
  const periods: Period<One>[] = []
  for (let month = monthOf(first as CalendarDay); month <= monthOf(last); month = addMonths(month, 1)) {
    const { from } = daysOfMonth(month)
    if ((periods.at(-1)?.to ?? '') >= from) continue
    const version = latestOn(versions, from)
    const period = version && periodFrom(version, month)
    if (period) periods.push(period)
  }
  return periods
}

function periodFrom<One extends WithFee>(version: One, month: string): Period<One> | undefined {
  const { rules } = version
  const days = daysOfMonth(month)
  if (rules.fee?.per === 'month') return { per: 'month', version, ...days }
  const isBegin = termMonthsOf(rules).includes(Number(month.slice(5)))
  return rules.fee && isBegin ? { per: 'term', version, ...termOf(rules, days.from) } : undefined
}

function askedFor({ per, version, from, to }: Period<AgreedVersion>): AskedFee[] {
  const { fee } = version.rules
  if (!fee) return []
  const what = per === 'month' ? monthLabel(monthOf(from)) : `the term ${dateText(from)} to ${dateText(to)}`
  return [
    {
      period: per === 'month' ? monthOf(from) : `term ${from}`,
      day: fee.is_in_advance ? from : to,
      amount: fee.amount,
      because: `Fee for ${what}, by the terms of ${dateText(version.applies_from)}.`,
    },
  ]
}

const dateText = (day: CalendarDay) => formatDay(day, { month: 'short', day: 'numeric', year: 'numeric' })
