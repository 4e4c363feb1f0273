// SQL of the tutor's side. It runs as the role tutorlog_tutor, which sees the sessions of its links and writes the tutor's word only.
import { sql } from 'kysely'
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { PROPOSED } from '#features/proposals/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { LinkedSession } from './verification.ts'

/** More than a tutor gives lessons in a year with all families; older ones come up as these are answered. */
const MOST = 1000

// From the links to their sessions, so that a tutor's few links decide which rows are touched at all.
function linkedSessions(tx: Tx) {
  return tx
    .selectFrom('tutor_links')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.workspace_id', '=', 'tutor_links.workspace_id')
        .onRef('sessions.tutor_id', '=', 'tutor_links.tutor_id'),
    )
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'sessions.workspace_id')
    .select([
      'sessions.id',
      'tutor_links.id as family_id',
      'owner_name',
      'first_name',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'total_cents',
      'currency',
      'subject',
      'status',
      'verified_by_tutor',
      'dispute_note',
      'answer_note',
      'closed_at',
      'sessions.version',
    ])
    .where('tutor_links.state', 'in', ['asked', 'active'])
}

type Row = Awaited<ReturnType<ReturnType<typeof linkedSessions>['execute']>>[number]

function toLinked(row: Row): LinkedSession {
  const inDollars = (amount: number | null) => (amount === null ? null : dollars(amount as Cents))
  return {
    id: row.id,
    family_id: row.family_id,
    family_name: plainName(row.owner_name, '') || null,
    student_first_name: plainName(row.first_name, '') || null,
    date: row.day,
    duration: hours(row.minutes as Minutes),
    rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents),
    total_amount: inDollars(row.total_cents),
    currency: row.currency,
    subject: row.subject,
    status: row.status,
    verified_by_tutor: row.verified_by_tutor,
    dispute_note: row.dispute_note,
    answer_note: row.answer_note,
    is_read_only: row.closed_at !== null,
    version: row.version,
  }
}

export interface Wanted {
  from?: CalendarDay
  to: CalendarDay
  /** Only what waits for the tutor's answer. */
  isWaiting?: boolean
}

/** The linked sessions of a range of days, newest first. */
export async function listLinkedSessions(tx: Tx, { from, to, isWaiting }: Wanted): Promise<LinkedSession[]> {
  let query = linkedSessions(tx)
    .where('day', '<=', to)
    .orderBy('day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(MOST)
  if (from) query = query.where('day', '>=', from)
  if (isWaiting)
    query = query
      .where('verified_by_tutor', '=', false)
      .where('status', '=', 'completed')
      .where('closed_at', 'is', null)
  return (await query.execute()).map(toLinked)
}

/** One linked session; undefined when it is not this tutor's. */
export async function readLinkedSession(tx: Tx, id: string): Promise<LinkedSession | undefined> {
  const row = await linkedSessions(tx).where('sessions.id', '=', id).executeTakeFirst()
  return row && toLinked(row)
}

export type Word =
  | { verified_by_tutor: boolean; status: 'completed'; dispute_note: null }
  | { verified_by_tutor: false; status: 'disputed'; dispute_note: string }

/** Gives or takes back the tutor's word on a session as it was seen; false when it is not the tutor's or has another version. */
export async function giveWord(tx: Tx, id: string, version: number, word: Word): Promise<boolean> {
  const update = tx
    .updateTable('sessions')
    .from('tutor_links')
    .set({ ...word, version: sql`sessions.version + 1`, updated_at: sql`now()` })
    .whereRef('sessions.workspace_id', '=', 'tutor_links.workspace_id')
    .whereRef('sessions.tutor_id', '=', 'tutor_links.tutor_id')
    .where('tutor_links.state', 'in', ['asked', 'active'])
    .where('sessions.id', '=', id)
    .where('sessions.version', '=', version)
  return (await update.returning('sessions.id').execute()).length > 0
}

/** How many sessions between two days wait for this tutor's answer, and whether any was ever confirmed. */
export async function countToConfirm(
  tx: Tx,
  from: CalendarDay,
  to: CalendarDay,
): Promise<{ waiting: number; hasConfirmed: boolean }> {
  const row = await tx
    .selectFrom('tutor_links')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.workspace_id', '=', 'tutor_links.workspace_id')
        .onRef('sessions.tutor_id', '=', 'tutor_links.tutor_id'),
    )
    .select([
      sql<number>`count(*) filter (where day between ${from}::date and ${to}::date and not verified_by_tutor and sessions.status = 'completed' and closed_at is null)`.as(
        'waiting',
      ),
      sql<boolean>`coalesce(bool_or(verified_by_tutor), false)`.as('hasConfirmed'),
    ])
    .where('tutor_links.state', '=', 'active')
    .executeTakeFirstOrThrow()
  return row
}

/** What waits for a tutor in one mail: how many sessions of how many hours, and since when. */
export interface WaitingMail {
  sessions: number
  minutes: number
}

// As the system: what waits, by tutor. A closed account and an ended or closed link get no mail.
const WAITS = sql`s.workspace_id = l.workspace_id and s.tutor_id = l.tutor_id and l.state = 'active' and l.closed_at is null and not s.verified_by_tutor and s.status = 'completed'`

/** How long after a mail the next one may follow: a day, less the time by which a daily job may run early. */
const PAUSE = sql`interval '20 hours'`

/**
 * Marks everyone who gets today's mail, and names them: accounts of tutors with sessions that are new since their last
 * mail, links of tutors without an account likewise, and families with something sent back or proposed.
 */
