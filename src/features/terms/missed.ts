// What a class that didn't take place costs under agreed terms, and what it brings. Pure: everything is passed in.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Cents, cents, type Currency, partOf } from '#kernel/money.ts'
import type { Outcome } from './outcome.ts'
import type { Cost, MakeUps, PeriodFee, Rules } from './rules.ts'
import { costText, noticeText, percentText } from './sentences.ts'

/** A class that didn't take place. */
export interface Missed {
  outcome: Outcome
  /** How long before its start it was canceled. Negative once it began. A no-show has none. */
  noticeMinutes: number
  /** The price of the class; under a fee, the class's share of it (shareOf). */
  price: Cents
  currency: Currency
  /**
   * How many late cancellations the family had for free in the class's half-year (halfYearOf), when this one is told;
   * afterward, whether it was one of them, because which ones were doesn't change with what's told later.
   */
  freeUsed: number | boolean
  reason?: 'illness' | 'closing' | null
  /** How many days after the planned day it takes place instead; null if it doesn't. */
  rescheduledDays?: number | null
  /** The make-ups that `most` counts: those owed now, or those given in this month or term. */
  makeUpsCounted: number
}

/** A make-up that's owed. */
interface MakeUp {
  /** After how many days it lapses, or with the term; null if it doesn't. */
  until: number | 'term' | null
  /** Whether the missed class is paid for, so that its make-up costs nothing. */
  isPaid: boolean
}

/** What a missed class brings. */
interface Consequence {
  /** What the family owes for it. Negative if the tutor owes a credit. */
  charge: Cents
  makeUp: MakeUp | null
  /** Whether it used one of the family's free cancellations. */
  usesFree: boolean
  /** Why, in one sentence. */
  because: string
}

const NONE = cents(0)
const MINUTES = 60

/** What a missed class costs and brings under these rules. */
export function outcomeOf(rules: Rules, missed: Missed): Consequence {
  if (missed.outcome === 'canceled_by_tutor') return byTutor(rules, missed)
  const { charge, because, usesFree = false } = byFamily(rules, missed)
  return { charge, makeUp: makeUpFor(rules, missed, charge), usesFree, because }
}

type ByFamily = Pick<Consequence, 'charge' | 'because'> & { usesFree?: boolean }

function byFamily(rules: Rules, missed: Missed): ByFamily {
  const { outcome, currency } = missed
  const free = (because: string): ByFamily => ({ charge: NONE, because })
  const notice = noticeText(rules.notice_hours)
  if (rules.fee) return free(`The fee for the ${rules.fee.per} covers it.`)
  if (outcome === 'canceled_in_time')
    return free(rules.notice_hours === 0 ? 'Canceling is free.' : `Canceled at least ${notice} before.`)
  if (rules.is_illness_free && missed.reason === 'illness') return free('Illness is free.')
  if (rules.are_closings_free && missed.reason === 'closing') return free('Closings are free.')
  if (outcome === 'no_show') {
    const cost = rules.no_show ?? rules.bands.at(-1)
    if (!cost) return free('The terms ask nothing for a no-show.')
    return { charge: chargeOf(cost, missed), because: `No-show: ${costText(cost, currency)}.` }
  }
  const dearest = bandsPassed(rules, missed.noticeMinutes)
    .map((band) => ({ ...band, charge: chargeOf(band, missed) }))
    .toSorted((one, other) => other.charge - one.charge)[0]
  if (!dearest) return free('The terms ask nothing for a late cancellation.')
  const days = rules.free_if_rescheduled_days
  if (days && missed.rescheduledDays != null && missed.rescheduledDays <= days)
    return free(`Rescheduled within ${days} ${days === 1 ? 'day' : 'days'}.`)
  const { freeUsed } = missed
  const allowed = rules.free_per_half_year ?? 0
  if (freeUsed === true) return { ...free('A free cancellation of this half-year.'), usesFree: true }
  if (freeUsed !== false && freeUsed < allowed)
    return { ...free(`Free cancellation ${freeUsed + 1} of ${allowed} in this half-year.`), usesFree: true }
  return {
    charge: dearest.charge,
    because: `Canceled less than ${noticeText(dearest.from_hours)} before: ${costText(dearest, currency)}.`,
  }
}

