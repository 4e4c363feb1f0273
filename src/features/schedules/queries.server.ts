// SQL for schedules, skipped and moved classes, and calendar feeds.
import { type Insertable, sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import { lessonsAround } from '#features/sessions/queries.server.ts'
import type { Principal } from '#features/access/db.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import {
  type Change,
  type LoggedClass,
  type Occurrence,
  occurrencesBetween,
  remembering,
  withLog,
} from './occurrence.ts'
import type { Frequency } from './recurrence.ts'
import type { Schedule } from './schedule.ts'

/** A schedule as stored, in minutes and cents. */
export interface ScheduleRow {
  student_id: string | null
  tutor_id: string | null
  subject: string | null
  day_of_week: number
  start_time: string
  minutes: Minutes
  hourly_rate_cents: Cents | null
  frequency: Frequency
  custom_interval_days: number | null
  start_day: CalendarDay
  end_day: CalendarDay | null
  is_active: boolean
  notes: string | null
}

const COLUMNS = [
  'student_id',
  'tutor_id',
  'subject',
  'day_of_week',
  'start_time',
  'minutes',
  'hourly_rate_cents',
  'frequency',
  'custom_interval_days',
  'start_day',
  'end_day',
  'is_active',
  'notes',
  'version',
] as const

/** The workspace's schedules, latest start first. */
export async function listSchedules(tx: Tx, workspaceId: WorkspaceId): Promise<Schedule[]> {
  return (await allSchedules(tx, { workspaceId })).map(toSchedule)
}

const allSchedules = fixed((tx, { workspaceId }: { workspaceId: WorkspaceId }) =>
  withNames(tx, workspaceId).orderBy('schedules.start_day', 'desc').orderBy('schedules.id', 'desc').compile(),
)

export async function readSchedule(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Schedule | undefined> {
  const row = await withNames(tx, workspaceId).where('schedules.id', '=', id).executeTakeFirst()
  return row && toSchedule(row)
}

export async function lockSchedule(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<(ScheduleRow & { version: number }) | undefined> {
  const row = await tx
    .selectFrom('schedules')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row as (ScheduleRow & { version: number }) | undefined
}

/**
 * Adds schedules and returns their ids, or undefined if there would be more than `most`. Concurrent calls
 * can't exceed the limit (promise I17).
 */
export async function insertSchedules(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: readonly Omit<Insertable<Tables['schedules']>, 'workspace_id'>[],
  most: number,
): Promise<string[] | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`schedules:${workspaceId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('schedules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count + rows.length > most) return undefined
  const added = await tx
    .insertInto('schedules')
    .values(rows.map((row) => ({ workspace_id: workspaceId, ...row })))
    .returning('id')
    .execute()
  return added.map(({ id }) => id)
}

/** Updates a locked schedule. */
export async function updateSchedule(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  changes: Partial<ScheduleRow>,
): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Marks a schedule as deleted. Returns false if there isn't one with this id and version. */
export async function deleteSchedule(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  let deletion = tx
    .updateTable('schedules')
    .set({ deleted_at: sql`now()`, version: sql`version + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** Skipped and moved classes whose planned day or new day is in the range. */
export async function listChanges(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Change[]> {
  const rows = await changesBetween(tx, { workspaceId, from, to })
  return rows.map((row) => ({ ...row, start_time: row.start_time?.slice(0, 5) ?? null }) as Change)
}

interface Days {
  workspaceId: WorkspaceId
  from: CalendarDay
  to: CalendarDay
}

const changesBetween = fixed((tx, { workspaceId, from, to }: Days) =>
  tx
    .selectFrom('schedule_changes')
    .select(['schedule_id', 'day', 'moved_to', 'start_time'])
    .where('workspace_id', '=', workspaceId)
    .where(({ eb, or, and }) =>
      or([
        and([eb('day', '>=', from), eb('day', '<=', to)]),
        and([eb('moved_to', '>=', from), eb('moved_to', '<=', to)]),
      ]),
    )
    .compile(),
)

/** Skips or moves one class. */
export async function saveChange(
  tx: Tx,
  workspaceId: WorkspaceId,
  { schedule_id, day, moved_to, start_time }: Change,
): Promise<void> {
  await tx
    .insertInto('schedule_changes')
    .values({ workspace_id: workspaceId, schedule_id, day, moved_to, start_time })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'schedule_id', 'day'])
        .doUpdateSet({ moved_to, start_time, version: sql`schedule_changes.version + 1` }),
    )
    .execute()
}

/** Undoes skipping or moving a class. */
export async function forgetChange(
  tx: Tx,
  workspaceId: WorkspaceId,
  scheduleId: string,
  day: CalendarDay,
): Promise<void> {
  await tx
    .deleteFrom('schedule_changes')
    .where('workspace_id', '=', workspaceId)
    .where('schedule_id', '=', scheduleId)
    .where('day', '=', day)
    .execute()
}

/**
 * Sessions that may match classes in a date range: all sessions on those days, plus sessions linked to a
 * class on one of those days.
 */
