// Proposes prices: hourly, per lesson, per half hour, or free.
import type { Candidate } from './candidates.ts'
import { covers, numberIn, type Span } from './line.ts'
import type { Phrase } from './phrases.ts'

const MOST = 100_000_000
/** Every amount of money in cents, as a rate and as a total. '15 for half an hour' is also a rate of 30. */
export function moneyCandidates(amounts: Phrase[]): Candidate[] {
  // The fifty in 'forty dollars and fifty cents' isn't an amount.
  const exact = amounts.filter(({ type }) => type === 'exact')
  const isPart = (one: Span): boolean => exact.some((all) => covers(all, one) && !covers(one, all))
  return amounts.flatMap(({ from, to, type, groups }): Candidate[] => {
    if (isPart({ from, to })) return []
    const propose = (value: number, as: string, reading: 'hour' | 'total'): Candidate => {
      return { slot: 'rate', from, to, value: Math.round(value), type: as, reading }
    }
    if (type === 'free') return [propose(0, 'free', 'hour')]
    const cents =
      10_000 * Number(groups.hundreds ?? 0) +
      100 * (numberIn(groups.dollars ?? '') ?? 0) +
      Number(groups.cents ?? 0) +
      // 'Trece lucas y media' is thirteen and a half thousand.
      (groups.part ? (Number(groups.dollars) % 1000 === 0 ? 50_000 : 50) : 0)
    if (cents < 100 || cents > MOST || (type === 'bare' && cents > 200_000 && cents % 10_000 > 0)) return []
    const isSaid = groups.hour ? '-said' : ''
    return [
      propose(cents, `${type}-hour${isSaid}`, 'hour'),
      propose(cents, `${type}-total${isSaid}`, 'total'),
      ...(groups.half ? [propose(2 * cents, `${type}-half`, 'hour')] : []),
    ]
  })
}

/** The hourly rate for a total, in cents; null if the rate doesn't convert back to the same total. */
export function perHour(cents: number, minutes: number): number | null {
  if (minutes <= 0) return null
  const rate = Math.round((cents * 60) / minutes)
  return Math.round((rate * minutes) / 60) === cents ? rate : null
}
