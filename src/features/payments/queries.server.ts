// SQL for the payments table and for the entries that make up balances.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { Standing } from '#features/agreements/answer.ts'
import {
  askedOf,
  type HistoryReader,
  holdSharing,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import { COUNTS } from '#features/sessions/queries.server.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { listTutors } from '#features/tutors/queries.server.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import { newId, type RecordsId, type WorkspaceId } from '#kernel/id.ts'
import { compareNames } from '#kernel/names.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  type AccountName,
  type Entry,
  type Figures,
  figuresBetween,
  isWorthALine,
  ledgerOf,
  type Line,
} from './balance.ts'
import type { SharedPayment } from './confirmation.ts'
import type { PaymentHistoryEntry } from './history.ts'
import type { NewWay } from './own-ways.ts'
import type { KeptWith, Method, Payment, PaymentKind } from './payment.ts'
import type { OwnWays, PaymentWay } from './payment-way.ts'

const UNKNOWN = { tutor: UNKNOWN_TUTOR, student: UNKNOWN_STUDENT } as const

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

/** More payments than anyone would read at once. As they get answered, older ones take their place. */
const MOST = 1000

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
      currency: payment.currency,
      own_confirmation: payment.own_confirmation,
      other_confirmation: payment.other_confirmation,
      dispute_note: payment.dispute_note,
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

/**
 * Payments that are only in this side's records even though it's connected with the people they're for.
 * Newest first.
 */
