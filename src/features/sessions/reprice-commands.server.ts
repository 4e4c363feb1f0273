// Commands that give sessions a rate that was corrected later, and take that back.
import type { Cents } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { MemberCaller } from '#features/access/admission.server.ts'
import type { Seen } from '#features/agreements/commands.server.ts'
import { studentRate, updateStudent } from '#features/students/queries.server.ts'
import { tutorRate, updateTutor } from '#features/tutors/queries.server.ts'
import { type RateChange, stillRepriced } from './reprice.ts'
import { lockPriced, type RatedPerson, updateRates } from './reprice-queries.server.ts'

/** Sessions whose default rate came from a tutor or student, at the versions that somebody saw. */
interface Reprice extends RateChange, RatedPerson {
  sessions: Required<Seen>[]
}

/**
 * Gives sessions a rate that was corrected later. Undefined if there's no such person. Refuses all of them if one has
 * changed.
 * @returns the sessions with their new versions
 */
export async function repriceSessions(
  caller: MemberCaller,
  { sessions, ...change }: Reprice,
): Promise<Outcome<Required<Seen>[], 'changed'> | undefined> {
  const { tx, workspace } = caller
  if ((await rateOf(caller, change)) === undefined) return undefined
  const ids = stillRepriced(await lockPriced(tx, workspace, change, sessions), sessions, change)
  if (ids.length < sessions.length) return refused('changed')
  return done(await updateRates(tx, workspace, ids, change.new_rate))
}

/**
 * Gives the person and those sessions that haven't changed since their former rates again. Undefined if there's no
 * such person. What was confirmed before has to be confirmed again.
 */
export async function undoReprice(
  caller: MemberCaller,
  { sessions, rate, version, ...change }: Reprice & { rate: Cents | null; version: number },
): Promise<Outcome<{ restored: number; changed: number; is_rate_restored: boolean }, never> | undefined> {
  const { tx, workspace } = caller
  if ((await rateOf(caller, change)) === undefined) return undefined
  const back = { old_rate: change.new_rate, new_rate: change.old_rate }
  const ids = stillRepriced(await lockPriced(tx, workspace, change, sessions), sessions, back)
  await updateRates(tx, workspace, ids, back.new_rate)
  const update = change.person === 'tutor' ? updateTutor : updateStudent
  const restored = await update(tx, workspace, change.person_id, { hourly_rate_cents: rate }, version)
  const changed = sessions.length - ids.length
  return done({ restored: ids.length, changed, is_rate_restored: restored !== undefined })
}

/** A person's own rate. Undefined if there's no such person, and for a child, who has none. */
export async function rateOf(
  { tx, workspace, side }: MemberCaller,
  { person, person_id: id }: RatedPerson,
): Promise<Cents | null | undefined> {
  if (person === 'tutor') return tutorRate(tx, workspace, id)
  return side === 'practice' ? studentRate(tx, workspace, id) : undefined
}
