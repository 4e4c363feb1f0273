// SQL of the payments table, and the history that balances are made of.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { COUNTS } from '#features/sessions/queries.server.ts'
import { listStudents, readStudent } from '#features/students/queries.server.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { listTutors, readTutor } from '#features/tutors/queries.server.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { newId, type WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type Entry, type Figures, figuresBetween, isWorthALine, ledgerOf, type Line } from './balance.ts'
import type { NewWay } from './own-ways.ts'
import type { KeptWith, Method, Payment, PaymentKind } from './payment.ts'
import type { OwnWays, PaymentWay } from './payment-way.ts'

const UNKNOWN = { tutor: UNKNOWN_TUTOR, student: UNKNOWN_STUDENT } as const

/** A payment as the database holds it, in cents and minutes. */
export interface PaymentRow {
  tutor_id: string | null
  student_id: string | null
  day: CalendarDay
  kind: PaymentKind
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
  note: string | null
}

/** One payment, or undefined when the owner has none with this id. */
export async function readPayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Payment | undefined> {
  const row = await withNames(tx, workspaceId).where('payments.id', '=', id).executeTakeFirst()
  return row && toPayment(row)
}

/** The owner's payments between two days, newest first. */
export async function listPayments(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Payment[]> {
  const rows = await withNames(tx, workspaceId)
    .where('payments.day', '>=', from)
    .where('payments.day', '<=', to)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .execute()
  return rows.map(toPayment)
}

/** The stored values of one payment, locked until the transaction ends. */
export async function lockPayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<(PaymentRow & { version: number }) | undefined> {
  const row = await tx
    .selectFrom('payments')
    .select([
      'tutor_id',
      'student_id',
      'day',
      'kind',
      'amount_cents',
      'prepaid_minutes',
      'method',
      'note',
      'version',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as (PaymentRow & { version: number }) | undefined
}

/** Adds a payment unless the owner has `most` already, and returns its id; exact under parallel calls (promise I17). */
export async function insertPayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  row: PaymentRow,
  most: number,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments:${workspaceId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count >= most) return undefined
  return (
    await tx
      .insertInto('payments')
      .values({ workspace_id: workspaceId, ...row })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Writes the values of a payment that is locked. */
export async function updatePayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  row: PaymentRow,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ ...row, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a payment; false when there is none of this id and version. */
export async function deletePayment(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  let deletion = tx.deleteFrom('payments').where('workspace_id', '=', workspaceId).where('id', '=', id)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** An entry of a balance with what its line says. */
export interface HistoryEntry extends Entry {
  /** The tutor, or to a tutor the student; null where they were deleted. */
  partyId: string | null
  studentName: string | null
  subject: string | null
  payment: Payment | null
}

/**
 * Everything that made the balances up to a day, with everyone or with one; null stands for all who were deleted. A lesson that
 * was sent back, or that one side asked to delete, is owed by nobody until the two agree.
 */
export async function readHistory(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
  partyId?: string | null,
): Promise<HistoryEntry[]> {
  const party = keptWith === 'tutor' ? 'tutor_id' : 'student_id'
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
      'sessions.subject',
      'students.name',
      `sessions.${party} as party_id`,
    ])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.day', '<=', until)
    .where(COUNTS)
    // Amounts of another currency than the workspace's do not add up with its payments.
    .where(
      'sessions.currency',
      '=',
      tx.selectFrom('workspaces').select('currency').where('id', '=', workspaceId),
    )
  let payments = withNames(tx, workspaceId).where('payments.day', '<=', until)
  if (partyId !== undefined) {
    sessions =
      partyId === null
        ? sessions.where(`sessions.${party}`, 'is', null)
        : sessions.where(`sessions.${party}`, '=', partyId)
    payments =
      partyId === null
        ? payments.where(`payments.${party}`, 'is', null)
        : payments.where(`payments.${party}`, '=', partyId)
  }
  const taught = (await sessions.execute()).map((row): HistoryEntry => ({
    id: row.id,
    kind: 'session',
    day: row.day as CalendarDay,
    minutes: row.minutes as Minutes,
    rate: (row.rate_override_cents ?? row.tutor_rate_cents) as Cents | null,
    amount: row.total_cents as Cents | null,
    partyId: row.party_id,
    studentName: row.name,
    subject: row.subject,
    payment: null,
  }))
  const paid = (await payments.execute()).map((row): HistoryEntry => ({
    id: row.id,
    kind: row.kind,
    day: row.day as CalendarDay,
    minutes: (row.prepaid_minutes ?? 0) as Minutes,
    rate: null,
    amount: row.amount_cents as Cents,
    partyId: row[party],
    studentName: row.student_name,
    subject: null,
    payment: toPayment(row),
  }))
  return [...taught, ...paid]
}

export interface Account {
  id: string | null
  name: string
  figures: Figures
}

export interface Ledger {
  id: string | null
  name: string
  lines: Line[]
}

/** The ledgers of everyone up to a day, by name; all who were deleted share the last. */
export async function readLedgers(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
): Promise<Ledger[]> {
  const people =
    keptWith === 'tutor'
      ? await listTutors(tx, workspaceId, 'all')
      : await listStudents(tx, workspaceId, 'all')
  const parties = new Map<string | null, HistoryEntry[]>(people.map(({ id }) => [id, []]))
  parties.set(null, [])
  for (const entry of await readHistory(tx, workspaceId, keptWith, until))
    parties.get(entry.partyId)?.push(entry)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return [...parties].map(([id, entries]) => ({
    id,
    name: (id && names.get(id)) ?? UNKNOWN[keptWith],
    lines: ledgerOf(entries),
  }))
}

/** The accounts that have anything to show for some days. */
export async function readAccounts(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Account[]> {
  const ledgers = await readLedgers(tx, workspaceId, keptWith, to)
  return ledgers
    .map(({ id, name, lines }) => ({ id, name, figures: figuresBetween(lines, from, to) }))
    .filter(({ figures }) => isWorthALine(figures))
}

/** What the one is called with whom an account is kept; undefined when the owner has no such tutor or student. */
export async function partyName(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  id: string | null,
): Promise<string | undefined> {
  if (id === null) return UNKNOWN[keptWith]
  return (
    keptWith === 'tutor' ? await readTutor(tx, workspaceId, id) : await readStudent(tx, workspaceId, id)
  )?.name
}

/** How a practice can be paid, in its order, with the version of the list. */
export async function readWays(tx: Tx, workspaceId: WorkspaceId): Promise<OwnWays> {
  const rows = await tx
    .selectFrom('payment_ways')
    .select(['id', 'kind', 'details', 'version'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .execute()
  return { ways: rows.map(toWay), version: rows[0]?.version ?? 0 }
}

/** Replaces the whole list; false when it has another version by now. Exact under parallel calls (promise D6). */
export async function replaceWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  ways: readonly NewWay[],
  expectedVersion: number | undefined,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment_ways:${workspaceId}`}, 0))`.execute(tx)
  const { version: before } = await readWays(tx, workspaceId)
  if (expectedVersion !== undefined && expectedVersion !== before) return false
  await tx.deleteFrom('payment_ways').where('workspace_id', '=', workspaceId).execute()
  if (ways.length === 0) return true
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
  return true
}

/** How the tutor of a connection of this family can be paid; none unless it is active and both accounts are open. Undefined when there is no such connection. */
export async function readConnectionWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  connectionId: string,
): Promise<PaymentWay[] | undefined> {
  const connection = await tx
    .selectFrom('connections')
    .select('id')
    .where('family_id', '=', workspaceId)
    .where('id', '=', connectionId)
    .executeTakeFirst()
  if (!connection) return undefined
  const { rows } = await sql<Pick<WayRow, 'id' | 'kind' | 'details'>>`
    select id, kind, details from connection_payment_ways(${connectionId})`.execute(tx)
  return rows.map(toWay)
}

/** The active connection by which a tutor of this family has a practice of their own; null without one. */
export async function connectionOfTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string | null,
): Promise<string | null> {
  const connection = await tx
    .selectFrom('connections')
    .select('id')
    .where('family_id', '=', workspaceId)
    .where('tutor_id', '=', tutorId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return connection?.id ?? null
}

interface WayRow {
  id: string
  kind: PaymentWay['kind']
  details: unknown
}

function toWay({ id, kind, details }: WayRow): PaymentWay {
  return { ...(details as PaymentWay), id, kind } as PaymentWay
}

function withNames(tx: Tx, workspaceId: WorkspaceId) {
  return tx
    .selectFrom('payments')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'payments.workspace_id')
        .onRef('students.id', '=', 'payments.student_id'),
    )
    .leftJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'payments.workspace_id')
        .onRef('tutors.id', '=', 'payments.tutor_id'),
    )
    .select([
      'payments.id',
      'payments.tutor_id',
      'payments.student_id',
      'payments.day',
      'payments.kind',
      'payments.amount_cents',
      'payments.prepaid_minutes',
      'payments.method',
      'payments.note',
      'payments.version',
      'students.name as student_name',
      'tutors.name as tutor_name',
    ])
    .where('payments.workspace_id', '=', workspaceId)
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]

function toPayment(row: NamedRow): Payment {
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
    version: row.version,
  }
}
