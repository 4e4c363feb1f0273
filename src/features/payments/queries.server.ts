// SQL for the payments table.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import {
  askedOf,
  type HistoryReader,
  holdSharing,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { SharedPayment } from './confirmation.ts'
import type { PaymentHistoryEntry } from './history.ts'
import type { Method, Payment, PaymentKind } from './payment.ts'

/** A payment as stored, in cents and minutes. */
export interface PaymentRow {
  tutor_id: string | null
  student_id: string | null
  day: CalendarDay
  kind: PaymentKind
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
}

/** Reads one payment; undefined if this side doesn't have one with this id. */
export async function readPayment(tx: Tx, workspaceId: RecordsId, id: string): Promise<Payment | undefined> {
  const row = await paymentsOf(tx, workspaceId).where('payments.id', '=', id).executeTakeFirst()
  return row && toPayment(row)
}

/** This side's payments in a range of days, newest first. */
export async function listPayments(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Payment[]> {
  const rows = await paymentsOf(tx, workspaceId)
    .where('payments.day', '>=', from)
    .where('payments.day', '<=', to)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .execute()
  return rows.map(toPayment)
}

/** The payments under a reference, newest first. */
export async function paymentsWith(tx: Tx, workspaceId: WorkspaceId, reference: string): Promise<Payment[]> {
  const rows = await paymentsOf(tx, workspaceId)
    .where('payments.reference', '=', reference)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(toPayment)
}

/** More payments than anyone would read at once. As they get answered, older ones take their place. */
export const MOST = 1000

/**
 * This side's shared payments, newest first. `only` limits them to those waiting for its answer or those sent
 * back to it, and `id` to a single one.
 */
export async function listShared(
  tx: Tx,
  workspaceId: RecordsId,
  { only, id }: { only?: 'waiting' | 'sent_back'; id?: string } = {},
): Promise<SharedPayment[]> {
  let query = paymentsOf(tx, workspaceId)
    .leftJoin('connections', 'connections.id', 'payments.connection_id')
    .leftJoin('workspaces', 'workspaces.id', 'connections.family_id')
    .select([
      'connections.family_id as family',
      'workspaces.owner_name',
      sql<
        string[]
      >`array(select p.first_name from connection_people p where p.connection_id = connections.id order by p.first_name ${ALPHABETICAL})`.as(
        'first_names',
      ),
    ])
    .where('payments.connection_id', 'is not', null)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(MOST)
  if (id) query = query.where('payments.id', '=', id)
  // A payment that the other side sent back is listed as long as this side's own confirmation stands.
  if (only === 'sent_back')
    query = query
      .where('payments.is_read_only', '=', false)
      .where('payments.deletion_by', 'is', null)
      .where('payments.own_says', '=', 'confirmed')
      .where('payments.other_says', '=', 'disputed')
      .where('payments.waits_for_you', '=', false)
  if (only === 'waiting')
    query = query.where('payments.is_read_only', '=', false).where('payments.waits_for_you', '=', true)
  return (await query.execute()).map((row) => {
    const payment = toPayment(row)
    return {
      id: payment.id,
      student_name: payment.student_name,
      date: payment.date,
      kind: payment.kind,
      amount: payment.amount,
      hours: payment.hours,
      method: payment.method,
      reference: payment.reference,
      currency: payment.currency,
      own_confirmation: payment.own_confirmation,
      other_confirmation: payment.other_confirmation,
      dispute_note: payment.dispute_note,
      proposal: proposalOf(row),
      deletion_asked_by: payment.deletion_asked_by,
      asked_at: payment.asked_at,
      reminders: payment.reminders,
      reminded_at: payment.reminded_at,
      is_read_only: payment.is_read_only,
      version: payment.version,
      connection_id: payment.connection_id ?? '',
      other_name: row.family === workspaceId ? payment.tutor_name : familyOf(row.owner_name, row.first_names),
      waits_for_you: row.waits_for_you && !row.is_read_only,
    }
  })
}

/** A payment's history, oldest first, as the given reader sees it. */
export async function readPaymentHistory(
  tx: Tx,
  reader: HistoryReader,
  paymentId: string,
): Promise<PaymentHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'payment', paymentId)
  return entries.map(({ facts: stored, ...entry }) => {
    const facts = stored as Pick<PaymentRow, 'kind' | 'amount_cents' | 'prepaid_minutes' | 'method'> & {
      date: string
      currency: Currency
    }
    return {
      ...entry,
      date: facts.date,
      kind: facts.kind,
      amount: dollars(facts.amount_cents),
      hours: facts.prepaid_minutes === null ? null : hours(facts.prepaid_minutes),
      method: facts.method,
      currency: facts.currency,
    }
  })
}

