// SQL for what make-ups follow from: terms, missed classes, and the sessions that make up for one.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type GivenMakeUp, isOwedOn, makeUpsOf, type MissedClass, type TermsVersion } from './make-ups.ts'

/** All make-ups that this side's missed classes brought. */
export async function givenMakeUps(tx: Tx, workspaceId: WorkspaceId): Promise<GivenMakeUp[]> {
  // In one round trip.
  const [versions, missed, sessions] = await Promise.all([
    tx
      .selectFrom('terms')
      .select(['connection_id', 'student_id', 'tutor_id', 'applies_from', 'ended_on', 'rules'])
      .select(['own_says as own_confirmation', 'other_says as other_confirmation'])
      .where('workspace_id', '=', workspaceId)
      .where('applies_from', 'is not', null)
      .orderBy('key', 'desc')
      .execute(),
    tx
      .selectFrom('schedule_changes as c')
      .innerJoin('schedules as s', (join) =>
        join.onRef('s.id', '=', 'c.schedule_id').onRef('s.workspace_id', '=', 'c.workspace_id'),
      )
      .leftJoin('students', (join) =>
        join.onRef('students.id', '=', 'c.student_id').onRef('students.workspace_id', '=', 'c.workspace_id'),
      )
      .leftJoin('tutors', (join) =>
        join.onRef('tutors.id', '=', 'c.tutor_id').onRef('tutors.workspace_id', '=', 'c.workspace_id'),
      )
      .select(['students.name as student_name', 'tutors.name as tutor_name'])
      .select([
        'c.id',
        'c.connection_id',
        'c.student_id',
        'c.tutor_id',
        'c.currency',
        'c.outcome',
        'c.uses_free',
      ])
      .select(sql<CalendarDay>`coalesce(case when c.holds then c.moved_to end, c.day)`.as('day'))
      .where('c.workspace_id', '=', workspaceId)
      .where('c.outcome', 'is not', null)
      .where('s.deleted_at', 'is', null)
      // A class after the schedule's last day was never to take place.
      .where(sql<boolean>`c.day <= coalesce(s.end_day, c.day)`)
      .execute(),
    tx
      .selectFrom('sessions')
      .select(['makes_up', 'day'])
      .where('workspace_id', '=', workspaceId)
      .where('makes_up', 'is not', null)
      .execute(),
  ])
  const used = new Map(sessions.map(({ makes_up: id, day }) => [id ?? '', day as CalendarDay]))
  return makeUpsOf(versions as TermsVersion[], missed as MissedClass[], used)
}

/**
 * The make-up with this class's id, if it's owed to these people on this day. Nobody else can use it until the
 * transaction ends.
 */
export async function lockMakeUp(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  {
    day,
    ...whose
  }: { day: CalendarDay } & Record<'student_id' | 'tutor_id' | 'connection_id', string | null>,
): Promise<GivenMakeUp | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`make-up:${id}`}, 0))`.execute(tx)
  return (await givenMakeUps(tx, workspaceId)).find(
    (one) =>
      one.id === id &&
      one.student_id === whose.student_id &&
      one.tutor_id === whose.tutor_id &&
      one.connection_id === whose.connection_id &&
      isOwedOn(one, day),
  )
}

/** Today by the calendar of each connection's terms; without a connection, by this side's own. */
export async function daysOfTerms(tx: Tx, now: Date): Promise<(connection: string | null) => CalendarDay> {
  const { rows } = await sql<{ id: string | null; today: CalendarDay }>`
    select id, day_of_terms(id, ${now}) as today from (select id from connections union all select null) c`.execute(
    tx,
  )
  const days = new Map(rows.map(({ id, today }) => [id, today]))
  return (connection) => days.get(connection) ?? days.get(null) ?? ('' as CalendarDay)
}
