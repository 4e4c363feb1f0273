// Which price counts, and why, in a few words.
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { isolated } from '#kernel/isolate.ts'
import type { Currency } from '#kernel/money.ts'
import { type CountingPrice, type Price, priceInWords } from './price.ts'

/** Who a price is about, by the names that the reader gave them. */
export interface PricedPeople {
  student: string
  /** Undefined if the tutor is the reader. */
  tutor: string | undefined
}

type Why = Price & { source: CountingPrice['source'] | null; since: CalendarDay | null }

/** "Ingrid's price for Maya", or "Your price for Maya". */
export function pairPriceName({ student, tutor }: PricedPeople): string {
  return `${ownerOf(tutor)} price for ${isolated(firstNameOf(student))}`
}

/** Which price counts and why: "Ingrid's price for Maya since Sep 1". */
export function whyPrice({ source, since }: Why, people: PricedPeople, now: Date): string {
  if (source === 'pair')
    return since ? `${pairPriceName(people)} since ${dayInWords(since, now)}` : pairPriceName(people)
  if (source === 'override') return "This session's own rate"
  if (source === 'schedule') return "The schedule's rate"
  if (source === 'student') return pairPriceName(people)
  if (source === 'shared') return 'A part of the price that several share'
  if (source === 'tutor')
    return people.tutor === undefined ? 'Your usual rate' : `${ownerOf(people.tutor)} usual rate`
  return 'The price as it was logged'
}

/** The same with the price: "Ingrid's price for Maya since Sep 1: €32.50 per lesson of 45 min". */
export function priceExplained(price: Why, people: PricedPeople, currency: Currency, now: Date): string {
  return `${whyPrice(price, people, now)}: ${priceInWords(price, currency)}`
}

function ownerOf(tutor: string | undefined): string {
  return tutor === undefined ? 'Your' : `${isolated(firstNameOf(tutor))}'s`
}

function firstNameOf(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}

/** "Sep 1", with its year if it's another. */
function dayInWords(day: CalendarDay, now: Date): string {
  const isThisYear = day.slice(0, 4) === dayIn(now).slice(0, 4)
  return formatDay(day, { month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) })
}