/**
 * The steps that a late cancellation reached. A late one is at least in the first, also if the sides called it late
 * in spite of the clock. The dearest counts, so that canceling later never costs less.
 */
function bandsPassed({ bands, notice_hours: notice }: Rules, noticeMinutes: number) {
  return bands
    .map((band, at) => ({ ...band, from_hours: bands[at - 1]?.until_hours ?? notice }))
    .filter(({ from_hours: from }, at) => at === 0 || noticeMinutes < from * MINUTES)
}

function chargeOf({ percent, amount }: Cost, { price, currency }: Pick<Missed, 'price' | 'currency'>): Cents {
  return cents(partOf(price, percent ?? 0, 100, currency) + (amount ?? 0))
}

function makeUpFor(rules: Rules, missed: Missed, charge: Cents): MakeUp | null {
  const { make_ups: makeUps, fee } = rules
  if (!makeUps || !isMadeUp(makeUps, missed)) return null
  return { until: makeUps.until ?? null, isPaid: Boolean(fee) || charge > 0 }
}

function isMadeUp(
  { for: which, most }: MakeUps,
  { outcome, makeUpsCounted, rescheduledDays }: Missed,
): boolean {
  // A class that takes place on another day needs no make-up.
  if (rescheduledDays != null) return false
  return (which === 'missed' || outcome === 'canceled_in_time') && makeUpsCounted < (most ?? Infinity)
}

/**
 * A cancellation by the tutor is never charged. What was paid for with a fee can be credited; a single class wasn't
 * paid for.
 */
function byTutor({ tutor_cancels: brings, fee, notice_hours: notice }: Rules, missed: Missed): Consequence {
  const said: string[] = []
  let charge = 0
  let makeUp: MakeUp | null = null
  if (brings?.brings.startsWith('make_up')) {
    makeUp = { until: brings.within_days ?? null, isPaid: Boolean(fee) }
    said.push('a make-up is owed')
  } else if (brings?.brings === 'credit' && fee) {
    charge -= missed.price
    said.push('the lesson is credited')
  }
  if (brings?.late_percent_off && missed.noticeMinutes < notice * MINUTES) {
    const off = partOf(missed.price, brings.late_percent_off, 100, missed.currency)
    charge -= Math.min(off, missed.price + charge)
    said.push(`${percentText(brings.late_percent_off)} off the next lesson`)
  }
  const what = said.length === 0 ? 'nothing is charged' : said.join(', ')
  return { charge: cents(charge), makeUp, usesFree: false, because: `Canceled by the tutor: ${what}.` }
}

/** A lesson's share of a fee: of the lessons that the fee includes, or of those planned in its month or term. */
export function shareOf({ amount, lessons }: PeriodFee, plannedLessons: number, currency: Currency): Cents {
  return partOf(amount, 1, lessons ?? Math.max(plannedLessons, 1), currency)
}

/** What a week without lessons costs, to hold the place. */
export function holdingFeeOf({ holding_percent: percent }: Rules, price: Cents, currency: Currency): Cents {
  return partOf(price, percent ?? 0, 100, currency)
}

/** Whether a cancellation this long before the class is in time. Without terms, 24 hours are the suggestion. */
export function isInTime(noticeHours: number, noticeMinutes: number): boolean {
  return noticeMinutes >= noticeHours * MINUTES
}

/** The half-year in which free cancellations are counted. */
export function halfYearOf(day: CalendarDay): { from: CalendarDay; to: CalendarDay } {
  const year = day.slice(0, 4)
  const isFirst = day.slice(5) < '07-01'
  const [from, to] = isFirst ? ['01-01', '06-30'] : ['07-01', '12-31']
  return { from: `${year}-${from}` as CalendarDay, to: `${year}-${to}` as CalendarDay }
}
