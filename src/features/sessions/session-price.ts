// A session's price as it's stored: its own rate per hour, or the default, which is per hour or per lesson.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Cents, centsOfDollars } from '#kernel/money.ts'
import { type CountingPrice, isSamePrice, type Price, type PriceSource } from '#features/prices/price.ts'
import type { Session } from './session.ts'

/** The columns of a default price. */
export interface DefaultPrice {
  /** Per hour. */
  tutor_rate_cents: Cents | null
  /** Per lesson, instead. */
  lesson_price_cents: Cents | null
  lesson_price_minutes: number | null
  price_source: PriceSource | null
  price_since: string | null
}

interface Priced {
  rate_override_cents?: number | null
  tutor_rate_cents?: number | null
  lesson_price_cents?: number | null
  lesson_price_minutes?: number | null
}

/** The price that applies: the session's own, or else the default. */
export function effectivePriceOf(row: Priced): Price | null {
  const amount = row.rate_override_cents ?? row.lesson_price_cents ?? row.tutor_rate_cents ?? null
  if (amount === null) return null
  const isOwn = (row.rate_override_cents ?? null) !== null
  return { cents: amount as Cents, lesson_minutes: isOwn ? null : (row.lesson_price_minutes ?? null) }
}

/** What a row says about its price. Nothing if it has none, or if the stored row has the same. */
export function changedPrice(
  row: Partial<DefaultPrice> & { rate_override_cents?: Cents | null },
  stored: Priced,
): Partial<DefaultPrice> & { rate_override_cents?: Cents | null } {
  const price = effectivePriceOf(row)
  if (price === null || isSamePrice(price, effectivePriceOf(stored))) return {}
  const { rate_override_cents, tutor_rate_cents, lesson_price_cents, lesson_price_minutes } = row
  const { price_source, price_since } = row
  return {
    rate_override_cents,
    tutor_rate_cents,
    lesson_price_cents,
    lesson_price_minutes,
    price_source,
    price_since,
  }
}

/** A default price as columns. */
export function columnsOfPrice(price: CountingPrice | null): DefaultPrice {
  const isPerLesson = price !== null && price.lesson_minutes !== null
  return {
    tutor_rate_cents: price && !isPerLesson ? price.cents : null,
    lesson_price_cents: isPerLesson ? price.cents : null,
    lesson_price_minutes: isPerLesson ? price.lesson_minutes : null,
    price_source: price && price.source !== 'override' ? price.source : null,
    price_since: price?.since ?? null,
  }
}

/** The default price that a session keeps. Null if there's none. */
export interface KeptPrice extends Price {
  source: PriceSource | null
  since: CalendarDay | null
}

export function keptPriceOf(
  row: Omit<DefaultPrice, 'price_since'> & { price_since: string | null },
): KeptPrice | null {
  const price = effectivePriceOf({ ...row, rate_override_cents: null })
  return price && { ...price, source: row.price_source, since: row.price_since as CalendarDay | null }
}

/** The same from a session as the API sends it. */
export function keptPriceIn(
  session: Pick<Session, 'default_rate' | 'lesson_price' | 'lesson_minutes' | 'price_source' | 'price_since'>,
): KeptPrice | null {
  const amount = session.lesson_price ?? session.default_rate
  return amount === null
    ? null
    : {
        cents: centsOfDollars(amount),
        lesson_minutes: session.lesson_minutes,
        source: session.price_source,
        since: session.price_since as CalendarDay | null,
      }
}
