// What's owed: the balance after each entry of an account, added up the way you'd do it on paper.
import { amountOf, counts, priceOf, rateOf, standingOf } from './kinds.ts'
import {
  type Entry,
  type Figures,
  isSession,
  type Link,
  monthOf,
  type PaymentType,
  type Side,
  type Workspace,
  type World,
} from './terms.ts'
import { currencyOf, entriesOf, placeOf } from './world.ts'

/** Amounts are in cents, and times in minutes. */
export interface Line {
  entry: Entry
  charged: number
  paid: number
  covered: number
  coveredCents: number
  balance: number
  left: number
}
export const typeOf = (entry: Entry): 'session' | PaymentType =>
  isSession(entry) ? 'session' : entry.facts.type
/** The order of entries on one day. */
const TURN = ['opening', 'hours', 'payment', 'session']

/** A workspace's accounts: one per accepted connection and, for everything else, one per tutor or student. */
export function accountsOf(world: World, workspace: Workspace): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>()
  for (const entry of entriesOf(world, workspace)) {
    const place = placeOf(entry, workspace)
    const link = entry.link?.state === 'active' ? entry.link : null
    // Amounts in other currencies are left out, and so are sessions that may be the same as another one.
    if (entry.currency !== (link ? currencyOf(link) : workspace.currency)) continue
    if (isSession(entry) && entry.isHeld) continue
    const party = workspace.side === 'family' ? place?.tutor : place?.person
    const key = link?.id ?? party?.id ?? 'unknown'
    found.set(key, [...(found.get(key) ?? []), entry])
  }
  return found
}
/** A connection's account, which looks the same from both sides. */
export const accountWith = ({ entries }: World, link: Link): Line[] =>
  linesOf(
    entries.filter((entry) => entry.link === link),
    'family',
  )

export function linesOf(entries: Entry[], side: Side): Line[] {
  const lines: Line[] = []
  let owed = 0
  let bought = 0
  const shown = entries
    .filter((entry) => !isSession(entry) || counts(entry, side))
    .sort(
      (one, other) =>
        one.facts.day.localeCompare(other.facts.day) ||
        TURN.indexOf(typeOf(one)) - TURN.indexOf(typeOf(other)) ||
        (one.id < other.id ? -1 : 1),
    )
  for (const entry of shown) {
    const line = { entry, charged: 0, paid: 0, covered: 0, coveredCents: 0, balance: 0, left: 0 }
    if (counts(entry, side)) {
      Object.assign(line, chargesOf(entry, bought))
      bought += typeOf(entry) === 'hours' ? entry.facts.minutes : -line.covered
    }
    owed += line.charged - line.paid
    lines.push({ ...line, balance: owed, left: bought })
  }
  return lines
}
/** What an entry adds to an account that has this much prepaid time. */
function chargesOf(entry: Entry, bought: number): Partial<Line> {
  const full = amountOf(entry) ?? 0
  if (!isSession(entry)) {
    const isPaid = entry.facts.type !== 'opening'
    return { charged: entry.facts.type === 'payment' ? 0 : full, paid: isPaid ? full : 0 }
  }
  const { minutes } = entry.facts
  const covered = Math.min(bought, minutes)
  const rest = minutes - covered
  const charged = covered === 0 ? full : rest === 0 ? 0 : priceOf(rateOf(entry) ?? 0, rest)
  return { covered, charged, coveredCents: full - charged }
}

export function figuresOf(lines: Line[], month: string): Figures {
  const until = lines.filter(({ entry }) => monthOf(entry.facts.day) <= month)
  const within = until.filter(({ entry }) => monthOf(entry.facts.day) === month)
  const sum = (own: Line[], of: (line: Line) => number) => own.reduce((total, line) => total + of(line), 0)
  const isTaught = ({ entry }: Line) => isSession(entry)
  const isOnItsWay = ({ entry }: Line) =>
    entry.link !== null && standingOf(entry) === 'waiting' && ['payment', 'hours'].includes(typeOf(entry))
  return {
    carriedOver: sum(
      until.filter((line) => !within.includes(line)),
      (line) => line.charged - line.paid,
    ),
    sessions: sum(within.filter(isTaught), ({ entry }) => amountOf(entry) ?? 0),
    covered: sum(within, (line) => line.coveredCents),
    other: sum(
      within.filter((line) => !isTaught(line)),
      (line) => line.charged,
    ),
    paid: sum(within, (line) => line.paid),
    balance: sum(until, (line) => line.charged - line.paid),
    onItsWay: sum(until.filter(isOnItsWay), ({ entry }) => amountOf(entry) ?? 0),
    left: until.at(-1)?.left ?? 0,
  }
}
