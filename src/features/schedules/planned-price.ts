// What a class of a schedule would cost.
import { amountAt, type PairPrice, priceThatCounts } from '#features/prices/price.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, type Currency } from '#kernel/money.ts'

interface Rates {
  student: Cents | null
  tutor: Cents | null
  prices?: readonly PairPrice[]
}

/** What decides what a class would cost. */
export interface Priced {
  minutes: number
  schedule_rate: Cents | null
  practice: Rates
  family: Rates
}

/** What the class would have cost on its day. The tutor's prices come first, because that's who would be paid. */
export function plannedPrice(
  { schedule_rate: schedule, practice, family, minutes }: Priced,
  day: CalendarDay,
  currency: Currency,
): Cents {
  const price = priceThatCounts({ schedule, ...practice }, day) ?? priceThatCounts(family, day)
  return amountAt(price, minutes as Minutes, currency) ?? cents(0)
}
