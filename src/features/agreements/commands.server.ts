// What a side can do about anything that both sides agree on. Each kind says how it's locked, read and written;
// the rules are the same for all kinds, and for members and emailed links.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#features/access/admission.server.ts'
import type { RecordsId } from '#kernel/id.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  answerAfter,
  type AnswerChange,
  asksToDelete,
  isRemoval,
  type Proposal,
  type ProposedFacts,
} from './answer.ts'
import { type Kind, leaveEntry, type LockedEntry, type OwnChanges } from './queries.server.ts'

/** The id of a session or payment and, if known, the version that the caller saw. */
export interface Seen {
  id: string
  version?: number
}

/** How a kind of entry is locked, read and written. */
export interface AgreedKind<Locked extends LockedEntry, Entry, Facts extends ProposedFacts = ProposedFacts> {
  kind: Kind
  lock: (tx: Tx, workspace: RecordsId, id: string) => Promise<Locked | undefined>
  read: (tx: Tx, workspace: RecordsId, id: string) => Promise<Entry | undefined>
  update: (tx: Tx, workspace: RecordsId, id: string, changes: OwnChanges) => Promise<void>
  remove: (tx: Tx, workspace: RecordsId, id: string) => Promise<unknown>
  /** Whether an answer means anything for an entry that's only in this side's records. */
  mayAnswerAlone: (locked: Locked, change: AnswerChange) => boolean
  /** Records that answer, if it isn't one like any other. */
  answerAlone?: (tx: Tx, locked: Locked) => Promise<void>
  /** The current values of the facts that a dispute can propose. */
  proposable: (locked: Locked) => Facts
  /** What changes in the entry's columns if it gets these facts. */
  changesTo: (locked: Locked, facts: Facts) => object
}

interface AnswerOptions<Locked, Reason extends string> {
  /** A dispute's note. */
  note?: string | null
  /** What a dispute proposes. */
  proposalFor?: (locked: Locked) => Proposal | null
  /** What else is saved with the answer, such as a lesson summary. */
  changesFor?: (locked: Locked) => object
  /** Another reason to reject this answer. */
  problemOf?: (locked: Locked) => Reason | undefined
}

/** Reasons for rejecting an answer about any kind of entry. */
export type AnswerRefusal = 'changed' | 'not_shared' | 'other_closed'

/**
 * Gives or withdraws this side's answer. Undefined if there's no entry with this id. Rejects an outdated version,
 * an entry that isn't shared, and one where the other side has closed its account.
 */
export async function giveAnswer<Locked extends LockedEntry, Entry, Reason extends string = never>(
  { tx, workspace }: Caller,
  of: AgreedKind<Locked, Entry>,
  { id, version }: Seen,
  change: AnswerChange,
  { note = null, proposalFor, changesFor, problemOf }: AnswerOptions<Locked, Reason> = {},
): Promise<Outcome<Entry, AnswerRefusal | Reason> | undefined> {
  const locked = await of.lock(tx, workspace, id)
  if (!locked) return undefined
  const isAlone = locked.connection_id === null
  if (isAlone && !of.mayAnswerAlone(locked, change)) return refused('not_shared')
  if (locked.is_read_only) return refused('other_closed')
  const isOutdated = version !== undefined && version !== locked.version
  if (isAlone && of.answerAlone) {
    if (isOutdated) return refused('changed')
    await of.answerAlone(tx, locked)
    return done(await existing(of.read(tx, workspace, id)))
  }
  const problem = problemOf?.(locked)
  if (problem) return refused(problem)
  const proposal = proposalFor?.(locked) ?? null
  const changes = { ...ownChanges(locked, change, note, proposal), ...changesFor?.(locked) }
  if (Object.keys(changes).length === 0) return done(await existing(of.read(tx, workspace, id)))
  // Repeating an answer changes nothing and doesn't need a version, so a double tap is never rejected.
  if (isOutdated) return refused('changed')
  // The read goes out in the same round trip as the update and runs right after it.
  const [, entry] = await Promise.all([
    of.update(tx, workspace, id, changes),
    existing(of.read(tx, workspace, id)),
  ])
  return done(entry)
}

/** What an answer changes in this side's columns. Empty if it's the answer that's already there. */
function ownChanges(
  locked: LockedEntry,
  change: AnswerChange,
  note: string | null,
  proposal: Proposal | null,
): OwnChanges {
  const isAsked = locked.waits_for_you && locked.deletion_by === null
  // Confirming again answers a reply or a proposal: the entry stays as it is.
  const next =
    answerAfter(locked.own_says, change) ?? (isAsked && change === 'confirm' ? 'confirmed' : undefined)
  const isRepeated =
    next === locked.own_says &&
    locked.own_answer_note === note &&
    isDeepStrictEqual(locked.own_proposal, proposal) &&
    // An answer to a reply or proposal is a new one, even if it says the same.
    !isAsked
  if (next === undefined || isRepeated) return {}
  return {
    own_answer: next === 'none' ? null : next,
    own_answer_version: next === 'none' ? null : locked.facts_version,
    own_answer_note: next === 'disputed' ? note : null,
    own_proposal: next === 'disputed' ? proposal : null,
  }
}

/** What would be right. Facts that it leaves out stay as they are. */
export type Proposes<Facts extends ProposedFacts = ProposedFacts> = Partial<Facts> | 'removal'

interface DisputeOptions<Locked, Reason extends string> {
  note: string | null
  proposes: Proposes | undefined
  problemOf?: (locked: Locked) => Reason | undefined
}