/** A payment, with the fields that the commands check. */
export type LockedPayment = PaymentRow & LockedEntry & { note: string | null }

/** Reads one payment and locks it until the transaction ends. */
export async function lockPayment(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedPayment | undefined> {
  const payment = tx.selectFrom('payments').where('workspace_id', '=', workspaceId).where('id', '=', id)
  // As with sessions: the statement that waits for the lock would return the note from before it waited.
  const [, locked, row] = await Promise.all([
    holdSharing(tx),
    payment.select('key').forUpdate().executeTakeFirst(),
    payment
      .select(['key', 'tutor_id', 'student_id', 'day', 'kind', 'amount_cents', 'prepaid_minutes', 'method'])
      .select(['connection_id', 'note', 'facts_version', 'other_took_part', 'own_says', 'own_answer_note'])
      .select(['deletion_by', 'is_read_only', 'own_version as version'])
      .select(['other_says', 'own_proposal', 'other_proposal', 'waits_for_you'])
      .executeTakeFirst(),
  ])
  return locked && (row as LockedPayment | undefined)
}

/** The account that a payment belongs to: a connection's, or one that's only in your records. */
export interface PaymentAccount {
  connectionId: string | null
  currency: Currency
}

/**
 * The account for a new payment; undefined if the payment names a connection that doesn't match. The account
 * stays that one until the transaction ends.
 */
export async function accountOfPayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  { named, ...whose }: WhoseMoney & { named: string | null },
): Promise<PaymentAccount | undefined> {
  await holdSharing(tx)
  const [account] = await accountsOfPayments(tx, workspaceId, [whose], named)
  return !account || (named && account.connectionId !== named) ? undefined : account
}

/** The accounts that payments or charges belong to, in the same order. */
export async function accountsOfPayments(
  tx: Tx,
  workspaceId: WorkspaceId,
  whose: readonly WhoseMoney[],
  named: string | null = null,
): Promise<PaymentAccount[]> {
  const { rows } = await sql<{ id: string | null; currency: Currency }>`
    select link.id, (select w.currency from workspaces w
        where w.id = coalesce((select c.family_id from connections c where c.id = link.id),
        ${workspaceId}::uuid)) as currency
    from unnest(${whose.map((one) => one.tutorId)}::uuid[], ${whose.map((one) => one.studentId)}::uuid[],
        ${whose.map((one) => one.day)}::date[]) with ordinality as whose (tutor, student, day, place)
      cross join lateral payment_connection(whose.tutor, whose.student, ${named}::uuid, whose.day) as link (id)
    order by whose.place`.execute(tx)
  return rows.map(({ id, currency }) => ({ connectionId: id, currency }))
}

/** Whose a payment or charge is, and of which day. */
interface WhoseMoney {
  tutorId: string | null
  studentId: string | null
  day: CalendarDay
}

/**
 * Whether an account already has this payment. Takes a lock, so that two people can't record the same payment
 * at the same time.
 */