export async function listUnshared(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Payment[]> {
  const parties = (await activeConnections(tx, workspaceId, keptWith)).flatMap(({ partyIds }) => partyIds)
  if (parties.length === 0) return []
  const rows = await paymentsOf(tx, workspaceId)
    .where('payments.connection_id', 'is', null)
    .where(`payments.${PARTY[keptWith]}`, 'in', parties)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(toPayment)
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
  {
    tutorId,
    studentId,
    named,
    day,
  }: { tutorId: string | null; studentId: string | null; named: string | null; day: CalendarDay },
): Promise<PaymentAccount | undefined> {
  await holdSharing(tx)
  const { rows } = await sql<{ id: string | null; currency: Currency }>`
    select link.id, (select w.currency from workspaces w
        where w.id = coalesce((select c.family_id from connections c where c.id = link.id),
        ${workspaceId}::uuid)) as currency
    from payment_connection(${tutorId}::uuid, ${studentId}::uuid, ${named}::uuid, ${day}::date) as link (id)`.execute(
    tx,
  )
  const [row] = rows
  return !row || (named && row.id !== named) ? undefined : { connectionId: row.id, currency: row.currency }
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

/** The column with the id of the tutor or student that a balance is kept for. */
const PARTY = { tutor: 'tutor_id', student: 'student_id' } as const

/** An account: either a connection's, or one in your own records with a tutor or student. */
export interface Account extends AccountName {
  /** The tutor's id or, on a tutor's side, the students' ids. */
  partyIds: string[]
}

/**
 * The accounts of active connections, sorted by name. A family with several students still has just one
 * account with the practice.
 */
async function activeConnections(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Account[]> {
  const people =
    keptWith === 'tutor'
      ? sql`select c.id, t.id as party_id, t.name, null::text as family, null::text as first_name from connections c
        join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
          where c.state = 'active' and c.family_id = ${workspaceId}::uuid`
      : sql`select c.id, s.id as party_id, s.name, (select w.owner_name from workspaces w where w.id = c.family_id) as family, p.first_name from connections c
          left join connection_people p on p.connection_id = c.id and p.student_id is not null
          left join students s on s.workspace_id = ${workspaceId}::uuid and s.id = p.student_id
          where c.state = 'active' and c.practice_id = ${workspaceId}::uuid`
  const { rows } = await sql<{
    id: string
    party_ids: string[]
    names: string[]
    first_names: string[]
    family: string | null
    currency: Currency
  }>`
    select x.id, array_remove(array_agg(x.party_id order by x.name ${ALPHABETICAL}, x.party_id), null) as party_ids,
      array_remove(array_agg(x.name order by x.name ${ALPHABETICAL}, x.party_id), null) as names,
      array_remove(array_agg(x.first_name order by x.first_name ${ALPHABETICAL}), null) as first_names, min(x.family) as family,
      (select w.currency from workspaces w where w.id = coalesce((select c.family_id from connections c where c.id = x.id), ${workspaceId}::uuid)) as currency
    from (${people}) x group by x.id order by min(x.name ${ALPHABETICAL}), x.id`.execute(tx)
  return rows
    .map(({ id, party_ids: partyIds, names, first_names: firstNames, family, currency }) => ({
      id: partyIds.length === 1 ? (partyIds[0] ?? null) : null,
      connection_id: id,
      name: keptWith === 'tutor' ? (names[0] ?? UNKNOWN_TUTOR) : familyOf(family, firstNames),
      // If the family has no name, the account's name already consists of the children's names.
      students: keptWith === 'student' && plainName(family, '') ? names : [],
      currency,
      is_only_yours: false,
      partyIds,
    }))
    .sort((one, other) => compareNames(one.name, other.name))
}

/**
 * All of this side's accounts: one per active connection, one per person in its own records, and one that all
 * deleted people share.
 */
async function listAccounts(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Account[]> {
  const shared = await activeConnections(tx, workspaceId, keptWith)
  const people =
    keptWith === 'tutor'
      ? await listTutors(tx, workspaceId, 'all')
      : await listStudents(tx, workspaceId, 'all')
  const currency = await readCurrency(tx, workspaceId)
  const connected = new Set(shared.flatMap(({ partyIds }) => partyIds))
  const own = [...people.map(({ id, name }) => ({ id, name })), { id: null, name: UNKNOWN[keptWith] }]
  return [
    ...shared,
    ...own.map(({ id, name }) => ({
      id,
      name,
      students: [],
      currency,
      connection_id: null,
      is_only_yours: id !== null && connected.has(id),
      partyIds: id === null ? [] : [id],
    })),
  ]
}

/** An account's key: the connection's id, otherwise the tutor's or student's id, otherwise 'unknown'. */
const keyOf = ({ connection_id: connection, id }: Pick<Account, 'connection_id' | 'id'>) =>
  connection ?? id ?? 'unknown'

/** A balance entry, with the fields that its line on the screen needs. */
export interface HistoryEntry extends Entry {
  standing: Standing
  studentName: string | null
  subject: string | null
  payment: Payment | null
}

/**
 * The entries that make up balances up to a day, grouped by account. Leaves out entries in a currency other
 * than their account's. Also leaves out sessions that were sent back or that one side asked to delete, until
 * both sides agree. Payments that the sides don't agree on are included but don't count.
 */
async function readHistory(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
  { all, only }: { all: Account[]; only?: Account },
): Promise<Map<string, HistoryEntry[]>> {
  const party = PARTY[keptWith]
  let sessions = tx
    .selectFrom('sessions')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .select([
      'sessions.id',
      'sessions.day',
      'sessions.minutes',
      'sessions.rate_override_cents',
      'sessions.tutor_rate_cents',
      'sessions.total_cents',
      'sessions.currency',
      'sessions.subject',
      'sessions.connection_id',
      'students.name',
      `sessions.${party} as party_id`,
      'sessions.standing',
    ])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.day', '<=', until)
    .where(COUNTS)
  let payments = paymentsOf(tx, workspaceId).where('payments.day', '<=', until)
  if (only?.connection_id) {
    sessions = sessions.where('sessions.connection_id', '=', only.connection_id)
    payments = payments.where('payments.connection_id', '=', only.connection_id)
  } else if (only) {
    sessions = sessions.where(`sessions.${party}`, 'is not distinct from', only.id)
    payments = payments.where(`payments.${party}`, 'is not distinct from', only.id)
  }
  const accounts = new Map((only ? [only] : all).map((account) => [keyOf(account), account]))
  const shared = new Set(all.flatMap(({ connection_id: id }) => id ?? []))
  const entries = new Map<string, HistoryEntry[]>([...accounts.keys()].map((key) => [key, []]))
  const add = (
    row: { connection_id: string | null; currency: Currency },
    partyId: string | null,
    entry: HistoryEntry,
  ) => {
    const key =
      row.connection_id && shared.has(row.connection_id) ? row.connection_id : (partyId ?? 'unknown')
    if (accounts.get(key)?.currency === row.currency) entries.get(key)?.push(entry)
  }
  for (const row of await sessions.execute())
    add(row, row.party_id, {
      id: row.id,
      kind: 'session',
      day: row.day as CalendarDay,
      minutes: row.minutes as Minutes,
      rate: (row.rate_override_cents ?? row.tutor_rate_cents) as Cents | null,
      amount: row.total_cents as Cents | null,
      standing: row.standing,
      studentName: row.name,
      subject: row.subject,
      payment: null,
    })
  for (const row of await payments.execute()) {
    const payment = toPayment(row)
    add(row, row[party], {
      id: row.id,
      kind: row.kind,
      day: row.day as CalendarDay,
      minutes: (row.prepaid_minutes ?? 0) as Minutes,
      rate: null,
      amount: row.amount_cents as Cents,
      counts: row.counts,
      standing: row.standing,
      studentName: row.student_name,
      subject: null,
      payment,
    })
  }
  return entries
}

export interface Ledger extends Account {
  lines: Line<HistoryEntry>[]
}

/**
 * All ledgers up to a day. The connections' ledgers come first, then those in your own records, each group
 * sorted by name. All deleted people share the last one.
 */
export async function readLedgers(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
): Promise<Ledger[]> {
  const all = await listAccounts(tx, workspaceId, keptWith)
  const entries = await readHistory(tx, workspaceId, keptWith, until, { all })
  return all.map((account) => ({ ...account, lines: ledgerOf(entries.get(keyOf(account)) ?? []) }))
}

/** The ledger of the account with this key, up to a day; undefined if there isn't one. */
export async function readLedger(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
  wanted: string,
): Promise<Ledger | undefined> {
  const all = await listAccounts(tx, workspaceId, keptWith)
  const only = all.find((account) => keyOf(account) === wanted)
  if (!only) return undefined
  const entries = await readHistory(tx, workspaceId, keptWith, until, { all, only })
  return { ...only, lines: ledgerOf(entries.get(wanted) ?? []) }
}

/** The accounts that have anything to show for a range of days. */
export async function readAccounts(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  from: CalendarDay,
  to: CalendarDay,
): Promise<(Account & { figures: Figures })[]> {
  return accountsWorthALine(await readLedgers(tx, workspaceId, keptWith, to), from, to)
}

/** The ledgers that have anything to show for a range of days, with their figures. */
export function accountsWorthALine(
  ledgers: readonly Ledger[],
  from: CalendarDay,
  to: CalendarDay,
): (Account & { figures: Figures })[] {
  return ledgers
    .map(({ lines, ...account }) => ({ ...account, figures: figuresBetween(lines, from, to) }))
    .filter(({ figures }) => isWorthALine(figures))
}

/** A practice's payment options, in order, with the list's version. */
export async function readWays(tx: Tx, workspaceId: WorkspaceId): Promise<OwnWays> {
  const rows = await tx
    .selectFrom('payment_ways')
    .select(['id', 'kind', 'details', 'version'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .execute()
  return { ways: rows.map(toWay), version: rows[0]?.version ?? 0 }
}

/**
 * Replaces the list. Returns whether anything but the order changed; undefined if the version is outdated.
 * Safe with concurrent calls (promise D6).
 */
export async function replaceWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  ways: readonly NewWay[],
  expectedVersion: number | undefined,
): Promise<{ isOther: boolean } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment_ways:${workspaceId}`}, 0))`.execute(tx)
  const before = await readWays(tx, workspaceId)
  if (expectedVersion !== undefined && expectedVersion !== before.version) return undefined
  await tx.deleteFrom('payment_ways').where('workspace_id', '=', workspaceId).execute()
  if (ways.length === 0) return { isOther: before.ways.length > 0 }
  const { rows } = await sql<{
    version: number
  }>`select nextval('payment_ways_version')::int as version`.execute(tx)
  const version = rows[0]?.version ?? 0
  await tx
    .insertInto('payment_ways')
    .values(
      ways.map(({ id, kind, ...details }, at) => ({
        workspace_id: workspaceId,
        id: id ?? newId(),
        position: at + 1,
        kind,
        details: JSON.stringify(details),
        version,
      })),
    )
    .execute()
  const { ways: stored } = await readWays(tx, workspaceId)
  return { isOther: contentOf(stored) !== contentOf(before.ways) }
}

/** Converts payment options to text that doesn't depend on their order, so that two lists can be compared. */
function contentOf(ways: readonly PaymentWay[]): string {
  return ways
    .map((way) =>
      JSON.stringify(
        Object.entries(way)
          .filter(([name]) => name !== 'id')
          .sort(),
      ),
    )
    .sort()
    .join()
}

/**
 * As a practice: notifies its families that its payment options changed. As the system: notifies every family
 * that still hasn't been notified.
 */
export async function tellOfWays(tx: Tx, now: Date): Promise<void> {
  await sql`select tell_of_ways(${now}::timestamptz)`.execute(tx)
}

/** A practice's payment options, as sent to a family. */
export interface FamilyWays {
  ways: PaymentWay[]
  /** When the options last changed; null if they never have. */
  changed_at: string | null
}

/**
 * A tutor's payment options for a family. Empty unless the connection is active and both accounts are open,
 * meaning neither deleted nor disabled. Undefined if the family has no such connection.
 */
export async function readConnectionWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  connectionId: string,
): Promise<FamilyWays | undefined> {
  const connection = await tx
    .selectFrom('connections')
    .select('id')
    .where('family_id', '=', workspaceId)
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return connection && readEmailedWays(tx, connectionId)
}

/** The same for the emailed page. */
export async function readEmailedWays(tx: Tx, connectionId: string): Promise<FamilyWays> {
  const { rows } = await sql<WayRow>`
    select id, kind, details from connection_payment_ways(${connectionId}::uuid)`.execute(tx)
  const connection = await tx
    .selectFrom('connections')
    .select('ways_changed_at')
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return {
    ways: rows.map(toWay),
    changed_at: rows.length > 0 ? (connection?.ways_changed_at?.toISOString() ?? null) : null,
  }
}

interface WayRow {
  id: string
  kind: PaymentWay['kind']
  details: unknown
}

function toWay({ id, kind, details }: WayRow): PaymentWay {
  return { ...(details as PaymentWay), id, kind } as PaymentWay
}

function paymentsOf(tx: Tx, workspaceId: RecordsId) {
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
      'payments.currency',
      'payments.note',
      'payments.own_says',
      'payments.other_says',
      'payments.own_answer_note',
      'payments.other_answer_note',
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

type StoredPayment = Awaited<ReturnType<ReturnType<typeof paymentsOf>['execute']>>[number]

function toPayment(row: StoredPayment): Payment {
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
