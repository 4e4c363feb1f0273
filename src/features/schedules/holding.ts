// Which weeks a family pays for to hold its place, because it canceled all of their classes. Pure: everything is passed in.
import type { AskedFee } from '#features/terms/fees.ts'
import { holdingFeeOf } from '#features/terms/missed.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import type { Rules } from '#features/terms/rules.ts'
import { costText } from '#features/terms/sentences.ts'
import { latestOn, type Span } from '#features/terms/terms.ts'
import { addDays, type CalendarDay, formatDay, weekOf } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { plannedPrice, type Priced } from './planned-price.ts'
import { daysOfSeries } from './recurrence.ts'
import { recurrenceOf } from './schedule.ts'

/** A schedule that two sides share. */
type HeldSchedule = Priced & Parameters<typeof recurrenceOf>[0] & { id: string; start_time: string }

/** How a class ended, and whether it was one of the free late cancellations. */
interface Ended {
  outcome: Outcome | null
  uses_free: boolean
}

/** What decides about the holding fees of a connection. */
export interface HeldPlace {
  /** By the family's calendar, or else the practice's, like the day from which terms apply. */
  today: CalendarDay
  currency: Currency
  /** The versions of the terms that both sides agree on. */
  versions: (Span & { rules: Rules })[]
  schedules: HeldSchedule[]
  /** The classes that aren't as their schedule says, and where they take place. */
  changes: (Ended & { schedule_id: string; day: CalendarDay; place: CalendarDay })[]
  /** The days with a session. */
  taught: CalendarDay[]
}

interface HeldClass extends Ended {
  of: HeldSchedule
  place: CalendarDay
}

/**
 * The holding fees up to today, oldest first: one for each week in which the family canceled every planned class,
 * unless one of them costs something itself. A week belongs as a whole to the terms that apply on its first day, and
 * is asked for on its last.
 */
export function holdingFeesUpTo(held: HeldPlace): AskedFee[] {
  const { today, versions, currency } = held
  const first = versions.flatMap(({ applies_from: from }) => from ?? []).toSorted()[0]
  if (!first) return []
  const taught = new Set(held.taught.map((day) => weekOf(day)[0]))
  const weeks = Map.groupBy(classesBetween(held, first as CalendarDay), ({ place }) => weekOf(place)[0])
  return [...weeks].flatMap(([from, classes]): AskedFee[] => {
    const rules = from && latestOn(versions, from)?.rules
    const day = from && addDays(from, 6)
    const [earliest] = classes.toSorted((one, other) => (momentOf(one) < momentOf(other) ? -1 : 1))
    if (!rules || !day || !earliest || day > today || taught.has(from)) return []
    if (!classes.every((one) => isFree(one, rules))) return []
    const amount = holdingFeeOf(rules, plannedPrice(earliest.of, earliest.place, currency), currency)
    const what = `Place held in the week of ${dateText(from)}`
    const because = `${what}: ${costText({ percent: rules.holding_percent }, currency)}.`
    return amount > 0 ? [{ period: `week ${from}`, day, amount, because }] : []
  })
}

/** Whether the family canceled a class for nothing. */
function isFree({ outcome, uses_free: usesFree }: Ended, { bands }: Rules): boolean {
  return outcome === 'canceled_in_time' || (outcome === 'canceled_late' && (usesFree || bands.length === 0))
}

/** All planned classes, where they take place, from the week of a day to the week of today. */
function classesBetween({ schedules, changes, today }: HeldPlace, first: CalendarDay): HeldClass[] {
  const [from, to] = [weekOf(first)[0] ?? first, weekOf(today)[6] ?? today]
  const changed = new Map(changes.map((one) => [`${one.schedule_id} ${one.day}`, one]))
  const all = schedules.flatMap((of) =>
    daysOfSeries(recurrenceOf(of), addDays(from, -MAX_MOVED_DAYS), addDays(to, MAX_MOVED_DAYS)).map((day) => {
      const change = changed.get(`${of.id} ${day}`)
      return { outcome: null, uses_free: false, ...change, of, place: change?.place ?? day }
    }),
  )
  return all
    .filter(({ place }) => place >= from && place <= to)
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
}

/** How far away from its day a class that counts here was moved. */
const MAX_MOVED_DAYS = 366

const momentOf = ({ place, of }: HeldClass) => `${place} ${of.start_time} ${of.id}`
const dateText = (day: CalendarDay) => formatDay(day, { month: 'short', day: 'numeric', year: 'numeric' })
