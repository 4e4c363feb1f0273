// SQL for the dashboard: counts, flags and the month's amounts, all within one workspace.
import { type RawBuilder, sql } from 'kysely'
import type { Standing } from '#features/agreements/answer.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import type { PairPrice } from '#features/prices/price.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Dashboard } from './dashboard.ts'

type Counts = Omit<
  Dashboard,
  | 'month_amounts'
  | 'months_asked'
  | 'recent_sessions'
  | 'due'
  | 'today'
  | 'upcoming'
  | `sessions_${'to_confirm' | 'waiting' | 'sent_back'}`
>

interface MonthOf {
  workspaceId: WorkspaceId
  from: string
  to: string
}

/**
 * Session totals for a date range, by status and currency. The database refuses to return them to members
 * who can't see amounts.
 */
export const readMonthAmounts = fixed((tx, { workspaceId, from, to }: MonthOf) =>
  sql<{ standing: Standing; currency: Currency; sessions: number; amount: Cents }>`
    select standing, sessions.currency, count(*) as sessions, coalesce(sum(sessions.total_cents), 0)::bigint as amount
    from sessions where workspace_id = ${workspaceId} and day between ${from}::date and ${to}::date and not is_held
    group by 1, 2 order by 1, 2`.compile(tx),
)

/** What determines the amount of a schedule's classes, and the currency it's in. */
interface ScheduleRates {
  schedule_id: string
  schedule: Cents | null
  student: Cents | null
  tutor: Cents | null
  prices: PairPrice[]
  currency: Currency
}

/**
 * The rates of a practice's active schedules. The database refuses to return them to members who can't see
 * amounts.
 */
export const readScheduleRates = fixed(
  (tx, { workspaceId, day }: { workspaceId: WorkspaceId; day: string }) =>
    sql<ScheduleRates>`
    select c.id as schedule_id, c.hourly_rate_cents as schedule, s.hourly_rate_cents as student, t.hourly_rate_cents as tutor,
      prices_of(c.workspace_id, c.student_id, c.tutor_id) as prices, coalesce(family.currency, own.currency) as currency
    from schedules c
      join workspaces own on own.id = c.workspace_id
      join students s on s.workspace_id = c.workspace_id and s.id = c.student_id
      join tutors t on t.workspace_id = c.workspace_id and t.id = c.tutor_id
      left join connections link on link.id = shared_connection(c.student_id, c.tutor_id, c.meant_connection_id)
      left join workspaces family on family.id = link.family_id
    where c.workspace_id = ${workspaceId} and c.is_active and c.deleted_at is null
      and not is_covered_by_fee(link.id, ${day}::date)`.compile(tx),
)

/** Amounts of the sessions on a day or logged for one of its classes, by session. Those held as possible doubles have none. */
export const readAmountsOfDay = fixed((tx, { workspaceId, day }: { workspaceId: WorkspaceId; day: string }) =>
  sql<{ id: string; amount: Cents | null; currency: Currency }>`
    select id, case when not is_held then total_cents end as amount, currency from sessions
    where workspace_id = ${workspaceId} and (day = ${day}::date or occurrence_day = ${day}::date)`.compile(
    tx,
  ),
)

/**
 * A workspace's counts and flags as one member sees them, in a single query.
 * @param comparesPairs whether the member may compare what both sides logged
 */
export async function readCounts(tx: Tx, asked: Counting, comparesPairs: boolean): Promise<Counts> {
  const [counts] = await (comparesPairs ? countsWithPairs : countsWithoutPairs)(tx, asked)
  if (!counts) throw new Error('a query of counts answers one row')
  return counts
}

const countsWithPairs = fixed((tx, values: Counting) =>
  countsOf(tx, values, sql`(select count(*) from session_pairs)`),
)
const countsWithoutPairs = fixed((tx, values: Counting) => countsOf(tx, values, sql`0`))

/** What this side proposed about a schedule and the other side declined, which it hasn't acknowledged. */
const TOLD = sql`(connection_id is not null and own_says = 'disputed' and own_proposal is not null and asked_since is null)`

type Counting = MonthOf & { accountId: string }

function countsOf(tx: Tx, { accountId, workspaceId, from, to }: Counting, pairs: RawBuilder<unknown>) {
  return sql<Counts>`select
    (select count(*) from students where workspace_id = ${workspaceId} and archived_at is null) as total_students,
    (select count(*) from tutors where workspace_id = ${workspaceId} and archived_at is null) as active_tutors,
    (select count(*) from schedules where workspace_id = ${workspaceId} and is_active and deleted_at is null) as active_schedules,
    (select count(*) from sessions where workspace_id = ${workspaceId}
        and day between ${from}::date and ${to}::date and not is_held) as sessions_this_month,
    ${pairs} as session_pairs,
    (select count(*) from schedules where workspace_id = ${workspaceId} and connection_id is not null and waits_for_you)
      + (select count(*) from schedule_changes where workspace_id = ${workspaceId} and connection_id is not null and waits_for_you)
      + (select count(*) from schedules where workspace_id = ${workspaceId} and deleted_at is null and (left_on is not null or ${TOLD}))
      + (select count(*) from schedule_changes where workspace_id = ${workspaceId} and ${TOLD})
      + (select count(*) from list_schedule_offers(current_date) where state in ('waits', 'twin', 'declined'))
      as schedule_questions,
    exists (select from tutors where workspace_id = ${workspaceId} and is_self and hourly_rate_cents is null) as needs_rate,
    exists (select from sessions where workspace_id = ${workspaceId}) as has_sessions,
    exists (select from schedules where workspace_id = ${workspaceId} and deleted_at is null) as has_schedules,
    exists (select from sessions where workspace_id = ${workspaceId} and verified_by_tutor) as has_verified_sessions,
    exists (select from members where workspace_id = ${workspaceId} and account_id = ${accountId}
        and onboarding_dismissed_at is not null) as onboarding_dismissed`.compile(tx)
}
