// SQL for the summary: a workspace's session totals for a date range, calculated by the database.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Portion } from './summary.ts'

/**
 * Reads the same totals for one month in a single statement (docs/decisions/0022-reads-in-one-statement.md).
 */
export const PORTIONS_AT_ONCE = 'select read_portions_of_month($1, $2, $3, $4, $5, $6) as answer'

/**
 * Totals for a date range of at most a month or twelve months, grouped by tutor, student, standing, and week
 * of the month (or month of the year). Can be limited to one person.
 */
export async function monthPortions(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
  by: 'week' | 'month' = 'week',
  person?: Partial<Record<'student_id' | 'tutor_id', string>>,
): Promise<Portion[]> {
  const part =
    by === 'week'
      ? sql<number>`((extract(day from sessions.day)::int - 1) / 7)`
      : sql<number>`(extract(month from sessions.day)::int - 1)`
  let query = tx
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
      'sessions.tutor_id',
      'tutors.name as tutor_name',
      'sessions.student_id',
      'students.name as student_name',
      'sessions.standing',
    ])
    .select(
      sql<Currency | null>`nullif(sessions.currency, (select w.currency from workspaces w where w.id = ${workspaceId}))`.as(
        'other_currency',
      ),
    )
    .select(({ fn }) => [
      part.as('part'),
      fn.countAll<number>().as('sessions'),
      fn.sum<number>('sessions.minutes').as('minutes'),
      sql<number>`coalesce(sum(sessions.total_cents), 0)::bigint`.as('amount_cents'),
    ])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.day', '>=', from)
    .where('sessions.day', '<=', to)
    .where('sessions.is_held', '=', false)
    .groupBy([
      'sessions.tutor_id',
      'tutors.name',
      'sessions.student_id',
      'students.name',
      'standing',
      'other_currency',
      part,
    ])
  if (person?.student_id) query = query.where('sessions.student_id', '=', person.student_id)
  if (person?.tutor_id) query = query.where('sessions.tutor_id', '=', person.tutor_id)
  return query.execute()
}
