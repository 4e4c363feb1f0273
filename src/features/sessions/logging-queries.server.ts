// SQL for logging lessons: what has to be known about one, and adding it.
import { type Insertable, sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { PairPrice } from '#features/prices/price.ts'
import { leaveToCommit, type Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { type ClassRef, saveNotes, type SessionRow, type Unrated } from './change-queries.server.ts'
import { type StoredWords, WORDS_FIELDS } from './lesson-words.ts'
import { OF_ROW, toSession } from './queries.server.ts'
import type { Session } from './session.ts'

/**
 * Adds a session and returns it with the given names. The database computes its amount. Returns undefined if
 * the class is already logged.
 */
export async function insertSession(
  tx: Tx,
  workspaceId: WorkspaceId,
  {
    notes,
    ...row
  }: Unrated & Partial<ClassRef> & { is_held?: boolean; connection_id?: string; makes_up?: string },
  names: { student_name: string; tutor_name: string },
): Promise<Session | undefined> {
  const [inserted] = await addSession(tx, { workspace_id: workspaceId, ...row })
  if (!inserted) return undefined
  // Saving notes increments this side's version.
  if (notes) leaveToCommit(saveNotes(tx, workspaceId, inserted.id, notes))
  const own_version = inserted.version + (notes ? 1 : 0)
  return toSession({ ...inserted, ...names, notes: notes || null, own_version, is_read_only: false })
}

/**
 * Says which make-up is paid for, for a session that a caregiver adds later in the transaction. Caregivers can't write
 * rates, so the database sets its rate to 0.
 */
export async function markPaidMakeUp(tx: Tx, id: string): Promise<void> {
  await sql`select set_config('app.paid_make_up', ${id}, true)`.execute(tx)
}

const addSession = fixed((tx, row: Insertable<Tables['sessions']>) =>
  tx
    .insertInto('sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'schedule_id', 'occurrence_day']).doNothing())
    .returning([...OF_ROW, 'sessions.version'])
    .compile(),
)

/** The columns that a new session fills in, other than those of a class. */
const WRITTEN = sql.join(
  [
    'student_id',
    'tutor_id',
    'day',
    'minutes',
    'rate_override_cents',
    'tutor_rate_cents',
    'lesson_price_cents',
    'lesson_price_minutes',
    'price_source',
    'price_since',
    'subject',
    'start_time',
    ...WORDS_FIELDS,
    'is_held',
  ].map((column) => sql.ref(column)),
)

/** Adds many sessions and returns their ids in the same order. None of them can be for a class. */
export async function insertSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: (SessionRow & { is_held: boolean })[],
): Promise<string[]> {
  if (rows.length === 0) return []
  // All rows are passed as a single parameter. One parameter per field would block the event loop for too
  // long.
  const lessons = JSON.stringify(rows.map(({ notes: _notes, ...row }) => row))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into sessions (workspace_id, ${WRITTEN}) select ${workspaceId}::uuid, ${WRITTEN}
    from json_populate_recordset(null::sessions, ${lessons}::json) returning id`.execute(tx)
  const noted = inserted.flatMap(({ id: session_id }, at) => {
    const text = rows[at]?.notes
    return text ? [{ workspace_id: workspaceId, session_id, text }] : []
  })
  if (noted.length > 0) await tx.insertInto('session_notes').values(noted).execute()
  return inserted.map((row) => row.id)
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
    .set({ chosen_connection_id: connectionId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', scheduleId)
    .execute()
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
export interface Theirs extends StoredWords {
  id: string
  connection_id: string
  student_id: string
  day: string
  minutes: Minutes
  /** HH:MM. */
  start: string | null
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
  /** Undefined if the person isn't on the list. Caregivers don't get the rate and the prices of the pair. */
  student: { name: string; rate: Cents | null; prices: PairPrice[] } | undefined
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
interface StoredTold {
  student: { name: string; rate: Cents | null; prices: PairPrice[] } | null
  tutor: { name: string; rate: Cents | null } | null
  planned: { rate: Cents | null; start: string | null; connection_id: string | null } | null
  connection_id: string | null
  theirs: StoredTheirs[]
}

/** The currency of a lesson: its family's if it's shared, otherwise the workspace's. */
export async function currencyOfLesson(
  tx: Tx,
  workspaceId: WorkspaceId,
  connectionId: string | undefined,
): Promise<Currency> {
  const { rows } = await sql<{ currency: Currency }>`
    select currency from workspaces where id = coalesce((select c.family_id from connections c where c.id = ${connectionId ?? null}::uuid),
      ${workspaceId})`.execute(tx)
  const [found] = rows
  if (!found) throw new Error('a lesson without a currency')
  return found.currency
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
