// SQL for changing sessions: locking, updating and deleting them.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import type { Cents } from '#kernel/money.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { LockedEntry, OwnChanges } from '#features/agreements/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import { type LessonWords, WORDS_FIELDS, type WordsField } from './lesson-words.ts'
import type { SessionDay } from './session.ts'
import type { DefaultPrice } from './session-price.ts'

/** The columns of the default price that both sides read. */
const PRICE_COLUMNS = ['tutor_rate_cents', 'lesson_price_cents', 'lesson_price_minutes'] as const

/** A session as stored, in minutes and cents. */
export interface SessionRow extends LessonWords, DefaultPrice {
  student_id: string | null
  tutor_id: string | null
  day: SessionDay
  minutes: Minutes
  rate_override_cents: Cents | null
  subject: string | null
  /** HH:MM. */
  start_time?: string | null
  notes: string | null
}

/**
 * A session without rates. The database fills them in, because the person logging the session isn't allowed
 * to see them.
 */
export type Unrated = Omit<SessionRow, 'rate_override_cents' | keyof DefaultPrice> &
  Partial<Pick<SessionRow, 'rate_override_cents' | keyof DefaultPrice>>

/** The schedule and class that a session is logged for. */
export interface ClassRef {
  schedule_id: string
  occurrence_day: CalendarDay
}

/** The session fields that the commands check. */
export type LockedSession = Required<Omit<SessionRow, 'notes'>> &
  LockedEntry & {
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
      ...PRICE_COLUMNS,
      'price_source',
      'price_since',
      'subject',
      'start_time',
      ...WORDS_FIELDS,
      'connection_id',
      'facts_version',
      'other_took_part',
    ])
    .select([
      'own_says',
      'other_says',
      'waits_for_you',
      'own_answer_note',
      'own_proposal',
      'other_proposal',
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
  Pick<LockedSession, 'day' | 'minutes' | 'rate_override_cents' | (typeof PRICE_COLUMNS)[number] | WordsField>

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
    .select(['key', 'connection_id', 'day', 'facts_version', ...WORDS_FIELDS])
    .select(['minutes', 'rate_override_cents', ...PRICE_COLUMNS, 'own_proposal', 'other_proposal'])
    .select(['own_says', 'own_answer_note', 'other_says', 'waits_for_you', 'other_took_part', 'deletion_by'])
    .select(['is_read_only', 'own_version as version'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .compile(),
)

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
