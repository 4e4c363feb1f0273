// The rules of an agreement, which are the same for all kinds of entries. The numbers are those of the rules in
// docs/decisions/0015-one-lesson-one-row.md.
import { answerOf, bothConfirmed, isDisputed, kindOf, proposalTo, replyTo } from './kinds.ts'
import { unpair } from './pairs.ts'
import { split } from './places.ts'
import {
  type Answer,
  type Caller,
  dayAfter,
  done,
  type Entry,
  isLink,
  isSession,
  NOT_FOUND,
  OTHER_CLOSED,
  otherSide,
  type Outcome,
  type Proposal,
  refused,
  type Side,
  sideOf,
  type World,
} from './terms.ts'
import { entriesOf, entryFor, isForeign, isReadOnly, takeNote } from './world.ts'

/** How long a side has to answer if it gets no reminders (rule 4). */
const ANSWER_TIME = 28 * 86_400_000
const CHANGED = refused(409, 'changed')

/** Sets a side's answer to the current facts. */
export function say(
  world: World,
  entry: Entry,
  side: Side,
  answer: Answer,
  note: string | null = null,
  proposal: Proposal | null = null,
): void {
  const tookPart = entry.given[side].tookPart || answer === 'confirmed'
  entry.given[side] = { answer, version: entry.version, note, proposal, at: (world.answers += 1), tookPart }
}
/**
 * Whoever changes facts confirms them. The other side's answer was to other facts, so it lapses, unless these are
 * the facts that it proposed (rule 1).
 * @param exceedsProposal whether anything changed that can't be proposed
 */
export function restate(world: World, entry: Entry, side: Side, exceedsProposal = false): void {
  const other = otherSide(side)
  const facts = JSON.stringify(kindOf(entry).proposable(entry))
  const isProposed =
    answerOf(entry, other) === 'disputed' && JSON.stringify(entry.given[other].proposal) === facts
  entry.version += 1
  say(world, entry, side, 'confirmed')
  if (isProposed && !exceedsProposal) say(world, entry, other, 'confirmed')
}
/** Once someone else edits or confirms a caregiver's entry, it no longer counts as the caregiver's. */
export function takeOver(entry: Entry, caller: Caller): void {
  const isCaregiver = !isLink(caller) && caller.role === 'caregiver'
  if (isSession(entry) && !isCaregiver && answerOf(entry, sideOf(caller)) === 'confirmed')
    entry.caregiver = null
}

/**
 * Confirms or disputes an entry for a side, or withdraws the side's answer. The first answer of a link accepts
 * the connection; one that's refused never does.
 * @param isStale whether the caller's version is out of date
 */
export function giveAnswer(
  world: World,
  caller: Caller,
  id: string,
  isStale: boolean,
  answer: Answer,
  note: string | null = null,
  proposal: Proposal | null = null,
): Outcome {
  const side = sideOf(caller)
  const entry = entryFor(world, caller, id)
  if (!entry) return NOT_FOUND
  const kind = kindOf(entry)
  if (!entry.link && kind.staysDisputed && answer === 'confirmed' && isDisputed(entry)) {
    if (isStale) return CHANGED
    restate(world, entry, side)
    if (isSession(entry)) entry.caregiver = null
    return done({ entry })
  }
  if (
    !entry.link &&
    !(answer === 'confirmed' && kind.isConfirmedAlone && answerOf(entry, side) !== 'confirmed')
  )
    return refused(409, 'not_shared')
  if (isReadOnly(entry, side)) return OTHER_CLOSED
  if (entry.facts.day > dayAfter(world, 1)) return refused(409, 'too_early')
  const isRepeated = answer !== 'disputed' || standsAs(entry, side, note, proposal)
  if (answerOf(entry, side) !== answer || !isRepeated) {
    if (isStale) return CHANGED
    say(world, entry, side, answer, note, proposal)
    takeOver(entry, caller)
  }
  return answered(caller, entry)
}
/** Whether a side's dispute says this already, and nothing was said to it since. */
function standsAs(entry: Entry, side: Side, note: string | null, proposal: Proposal | null): boolean {
  const { given } = entry
  return (
    given[side].note === note &&
    JSON.stringify(given[side].proposal) === JSON.stringify(proposal) &&
    replyTo(entry, side) === null &&
    !proposalTo(entry, side)
  )
}
/** The first accepted answer of a link accepts the connection, for every kind alike. */
export function answered(caller: Caller, entry: Entry): Outcome {
  if (isLink(caller)) caller.link.state = 'active'
  return done({ entry })
}

