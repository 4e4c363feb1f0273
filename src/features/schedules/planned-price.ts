// What a class of a schedule would cost.
import { rateThatApplies } from '#features/sessions/rate.ts'
import { type Cents, cents, priceOf } from '#kernel/money.ts'

interface Rates {
  student: Cents | null
  tutor: Cents | null
}

/** What decides what a class would cost. */
export interface Priced {
  minutes: number
  schedule_rate: Cents | null
  practice: Rates
  family: Rates
}

/** What the class would have cost. The tutor's rates come first, because that's who would be paid. */
export function plannedPrice({ schedule_rate: schedule, practice, family, minutes }: Priced): Cents {
  const rate = rateThatApplies({ schedule, ...practice }) ?? rateThatApplies(family)
  return rate === null ? cents(0) : priceOf(rate, minutes)
}
