// The commands for payments. Members of both sides and the emailed page use them (access/admission.server.ts,
// linkCaller).
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { AgreedKind, Seen } from '#features/agreements/commands.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { listTutors, readTutor } from '#features/tutors/queries.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { constraintOf } from '#platform/db/constraint.server.ts'
import type { Caller, MemberCaller } from '#features/access/admission.server.ts'
import {
  isTooFarAhead,
  type KeptWith,
  MAX_PAYMENTS,
  type Method,
  type Payment,
  type PaymentKind,
  whatIsMissing,
} from './payment.ts'
import {
  accountOfPayment,
  deletePayment,
  hasSamePayment,
  insertPayment,
  type LockedPayment,
  lockPayment,
  type PaymentAccount,
  type PaymentRow,
  readPayment,
  saveNote,
  sharePayment,
  updatePayment,
} from './queries.server.ts'

/** The details of a payment. */
interface PaymentDetails {
  /** The tutor the family paid. Not needed for a practice or the emailed page. */
  tutorId?: string | null
  /** For a practice, one of the paying family's students. For a family, the child the payment is for, if any. */
  studentId?: string | null
  day: CalendarDay
  kind: PaymentKind
  amount: Cents
  /** For prepaid hours, how much time was bought. */
  minutes?: Minutes | null
  method?: Method | null
  note?: string | null
}

/** A new payment, and the account it belongs to. */
interface NewPaymentDetails extends PaymentDetails {
  /** The connection's id, if the people alone don't determine the connection. */
  connectionId?: string
  /** The currency that the caller expects the account to have. */
  currency?: Currency
  /**
   * True if the user said that this isn't the existing payment with the same account, day, kind and amount.
   * Otherwise, a duplicate is rejected, so that the app can ask the user.
   */
  isAnother?: boolean
  /** The reference that the payer added to the payment. */
  reference?: string | null
}

type Missing = NonNullable<ReturnType<typeof whatIsMissing>>
type PeopleRefusal = Missing | 'unknown_tutor' | 'unknown_student'

/**
 * Records a payment and confirms it for this side. Rejects a date after tomorrow, an amount of 0 unless it's
 * for prepaid hours, unknown people, a currency other than the account's, and a likely duplicate.
 */
export async function recordPayment(
  caller: Caller,
  details: NewPaymentDetails,
): Promise<
  Outcome<
    Payment,
    PeopleRefusal | 'too_far_ahead' | 'not_connected' | 'other_currency' | 'same_payment' | 'too_many_rows'
  >
> {
  const { tx, workspace, now } = caller
  if (isTooFarAhead(details.day, now)) return refused('too_far_ahead')
  const row = await rowOf(caller, details)
  const named = details.connectionId ?? null
  const problem = missingIn(caller, row, named !== null) ?? (await unknownIn(caller, row))
  if (problem) return refused(problem)
  const account = await accountOf(caller, row, named)
  if (!account) return refused('not_connected')
  if (details.currency && account.currency && details.currency !== account.currency)
    return refused('other_currency')
  const isRecorded = await hasSamePayment(tx, workspace, account.connectionId, row)
  if (isRecorded && !details.isAnother) return refused('same_payment')
  const { tutor_id, student_id, ...facts } = row
  const id = await insertPayment(
    tx,
    workspace,
    {
      ...facts,
      reference: details.reference ?? null,
      ...(caller.isLink ? {} : { tutor_id, student_id, ...(named ? { connection_id: named } : {}) }),
    },
    MAX_PAYMENTS,
  )
  if (!id) return refused('too_many_rows')
  if (details.note && !caller.isLink) await saveNote(tx, caller.workspace, id, details.note)
  return done(await existing(readPayment(tx, workspace, id)))
}

async function rowOf(caller: Caller, details: PaymentDetails): Promise<PaymentRow> {
  const { minutes, kind } = details
  return {
    tutor_id: details.tutorId ?? (caller.isLink || caller.side === 'family' ? null : await ownRow(caller)),
    student_id: details.studentId ?? null,
    day: details.day,
    kind,
    amount_cents: details.amount,
    prepaid_minutes: kind === 'hours' ? (minutes ?? null) : null,
    method: details.method ?? null,
  }
}

/** An amount's people and day, which say whose account it belongs to. */
type Placed = Pick<PaymentRow, 'tutor_id' | 'student_id' | 'day'>

/** The account of a new payment or charge; undefined if it names a connection that doesn't match. */
export async function accountOf(
  caller: Caller,
  row: Placed,
  named: string | null,
): Promise<(Omit<PaymentAccount, 'currency'> & { currency?: Currency }) | undefined> {
  if (caller.isLink) return { connectionId: caller.workspace }
  return accountOfPayment(caller.tx, caller.workspace, {
    tutorId: row.tutor_id,
    studentId: row.student_id,
    named,
    day: row.day,
  })
}

/**
 * Changes a payment; undefined if there isn't one with this id. If the amount, day, kind or hours change,
 * this confirms the payment for this side and resets the other side's confirmation. Rejects an outdated
 * version, unknown people, and moving a shared payment to someone else.
 */
export async function changePayment(
  caller: Caller,
  { id, version }: Seen,
  changes: Partial<PaymentDetails>,
): Promise<
  | Outcome<Payment, PeopleRefusal | 'changed' | 'too_far_ahead' | 'other_connection' | 'other_closed'>
  | undefined