export async function hasSamePayment(
  tx: Tx,
  workspaceId: RecordsId,
  connectionId: string | null,
  row: PaymentRow,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments:${connectionId ?? workspaceId}`}, 0))`.execute(
    tx,
  )
  let query = tx
    .selectFrom('payments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', row.day)
    .where('kind', '=', row.kind)
    .where('amount_cents', '=', row.amount_cents)
    .where('deletion_by', 'is', null)
  query = connectionId
    ? query.where('connection_id', '=', connectionId)
    : query
        .where('connection_id', 'is', null)
        .where('tutor_id', 'is not distinct from', row.tutor_id)
        .where('student_id', 'is not distinct from', row.student_id)
        // A copy of a payment that was shared in another currency doesn't count as a duplicate.
        .where(
          'currency',
          '=',
          sql<Currency>`(select w.currency from workspaces w where w.id = ${workspaceId}::uuid)`,
        )
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Adds a payment and returns its id; undefined if the side already has `most` payments. Safe with concurrent
 * calls (promise I17).
 */
export async function insertPayment(
  tx: Tx,
  workspaceId: RecordsId,
  row: Omit<PaymentRow, 'tutor_id' | 'student_id'> & {
    tutor_id?: string | null
    student_id?: string | null
    connection_id?: string
    reference?: string | null
  },
  most: number,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`count of payments:${workspaceId}`}, 0))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count >= most) return undefined
  return (
    await tx
      .insertInto('payments')
      .values({ workspace_id: workspaceId, ...row } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Changes a locked payment. If any of the facts change, the database also confirms them for this side. */
export async function updatePayment(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  changes: Partial<PaymentRow> & OwnChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx
    .updateTable('payments')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/**
 * Saves this workspace's private note. The other side isn't notified. If the note is cleared, its row stays,
 * so that the version never goes down.
 */
export async function saveNote(
  tx: Tx,
  workspaceId: WorkspaceId,
  paymentId: string,
  text: string | null,
): Promise<void> {
  if (text)
    await tx
      .insertInto('payment_notes')
      .values({ workspace_id: workspaceId, payment_id: paymentId, text })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'payment_id']).doUpdateSet({
          text,
          version: sql`payment_notes.version + 1`,
          updated_at: sql`now()`,
        }),
      )
      .execute()
  else
    await tx
      .updateTable('payment_notes')
      .set({ text: '', version: sql`version + 1`, updated_at: sql`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('payment_id', '=', paymentId)
      .execute()
}

/**
 * Deletes a payment. Returns false if it doesn't exist, or if the other side ever confirmed it and hasn't
 * agreed to the deletion.
 */
export async function deletePayment(tx: Tx, workspaceId: RecordsId, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('payments').where('workspace_id', '=', workspaceId).where('id', '=', id)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/**
 * Shares a payment, and returns its id, which may have changed; undefined if its people aren't connected with
 * anyone.
 */
export async function sharePayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select share_own_payment(key) as id from payments where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid`.execute(
    tx,
  )
  return rows[0]?.id ?? undefined
}

export function paymentsOf(tx: Tx, workspaceId: RecordsId) {
  return tx
    .selectFrom('payments')
    .select([
      'payments.id',
      'payments.tutor_id',
      'payments.tutor_name',
      'payments.student_id',
      'payments.student_name',
      'payments.connection_id',
      'payments.day',
      'payments.kind',
      'payments.amount_cents',
      'payments.prepaid_minutes',
      'payments.method',
      'payments.reference',
      'payments.currency',
      'payments.note',
      'payments.own_says',
      'payments.other_says',
      'payments.own_answer_note',
      'payments.other_answer_note',
      'payments.own_proposal',
      'payments.other_proposal',
      'payments.counts',
      'payments.deletion_by',
      'payments.asked_since',
      'payments.reminders',
      'payments.reminded_at',
      'payments.is_read_only',
      'payments.own_version',
      'payments.standing',
      'payments.waits_for_you',
    ])
    .where('payments.workspace_id', '=', workspaceId)
}

/** What the open dispute proposes, whose note toPayment shows. */
function proposalOf(row: StoredPayment): SharedPayment['proposal'] {
  const by = (['other', 'you'] as const).find(
    (one) => (one === 'other' ? row.other_says : row.own_says) === 'disputed',
  )
  const proposal = by && (by === 'other' ? row.other_proposal : row.own_proposal)
  if (!by || !proposal) return null
  const isRemoval = 'is_removed' in proposal
  const { day, amount_cents: amount } = (isRemoval ? row : proposal) as Pick<
    PaymentRow,
    'day' | 'amount_cents'
  >
  return { by, is_removal: isRemoval, date: day, amount: dollars(amount) }
}

type StoredPayment = Awaited<ReturnType<ReturnType<typeof paymentsOf>['execute']>>[number]

export function toPayment(row: StoredPayment): Payment {
  return {
    id: row.id,
    tutor_id: row.tutor_id,
    tutor_name: row.tutor_name,
    student_id: row.student_id,
    student_name: row.student_name,
    date: row.day,
    kind: row.kind,
    amount: dollars(row.amount_cents as Cents),
    hours: row.prepaid_minutes === null ? null : hours(row.prepaid_minutes as Minutes),
    method: row.method,
    reference: row.reference,
    note: row.note,
    connection_id: row.connection_id,
    currency: row.currency,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    dispute_note:
      row.other_says === 'disputed'
        ? row.other_answer_note
        : row.own_says === 'disputed'
          ? row.own_answer_note
          : null,
    deletion_asked_by: row.deletion_by,
    counts: row.counts,
    is_shared: row.connection_id !== null,
    ...askedOf(row),
    is_read_only: row.is_read_only,
    version: row.own_version,
  }
}
