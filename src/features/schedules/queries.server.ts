// SQL for schedules, canceled and moved classes, and calendar feeds.
import { type Insertable, sql } from 'kysely'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import { lessonsAround } from '#features/sessions/queries.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import type { Principal } from '#features/access/db.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { isRemoval } from '#features/agreements/answer.ts'
import {
  type HistoryReader,
  holdSharing,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import type { NumberedChange } from './calendar.server.ts'
import {
  type Change,
  type ListedClass,
  type LoggedClass,
  occurrencesBetween,
  remembering,
  withLog,
  withQuestions,
  ZONE_DAYS,
} from './occurrence.ts'
import { listClassQuestions } from './change-queries.server.ts'
import type { Frequency } from './recurrence.ts'
import type { RuleFacts } from './proposal-text.ts'
import type { Schedule, ScheduleHistoryEntry } from './schedule.ts'
import { onDaysOf } from './zones.server.ts'

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
  time_zone: string | null
  is_active: boolean
}

/** The rule of a schedule, with the names that a proposal has. */
export type ProposedRule = Pick<
  ScheduleRow,
  | 'start_day'
  | 'day_of_week'
  | 'start_time'
  | 'minutes'
  | 'frequency'
  | 'custom_interval_days'
  | 'end_day'
  | 'time_zone'
  | 'is_active'
> & { rate_cents: Cents | null }

/** A schedule as the commands see it while it's locked. */
export type LockedSchedule = ScheduleRow & LockedEntry & { notes: string | null }

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
  'time_zone',
  'is_active',
] as const

const AGREED = [
  'key',
  'connection_id',
  'facts_version',
  'own_says',
  'own_answer_note',
  'own_proposal',
  'other_says',
  'other_proposal',
  'waits_for_you',
  'other_took_part',
  'deletion_by',
  'is_read_only',
  'own_version as version',
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
  workspaceId: RecordsId,
  id: string,
): Promise<Schedule | undefined> {
  const row = await withNames(tx, workspaceId).where('schedules.id', '=', id).executeTakeFirst()
  return row && toSchedule(row)
}

export async function lockSchedule(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedSchedule | undefined> {
  await holdSharing(tx)
  const own = tx.selectFrom('schedules').where('workspace_id', '=', workspaceId).where('id', '=', id)
  await own.select('key').forUpdate().execute()
  const row = await own
    .select([...COLUMNS, ...AGREED, 'notes'])
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row as LockedSchedule | undefined
}

export type NewSchedule = Omit<Insertable<Tables['schedules']>, 'workspace_id'> & {
  notes?: string | null
}

/**
 * Adds schedules and returns their ids, or undefined if there would be more than `most`. Concurrent calls
 * can't exceed the limit (promise I17).
 */
export async function insertSchedules(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: readonly NewSchedule[],
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
    .values(rows.map(({ notes: _notes, ...row }) => ({ workspace_id: workspaceId, ...row })))
    .returning('id')
    .execute()
  const ids = added.map(({ id }) => id)
  for (const [at, id] of ids.entries()) {
    const text = rows[at]?.notes
    if (text) await saveNotes(tx, workspaceId, id, text)
  }
  return ids
}

/** Saves this side's notes about a schedule. The other side never gets them. */
export async function saveNotes(
  tx: Tx,
  workspaceId: WorkspaceId,
  scheduleId: string,
  notes: string | null,
): Promise<void> {
  const text = notes ?? ''
  await tx
    .insertInto('schedule_notes')
    .values({ workspace_id: workspaceId, schedule_id: scheduleId, text })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'schedule_id'])
        .doUpdateSet({ text, version: sql`schedule_notes.version + 1`, updated_at: sql`now()` }),
    )
    .execute()
}

/** Updates a locked schedule. */
export async function updateSchedule(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  changes: Partial<ScheduleRow> & OwnChanges,
): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Marks a locked schedule of this side alone as deleted. */
export async function deleteSchedule(tx: Tx, workspaceId: RecordsId, id: string): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ deleted_at: sql`now()`, version: sql`version + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Ends a shared schedule: it's deleted here, and the other side has no classes from today on. */
export async function endSchedule(tx: Tx, id: string, today: CalendarDay): Promise<void> {
  await sql`select end_schedule(${id}::uuid, ${today}::date)`.execute(tx)
}

/** Keeps a schedule that the other side ended, or lets it go. Returns false if it didn't end it. */
export async function answerEnding(tx: Tx, id: string, keeps: boolean): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select answer_ending(${id}::uuid, ${keeps}) as done`.execute(
    tx,
  )
  return rows[0]?.done ?? false
}

/** Canceled and moved classes whose planned day or new day is in the range. */
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

const CHANGE_COLUMNS = ['schedule_id', 'day', 'outcome', 'outcome_by', 'outcome_at'] as const
/** Where a class is. A move that the other side hasn't agreed to doesn't count. */
const HELD = [
  sql<CalendarDay | null>`case when holds then moved_to end`.as('moved_to'),
  sql<string | null>`case when holds then start_time end`.as('start_time'),
] as const

const changesBetween = fixed((tx, { workspaceId, from, to }: Days) =>
  tx
    .selectFrom('schedule_changes')
    .select(CHANGE_COLUMNS)
    .select(HELD)
    .where('workspace_id', '=', workspaceId)
    .where(({ eb, or, and }) =>
      or([
        and([eb('day', '>=', from), eb('day', '<=', to)]),
        and([eb('moved_to', '>=', from), eb('moved_to', '<=', to)]),
      ]),
    )
    .compile(),
)

