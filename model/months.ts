// Closed months. Both sides close a month together; from then on, nothing on its page changes until one of them
// reopens it with a reason (rule 7).
import { isAgreed, kindOf, lineOf } from './kinds.ts'
import { accountWith, figuresOf } from './ledger.ts'
import { pairsIn } from './pairs.ts'
import { isMonthClosed } from './places.ts'
import {
  type Caller,
  type Closing,
  dayAfter,
  done,
  type Entry,
  isLink,
  isOpen,
  isPayment,
  type Link,
  monthOf,
  NOT_FOUND,
  OTHER_CLOSED,
  type Outcome,
  type Place,
  refused,
  type Side,
  sideOf,
  type World,
} from './terms.ts'
import { isReadOnly } from './world.ts'

export const latest = ({ closings }: Link, month: string): Closing | undefined =>
  closings.findLast((one) => one.month === month)
export const entriesIn = ({ entries }: World, link: Link, month: string): Entry[] =>
  entries.filter((entry) => entry.link === link && monthOf(entry.facts.day) === month)

/** Whether the caller acts for a side of an open connection. */
const isOnSide = (caller: Caller, link: Link) =>
  isOpen(link) && (isLink(caller) ? caller.link === link : link[sideOf(caller)] === caller.workspace)

/** How many entries in a month aren't agreed on yet. A pair counts as a session. */
export function openIn(world: World, link: Link, month: string): { session: number; payment: number } {
  const open = entriesIn(world, link, month).filter((entry) => !isAgreed(entry))
  const payment = open.filter(isPayment).length
  return { session: open.length - payment + pairsIn(link, month), payment }
}
/** Asks the other side to close a month, or closes it if the other side has asked. */
export function close(world: World, caller: Caller, link: Link, month: string): Outcome {
  const side = sideOf(caller)
  if (!isOnSide(caller, link)) return NOT_FOUND
  const closing = latest(link, month)
  if (closing?.state === 'closed' || (closing?.state === 'asked' && closing.by === side))
    return accepted(caller)
  if (isReadOnly({ link }, side)) return OTHER_CLOSED
  const [year = 0, number = 0] = month.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  if (dayAfter(world, 1) < lastDay) return refused(409, 'not_over')
  const open = openIn(world, link, month)
  if (open.session + open.payment > 0) return { ...refused(409, 'still_open'), open }
  const entries = entriesIn(world, link, month)
  if (entries.length === 0) return refused(409, 'nothing_to_close')
  if (closing?.state === 'asked') {
    closing.state = 'closed'
    closing.page = {
      lines: new Map(entries.map((entry) => [entry.id, lineOf(entry)])),
      figures: figuresOf(accountWith(world, link), month),
    }
  } else link.closings.push({ month, state: 'asked', by: side, page: null })
  return accepted(caller)
}
export function reopen(_world: World, caller: Caller, link: Link, month: string): Outcome {
  if (!isOnSide(caller, link)) return NOT_FOUND
  if (isReadOnly({ link }, sideOf(caller))) return OTHER_CLOSED
  const closing = latest(link, month)
  if (closing?.state !== 'closed') return refused(409, 'not_closed')
  closing.state = 'reopened'
  return accepted(caller)
}
/** Withdraws a side's request to close a month, as if it had never been made. */
export function withdraw(_world: World, caller: Caller, link: Link, month: string): Outcome {
  if (!isOnSide(caller, link)) return NOT_FOUND
  if (isReadOnly({ link }, sideOf(caller))) return OTHER_CLOSED
  const closing = latest(link, month)
  if (closing?.state === 'closed') return refused(409, 'already_closed')
  if (closing?.state !== 'asked' || closing.by !== sideOf(caller)) return refused(409, 'not_asked')
  link.closings = link.closings.filter((one) => one !== closing)
  return accepted(caller)
}
function accepted(caller: Caller): Outcome {
  if (isLink(caller)) caller.link.state = 'active'
  return done()
}

export function stateOf(link: Link, month: string, side: Side): string {
  const closing = latest(link, month)
  if (!closing) return 'open'
  if (closing.state !== 'asked') return closing.state
  return closing.by === side ? 'asked_by_you' : 'asked_by_other'
}

/** An entry before a command, or after it. */
type Image = Pick<Entry, 'link' | 'family' | 'practice'> & { month: string; isOnPage: boolean }
const imageOf = (entry: Entry): Image => {
  const month = monthOf(entry.facts.day)
  const page = entry.link && isMonthClosed(entry.link, month) ? latest(entry.link, month)?.page : undefined
  const isOnPage = isAgreed(entry) && page?.lines.get(entry.id) === lineOf(entry)
  const { link, family, practice } = entry
  return { link, family: family && { ...family }, practice: practice && { ...practice }, month, isOnPage }
}
/** Whether a side says that an entry is for someone else than before. Deleting a person doesn't say that. */
const isForAnother = (world: World, before: Place | null, after: Place | null) =>
  before !== null &&
  after !== null &&
  before.person !== after.person &&
  (after.person !== null || world.people.some((one) => one === before.person))

/**
 * Whether a change would make a closed month's page incorrect. It has what both sides agreed on, and who it
 * was for. Splitting is allowed, because each side then has its own copy.
 */
function breaks(world: World, before: Image | undefined, entry: Entry | undefined): boolean {
  const after = entry && imageOf(entry)
  if (after && !after.link) return false
  const isForOther =
    isForAnother(world, before?.family ?? null, after?.family ?? null) ||
    (entry !== undefined &&
      kindOf(entry).printsStudent &&
      isForAnother(world, before?.practice ?? null, after?.practice ?? null))
  return [before, after].some(
    (one) =>
      one?.link &&
      isMonthClosed(one.link, one.month) &&
      (isForOther || !after?.isOnPage || after.link !== one.link || after.month !== one.month),
  )
}

/**
 * Runs a command. If it would change what's on a closed month's page, refuses it and undoes everything it did.
 * This is the only place that protects closed months, whatever the command and the kind.
 */
export function keepingMonths(world: World, command: () => Outcome): Outcome {
  const isAnyClosed = world.links.some((link) => isOpen(link) && link.closings.some(({ page }) => page))
  if (!isAnyClosed) return command()
  const before = new Map(world.entries.map((entry) => [entry, imageOf(entry)]))
  const undo = remember(world)
  const outcome = command()
  const entries = new Set([...before.keys(), ...world.entries])
  const isBroken = [...entries].some((entry) =>
    breaks(world, before.get(entry), world.entries.includes(entry) ? entry : undefined),
  )
  if (!isBroken) return outcome
  undo()
  return refused(409, 'month_closed')
}
/** Remembers everything that a command may change. Calling the result restores it. */
function remember(world: World): () => void {
  const things: object[] = [
    world,
    ...world.entries.flatMap((entry) => [entry, entry.facts, entry.given, entry.replies]),
    ...world.entries.flatMap(({ family, practice }) => [family, practice].filter((place) => place !== null)),
    ...world.links.flatMap((link) => [link, ...link.people, ...link.closings]),
  ]
  const kept = things.map((thing) => {
    const copy = Object.entries(thing).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.slice() : value instanceof Map ? new Map(value) : value,
    ])
    return [thing, Object.fromEntries(copy) as object] as const
  })
  return () => {
    for (const [thing, copy] of kept) Object.assign(thing, copy)
  }
}
