// SQL of the sessions table.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { HistoryEntry, StoredEntry } from './history.ts'
import type { Session, SessionDay } from './session.ts'
import type { Standing } from './word.ts'

/** A session as the database holds it, in minutes and cents. */
export interface SessionRow {
  student_id: string | null
  tutor_id: string | null
  day: SessionDay
  minutes: Minutes
  rate_override_cents: Cents | null
  /** The rate without the override, as it was when the session was logged: the schedule's, the student's or the tutor's. */
  tutor_rate_cents: Cents | null
  subject: string | null
  notes: string | null
}

/** One session, or undefined when the owner has none with this id. */
export async function readSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Session | undefined> {
  const row = await withNames(tx, workspaceId).where('sessions.id', '=', id).executeTakeFirst()
  return row && toSession(row)
}

/** The owner's sessions between two days, of one tutor, student or status where these are named, newest first, from behind a cursor on. */
export async function listSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  range: { from?: CalendarDay; to?: CalendarDay; tutorId?: string; studentId?: string; status?: string },
  limit: number,
  after?: { day: string; id: string },
): Promise<Session[]> {
  let query = withNames(tx, workspaceId)
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(limit)
  if (range.from) query = query.where('sessions.day', '>=', range.from)
  if (range.to) query = query.where('sessions.day', '<=', range.to)
  if (range.tutorId) query = query.where('sessions.tutor_id', '=', range.tutorId)
  if (range.studentId) query = query.where('sessions.student_id', '=', range.studentId)
  if (range.status) query = query.where('sessions.status', '=', range.status)
  if (after)
    query = query.where(sql<boolean>`(sessions.day, sessions.id) < (${after.day}::date, ${after.id}::uuid)`)
  return (await query.execute()).map(toSession)
}

/** The stored values of one session, locked until the transaction ends. */
export async function lockSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<(SessionRow & { version: number; status: string }) | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select([
      'student_id',
      'tutor_id',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'subject',
      'notes',
      'version',
      'status',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as (SessionRow & { version: number; status: string }) | undefined
}

/** The class of a schedule that a session stands for. */
export interface ClassRef {
  schedule_id: string
  occurrence_day: CalendarDay
}

/** Adds a session and returns its id; the database computes its amount. Undefined when the class it stands for is logged already. */
export async function insertSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  row: SessionRow & Partial<ClassRef> & { proposed_id?: string },
): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('sessions')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'schedule_id', 'occurrence_day']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Adds many sessions at once, which stand for no class, and returns their ids in the same order. */
export async function insertSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: SessionRow[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const inserted = await tx
    .insertInto('sessions')
    .values(rows.map((row) => ({ workspace_id: workspaceId, ...row })))
    .returning('id')
    .execute()
  return inserted.map((row) => row.id)
}

/** The session that stands for a class, or undefined. */
export async function sessionOfClass(
  tx: Tx,
  workspaceId: WorkspaceId,
  { schedule_id: schedule, occurrence_day: day }: ClassRef,
): Promise<Session | undefined> {
  const row = await withNames(tx, workspaceId)
    .where('sessions.schedule_id', '=', schedule)
    .where('sessions.occurrence_day', '=', day)
    .executeTakeFirst()
  return row && toSession(row)
}