/**
 * Accepts what the other side proposed: the entry gets these facts, which both sides have confirmed then, or it
 * goes (rule 1).
 */
export function accept(world: World, caller: Caller, id: string, isStale: boolean): Outcome {
  const side = sideOf(caller)
  const entry = entryFor(world, caller, id)
  if (!entry) return NOT_FOUND
  if (bothConfirmed(entry)) return answered(caller, entry)
  if (isStale) return CHANGED
  const { proposal } = entry.given[otherSide(side)]
  const isOpen = entry.link && answerOf(entry, otherSide(side)) === 'disputed' && !entry.deletion
  if (!isOpen || !proposal) return refused(409, 'not_proposed')
  if (isReadOnly(entry, side)) return OTHER_CLOSED
  if (proposal === 'removal') {
    drop(world, entry)
    return { ...answered(caller, entry), status: 204 }
  }
  kindOf(entry).take(entry, proposal)
  restate(world, entry, side)
  takeOver(entry, caller)
  return answered(caller, entry)
}

/** Replies to the other side's dispute, without changing anything. */
export function reply(world: World, caller: Caller, id: string, isStale: boolean, text: string): Outcome {
  const side = sideOf(caller)
  const entry = entryFor(world, caller, id)
  if (!entry) return NOT_FOUND
  if (isStale) return CHANGED
  if (answerOf(entry, otherSide(side)) !== 'disputed') return refused(409, 'not_disputed')
  if (isReadOnly(entry, side)) return OTHER_CLOSED
  entry.replies[side] = { text, at: (world.answers += 1) }
  takeOver(entry, caller)
  return answered(caller, entry)
}

/**
 * Deletes an entry. If the other side ever took part in it, that side has to agree first; if it doesn't answer
 * in time, whoever asked may leave with the entry gone from their own records only (rule 5).
 */
export function remove(world: World, caller: Caller, id: string, isStale: boolean): Outcome {
  const side = sideOf(caller)
  const entry = entryFor(world, caller, id)
  if (!entry) return NOT_FOUND
  if (isForeign(caller, entry)) return refused(403, 'not_your_entry')
  if (isLink(caller) && !kindOf(entry).isDeletedByMail && entry.deletion?.by !== otherSide(side))
    return refused(409, 'not_asked')
  if (isStale) return CHANGED
  if (isReadOnly(entry, side)) return OTHER_CLOSED
  const needsConsent = entry.link !== null && entry.given[otherSide(side)].tookPart
  if (!needsConsent || entry.deletion?.by === otherSide(side)) {
    drop(world, entry)
    return { ...answered(caller, entry), status: 204 }
  }
  if (!entry.deletion) {
    entry.deletion = { by: side, at: world.now }
    takeOver(entry, caller)
  } else if (entry.deletion.at <= world.now - ANSWER_TIME && !isLink(caller)) {
    if (isSession(entry)) unpair(world, entry)
    split(world, entry)
    const own = entryFor(world, caller, id)
    if (own) drop(world, own)
    return { status: 204 }
  }
  return { ...answered(caller, entry), status: 202, code: 'deletion_requested' }
}

/** Withdraws a side's own request to delete an entry, or declines the other side's. */
export function keep(world: World, caller: Caller, id: string, isStale: boolean): Outcome {
  const entry = entryFor(world, caller, id)
  if (!entry) return NOT_FOUND
  if (!entry.deletion) return refused(409, 'not_asked')
  if (isStale) return CHANGED
  if (isReadOnly(entry, sideOf(caller))) return OTHER_CLOSED
  entry.deletion = null
  takeOver(entry, caller)
  return answered(caller, entry)
}

/**
 * Removes an entry from all records. Also removes a workspace's notes on it, unless the workspace has a
 * separate copy.
 */
export function drop(world: World, entry: Entry): void {
  world.entries = world.entries.filter((other) => other !== entry)
  if (isSession(entry)) unpair(world, entry)
  for (const place of [entry.family, entry.practice])
    if (place && !entriesOf(world, place.workspace).some(({ id }) => id === entry.id))
      takeNote(world, place.workspace, entry, null)
}