/** Says that an entry isn't right, with a note, a proposal or both. Rejects what giveAnswer rejects, and nothing said. */
export function dispute<Locked extends LockedEntry, Entry, Reason extends string = never>(
  caller: Caller,
  of: AgreedKind<Locked, Entry>,
  seen: Seen,
  { note, proposes, problemOf }: DisputeOptions<Locked, Reason>,
): Promise<Outcome<Entry, AnswerRefusal | Reason | 'says_nothing'> | undefined> {
  const proposalFor = (locked: Locked) => (proposes ? proposalOf(of.proposable(locked), proposes) : null)
  const isCurrent = ({ version }: Locked) => seen.version === undefined || seen.version === version
  return giveAnswer<Locked, Entry, Reason | 'says_nothing'>(caller, of, seen, 'dispute', {
    note,
    proposalFor,
    problemOf(locked) {
      const saysNothing = note === null && proposalFor(locked) === null && isCurrent(locked)
      return problemOf?.(locked) ?? (saysNothing ? 'says_nothing' : undefined)
    },
  })
}

/** All facts of a proposal; null if they're the current ones. */
function proposalOf(facts: ProposedFacts, proposes: Proposes): Proposal | null {
  if (proposes === 'removal') return { is_removed: true }
  const proposed = Object.fromEntries(
    Object.entries(facts).map(([name, now]) => [name, proposes[name] === undefined ? now : proposes[name]]),
  )
  return isDeepStrictEqual(proposed, facts) ? null : proposed
}

/**
 * Accepts what the other side proposed: the entry gets these facts, and both sides have confirmed them. Or it's
 * deleted, if that's what was proposed. Undefined if there's no entry with this id.
 */
export async function acceptProposal<Locked extends LockedEntry, Entry>(
  { tx, workspace }: Caller,
  of: AgreedKind<Locked, Entry>,
  { id, version }: Seen,
): Promise<Outcome<Entry | 'deleted', 'changed' | 'not_proposed' | 'other_closed'> | undefined> {
  const locked = await of.lock(tx, workspace, id)
  if (!locked) return undefined
  const { own_says: own, other_says: other, other_proposal: proposal } = locked
  // A second tap finds what the first one did.
  if (own === 'confirmed' && other === 'confirmed') return done(await existing(of.read(tx, workspace, id)))
  if (version !== undefined && version !== locked.version) return refused('changed')
  const isOpen = locked.connection_id !== null && other === 'disputed' && locked.deletion_by === null
  if (!isOpen || !proposal) return refused('not_proposed')
  if (locked.is_read_only) return refused('other_closed')
  if (isRemoval(proposal)) {
    await of.remove(tx, workspace, id)
    return done('deleted')
  }
  // The database confirms the facts for the other side, because they're what it proposed.
  await of.update(tx, workspace, id, of.changesTo(locked, proposal))
  return done(await existing(of.read(tx, workspace, id)))
}

/**
 * Deletes an entry. Undefined if there isn't one with this id. If the other side ever confirmed it, deletes it
 * only if that side has asked for it too; otherwise, asks the other side. Asking again after the deadline removes it
 * from this side's records only. A link has no records of its own to remove it from.
 */
export async function askToDelete<Locked extends LockedEntry, Entry>(
  { tx, workspace, side, now, isLink }: Caller,
  of: AgreedKind<Locked, Entry>,
  { id, version }: Seen,
): Promise<Outcome<'deleted' | 'asked', 'changed' | 'other_closed'> | undefined> {
  const locked = await of.lock(tx, workspace, id)
  if (!locked) return undefined
  if (version !== undefined && version !== locked.version) return refused('changed')
  if (locked.is_read_only) return refused('other_closed')
  const { connection_id: connection, other_took_part, deletion_by: deletion_asked_by } = locked
  if (!asksToDelete({ is_shared: connection !== null, other_took_part, deletion_asked_by })) {
    await of.remove(tx, workspace, id)
    return done('deleted')
  }
  if (locked.deletion_by === 'you')
    return done(!isLink && (await leaveEntry(tx, of.kind, locked.key, now)) ? 'deleted' : 'asked')
  await of.update(tx, workspace, id, { deletion_asked_by: side, deletion_asked_at: now })
  return done('asked')
}

/** Agrees to the other side's request, which deletes the entry. Undefined if there isn't one with this id. */
export async function agreeToDelete<Locked extends LockedEntry, Entry>(
  { tx, workspace }: Caller,
  of: AgreedKind<Locked, Entry>,
  { id, version }: Seen,
): Promise<Outcome<'deleted', 'changed' | 'not_asked' | 'other_closed'> | undefined> {
  const locked = await of.lock(tx, workspace, id)
  if (!locked) return undefined
  if (locked.deletion_by !== 'other') return refused('not_asked')
  if (version !== undefined && version !== locked.version) return refused('changed')
  if (locked.is_read_only) return refused('other_closed')
  await of.remove(tx, workspace, id)
  return done('deleted')
}

/** Keeps an entry that either side asked to delete. Undefined if there isn't one with this id. */
export async function keep<Locked extends LockedEntry, Entry>(
  { tx, workspace }: Caller,
  of: AgreedKind<Locked, Entry>,
  { id, version }: Seen,
): Promise<Outcome<'kept', 'changed' | 'not_asked' | 'other_closed'> | undefined> {
  const locked = await of.lock(tx, workspace, id)
  if (!locked) return undefined
  if (locked.deletion_by === null) return refused('not_asked')
  if (version !== undefined && version !== locked.version) return refused('changed')
  if (locked.is_read_only) return refused('other_closed')
  await of.update(tx, workspace, id, { deletion_asked_by: null, deletion_asked_at: null })
  return done('kept')
}

async function existing<Entry>(entry: Promise<Entry | undefined>): Promise<Entry> {
  const found = await entry
  if (!found) throw new Error('what was just written is missing')
  return found
}