export async function takeDigests(
  tx: Tx,
  now: Date,
): Promise<{ tutors: string[]; links: string[]; families: string[] }> {
  const upTo = sql`${now}::date + 1`
  const { rows: tutors } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select l.tutor_user_id, true, true, ${now}::timestamptz from tutor_links l join sessions s on ${WAITS} join users u on u.id = l.tutor_user_id and u.disabled_at is null and u.deletion_asked_at is null
      left join notice_choices n on n.user_id = l.tutor_user_id
    where s.day <= ${upTo} and s.updated_at > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const { rows: links } = await sql<{ id: string }>`
    update tutor_links l set mailed_at = ${now}::timestamptz where l.state = 'active' and l.tutor_user_id is null and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and exists (select from sessions s where ${WAITS} and s.day <= ${upTo} and s.updated_at > coalesce(l.mailed_at, l.created_at)) returning l.id`.execute(
    tx,
  )
  const { rows: families } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select w.workspace_id, true, true, ${now}::timestamptz
    from (select workspace_id, updated_at from sessions where status = 'disputed' union all select l.workspace_id, greatest(s.updated_at, f.created_at) ${PROPOSED}) w
      join users u on u.id = w.workspace_id and u.disabled_at is null and u.deletion_asked_at is null left join notice_choices n on n.user_id = w.workspace_id
    where w.updated_at > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  return { tutors: ids(tutors), links: ids(links), families: ids(families) }
}

/**
 * Who gets the mail about a month that is over and has not got it: tutors for whom it still waits, with an account that wants to
 * know or without one, and families with sessions of a connected tutor in it, or proposals.
 */
export async function monthsToConfirm(
  tx: Tx,
  month: string,
): Promise<{ tutors: string[]; links: string[]; families: string[] }> {
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<{ tutor: string | null; link: string | null }>`
    select l.tutor_user_id as tutor, case when l.tutor_user_id is null then l.id end as link from tutor_links l join sessions s on ${WAITS} left join notice_choices n on n.user_id = l.tutor_user_id left join users u on u.id = l.tutor_user_id
    where s.day between ${from}::date and ${to}::date and coalesce(n.month_ready, true) and u.disabled_at is null and u.deletion_asked_at is null and (l.tutor_user_id is not null or l.email is not null)
      and not exists (select from outbox o where o.kind = 'waiting_sessions' and o.data ->> 'month' = ${month} and (o.user_id = l.tutor_user_id or o.data ->> 'link_id' = l.id::text)) group by 1, 2`.execute(
    tx,
  )
  const { rows: families } = await sql<{ id: string }>`
    select w.workspace_id as id from (
      select s.workspace_id, s.day from sessions s join tutor_links l on l.workspace_id = s.workspace_id and l.tutor_id = s.tutor_id and l.state = 'active'
      union all select l.workspace_id, s.day ${PROPOSED}) w
      join users u on u.id = w.workspace_id and u.disabled_at is null and u.deletion_asked_at is null left join notice_choices n on n.user_id = w.workspace_id
    where w.day between ${from}::date and ${to}::date and coalesce(n.month_ready, true)
      and not exists (select from outbox o where o.kind = 'month_over' and o.user_id = w.workspace_id and o.data ->> 'month' = ${month}) group by 1`.execute(
    tx,
  )
  return {
    tutors: rows.flatMap(({ tutor }) => tutor ?? []),
    links: rows.flatMap(({ link }) => link ?? []),
    families: families.map(({ id }) => id),
  }
}

/** A family's month with its connected tutors: sessions and minutes in all, and how many of them are in which state. */
export interface MonthOver {
  sessions: number
  minutes: number
  confirmed: number
  waiting: number
  sent_back: number
  /** Beside them: what tutors logged and the family has not answered. */
  proposed: number
}

/** What a family's month that is over looks like. */
export async function monthOver(tx: Tx, workspaceId: WorkspaceId, month: string): Promise<MonthOver> {
  const { from, to } = daysOfMonth(month)
  const {
    rows: [row],
  } = await sql<MonthOver>`
    select count(*)::int as sessions, coalesce(sum(s.minutes), 0)::int as minutes, count(*) filter (where s.verified_by_tutor)::int as confirmed,
      count(*) filter (where s.status = 'disputed')::int as sent_back, count(*) filter (where not s.verified_by_tutor and s.status = 'completed')::int as waiting,
      (select count(*)::int ${PROPOSED} and l.workspace_id = ${workspaceId}::uuid and s.day between ${from}::date and ${to}::date) as proposed
    from sessions s join tutor_links l on l.workspace_id = s.workspace_id and l.tutor_id = s.tutor_id and l.state = 'active'
    where s.workspace_id = ${workspaceId}::uuid and s.day between ${from}::date and ${to}::date`.execute(tx)
  if (!row) throw new Error('a query of counts answers one row')
  return row
}

/** What waits for a tutor's account, or for one link, between two days. */
export async function whatWaits(
  tx: Tx,
  who: { tutorUserId: string } | { linkId: string },
  days: { from?: CalendarDay; to: CalendarDay },
): Promise<WaitingMail> {
  const {
    rows: [row],
  } =
    await sql<WaitingMail>`select count(*)::int as sessions, coalesce(sum(s.minutes), 0)::int as minutes from tutor_links l join sessions s on ${WAITS}
    where ${'linkId' in who ? sql`l.id = ${who.linkId}::uuid` : sql`l.tutor_user_id = ${who.tutorUserId}::uuid`} and s.day <= ${days.to}::date and s.day >= ${days.from ?? '1900-01-01'}::date`.execute(
      tx,
    )
  return row ?? { sessions: 0, minutes: 0 }
}

/** How many sessions tutors sent back to a family. */
export async function countSentBack(tx: Tx, workspaceId: WorkspaceId): Promise<number> {
  return (
    await tx
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('status', '=', 'disputed')
      .executeTakeFirstOrThrow()
  ).count
}