/** All moved and canceled classes, each with a number that rises when the class changes. */
export async function listNumberedChanges(tx: Tx, workspaceId: WorkspaceId): Promise<NumberedChange[]> {
  const rows = await tx
    .selectFrom('schedule_changes')
    .select(CHANGE_COLUMNS)
    .select(HELD)
    .select('version as number')
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.map((row) => ({ ...row, start_time: wallClock(row.start_time) }) as NumberedChange)
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
            .where('moved.holds', '=', true)
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
 * The workspace's classes on an account's days, with logged ones marked. Planned classes include the previous
 * lesson's summary and homework.
 */
export async function listOccurrences(
  tx: Tx,
  { workspaceId, accountId }: Membership,
  firstDay: CalendarDay,
  lastDay: CalendarDay,
): Promise<ListedClass[]> {
  // Where a class takes place it may be another day than for the reader.
  const [from, to] = [addDays(firstDay, -ZONE_DAYS), addDays(lastDay, ZONE_DAYS)]
  // All queries go out together in a single round trip.
  const [zone, schedules, changes, logged, lessons, questions, closed] = await Promise.all([
    readTimeZone(tx, accountId),
    listSchedules(tx, workspaceId),
    listChanges(tx, workspaceId, from, to),
    loggedClasses(tx, workspaceId, from, to),
    lessonsAround(tx, workspaceId, from, to),
    listClassQuestions(tx, workspaceId),
    closedMonths(tx, from, to),
  ])
  const classes = withQuestions(occurrencesBetween(schedules, changes, from, to), questions)
  return onDaysOf(zone, remembering(withLog(classes, logged), lessons), firstDay, lastDay).map((one) => ({
    ...one,
    is_in_closed_month: closed.has(`${one.schedule_id} ${one.date.slice(0, 7)}`),
  }))
}

/** The months of schedules that are closed between both sides, as 'id month'. */
async function closedMonths(tx: Tx, from: CalendarDay, to: CalendarDay): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ schedule_id: string; month: string }>`
    select schedule_id, month from closed_classes(${monthOf(from)}, ${monthOf(to)})`.execute(tx)
  return new Set(rows.map(({ schedule_id: id, month }) => `${id} ${month}`))
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

function withNames(tx: Tx, workspaceId: RecordsId) {
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
      'schedules.meant_connection_id as connection_id',
      'schedules.notes',
      'schedules.own_version as version',
      'schedules.feed_id',
      'schedules.left_on',
      'schedules.own_says',
      'schedules.own_proposal',
      'schedules.other_proposal',
      'schedules.asked_since',
      'schedules.waits_for_you',
    ])
    .select(({ eb }) => [
      eb('schedules.connection_id', 'is not', null).$castTo<boolean>().as('is_shared'),
      'students.name as student_name',
      'tutors.name as tutor_name',
    ])
    .where('schedules.workspace_id', '=', workspaceId)
    .where('schedules.deleted_at', 'is', null)
}

type StoredSchedule = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]

function toSchedule(stored: StoredSchedule): Schedule {
  const {
    own_proposal: _own,
    other_proposal: _other,
    asked_since: _asked,
    waits_for_you: _waits,
    own_says: _says,
    ...row
  } = stored
  const { minutes, hourly_rate_cents: rate, start_day: start, end_day: end, left_on: left, ...shown } = row
  return {
    ...shown,
    start_time: row.start_time.slice(0, 5),
    duration: hours(minutes as Minutes),
    hourly_rate: rate === null ? null : dollars(rate as Cents),
    frequency: row.frequency as Frequency,
    start_date: start,
    end_date: end,
    yours: null,
    ended_by_other: left,
    proposal: proposalOf(stored),
  }
}

/** The rule that a side proposes, if the question is open or its proposer hasn't seen that it was declined. */
function proposalOf(row: StoredSchedule): Schedule['proposal'] {
  const by = row.waits_for_you ? 'other' : row.own_says === 'disputed' ? 'you' : undefined
  const proposed = by && (by === 'other' ? row.other_proposal : row.own_proposal)
  if (!by || !proposed || isRemoval(proposed)) return null
  const isDeclined = by === 'you' && row.asked_since === null
  return { by, is_declined: isDeclined, ...shownRule(proposed as ProposedRule) }
}

/** A rule as responses show it. */
export function shownRule(rule: ProposedRule): RuleFacts {
  return {
    day_of_week: rule.day_of_week,
    start_time: rule.start_time.slice(0, 5),
    duration: hours(rule.minutes),
    hourly_rate: rule.rate_cents === null ? null : dollars(rule.rate_cents),
    frequency: rule.frequency,
    custom_interval_days: rule.custom_interval_days,
    start_date: rule.start_day,
    end_date: rule.end_day,
    time_zone: rule.time_zone,
    yours: null,
    is_active: rule.is_active,
  }
}

/** A schedule's history, oldest first, as the given reader sees it. */
export async function readScheduleHistory(
  tx: Tx,
  reader: HistoryReader,
  id: string,
): Promise<ScheduleHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'schedule', id)
  return entries.map(({ facts: stored, ...entry }) => {
    const { subject, currency, ...rule } = stored as Partial<ProposedRule> &
      Omit<ProposedRule, 'rate_cents' | 'time_zone'> &
      Pick<ScheduleHistoryEntry, 'subject' | 'currency'>
    // To a caregiver, nobody tells the rate; earlier entries know no time zone.
    const { rate_cents = null, time_zone = null } = rule
    return { ...entry, subject, currency, rule: shownRule({ ...rule, rate_cents, time_zone }) }
  })
}
