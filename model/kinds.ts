// The kinds of entries: what's different between them. Everything else about an agreement is the same for all
// kinds (agreement.ts). A further kind is one more row here, its facts in terms.ts, and a file of its own for how
// it's recorded and changed.
import { type Entry, otherSide, type Payment, type Proposal, type Session, type Side } from './terms.ts'

interface Kind {
  /** The facts that an answer is about. If one changes, there's a new facts version. */
  factsOf(entry: Entry): unknown[]
  /** The facts that a dispute can propose. */
  proposable(entry: Entry): Exclude<Proposal, 'removal'>
  /** Gives an entry proposed facts. */
  take(entry: Entry, proposal: Exclude<Proposal, 'removal'>): void
  /** What a closed month's page shows besides the facts. */
  printedOf(entry: Entry): unknown[]
  /** Whether the page also has the student whom the practice named. */
  printsStudent: boolean
  /** In cents; null if it isn't known. */
  amountOf(entry: Entry): number | null
  /** Whether an entry counts before both sides have confirmed it (rule 2). */
  countsWhileWaiting: boolean
  /** Whether the other side can reply to a dispute without changing anything. */
  hasReplies: boolean
  /** Whether a side without an account can ask to delete an entry. It can always agree to it. */
  isDeletedByMail: boolean
  /** How many days ahead an entry can be recorded. */
  daysAhead: number
  /**
   * Whether an entry that's only in a side's own records is disputed if either side disputed it before they
   * parted. Confirming it then counts it again, as a new facts version.
   */
  staysDisputed: boolean
  /** Whether an entry that's only in a side's own records can be confirmed if the side hasn't yet. */
  isConfirmedAlone: boolean
  /**
   * Whether a copy of an entry that a side without an account took part in can't be shared with others than
   * that address.
   */
  remembersAddress: boolean
}

/** Cents per hour. */
export const rateOf = ({ facts }: Pick<Session, 'facts'>): number | null => facts.override ?? facts.usual
/** In cents, rounded half up. */
export const priceOf = (rate: number, minutes: number): number => Math.round((rate * minutes) / 60)

export const KINDS: Record<Entry['kind'], Kind> = {
  session: {
    factsOf(session: Session) {
      return [session.facts.day, session.facts.minutes, rateOf(session)]
    },
    proposable: (session: Session) => {
      const { day, minutes } = session.facts
      return { day, minutes, rate: rateOf(session) }
    },
    take(session: Session, { rate, ...facts }) {
      Object.assign(session.facts, facts, rate !== rateOf(session) && { override: rate })
    },
    printedOf(session: Session) {
      return [this.amountOf(session), session.subject]
    },
    printsStudent: false,
    amountOf(session: Session) {
      const rate = rateOf(session)
      return rate === null ? null : priceOf(rate, session.facts.minutes)
    },
    countsWhileWaiting: true,
    hasReplies: true,
    isDeletedByMail: false,
    daysAhead: 366,
    staysDisputed: true,
    isConfirmedAlone: false,
    remembersAddress: true,
  },
  payment: {
    factsOf({ facts: { day, type, cents, minutes } }: Payment) {
      return [day, type, cents, type === 'hours' ? minutes : null]
    },
    proposable: ({ facts: { day, cents } }: Payment) => ({ day, cents }),
    take(payment: Payment, proposal) {
      Object.assign(payment.facts, proposal)
    },
    printedOf() {
      return []
    },
    printsStudent: true,
    amountOf({ facts }: Payment) {
      return facts.cents
    },
    countsWhileWaiting: false,
    hasReplies: false,
    isDeletedByMail: true,
    daysAhead: 1,
    staysDisputed: false,
    isConfirmedAlone: true,
    remembersAddress: false,
  },
}
export const kindOf = (entry: Entry): Kind => KINDS[entry.kind]
export const factsOf = (entry: Entry): string => kindOf(entry).factsOf(entry).join()
/** An entry as a line on its month's page. */
export const lineOf = (entry: Entry): string =>
  [...kindOf(entry).factsOf(entry), ...kindOf(entry).printedOf(entry)].join()
export const amountOf = (entry: Entry): number | null => kindOf(entry).amountOf(entry)

// What follows from the answers of two sides.

/** A side's answer to the current facts. An answer to earlier facts doesn't count (rule 1). */
export const answerOf = ({ given, version }: Entry, side: Side) =>
  given[side].version === version ? given[side].answer : 'none'
export const isDisputed = (entry: Entry): boolean =>
  answerOf(entry, 'family') === 'disputed' || answerOf(entry, 'practice') === 'disputed'
export const bothConfirmed = (entry: Entry): boolean =>
  answerOf(entry, 'family') === 'confirmed' && answerOf(entry, 'practice') === 'confirmed'
export const isAgreed = (entry: Entry): boolean => bothConfirmed(entry) && entry.deletion === null
/** The other side's reply to a side's dispute, if it came after the dispute. */
export const replyTo = (entry: Entry, side: Side): string | null => {
  const reply = entry.replies[otherSide(side)]
  return reply && reply.at > entry.given[side].at ? reply.text : null
}

export type Standing = 'leaving' | 'verified' | 'disputed' | 'waiting' | 'own'
export function standingOf(entry: Entry): Standing {
  if (entry.deletion) return 'leaving'
  if (isAgreed(entry)) return 'verified'
  if (isDisputed(entry) && (entry.link || kindOf(entry).staysDisputed)) return 'disputed'
  return entry.link ? 'waiting' : 'own'
}

/** What the other side of a side proposes and that side hasn't answered or replied to since. */
export function proposalTo(entry: Entry, side: Side): Proposal | null {
  const [own, other] = [entry.given[side], entry.given[otherSide(side)]]
  if (answerOf(entry, otherSide(side)) !== 'disputed' || replyTo(entry, otherSide(side)) !== null) return null
  return answerOf(entry, side) === 'none' || own.at < other.at ? other.proposal : null
}

/**
 * Whether an entry waits for a side (rule 3): it has no answer to these facts, or the other side replied to its
 * dispute, proposed other facts since or asks to delete the entry.
 */
export function waitsFor(entry: Entry, side: Side): boolean {
  if (!entry.link) return false
  if (entry.deletion) return entry.deletion.by !== side
  if (proposalTo(entry, side)) return true
  const answer = answerOf(entry, side)
  return answer === 'none' || (answer === 'disputed' && replyTo(entry, side) !== null)
}

/** Whether an entry counts toward a side's balance (rule 2). */
export function counts(entry: Entry, side: Side): boolean {
  if (kindOf(entry).countsWhileWaiting) return entry.deletion === null && !isDisputed(entry)
  return entry.link ? isAgreed(entry) : answerOf(entry, side) === 'confirmed'
}
