// The commands for charges and credits. Members of both sides and the emailed page use them.
import { type CalendarDay } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Caller, MemberCaller } from '#features/access/admission.server.ts'
import {
  type AgreedKind,
  type AnswerRefusal,
  dispute,
  type Proposes,
  type Seen,
} from '#features/agreements/commands.server.ts'
import { accountOf, ownRow, unknownIn } from '#features/payments/commands.server.ts'
import { isTooFarAhead, type Reason } from '#features/payments/payment.ts'
import { constraintOf } from '#platform/db/constraint.server.ts'
import type { Charge } from './charge.ts'
import {
  type ChargeRow,
  deleteCharge,
  hasSameCharge,
  insertCharge,
  type LockedCharge,
  lockCharge,
  readCharge,
  shareCharge,
  updateCharge,
  waiveCharge,
} from './queries.server.ts'

/** The details of a charge. */
interface ChargeDetails {
  /** The tutor it's owed to. Not needed for a practice or the emailed page. */
  tutorId?: string | null
  /** For a practice, one of the family's students. For a family, the child it's for, if any. */
  studentId?: string | null
  day: CalendarDay
  /** Positive if the family owes more, negative for a credit. */
  amount: Cents
  reason: Reason
  label?: string | null
}

/** A new charge, and the account it belongs to. */
interface NewChargeDetails extends ChargeDetails {
  /** The connection's id, if the people alone don't determine the connection. */
  connectionId?: string
  /** The currency that the caller expects the account to have. */
  currency?: Currency
  /** True if the user said that this isn't the existing charge with the same facts. */
  isAnother?: boolean
}

type PeopleRefusal = 'no_tutor' | 'no_student' | 'unknown_tutor' | 'unknown_student'

/**
 * Records a charge and confirms it for this side. Rejects a date after tomorrow, unknown people, a currency other than
 * the account's, and a likely duplicate.
 */
export async function recordCharge(
  caller: Caller,
  details: NewChargeDetails,
): Promise<
  Outcome<
    Charge,
    PeopleRefusal | 'too_far_ahead' | 'not_connected' | 'other_currency' | 'same_charge' | 'too_many_rows'
  >
> {
  const { tx, workspace, now } = caller
  if (isTooFarAhead(details.day, now)) return refused('too_far_ahead')
  const row: ChargeRow = {
    tutor_id: details.tutorId ?? (caller.isLink || caller.side === 'family' ? null : await ownRow(caller)),
    student_id: details.studentId ?? null,
    day: details.day,
    amount_cents: details.amount,
    reason: details.reason,
    label: details.label ?? null,
  }
  const named = details.connectionId ?? null
  const problem = missingIn(caller, row, named !== null) ?? (await unknownIn(caller, row))
  if (problem) return refused(problem)
  const account = await accountOf(caller, row, named)
  if (!account) return refused('not_connected')
  if (details.currency && account.currency && details.currency !== account.currency)
    return refused('other_currency')
  const isRecorded = await hasSameCharge(tx, workspace, account.connectionId, row)
  if (isRecorded && !details.isAnother) return refused('same_charge')
  const { tutor_id, student_id, ...facts } = row
  const id = await insertCharge(tx, workspace, {
    ...facts,
    ...(caller.isLink ? {} : { tutor_id, student_id, ...(named ? { connection_id: named } : {}) }),
  })
  return id ? done(await existing(readCharge(tx, workspace, id))) : refused('too_many_rows')
}

/**
 * Changes a charge; undefined if there isn't one with this id. If any of its facts change, this confirms it for this
 * side and resets the other side's confirmation. Rejects an outdated version, unknown people, and moving a shared
 * charge to someone else.
 */
export async function changeCharge(
  caller: Caller,
  { id, version }: Seen,
  changes: Partial<ChargeDetails>,
): Promise<
  | Outcome<Charge, PeopleRefusal | 'changed' | 'too_far_ahead' | 'other_connection' | 'other_closed'>
  | undefined
