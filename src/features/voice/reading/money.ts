// Proposes amounts of money: per hour, for the lesson, for half an hour, or free.
import type { Candidate } from './candidates.ts'
import { table, textAt, valueAt, type Word } from './line.ts'
import words from './words.json' with { type: 'json' }

const FREE = new Set(words.free)
const SIGN = /^[$£€]$/

const HOUR =
  /^(?:(?:(?:an|per|for an|for 1|each|a|the|by|in|1|for|every|[/]|per 1|for each) )?hour|(?:[/] ?|per )?h\b)/

interface Amount {
  dollars: number
  from: number
  to: number
  type: string
}

/** Every amount of money in cents; `reading` says what it pays for. */
export function moneyCandidates(line: Word[]): Candidate[] {
  const all = line.flatMap((word, at): Candidate[] => {
    const bills = billsAt(line, at)
    if (bills) return readings(line, bills)
    if (FREE.has(word.text) || (word.value === 0 && !word.isOrdinal))
      return [{ slot: 'rate', from: at, to: at + 1, value: 0, type: 'free', reading: 'hour' }]
    if (word.value === null || word.isOrdinal || word.value < 1 || word.value > 2000) return []
    return amountsAt(line, at, word.value).flatMap((amount) => readings(line, amount))
  })
  return all
}

const BILLS = table<number>(words.bills)
/** 'Two twenties and a ten', 'a 20 and a 10': the sum of at least two bills. */
function billsAt(line: Word[], at: number): Amount | undefined {
  let [place, sum, count, plural] = [at, 0, 0, false]
  for (let next = at; ;) {
    const times = textAt(line, next) === 'a' ? 1 : valueAt(line, next)
    const bill = textAt(line, next + 1) === 'bills' ? next + 3 : next + 1
    const many = BILLS[textAt(line, bill)]
    const value = many ?? (textAt(line, next) === 'a' || bill > next + 1 ? valueAt(line, bill) : NaN)
    if (!(times > 0 && times < 10) || ![1, 2, 5, 10, 20, 50, 100].includes(value)) break
    sum += times * value
    count += 1
    plural ||= many !== undefined || bill > next + 1
    place = bill + 1
    next = /^(and|plus)$/.test(textAt(line, place)) ? place + 1 : place
  }
  return count > 1 || plural ? { dollars: sum, from: at, to: place, type: 'bills' } : undefined
}

/** '$45', '45 dollars', 'one eighty', 'sixty two fifty', '40 dollars and 50 cents', 'twelve and a half'. */
function amountsAt(line: Word[], at: number, value: number): Amount[] {
  const text = (place: number): string => textAt(line, place)
  const isDollars = (place: number): boolean => text(place) === 'dollars' || SIGN.test(text(place))
  const from = SIGN.test(text(at - 1)) ? at - 1 : at
  const behind = (place: number): number => (isDollars(place) ? place + 1 : place)
  const amounts: Amount[] = [
    { dollars: value, from, to: behind(at + 1), type: from < at || isDollars(at + 1) ? 'dollars' : 'bare' },
  ]
  const next = line[at + 1]?.gap === ' ' ? valueAt(line, at + 1) : NaN
  const isSpoken = Number.isInteger(value) && Number.isInteger(next) && next >= 5 && next < 100
  if (isSpoken && next >= 10 && value < 10)
    amounts.push({ dollars: value * 100 + next, from, to: behind(at + 2), type: 'hundreds' })
  if (isSpoken && value >= 10) amounts.push({ dollars: value + next / 100, from, to: at + 2, type: 'cents' })
  const cents = text(at + 2) === 'and' ? at + 3 : at + 2
  if (isDollars(at + 1) && valueAt(line, cents) < 100 && valueAt(line, cents) > 0) {
    const to = text(cents + 1) === 'cents' ? cents + 2 : cents + 1
    amounts.push({ dollars: value + valueAt(line, cents) / 100, from, to, type: 'cents' })
  }
  if ([1, 2, 3].map((more) => text(at + more)).join(' ') === 'and a half')
    amounts.push({ dollars: value + 0.5, from, to: at + 4, type: 'half' })
  return amounts
}

/** '30 an hour' is a rate, and '15 for half an hour' converts to one. A plain amount may be a rate or a total. */
function readings(line: Word[], { from, to, dollars, type }: Amount): Candidate[] {
  const after = line
    .slice(to, to + 5)
    .map(({ text }) => text)
    .join(' ')
  const hour = HOUR.test(after)
  const half = /^(?:for |per |a |each |every |the |[/] )*(?:half|30 minute|1 [/] 2)/.test(after)
  const one = (reading: 'hour' | 'total' | 'half', as: string): Candidate => ({
    slot: 'rate',
    from,
    to,
    value: Math.round(dollars * (reading === 'half' ? 200 : 100)),
    type: as,
    reading: reading === 'half' ? 'hour' : reading,
  })
  return [
    one('hour', `${type}-hour${hour ? '-said' : ''}`),
    one('total', `${type}-total${hour ? '-said' : ''}`),
    ...(half ? [one('half', `${type}-half`)] : []),
  ]
}

/** The hourly rate for a total, in cents; null if the rate doesn't convert back to the same total. */
export function perHour(cents: number, minutes: number): number | null {
  if (minutes <= 0) return null
  const rate = Math.round((cents * 60) / minutes)
  return Math.round((rate * minutes) / 60) === cents ? rate : null
}
