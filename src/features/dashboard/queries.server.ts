// SQL for the dashboard: counts, flags and the month's amounts, all within one workspace.
import { type RawBuilder, sql } from 'kysely'
import type { Standing } from '#features/agreements/answer.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Dashboard } from './dashboard.ts'

type Counts = Omit<
  Dashboard,
  | 'month_amounts'
  | 'months_asked'
  | 'recent_sessions'
  | 'due'
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

type Counting = MonthOf & { accountId: string }

function countsOf(tx: Tx, { accountId, workspaceId, from, to }: Counting, pairs: RawBuilder<unknown>) {
  return sql<Counts>`select
    (select count(*) from students where workspace_id = ${workspaceId} and archived_at is null) as total_students,
    (select count(*) from tutors where workspace_id = ${workspaceId} and archived_at is null) as active_tutors,
    (select count(*) from schedules where workspace_id = ${workspaceId} and is_active and deleted_at is null) as active_schedules,
    (select count(*) from sessions where workspace_id = ${workspaceId}
        and day between ${from}::date and ${to}::date and not is_held) as sessions_this_month,
    ${pairs} as session_pairs,
    exists (select from tutors where workspace_id = ${workspaceId} and is_self and hourly_rate_cents is null) as needs_rate,
    exists (select from sessions where workspace_id = ${workspaceId}) as has_sessions,
    exists (select from schedules where workspace_id = ${workspaceId} and deleted_at is null) as has_schedules,
    exists (select from sessions where workspace_id = ${workspaceId} and verified_by_tutor) as has_verified_sessions,
    exists (select from members where workspace_id = ${workspaceId} and account_id = ${accountId}
        and onboarding_dismissed_at is not null) as onboarding_dismissed`.compile(tx)
}
