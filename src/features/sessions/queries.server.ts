// SQL for sessions.
import { type Insertable, sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import {
  askedOf,
  type HistoryReader,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import { leaveToCommit, type Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import type { Answer } from '#features/agreements/answer.ts'
import type { SharedSession } from './confirmation.ts'
import type { SessionHistoryEntry } from './history.ts'
import type { LastLesson, Session, SessionDay } from './session.ts'

/** A session as stored, in minutes and cents. */
export interface SessionRow {
  student_id: string | null
  tutor_id: string | null
  day: SessionDay
  minutes: Minutes
  rate_override_cents: Cents | null
  /** The default rate at the time the session was logged: the schedule's, the student's or the tutor's. */
  tutor_rate_cents: Cents | null
  subject: string | null
  /** HH:MM. */
  start_time?: string | null
  summary?: string | null
  homework?: string | null
  notes: string | null
}

/**
 * A session without rates. The database fills them in, because the person logging the session isn't allowed
 * to see them.
 */
export type Unrated = Omit<SessionRow, 'rate_override_cents' | 'tutor_rate_cents'> &
  Partial<Pick<SessionRow, 'rate_override_cents' | 'tutor_rate_cents'>>

/** Reads one session. Returns undefined if the workspace has no session with this id. */
export async function readSession(tx: Tx, workspaceId: RecordsId, id: string): Promise<Session | undefined> {
  const [row] = await sessionById(tx, { workspaceId, id })
  return row && toSession(row)
}

const sessionById = fixed((tx, { workspaceId, id }: { workspaceId: RecordsId; id: string }) =>
  withNames(tx, workspaceId).where('sessions.id', '=', id).compile(),
)

/** Reads a page of a month's list in a single statement (docs/decisions/0022-reads-in-one-statement.md). */
export const LINES_AT_ONCE = 'select read_lines_of_month($1, $2, $3, $4, $5, $6, $7, $8, $9) as answer'

/**
 * The workspace's sessions after a cursor, newest first. Can be limited to a range of days, one tutor or
 * student, or those sent back. With isHeld, returns only the sessions held as possible duplicates; otherwise,
 * leaves them out.
 */
export async function listSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  range: {
    from?: CalendarDay
    to?: CalendarDay
    tutorId?: string
    studentId?: string
    isSentBack?: boolean
    isHeld?: boolean
  },
  limit: number,
  after?: { day: string; id: string },
): Promise<Session[]> {
  const { isSentBack = false, isHeld = false, ...values } = range
  const page = { ...values, workspaceId, limit, isHeld, day: after?.day, id: after?.id }
  return (await (isSentBack ? pageSentBack : pageOfSessions)(tx, page)).map(toSession)
}

interface Page {
  workspaceId: WorkspaceId
  limit: number
  isHeld: boolean
  from?: CalendarDay
  to?: CalendarDay
  tutorId?: string
  studentId?: string
  /** The day and id of the last session on the previous page. */
  day?: string | undefined
  id?: string | undefined
}

const pageOfSessions = fixed((tx, page: Page) => selectPage(tx, page).compile())
const pageSentBack = fixed((tx, page: Page) => selectPage(tx, page).where(SENT_BACK).compile())

function selectPage(tx: Tx, { workspaceId, limit, isHeld, from, to, tutorId, studentId, day, id }: Page) {
  let query = withNames(tx, workspaceId)
    .where('sessions.is_held', '=', isHeld)
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(limit)
  if (from) query = query.where('sessions.day', '>=', from)
  if (to) query = query.where('sessions.day', '<=', to)
  if (tutorId) query = query.where('sessions.tutor_id', '=', tutorId)
  if (studentId) query = query.where('sessions.student_id', '=', studentId)
  return day && id
    ? query.where(sql<boolean>`(sessions.day, sessions.id) < (${day}::date, ${id}::uuid)`)
    : query
}

/** The session fields that the commands check. */
export type LockedSession = Required<Omit<SessionRow, 'notes'>> &
  LockedEntry & {
    other_says: Answer
    has_replied: boolean
    is_replied: boolean
    is_held: boolean
  }

const holdSession = fixed((tx, { id }: { id: string }) =>
  sql<object>`select hold_session(${id}::uuid)`.compile(tx),
)

/** Reads a session and locks it until the transaction ends. */
export async function lockSession(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedSession | undefined> {
  // In one round trip, but in separate statements: the one that waits for the lock would return the private
  // notes' version from before it waited.
  const [, [locked], [row]] = await Promise.all([
    holdSession(tx, { id }),
    lockById(tx, { workspaceId, id }),
    readLocked(tx, { workspaceId, id }),
  ])
  return locked && row && ({ ...row, start_time: wallClock(row.start_time) } as LockedSession)
}

const lockById = fixed((tx, { workspaceId, id }: { workspaceId: RecordsId; id: string }) =>
  tx
    .selectFrom('sessions')
    .select('key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .compile(),
)

const readLocked = fixed((tx, { workspaceId, id }: { workspaceId: RecordsId; id: string }) =>
  tx
    .selectFrom('sessions')
    .select([
      'key',
      'student_id',
      'tutor_id',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'subject',
      'start_time',
      'summary',
      'homework',
      'connection_id',
      'facts_version',
      'other_took_part',
    ])
    .select([
      'own_says',
      'other_says',
      'has_replied',
      'is_replied',
      'own_answer_note',
      'deletion_by',
      'is_read_only',
      'is_held',
    ])
    .select('own_version as version')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .compile(),
)

/** The fields needed to answer or delete a session. Emailed links may read these, too. */
export type AnsweredSession = LockedEntry &
  Pick<LockedSession, 'day' | 'other_says' | 'is_replied' | 'summary' | 'homework'>

/** Reads the fields needed to answer or delete a session, and locks it until the transaction ends. */
export async function lockForAnswer(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<AnsweredSession | undefined> {
  const [, [locked], [row]] = await Promise.all([
    holdSession(tx, { id }),
    lockById(tx, { workspaceId, id }),
    readAnswered(tx, { workspaceId, id }),
  ])
  return locked && (row as AnsweredSession | undefined)
}

const readAnswered = fixed((tx, { workspaceId, id }: { workspaceId: RecordsId; id: string }) =>
  tx
    .selectFrom('sessions')
    .select(['key', 'connection_id', 'day', 'facts_version', 'summary', 'homework'])
    .select(['own_says', 'own_answer_note', 'other_says', 'is_replied', 'other_took_part', 'deletion_by'])
    .select(['is_read_only', 'own_version as version'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .compile(),
)

/** The schedule and class that a session is logged for. */
export interface ClassRef {
  schedule_id: string
  occurrence_day: CalendarDay
}

/**
 * Adds a session and returns it with the given names. The database computes its amount. Returns undefined if
 * the class is already logged.
 */
export async function insertSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  { notes, ...row }: Unrated & Partial<ClassRef> & { is_held?: boolean; connection_id?: string },
  names: { student_name: string; tutor_name: string },
): Promise<Session | undefined> {
  const [inserted] = await addSession(tx, { workspace_id: workspaceId, ...row })
  if (!inserted) return undefined
  // Saving notes increments this side's version.
  if (notes) leaveToCommit(saveNotes(tx, workspaceId, inserted.id, notes))
  const own_version = inserted.version + (notes ? 1 : 0)
  return toSession({ ...inserted, ...names, notes: notes || null, own_version, is_read_only: false })
}

const addSession = fixed((tx, row: Insertable<Tables['sessions']>) =>
  tx
    .insertInto('sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'schedule_id', 'occurrence_day']).doNothing())
    .returning([...OF_ROW, 'sessions.version'])
    .compile(),
)

/** Adds many sessions and returns their ids in the same order. None of them can be for a class. */
export async function insertSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: (SessionRow & { is_held?: boolean })[],
): Promise<string[]> {
  if (rows.length === 0) return []
  // All rows are passed as a single parameter. One parameter per field would block the event loop for too
  // long.
  const lessons = JSON.stringify(rows.map(({ notes: _notes, ...row }) => row))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into sessions (workspace_id, student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents,
      subject, start_time, summary, homework, is_held)
    select ${workspaceId}::uuid, student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents,
      subject, start_time, summary, homework, coalesce(is_held, false)
    from json_to_recordset(${lessons}::json) as lesson (student_id uuid, tutor_id uuid, day date, minutes int,
      rate_override_cents int, tutor_rate_cents int, subject text, start_time time, summary text, homework text,
      is_held boolean)
    returning id`.execute(tx)
  const noted = inserted.flatMap(({ id: session_id }, at) => {
    const text = rows[at]?.notes
    return text ? [{ workspace_id: workspaceId, session_id, text }] : []
  })
  if (noted.length > 0) await tx.insertInto('session_notes').values(noted).execute()
  return inserted.map((row) => row.id)
}

/**
 * Saves or clears this side's private notes on a session and increments their version. The other side isn't
 * notified.
 */
export async function saveNotes(
  tx: Tx,
  workspaceId: WorkspaceId,
  sessionId: string,
  text: string | null,
): Promise<void> {
  if (text)
    await tx
      .insertInto('session_notes')
      .values({ workspace_id: workspaceId, session_id: sessionId, text })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'session_id']).doUpdateSet({
          text,
          version: sql`session_notes.version + 1`,
          updated_at: sql`now()`,
        }),
      )
      .execute()
  else
    await tx
      .updateTable('session_notes')
      .set({ text: '', version: sql`version + 1`, updated_at: sql`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('session_id', '=', sessionId)
      .execute()
}

/** The session logged for a class. Undefined if there isn't one. */
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

/** Whether a class has been logged, even if the member can't see the student. */
export async function isClassLogged(
  tx: Tx,
  { schedule_id: schedule, occurrence_day: day }: ClassRef,
): Promise<boolean> {
  const { rows } = await sql<{ is_logged: boolean }>`
    select is_class_logged(${schedule}::uuid, ${day}::date) as is_logged`.execute(tx)
  return rows[0]?.is_logged ?? false
}

/** Only for a practice: stores which family a schedule's classes are with. */
export async function rememberFamily(
  tx: Tx,
  workspaceId: WorkspaceId,
  scheduleId: string,
  connectionId: string,
): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ connection_id: connectionId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', scheduleId)
    .execute()
}

/**
 * Lists every session's day, minutes, student and tutor, one session per line. An import compares them in
 * this format (sessionKey in features/imports/plan.ts).
 */
export async function sessionKeys(tx: Tx, workspaceId: WorkspaceId): Promise<string> {
  const key = sql`concat_ws('|', day, minutes, coalesce(student_id::text, ''), coalesce(tutor_id::text, ''))`
  const { keys } = await tx
    .selectFrom('sessions')
    .select(sql<string | null>`string_agg(${key}, e'\\n')`.as('keys'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return keys ?? ''
}

/** Updates a locked session. Changing a fact also confirms the session for the side that made the change. */
export async function updateSession(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  changes: Partial<Omit<SessionRow, 'notes'>> & Partial<ClassRef> & OwnChanges & { connection_id?: string },
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx
    .updateTable('sessions')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes a session. Returns false if there isn't one with this id, or if the other side ever confirmed it
 * and hasn't agreed to the deletion.
 */
export async function deleteSession(tx: Tx, workspaceId: RecordsId, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('sessions').where('workspace_id', '=', workspaceId).where('id', '=', id)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/**
 * Counts this side's own copy of a session that was sent back before the connection ended. Both sides' earlier
 * answers no longer apply.
 */
export async function countAgain(tx: Tx, key: number): Promise<void> {
  await sql`select count_again(${key}::bigint)`.execute(tx)
}

/**
 * Finds the connection that shares a student's lessons with a tutor. Locks the day, so that two people
 * logging at the same time see each other's session. If there are several connections, returns the session's
 * current one, otherwise the newest.
 */
export async function lockSharedDay(
  tx: Tx,
  { studentId, tutorId }: { studentId: string; tutorId: string },
  day: CalendarDay,
  under: string | null = null,
): Promise<string | undefined> {
  const id = await sharedConnection(tx, { studentId, tutorId }, under)
  if (id) await sql`select pg_advisory_xact_lock(hashtextextended(${`${id}:${day}`}, 0))`.execute(tx)
  return id
}

/** Like lockSharedDay, but doesn't lock anything. Undefined if the lessons aren't shared. */
export async function sharedConnection(
  tx: Tx,
  { studentId, tutorId }: { studentId: string; tutorId: string },
  under: string | null = null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select shared_connection(${studentId}::uuid, ${tutorId}::uuid, ${under}::uuid) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}

interface Whose {
  studentId?: string
  connectionId?: string
  isClass?: boolean
  start?: string | null
}

/** A session that the other side logged and this side hasn't confirmed yet. */
export interface Theirs {
  id: string
  connection_id: string
  student_id: string
  day: string
  minutes: Minutes
  /** HH:MM. */
  start: string | null
  summary: string | null
  homework: string | null
}

/**
 * Sessions between two days that the other side logged and this side hasn't confirmed, in the order they were
 * logged. Can be limited to one student and connection. Those with the given start time come first, followed
 * by those without one. For a class, skips sessions that are already linked to a class.
 */
export async function loggedByOther(
  tx: Tx,
  { studentId, connectionId, isClass = false, start = null }: Whose,
  from: CalendarDay,
  to = from,
): Promise<Theirs[]> {
  const { rows } = await sql<StoredTheirs>`
    select * from logged_by_other(${studentId ?? null}::uuid, ${connectionId ?? null}::uuid, ${isClass}, ${start}::time, ${from}::date, ${to}::date)`.execute(
    tx,
  )
  return rows.map(toTheirs)
}

type StoredTheirs = Omit<Theirs, 'start'> & { start_time: string | null }

const toTheirs = ({ start_time, ...row }: StoredTheirs): Theirs => ({ ...row, start: wallClock(start_time) })

/** Everything from the database that's needed to log a lesson. */
interface LessonTold {
  /** Undefined if the person isn't on the list. Caregivers don't get the rate. */
  student: { name: string; rate: Cents | null } | undefined
  tutor: { name: string; rate: Cents | null } | undefined
  /**
   * The class's rate, start time and, if known, the connection with its family. Undefined if the schedule
   * doesn't exist.
   */
  planned: { rate: Cents | null; start: string | null; connectionId: string | null } | undefined
  /**
   * The connection that shares the lesson. The day is locked, so that two people logging at the same time see
   * each other's session.
   */
  shared: string | undefined
  /**
   * The sessions from loggedByOther, with the most likely match first. Empty if the user said it's a
   * different lesson.
   */
  theirs: Theirs[]
}

/**
 * Reads everything needed to log a lesson in a single query. If the student has several connections, uses the
 * given one, otherwise the schedule's or the newest.
 */
export async function lessonContext(
  tx: Tx,
  lesson: {
    student_id: string
    tutor_id: string
    day: CalendarDay
    ofClass?: ClassRef
    connection_id?: string
    /** If undefined, the schedule's start time applies. */
    start_time?: string | null
    isAnother?: boolean
  },
): Promise<LessonTold> {
  const { ofClass, start_time: start } = lesson
  const [row] = await told(tx, {
    student: lesson.student_id,
    tutor: lesson.tutor_id,
    day: lesson.day,
    schedule: ofClass?.schedule_id ?? null,
    classDay: ofClass?.occurrence_day ?? null,
    named: lesson.connection_id ?? null,
    start: start ?? null,
    isStartTold: start !== undefined,
    isAnother: lesson.isAnother ?? false,
  })
  if (!row) throw new Error('lesson_context returned no row')
  const { student, tutor, planned, connection_id, theirs } = row.told
  return {
    student: student ?? undefined,
    tutor: tutor ?? undefined,
    planned: planned
      ? { rate: planned.rate, start: wallClock(planned.start), connectionId: planned.connection_id }
      : undefined,
    shared: connection_id ?? undefined,
    theirs: theirs.map(toTheirs),
  }
}

const told = fixed(
  (
    tx,
    l: Record<
      'student' | 'tutor' | 'day' | 'schedule' | 'classDay' | 'named' | 'start' | 'isStartTold' | 'isAnother',
      unknown
    >,
  ) =>
    sql<{ told: StoredTold }>`
    select lesson_context(${l.student}::uuid, ${l.tutor}::uuid, ${l.day}::date, ${l.schedule}::uuid, ${l.classDay}::date,
      ${l.named}::uuid, ${l.start}::time, ${l.isStartTold}, ${l.isAnother}) as told`.compile(tx),
)

/** The row that lesson_context returns (db/repeatable/writes.sql). */
interface StoredTold extends Record<'student' | 'tutor', { name: string; rate: Cents | null } | null> {
  planned: { rate: Cents | null; start: string | null; connection_id: string | null } | null
  connection_id: string | null
  theirs: StoredTheirs[]
}

/** Filters out sessions that are already part of a possible duplicate. */
export async function unpaired(tx: Tx, theirs: Theirs[]): Promise<Theirs[]> {
  if (theirs.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select unpaired_sessions(${theirs.map(({ id }) => id)}::uuid[]) as id`.execute(tx)
  const free = new Set(rows.map(({ id }) => id))
  return theirs.filter(({ id }) => free.has(id))
}

/** Marks each session as a possible duplicate of the other side's matching session. */
export async function pairHeld(tx: Tx, pairs: { held: string; theirs: string }[]): Promise<void> {
  if (pairs.length === 0) return
  await sql`select pair_held(${pairs.map(({ held }) => held)}::uuid[], ${pairs.map(({ theirs }) => theirs)}::uuid[])`.execute(
    tx,
  )
}

/**
 * Lessons with their summary and homework (if any), newest first. Includes all lessons between the two days,
 * plus the most recent one before that for each student and tutor with a schedule.
 */
export async function lessonsAround(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<LastLesson[]> {
  return textsAround(tx, { workspaceId, from, to })
}

const textsAround = fixed(
  (tx, { workspaceId, from, to }: { workspaceId: WorkspaceId; from: CalendarDay; to: CalendarDay }) =>
    sql<LastLesson>`
    select student_id, tutor_id, day as date, summary, homework from (
      select before.* from (select distinct student_id, tutor_id from schedules where workspace_id = ${workspaceId} and is_active and deleted_at is null) pair
        cross join lateral (select s.student_id, s.tutor_id, s.day, s.start_time, s.created_at, s.summary, s.homework
            from sessions s where s.workspace_id = ${workspaceId}
          and s.student_id = pair.student_id and s.tutor_id = pair.tutor_id and s.day < ${from}::date and s.deletion_by is null
          order by s.day desc, s.start_time desc nulls last, s.created_at desc limit 1) before
      union all
      select s.student_id, s.tutor_id, s.day, s.start_time, s.created_at, s.summary, s.homework from sessions s where s.workspace_id = ${workspaceId}
        and s.day between ${from}::date and ${to}::date and s.student_id is not null and s.tutor_id is not null and s.deletion_by is null) lessons
    order by day desc, start_time desc nulls last, created_at desc`.compile(tx),
)

/** Sessions that the other side sent back and this side hasn't answered yet. */
const SENT_BACK = sql<boolean>`(sessions.connection_id is not null and sessions.other_says = 'disputed'
  and not sessions.has_replied and not sessions.is_read_only)`
/** Sessions that can be answered: those up to a day, and later ones that the other side asked to delete. */
const answerableUntil = (day: CalendarDay) =>
  sql<boolean>`(day <= ${day}::date or coalesce(deletion_by = 'other', false))`
/** The columns that toSession reads, other than the names. */
const OF_ROW = [
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
  'sessions.start_time',
  'sessions.summary',
  'sessions.homework',
  'sessions.currency',
  'sessions.status',
  'sessions.verified_by_tutor',
  'sessions.connection_id',
  'sessions.own_says',
  'sessions.other_says',
  'sessions.own_answer_note',
  'sessions.own_reply',
  'sessions.has_replied',
  'sessions.other_answer_note',
  'sessions.other_reply',
  'sessions.is_replied',
  'sessions.deletion_by',
  'sessions.asked_since',
  'sessions.reminders',
  'sessions.reminded_at',
  'sessions.is_foreign',
  'sessions.is_held',
  'sessions.created_at',
  'sessions.schedule_id',
  'sessions.occurrence_day',
] as const

function withNames(tx: Tx, workspaceId: RecordsId) {
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
    .select(OF_ROW)
    .select(['sessions.notes', 'sessions.is_read_only', 'sessions.own_version'])
    .select(['students.name as student_name', 'tutors.name as tutor_name'])
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
    currency: row.currency,
    subject: row.subject,
    start_time: wallClock(row.start_time),
    summary: row.summary,
    homework: row.homework,
    notes: row.notes,
    status: row.status,
    verified_by_tutor: row.verified_by_tutor,
    connection_id: row.connection_id,
    is_shared: row.connection_id !== null,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    ...disputeOf(row),
    deletion_asked_by: row.deletion_by,
    ...askedOf(row),
    is_read_only: row.is_read_only || row.is_foreign,
    is_held: row.is_held,
    schedule_id: row.schedule_id,
    occurrence_date: row.occurrence_day,
    created_at: row.created_at.toISOString(),
    version: row.own_version,
  }
}

/** The open dispute's note and the reply to it. If both sides dispute the session, uses the other side's note. */
function disputeOf(
  row: Pick<
    NamedRow,
    | 'own_says'
    | 'other_says'
    | 'own_answer_note'
    | 'other_answer_note'
    | 'own_reply'
    | 'other_reply'
    | 'has_replied'
    | 'is_replied'
  >,
): Pick<Session, 'dispute_note' | 'answer_note'> {
  if (row.other_says === 'disputed')
    return { dispute_note: row.other_answer_note, answer_note: row.has_replied ? row.own_reply : null }
  if (row.own_says === 'disputed')
    return { dispute_note: row.own_answer_note, answer_note: row.is_replied ? row.other_reply : null }
  return { dispute_note: null, answer_note: null }
}

/** More lessons than a tutor teaches in a year. Once these are answered, older ones appear. */
const MOST = 1000

/**
 * Shared sessions between two days, newest first. With isWaiting, only those waiting for this side's answer. If
 * `from` is omitted, includes later sessions that the other side asked to delete, because that can be answered
 * right away.
 * @param isLink true on the emailed page, where the other side has the name that it gave
 */
export async function listShared(
  tx: Tx,
  workspaceId: RecordsId,
  {
    from,
    to,
    isWaiting,
    isLink,
  }: { from?: CalendarDay; to: CalendarDay; isWaiting?: boolean; isLink?: boolean },
): Promise<SharedSession[]> {
  // Either side may be the one that sent an emailed link.
  const named = isLink
    ? sql<boolean>`workspaces.id = coalesce(connections.family_id, connections.practice_id)`
    : sql<boolean>`workspaces.id = connections.family_id`
  let query = withNames(tx, workspaceId)
    .leftJoin('connections', 'connections.id', 'sessions.connection_id')
    .leftJoin('workspaces', (join) => join.on(named))
    .select(['sessions.waits_for_you', 'workspaces.id as family', 'workspaces.owner_name'])
    .where('sessions.connection_id', 'is not', null)
    .where(from ? sql<boolean>`sessions.day <= ${to}` : answerableUntil(to))
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(MOST)
  if (from) query = query.where('sessions.day', '>=', from)
  if (isWaiting)
    query = query.where('sessions.waits_for_you', '=', true).where('sessions.is_read_only', '=', false)
  return (await query.execute()).map((row) => {
    const session = toSession(row)
    const isFamily = row.family === row.workspace_id
    return {
      id: session.id,
      connection_id: session.connection_id ?? '',
      other_name: isFamily ? session.tutor_name : plainName(row.owner_name, '') || null,
      student_name: session.student_name,
      date: session.date,
      duration: session.duration,
      rate: session.effective_rate,
      total_amount: session.total_amount,
      currency: row.currency,
      subject: session.subject,
      start_time: session.start_time,
      summary: session.summary,
      homework: session.homework,
      own_confirmation: session.own_confirmation,
      other_confirmation: session.other_confirmation,
      verified_by_tutor: session.verified_by_tutor,
      status: session.status,
      waits_for_you: row.waits_for_you,
      deletion_asked_by: session.deletion_asked_by,
      dispute_note: session.dispute_note,
      answer_note: session.answer_note,
      asked_at: session.asked_at,
      reminders: session.reminders,
      reminded_at: session.reminded_at,
      is_read_only: session.is_read_only,
      version: session.version,
    }
  })
}

/** A session's history, oldest first, as the given reader sees it. */
export async function readHistory(
  tx: Tx,
  reader: HistoryReader,
  sessionId: string,
): Promise<SessionHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'session', sessionId)
  return entries.map(({ facts: stored, currency, ...entry }) => {
    const facts = stored as {
      date: string
      minutes: Minutes
      // Left out for caregivers.
      rate_cents?: Cents | null
      total_cents?: Cents | null
      subject: string | null
      currency?: Currency
    }
    return {
      ...entry,
      date: facts.date,
      duration: hours(facts.minutes),
      currency: facts.currency ?? currency,
      rate: facts.rate_cents == null ? null : dollars(facts.rate_cents),
      total_amount: facts.total_cents == null ? null : dollars(facts.total_cents),
      subject: facts.subject,
    }
  })
}

/**
 * The sessions that count toward totals and balances. Sessions that were sent back, marked for deletion, or held
 * as possible duplicates don't count.
 */
export const COUNTS = sql<boolean>`(sessions.deletion_by is null and not sessions.is_held and sessions.status <> 'disputed')`

/**
 * How many sessions are waiting for this side's answer (in the given date range, and overall through today),
 * and how many that the other side sent back are still unanswered.
 */
interface WaitingCounts {
  ofDays: number
  untilToday: number
  sentBack: number
}

/** Counts the sessions that are waiting for this side's answer and those that were sent back to it. */
export async function countWaiting(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  today: CalendarDay,
): Promise<WaitingCounts> {
  const [counts] = await waitingCounted(tx, { workspaceId, from, today })
  if (!counts) throw new Error('a query of counts answers one row')
  return counts
}

interface Counted {
  workspaceId: WorkspaceId
  from: CalendarDay
  today: CalendarDay
}

const waitingCounted = fixed((tx, { workspaceId, from, today }: Counted) => {
  const waits = sql<boolean>`${answerableUntil(today)} and waits_for_you and not is_read_only`
  return (
    tx
      .selectFrom('sessions')
      .select([
        sql<number>`count(*) filter (where day >= ${from}::date and ${waits})`.as('ofDays'),
        sql<number>`count(*) filter (where ${waits})`.as('untilToday'),
        sql<number>`count(*) filter (where ${SENT_BACK})`.as('sentBack'),
      ])
      .where('workspace_id', '=', workspaceId)
      // Reads only shared sessions, so it looks them up by connection instead of by day.
      .where(sql<boolean>`connection_id in (select c.id from connections c)`)
      .compile()
  )
})