/** A schedule's own rate, null where it has none; undefined when the owner has no such schedule. */
export async function scheduleRate(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Cents | null | undefined> {
  const row = await tx
    .selectFrom('schedules')
    .select('hourly_rate_cents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (row.hourly_rate_cents as Cents | null)
}

/** Who was taught by whom, when and how long, of every session between two days. */
export async function sessionTimes(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Pick<SessionRow, 'student_id' | 'tutor_id' | 'day' | 'minutes'>[]> {
  const rows = await tx
    .selectFrom('sessions')
    .select(['student_id', 'tutor_id', 'day', 'minutes'])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  return rows as Pick<SessionRow, 'student_id' | 'tutor_id' | 'day' | 'minutes'>[]
}

/** Writes the changed values of a session that is locked. The database takes the tutor's word back where it no longer holds. */
export async function updateSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  changes: Partial<SessionRow> & { answer_note?: string; proposed_id?: string },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a session; false when there is none of this id and version. */
export async function deleteSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  let deletion = tx.deleteFrom('sessions').where('workspace_id', '=', workspaceId).where('id', '=', id)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** Whether both sides say the same of a row of `sessions`; in a tutor's own log the family's session tells. */
const AGREED = sql<boolean>`(sessions.verified_by_tutor or sessions.id in (select session_id from agreed_sessions()))`
/** Whether somebody else can confirm a row of `sessions`. */
const SHARED = sql<boolean>`(exists (select from tutor_links l where l.workspace_id = sessions.workspace_id and l.tutor_id = sessions.tutor_id and l.state in ('asked', 'active'))
  or coalesce(sessions.student_id in (select student_id from shared_students()), false))`
/** What both sides say of a row of `sessions`, as standingOf (word.ts) says it. */
export const STANDING = sql<Standing>`case when ${AGREED} then 'verified' when sessions.status = 'disputed' then 'disputed' when ${SHARED} then 'waiting' else 'own' end`

function withNames(tx: Tx, workspaceId: WorkspaceId) {
  return tx
    .selectFrom('sessions')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .leftJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'sessions.workspace_id')
        .onRef('tutors.id', '=', 'sessions.tutor_id'),
    )
    .select([
      'sessions.id',
      'sessions.workspace_id',
      'sessions.student_id',
      'sessions.tutor_id',
      'sessions.day',
      'sessions.minutes',
      'sessions.rate_override_cents',
      'sessions.tutor_rate_cents',
      'sessions.total_cents',
      'sessions.subject',
      'sessions.notes',
      'sessions.status',
      AGREED.as('verified_by_tutor'),
      SHARED.as('is_shared'),
      'sessions.dispute_note',
      'sessions.answer_note',
      'sessions.created_at',
      'sessions.version',
      'sessions.schedule_id',
      'sessions.occurrence_day',
      'students.name as student_name',
      'tutors.name as tutor_name',
    ])
    .where('sessions.workspace_id', '=', workspaceId)
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]

function toSession(row: NamedRow): Session {
  const inDollars = (amount: number | null) => (amount === null ? null : dollars(amount as Cents))
  return {
    id: row.id,
    user_id: row.workspace_id,
    student_id: row.student_id,
    student_name: row.student_name,
    tutor_id: row.tutor_id,
    tutor_name: row.tutor_name,
    date: row.day,
    duration: hours(row.minutes as Minutes),
    hourly_rate: inDollars(row.rate_override_cents),
    default_rate: inDollars(row.tutor_rate_cents),
    effective_rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents),
    total_amount: inDollars(row.total_cents),
    subject: row.subject,
    notes: row.notes,
    status: row.status,
    verified_by_tutor: row.verified_by_tutor,
    is_shared: row.is_shared,
    schedule_id: row.schedule_id,
    occurrence_date: row.occurrence_day,
    dispute_note: row.dispute_note,
    answer_note: row.answer_note,
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}

const TO_MICROSECONDS = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

function storedEntries(tx: Tx) {
  return tx
    .selectFrom('session_history')
    .select(['workspace_id', 'session_id', 'seq', 'side', 'actor_id', 'action', 'tutor_id', 'changed'])
    .select([
      sql<string>`to_char(at at time zone 'UTC', ${TO_MICROSECONDS})`.as('at'),
      sql<string>`facts::text`.as('facts'),
      sql<string | null>`encode(convert_to(note, 'UTF8'), 'hex')`.as('note'),
      sql<string>`encode(previous_hash, 'hex')`.as('previous_hash'),
      sql<string>`encode(hash, 'hex')`.as('hash'),
    ])
}

/** A session's entries, oldest first, to a member of its workspace or to a tutor who is linked. */
export async function readHistory(
  tx: Tx,
  reader: { accountId: string; workspaceId: WorkspaceId } | 'linked',
  sessionId: string,
): Promise<HistoryEntry[]> {
  const side = reader === 'linked' ? 'tutor' : 'owner'
  const rows = await tx
    .selectFrom('session_history')
    .innerJoin('workspaces', 'workspaces.id', 'session_history.workspace_id')
    // The names of the own side; nobody reads those of the other.
    .leftJoin('profiles', 'profiles.user_id', 'session_history.actor_id')
    .select([
      'seq',
      'at',
      'side',
      'action',
      'changed',
      'facts',
      'note',
      'hash',
      'currency',
      'actor_id',
      'full_name',
    ])
    .where(
      'workspace_id',
      'in',
      reader === 'linked' ? tx.selectFrom('tutor_links').select('workspace_id') : [reader.workspaceId],
    )
    .where('session_id', '=', sessionId)
    .orderBy('seq')
    .execute()
  return rows.map((row) => {
    const facts = row.facts as {
      date: string
      minutes: Minutes
      rate_cents: Cents | null
      total_cents: Cents | null
      subject: string | null
      state: HistoryEntry['state']
    }
    return {
      seq: row.seq,
      at: row.at.toISOString(),
      ...whoOf(row, side, reader === 'linked' ? undefined : reader.accountId),
      action: row.action as HistoryEntry['action'],
      changed: row.changed,
      note: row.note,
      date: facts.date,
      duration: hours(facts.minutes),
      currency: row.currency,
      rate: facts.rate_cents === null ? null : dollars(facts.rate_cents),
      total_amount: facts.total_cents === null ? null : dollars(facts.total_cents),
      subject: facts.subject,
      state: facts.state,
      hash: row.hash.toString('hex'),
    }
  })
}

/** The sessions of the whole database that have or lack a history, some at a time, in order of owner and id. */
export async function chainsAfter(
  tx: Tx,
  after: { owner: string; session: string },
  count: number,
): Promise<{ owner: WorkspaceId; session: string; facts: string | undefined; entries: StoredEntry[] }[]> {
  const { rows } = await sql<{ owner: WorkspaceId; session: string; facts: string | null }>`
    select workspace_id as owner, session_id as session, facts from (
      select workspace_id, session_id, null::text as facts from session_history where seq = 1 and not exists (select from sessions s where s.workspace_id = session_history.workspace_id and s.id = session_history.session_id)
      union all select workspace_id, id, session_facts(student_id, tutor_id, day, minutes, coalesce(rate_override_cents, tutor_rate_cents), total_cents, subject, verified_by_tutor, status)::text from sessions) chains
    where (workspace_id, session_id) > (${after.owner}::uuid, ${after.session}::uuid) order by workspace_id, session_id limit ${count}`.execute(
    tx,
  )
  if (rows.length === 0) return []
  const entries = await storedEntries(tx)
    .where('workspace_id', 'in', [...new Set(rows.map((row) => row.owner))])
    .where(
      'session_id',
      'in',
      rows.map((row) => row.session),
    )
    .orderBy('seq')
    .execute()
  return rows.map(({ owner, session, facts }) => ({
    owner,
    session,
    facts: facts ?? undefined,
    entries: entries.filter((entry) => entry.workspace_id === owner && entry.session_id === session),
  }))
}

/** Who made an entry, as the reader is told: on the own side also which member, on the other side only that it was the other side. */
function whoOf(
  row: { side: string; actor_id: string | null; full_name: string | null },
  side: 'owner' | 'tutor',
  accountId: string | undefined,
): Pick<HistoryEntry, 'by' | 'member_name'> {
  if (row.side === 'system') return { by: 'tutorlog', member_name: null }
  if (row.side !== side) return { by: 'other', member_name: null }
  const isOther = accountId !== undefined && row.actor_id !== null && row.actor_id !== accountId
  return isOther ? { by: 'member', member_name: row.full_name } : { by: 'you', member_name: null }
}