> {
  const { tx, workspace, side, now } = caller
  const stored = await lockCharge(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  const row = rowAfter(stored, changes)
  if (row.day !== stored.day && isTooFarAhead(row.day, now)) return refused('too_far_ahead')
  // A charge can still be corrected after its tutor or student has been deleted. A shared one doesn't need a person.
  const isOrphan = (side === 'family' ? stored.tutor_id : stored.student_id) === null
  const problem =
    missingIn(caller, row, isOrphan || stored.connection_id !== null) ??
    (await unknownIn(caller, row, stored))
  if (problem) return refused(problem)
  const changed = given(
    Object.fromEntries(
      (Object.keys(row) as (keyof ChargeRow)[]).map((name) => [
        name,
        row[name] === stored[name] ? undefined : row[name],
      ]),
    ),
  ) as Partial<ChargeRow>
  if (stored.is_read_only && Object.keys(changed).length > 0) return refused('other_closed')
  // A shared charge's tutor can't change. A practice may still choose which of the family's students it's for.
  if (stored.connection_id && side === 'family' && changed.tutor_id !== undefined)
    return refused('other_connection')
  try {
    await updateCharge(tx, workspace, id, changed)
  } catch (error) {
    if (constraintOf(error) === 'charges_stay_connected') return refused('other_connection')
    throw error
  }
  return done(await existing(readCharge(tx, workspace, id)))
}

function rowAfter(stored: LockedCharge, changes: Partial<ChargeDetails>): ChargeRow {
  const { tutorId = stored.tutor_id, studentId = stored.student_id, label = stored.label } = changes
  return {
    tutor_id: tutorId,
    student_id: studentId,
    day: changes.day ?? stored.day,
    amount_cents: changes.amount ?? stored.amount_cents,
    reason: changes.reason ?? stored.reason,
    label,
  }
}

/** How the commands for anything two sides agree on lock, read and write a charge. */
export const CHARGE: AgreedKind<LockedCharge, Charge> = {
  kind: 'charge',
  lock: lockCharge,
  read: readCharge,
  update: updateCharge,
  remove: deleteCharge,
  // After the connection has ended, this side can still confirm its copy, unless it already has.
  mayAnswerAlone: ({ own_says: own }, change) => change === 'confirm' && own !== 'confirmed',
  proposable: ({ day, amount_cents }) => ({ day, amount_cents }),
  changesTo: (_, { day, amount_cents }) => ({ day, amount_cents }),
}

/** Says that a charge isn't right. What's proposed may not lie ahead either. */
export function disputeCharge(
  caller: Caller,
  seen: Seen,
  { note, proposes }: { note: string | null; proposes: Proposes | undefined },
): Promise<Outcome<Charge, AnswerRefusal | 'says_nothing' | 'too_far_ahead'> | undefined> {
  const day = typeof proposes === 'object' ? (proposes.day as CalendarDay | undefined) : undefined
  const isAhead = day !== undefined && isTooFarAhead(day, caller.now)
  return dispute<LockedCharge, Charge, 'too_far_ahead'>(caller, CHARGE, seen, {
    note,
    proposes,
    problemOf: () => (isAhead ? 'too_far_ahead' : undefined),
  })
}

/** Waives what this side would be paid by agreed terms; undefined if there's no charge with this id. */
export async function waiveProposed(
  { tx, workspace }: MemberCaller,
  { id, version }: Seen,
): Promise<Outcome<undefined, 'changed' | 'other_closed' | 'not_waivable'> | undefined> {
  const stored = await lockCharge(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  return (await waiveCharge(tx, stored)) ? done(undefined) : refused('not_waivable')
}

/**
 * Shares charges from your own records; undefined if one of them doesn't exist. Rejects a charge for people who aren't
 * connected with anyone.
 */
export async function shareCharges(
  { tx, workspace }: MemberCaller,
  ids: readonly string[],
): Promise<Outcome<Charge[], 'not_connected'> | undefined> {
  const shared: Charge[] = []
  for (const id of [...new Set(ids)].sort()) {
    const stored = await readCharge(tx, workspace, id)
    if (!stored) return undefined
    const becomes = stored.is_shared ? id : await shareCharge(tx, workspace, id)
    if (!becomes) return refused('not_connected')
    shared.push(await existing(readCharge(tx, workspace, becomes)))
  }
  return done(shared)
}

function missingIn(
  { side, isLink }: Caller,
  row: ChargeRow,
  hasAccount: boolean,
): 'no_tutor' | 'no_student' | undefined {
  if (isLink || hasAccount) return undefined
  if (side === 'family') return row.tutor_id ? undefined : 'no_tutor'
  return row.student_id ? undefined : 'no_student'
}

async function existing<Found>(charge: Promise<Found | undefined>): Promise<Found> {
  const found = await charge
  if (!found) throw new Error('a charge that was just written is not there')
  return found
}
