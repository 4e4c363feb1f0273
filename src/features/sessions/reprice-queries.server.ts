// SQL for giving logged sessions a corrected rate.
import { type RawBuilder, sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { Seen } from '#features/agreements/commands.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { PricedSession } from './reprice.ts'

/** A tutor, or a tutor's student, whose rate changed. */
export interface RatedPerson {
  person: 'tutor' | 'student'
  person_id: string
}

/** A person's sessions since a day, the oldest first. Reads only those days (sessions_of_…_by_day). */
export async function pricedSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  { since, ...person }: RatedPerson & { since: CalendarDay },
  limit: number,
): Promise<PricedSession[]> {
  return selectPriced(tx, workspaceId, person, sql`s.day >= ${since}::date`, limit)
}

/** The same for sessions that somebody saw. Locks them until the transaction ends. */
export async function lockPriced(
  tx: Tx,
  workspaceId: WorkspaceId,
  person: RatedPerson,
  seen: readonly Seen[],
): Promise<PricedSession[]> {
  // In the order of the ids, like everyone who locks several sessions.
  const ids = seen.map(({ id }) => id).sort()
  await sql`select hold_session(id) from unnest(${ids}::uuid[]) as id`.execute(tx)
  await sql`select key from sessions where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
    order by id for update`.execute(tx)
  return selectPriced(tx, workspaceId, person, sql`s.id = any (${ids}::uuid[])`, ids.length)
}

async function selectPriced(
  tx: Tx,
  workspaceId: WorkspaceId,
  { person, person_id: id }: RatedPerson,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<PricedSession[]> {
  const isTutor = person === 'tutor'
  const nearer = isTutor ? sql`coalesce(c.hourly_rate_cents, p.hourly_rate_cents)` : sql`c.hourly_rate_cents`
  const { rows } = await sql<
    PricedSession & { family_id: string | null; owner_name: string | null; tutor_name: string | null }
  >`
    select s.id, s.own_version as version, s.day, s.minutes, s.rate_override_cents, s.tutor_rate_cents, s.total_cents, s.currency,
      s.other_says, s.status, s.verified_by_tutor, s.connection_id, s.deletion_by, s.is_held, s.is_read_only,
      ${nearer} is not null or s.price_source in ('pair', 'shared') or s.lesson_price_cents is not null as has_nearer_rate, k.family_id, w.owner_name, t.name as tutor_name,
      exists (select from closed_months m where m.connection_id = s.connection_id and m.month = to_char(s.day, 'YYYY-MM')
        and m.state = 'closed') as is_closed
    from sessions s
      left join schedules c on c.workspace_id = s.workspace_id and c.id = s.schedule_id
      left join students p on p.workspace_id = s.workspace_id and p.id = s.student_id
      left join tutors t on t.workspace_id = s.workspace_id and t.id = s.tutor_id
      left join connections k on k.id = s.connection_id
      left join workspaces w on w.id = k.family_id
    where s.workspace_id = ${workspaceId} and ${sql.ref(isTutor ? 's.tutor_id' : 's.student_id')} = ${id}::uuid and ${which}
      and (s.tutor_rate_cents is not null or not is_covered_by_fee(s.connection_id, s.day))
    order by s.day, s.id limit ${limit}`.execute(tx)
  return rows.map(({ family_id: family, owner_name: owner, tutor_name: tutor, ...row }) => ({
    ...row,
    other_name: family === workspaceId ? tutor : plainName(owner, '') || null,
  }))
}

/** Changes the default rate of locked sessions, and returns them with their new versions. */
export async function updateRates(
  tx: Tx,
  workspaceId: WorkspaceId,
  ids: readonly string[],
  rate: Cents | null,
): Promise<Required<Seen>[]> {
  await sql`update sessions set tutor_rate_cents = ${rate}::integer, version = version + 1, updated_at = now()
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(tx)
  const { rows } = await sql<Required<Seen>>`
    select id, own_version as version from sessions where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
    order by day, id`.execute(tx)
  return rows
}