> {
  const { tx, workspace, side, now } = caller
  const stored = await lockPayment(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  const row = rowAfter(stored, changes)
  const isFamily = side === 'family'
  if (row.day !== stored.day && isTooFarAhead(row.day, now)) return refused('too_far_ahead')
  // A payment can still be corrected after its tutor or student has been deleted. A shared payment doesn't
  // need a person at all, because its connection determines the account.
  const isOrphan = (isFamily ? stored.tutor_id : stored.student_id) === null
  const problem =
    missingIn(caller, row, isOrphan || stored.connection_id !== null) ??
    (await unknownIn(caller, row, stored))
  if (problem) return refused(problem)
  const changed = given(
    Object.fromEntries(
      (Object.keys(row) as (keyof PaymentRow)[]).map((name) => [
        name,
        row[name] === stored[name] ? undefined : row[name],
      ]),
    ),
  ) as Partial<PaymentRow>
  if (stored.is_read_only && Object.keys(changed).length > 0) return refused('other_closed')
  // A shared payment's tutor can't change. A practice may still choose which of the family's students the
  // payment is for.
  if (stored.connection_id && isFamily && changed.tutor_id !== undefined) return refused('other_connection')
  try {
    await updatePayment(tx, workspace, id, changed)
  } catch (error) {
    if (constraintOf(error) === 'payments_stay_connected') return refused('other_connection')
    throw error
  }
  if (changes.note !== undefined && changes.note !== stored.note && !caller.isLink)
    await saveNote(tx, caller.workspace, id, changes.note)
  return done(await existing(readPayment(tx, workspace, id)))
}

function rowAfter(stored: LockedPayment, changes: Partial<PaymentDetails>): PaymentRow {
  const kind = changes.kind ?? stored.kind
  return {
    tutor_id: changes.tutorId === undefined ? stored.tutor_id : changes.tutorId,
    student_id: changes.studentId === undefined ? stored.student_id : changes.studentId,
    day: changes.day ?? stored.day,
    kind,
    amount_cents: changes.amount ?? stored.amount_cents,
    prepaid_minutes:
      kind !== 'hours' ? null : changes.minutes === undefined ? stored.prepaid_minutes : changes.minutes,
    method: changes.method === undefined ? stored.method : changes.method,
  }
}

/** How the commands for anything two sides agree on lock, read and write a payment. */
export const PAYMENT: AgreedKind<LockedPayment, Payment> = {
  kind: 'payment',
  lock: lockPayment,
  read: readPayment,
  update: updatePayment,
  remove: deletePayment,
  // After the connection has ended, this side can still confirm its copy, unless it already has.
  mayAnswerAlone: ({ own_says: own }, change) => change === 'confirm' && own !== 'confirmed',
  proposable: ({ day, amount_cents }) => ({ day, amount_cents }),
  changesTo: (_, { day, amount_cents }) => ({ day, amount_cents }),
}

/**
 * Shares payments from your own records; undefined if one of them doesn't exist. Payments that are already
 * shared don't change. If the other side also recorded the same payment, merges the two into one that both
 * sides have confirmed. Rejects a payment for people who aren't connected with anyone.
 */
export async function sharePayments(
  { tx, workspace }: MemberCaller,
  ids: readonly string[],
): Promise<Outcome<Payment[], 'not_connected'> | undefined> {
  const shared: Payment[] = []
  for (const id of [...new Set(ids)].sort()) {
    const stored = await readPayment(tx, workspace, id)
    if (!stored) return undefined
    const becomes = stored.is_shared ? id : await sharePayment(tx, workspace, id)
    if (!becomes) return refused('not_connected')
    shared.push(await existing(readPayment(tx, workspace, becomes)))
  }
  return done(shared)
}

/** The fields that only a workspace's own records have. On the emailed page, the connection decides them. */
const OWN_FIELDS = ['tutor_id', 'student_id', 'note', 'connection_id', 'currency'] as const

/** Refuses fields of a payment or charge that a link may not set. */
export function refuseOwnFields(
  { isLink }: Caller,
  input: Partial<Record<(typeof OWN_FIELDS)[number], unknown>>,
): void {
  const errors = OWN_FIELDS.filter((field) => isLink && input[field] !== undefined).map((field) => ({
    field,
    message: 'Unknown field',
  }))
  if (errors.length > 0) throw new ProblemError(422, 'invalid', 'Some fields are invalid', { errors })
}

function missingIn({ side, isLink }: Caller, row: PaymentRow, hasAccount: boolean): Missing | undefined {
  const keptWith: KeptWith = side === 'family' ? 'tutor' : 'student'
  const missing = whatIsMissing(
    {
      kind: row.kind,
      amount: row.amount_cents,
      hours: row.prepaid_minutes,
      tutorId: row.tutor_id,
      studentId: row.student_id,
    },
    keptWith,
    isLink || hasAccount,
  )
  return missing
}

/** The person of a payment or charge that isn't on the caller's lists, unless it was there before. */
export async function unknownIn(
  caller: Caller,
  row: Placed,
  before?: Placed,
): Promise<'unknown_tutor' | 'unknown_student' | undefined> {
  if (caller.isLink) return undefined
  const { tx, workspace } = caller
  if (row.tutor_id && row.tutor_id !== before?.tutor_id && !(await readTutor(tx, workspace, row.tutor_id)))
    return 'unknown_tutor'
  if (
    row.student_id &&
    row.student_id !== before?.student_id &&
    !(await readStudent(tx, workspace, row.student_id))
  )
    return 'unknown_student'
  return undefined
}

/** The tutor's own row of a practice. */
export async function ownRow({ tx, workspace }: MemberCaller): Promise<string | null> {
  return (await listTutors(tx, workspace)).find((tutor) => tutor.is_self)?.id ?? null
}

async function existing<Found>(payment: Promise<Found | undefined>): Promise<Found> {
  const found = await payment
  if (!found) throw new Error('a payment that was just written is not there')
  return found
}
