// What's said about make-ups.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import type { MakeUp } from './make-ups.ts'

/** A day without its year. */
const dayText = (day: string) => formatDay(day as CalendarDay, { month: 'short', day: 'numeric' })

/** "1 make-up owed, until Dec 19", "3 make-ups owed, the first until Dec 19", "1 make-up lapsed Nov 30". */
export function makeUpsInWords(makeUps: readonly MakeUp[]): string[] {
  const owed = makeUps.filter(({ state }) => state === 'owed')
  const lapsed = makeUps.filter(({ state }) => state === 'lapsed')
  return [
    ...(owed.length === 0 ? [] : [`${countText(owed.length)} owed${untilText(owed)}`]),
    ...lapsed.map(({ until }) => `1 make-up lapsed ${dayText(until ?? '')}`),
  ]
}

/** What the form offers: "Use a make-up (1 owed, until Dec 19)". */
export function offerText(owed: readonly MakeUp[]): string {
  return `Use a make-up (${owed.length} owed${untilText(owed)})`
}

const countText = (count: number) => `${count} ${count === 1 ? 'make-up' : 'make-ups'}`

/** The first to lapse comes first. */
function untilText(owed: readonly MakeUp[]): string {
  const [first] = owed
  if (!first?.until) return ''
  const isOne = owed.every(({ until }) => until === first.until)
  return isOne ? `, until ${dayText(first.until)}` : `, the first until ${dayText(first.until)}`
}