export async function loggedClasses(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<LoggedClass[]> {
  const rows = await classesBetween(tx, { workspaceId, from, to })
  return rows.map((row) => ({ ...row, start_time: wallClock(row.start_time) }) as LoggedClass)
}

const classesBetween = fixed((tx, { workspaceId, from, to }: Days) => {
  const columns = [
    'id',
    'schedule_id',
    'occurrence_day',
    'student_id',
    'tutor_id',
    'day',
    'start_time',
  ] as const
  const sessions = tx.selectFrom('sessions').select(columns).where('workspace_id', '=', workspaceId)
  const onTheDays = sessions.where('day', '>=', from).where('day', '<=', to)
  const ofTheDays = sessions
    .where('schedule_id', 'is not', null)
    .where(({ eb, or, and, exists, selectFrom }) =>
      or([
        and([eb('occurrence_day', '>=', from), eb('occurrence_day', '<=', to)]),
        exists(
          selectFrom('schedule_changes as moved')
            .select('moved.id')
            .where('moved.workspace_id', '=', workspaceId)
            .whereRef('moved.schedule_id', '=', 'sessions.schedule_id')
            .whereRef('moved.day', '=', 'sessions.occurrence_day')
            .where('moved.moved_to', '>=', from)
            .where('moved.moved_to', '<=', to),
        ),
      ]),
    )
  return onTheDays.union(ofTheDays).compile()
})

/**
 * The workspace's classes in a date range, with logged ones marked. Planned classes include the previous
 * lesson's summary and homework.
 */
export async function listOccurrences(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Occurrence[]> {
  // All queries go out together in a single round trip.
  const [schedules, changes, logged, lessons] = await Promise.all([
    listSchedules(tx, workspaceId),
    listChanges(tx, workspaceId, from, to),
    loggedClasses(tx, workspaceId, from, to),
    lessonsAround(tx, workspaceId, from, to),
  ])
  return remembering(withLog(occurrencesBetween(schedules, changes, from, to), logged), lessons)
}

/**
 * A calendar feed belongs to a membership. It shows what that member is allowed to see and stops working when
 * the membership ends.
 */
interface Membership {
  accountId: string
  workspaceId: WorkspaceId
}

/** Stores the hash of a new calendar URL, replacing the previous one. */
export async function saveFeed(
  tx: Tx,
  { accountId, workspaceId }: Membership,
  tokenHash: Buffer,
): Promise<void> {
  await tx
    .insertInto('calendar_feeds')
    .values({ workspace_id: workspaceId, account_id: accountId, token_hash: tokenHash })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'account_id']).doUpdateSet({
        token_hash: tokenHash,
        version: sql`calendar_feeds.version + 1`,
        created_at: sql`now()`,
      }),
    )
    .execute()
}

/** When the calendar URL was created; undefined if there isn't one. */
export async function readFeed(tx: Tx, { accountId, workspaceId }: Membership): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('calendar_feeds')
    .select('created_at')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.created_at
}

export async function deleteFeed(tx: Tx, { accountId, workspaceId }: Membership): Promise<void> {
  await tx
    .deleteFrom('calendar_feeds')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

/**
 * Runs as the system. Finds the member that a calendar URL belongs to. Undefined if the URL is unknown or the
 * account is disabled or deleted.
 */
export async function ownerOfFeed(tx: Tx, tokenHash: Buffer): Promise<Required<Principal> | undefined> {
  const row = await tx
    .selectFrom('calendar_feeds')
    .innerJoin('users', 'users.id', 'calendar_feeds.account_id')
    .innerJoin('workspaces', 'workspaces.id', 'calendar_feeds.workspace_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'calendar_feeds.workspace_id')
        .onRef('members.account_id', '=', 'calendar_feeds.account_id'),
    )
    .select(['calendar_feeds.account_id', 'workspaces.id', 'kind', 'role'])
    .where('token_hash', '=', tokenHash)
    .where('users.disabled_at', 'is', null)
    .where('users.deletion_asked_at', 'is', null)
    .executeTakeFirst()
  return row && { accountId: row.account_id, workspace: { id: row.id, kind: row.kind, role: row.role } }
}

function withNames(tx: Tx, workspaceId: WorkspaceId) {
  return tx
    .selectFrom('schedules')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'schedules.workspace_id')
        .onRef('students.id', '=', 'schedules.student_id'),
    )
    .leftJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'schedules.workspace_id')
        .onRef('tutors.id', '=', 'schedules.tutor_id'),
    )
    .select([
      ...COLUMNS.map((column) => `schedules.${column}` as const),
      'schedules.id',
      'schedules.workspace_id as created_by_user_id',
      'schedules.timezone',
      'schedules.connection_id',
      'students.name as student_name',
      'tutors.name as tutor_name',
    ])
    .where('schedules.workspace_id', '=', workspaceId)
    .where('schedules.deleted_at', 'is', null)
}

function toSchedule({
  minutes,
  hourly_rate_cents: rate,
  start_day: start,
  end_day: end,
  ...row
}: Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]): Schedule {
  return {
    ...row,
    start_time: row.start_time.slice(0, 5),
    duration: hours(minutes as Minutes),
    hourly_rate: rate === null ? null : dollars(rate as Cents),
    frequency: row.frequency as Frequency,
    start_date: start,
    end_date: end,
  }
}
