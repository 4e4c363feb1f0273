// SQL for reminders. All but the first query run as the system: when to look at classes again, whom to ask about which, and when
// each account got its last reminder.
import { sql } from 'kysely'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { EMAIL_ZONE } from '#kernel/time-zone.ts'
import type { CurrentUser } from '#features/access/admission.server.ts'
import type { MemberRole, Side } from '#features/access/role.ts'
import type { TermsVersion } from '#features/payments/due.ts'
import { ASKED_DAYS, type Occurrence, occurrencesBetween, withLog } from '#features/schedules/occurrence.ts'
import { listChanges, listSchedules, loggedClasses } from '#features/schedules/queries.server.ts'
import { placedFor, spanIn } from '#features/schedules/zones.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { clockOf, type ZoneClock } from '#platform/zoned-time.server.ts'
import type { AskedMail } from './reminder.ts'

/** Who reads a workspace's classes: a member, and the clock of classes whose schedule has no time zone. */
export interface Reader {
  accountId: string
  workspace: { id: WorkspaceId; kind: Side; role: MemberRole }
  zone: string
}

/** A class with the moment it ends. */
export interface TimedClass extends Occurrence {
  endsAt: Date
}

/** As a member: the classes in a range of days that the member sees, with what was logged, and when they end. */
export async function classesAround(
  tx: Tx,
  { accountId, workspace: { id }, zone }: Reader,
  from: CalendarDay,
  to: CalendarDay,
): Promise<TimedClass[]> {
  const [own, schedules, changes, logged] = await Promise.all([
    readTimeZone(tx, accountId),
    listSchedules(tx, id),
    listChanges(tx, id, from, to),
    loggedClasses(tx, id, from, to),
  ])
  return withLog(occurrencesBetween(schedules, changes, from, to), logged)
    .map(placedFor(own))
    .map((one) => ({ ...one, endsAt: spanIn(one.time_zone ?? zone, one).end }))
}

/** A look at a workspace that is due, as its owner. */
export interface DueLook {
  reader: Reader
  startedAt: Date
  changes: number
}

interface ReaderRow {
  account_id: string
  workspace_id: WorkspaceId
  kind: Side
  role: MemberRole
  zone: string
}

const readerOf = (row: ReaderRow): Reader => ({
  accountId: row.account_id,
  workspace: { id: row.workspace_id, kind: row.kind, role: row.role },
  zone: row.zone,
})

/** The time zone of a workspace's owner, for which a query has the workspace's id. */
const ownZone = (workspace: string) =>
  sql`coalesce(owner_time_zone(${sql.ref(workspace)}), ${EMAIL_ZONE}::text) as zone`

/** The workspaces in which a class has ended or a schedule has changed. */
export async function dueLooks(tx: Tx, now: Date, most: number): Promise<DueLook[]> {
  const { rows } = await sql<ReaderRow & { started_at: Date; changes: number }>`
    select m.account_id, c.workspace_id, w.kind, m.role, ${ownZone('c.workspace_id')}, c.started_at, c.changes
    from class_clocks c join workspaces w on w.id = c.workspace_id
      join members m on m.workspace_id = c.workspace_id and m.role = 'owner'
    where c.due_at <= ${now}::timestamptz order by c.due_at limit ${most}`.execute(tx)
  return rows.map((row) => ({ reader: readerOf(row), startedAt: row.started_at, changes: row.changes }))
}

/**
 * Notes the questions about classes that ended, whom they are for, and when to look again, all at once. A class that was moved to
 * a later time after it was asked about is asked about again. Nothing happens if a schedule has changed since the look began.
 */
export async function saveLook(
  tx: Tx,
  { reader: { workspace }, changes }: DueLook,
  ended: readonly TimedClass[],
  { now, nextLook }: { now: Date; nextLook: Date },
): Promise<void> {
  const { numAffectedRows } = await sql`
    update class_clocks set due_at = ${nextLook}::timestamptz
    where workspace_id = ${workspace.id}::uuid and changes = ${changes} and due_at <= ${now}::timestamptz`.execute(
    tx,
  )
  if (!numAffectedRows || ended.length === 0) return
  await sql`
    with ended as (
      select * from unnest(${ended.map((one) => one.schedule_id)}::uuid[], ${ended.map((one) => one.original_date)}::date[],
        ${ended.map((one) => one.student_id)}::uuid[], ${ended.map((one) => one.endsAt)}::timestamptz[]) as e (schedule_id, day, student_id, ends_at)
    ), fresh as (
      insert into class_questions as q (workspace_id, schedule_id, day, ends_at, asked_at)
      select ${workspace.id}::uuid, schedule_id, day, ends_at, ${now}::timestamptz from ended
      on conflict (workspace_id, schedule_id, day) do update set ends_at = excluded.ends_at, asked_at = excluded.asked_at
        where q.answered_at is null and excluded.ends_at > q.asked_at
      returning schedule_id, day
    ), asked as (
      insert into class_asks (account_id, workspace_id, schedule_id, day)
      select m.account_id, m.workspace_id, f.schedule_id, f.day from fresh f join ended e using (schedule_id, day)
        join members m on m.workspace_id = ${workspace.id}::uuid and m.role <> 'viewer'
          and (m.all_students or exists (select from member_students s where s.workspace_id = m.workspace_id
            and s.account_id = m.account_id and s.student_id = e.student_id))
        join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null and u.email_confirmed_at is not null
        left join notice_choices n on n.user_id = m.account_id
      where coalesce(n.class_questions, true)
      on conflict (account_id, workspace_id, schedule_id, day) do update set mail_id = null, mailed_at = null
      returning account_id
    )
    insert into reminder_clocks as r (account_id, due_at) select distinct account_id, ${now}::timestamptz from asked
    on conflict (account_id) do update set due_at = least(r.due_at, excluded.due_at)`.execute(tx)
}

/** The accounts that may have something to be asked. */
export async function dueAccounts(tx: Tx, now: Date, most: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('reminder_clocks')
    .select('account_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(most)
    .execute()
  return rows.map((row) => row.account_id)
}

/** A question about a class that an account was asked or is to be asked. */
export interface Ask {
  reader: Reader
  schedule_id: string
  day: CalendarDay
  mail_id: string | null
}

/** The questions that nobody answered yet: all of an account's, or those of one email. */
export async function asksOf(tx: Tx, accountId: string, mailId?: string): Promise<Ask[]> {
  const { rows } = await sql<ReaderRow & Omit<Ask, 'reader'>>`
    select a.account_id, a.workspace_id, w.kind, m.role, ${ownZone('a.workspace_id')}, a.schedule_id, a.day, a.mail_id
    from class_asks a join members m on m.workspace_id = a.workspace_id and m.account_id = a.account_id
      join workspaces w on w.id = a.workspace_id
      join class_questions q on q.workspace_id = a.workspace_id and q.schedule_id = a.schedule_id and q.day = a.day
    where a.account_id = ${accountId}::uuid and (a.mail_id = ${mailId ?? null}::uuid or (${mailId === undefined} and q.answered_at is null))
    order by q.ends_at, a.schedule_id`.execute(tx)
  return rows.map(({ schedule_id, day, mail_id, ...row }) => ({
    reader: readerOf(row),
    schedule_id,
    day,
    mail_id,
  }))
}

const keysOf = (asks: readonly Ask[]) => sql`unnest(${asks.map(({ reader }) => reader.workspace.id)}::uuid[],
  ${asks.map((ask) => ask.schedule_id)}::uuid[], ${asks.map((ask) => ask.day)}::date[]) as k (workspace_id, schedule_id, day)`

/** Ends the questions about classes that someone has answered, for everyone. */
export async function noteAnswered(tx: Tx, asks: readonly Ask[], now: Date): Promise<void> {
  if (asks.length === 0) return
  await sql`
    update class_questions q set answered_at = ${now}::timestamptz from ${keysOf(asks)}
    where q.workspace_id = k.workspace_id and q.schedule_id = k.schedule_id and q.day = k.day and q.answered_at is null`.execute(
    tx,
  )
}

/** Forgets questions that an account can't be asked (any more), such as about a class that was moved. */
export async function forgetAsks(tx: Tx, accountId: string, asks: readonly Ask[]): Promise<void> {
  if (asks.length === 0) return
  await sql`
    delete from class_asks a using ${keysOf(asks)} where a.account_id = ${accountId}::uuid
      and a.workspace_id = k.workspace_id and a.schedule_id = k.schedule_id and a.day = k.day`.execute(tx)
}

/** An account's clock, and when it got its last reminder; undefined if the account is gone. */
interface AccountClock {
  clock: ZoneClock
  /** False if no browser has told the account's time zone yet. */
  isPlaced: boolean
  /** Null if that was this email, which may be tried again. */
  last: Date | null
  isDue: boolean
}

/** Locks an account's reminders, so that two jobs can't send one in the same hour. */
export async function lockReminders(
  tx: Tx,
  accountId: string,
  now: Date,
  mailId?: string,
): Promise<AccountClock | undefined> {
  await sql`
    insert into reminder_clocks (account_id) select id from users where id = ${accountId}::uuid
    on conflict (account_id) do nothing`.execute(tx)
  const { rows } = await sql<{ zone: string | null; last: Date | null; is_due: boolean }>`
    select p.time_zone as zone, r.due_at <= ${now}::timestamptz as is_due,
      case when r.mail_id is distinct from ${mailId ?? null}::uuid then r.sent_at end as last
    from reminder_clocks r left join profiles p on p.user_id = r.account_id
    where r.account_id = ${accountId}::uuid for update of r`.execute(tx)
  const [row] = rows
  return (
    row && {
      clock: clockOf(row.zone ?? EMAIL_ZONE),
      isPlaced: row.zone !== null,
      last: row.last,
      isDue: row.is_due,
    }
  )
}

/** Notes that an email takes the account's hour, and counts it in the account's month unless it asks about classes. */
export async function takeHour(
  tx: Tx,
  accountId: string,
  mail: { id: string; month: string; isQuestion: boolean },
  now: Date,
): Promise<void> {
  const isCounted = sql`${!mail.isQuestion} and mail_id is distinct from ${mail.id}::uuid`
  await sql`
    update reminder_clocks set mail_id = ${mail.id}::uuid, sent_at = ${now}::timestamptz,
      told_month = case when ${isCounted} then ${mail.month} else told_month end,
      told_count = case when not (${isCounted}) then told_count when told_month = ${mail.month} then told_count + 1 else 1 end
    where account_id = ${accountId}::uuid`.execute(tx)
}

/** Notes that a reminder reached its account. */
export async function noteDelivered(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('reminder_clocks')
    .set({ delivered_at: now })
    .where('account_id', '=', accountId)
    .execute()
}

/** Looks at an account again when something waits for it, at this moment at the earliest. */
export async function waitUntil(tx: Tx, accountId: string, at: Date): Promise<void> {
  await sql`
    update reminder_clocks r set due_at = case when exists (select from class_asks a
        join class_questions q on q.workspace_id = a.workspace_id and q.schedule_id = a.schedule_id and q.day = a.day
        where a.account_id = r.account_id and a.mail_id is null and q.answered_at is null)
      then ${at}::timestamptz else 'infinity' end
    where account_id = ${accountId}::uuid`.execute(tx)
}

/** An account's latest emails with questions, newest first, and whether anyone has answered one of them. */
export async function latestAsked(tx: Tx, accountId: string, most: number): Promise<AskedMail[]> {
  const { rows } = await sql<{ at: Date; is_answered: boolean }>`
    select max(a.mailed_at) as at, bool_or(q.answered_at is not null) as is_answered from class_asks a
      join class_questions q on q.workspace_id = a.workspace_id and q.schedule_id = a.schedule_id and q.day = a.day
    where a.account_id = ${accountId}::uuid and a.mail_id is not null group by a.mail_id order by 1 desc limit ${most}`.execute(
    tx,
  )
  return rows.map((row) => ({ at: row.at, isAnswered: row.is_answered }))
}

/** Notes which email asks an account about these classes. */
export async function noteAsked(
  tx: Tx,
  accountId: string,
  asks: readonly Ask[],
  mail: { id: string; now: Date },
): Promise<void> {
  await sql`
    update class_asks a set mail_id = ${mail.id}::uuid, mailed_at = ${mail.now}::timestamptz from ${keysOf(asks)}
    where a.account_id = ${accountId}::uuid and a.workspace_id = k.workspace_id and a.schedule_id = k.schedule_id and a.day = k.day`.execute(
    tx,
  )
}

/** The accounts that want to know of the next day's classes and weren't told today. */
export async function untoldAccounts(tx: Tx, now: Date): Promise<{ accountId: string; clock: ZoneClock }[]> {
  const { rows } = await sql<{ account_id: string; zone: string }>`
    select n.user_id as account_id, coalesce(p.time_zone, ${EMAIL_ZONE}::text) as zone
    from notice_choices n left join profiles p on p.user_id = n.user_id
    where n.classes_tomorrow and coalesce(n.told_of, '-infinity') <= (${now}::timestamptz at time zone coalesce(p.time_zone, ${EMAIL_ZONE}::text))::date`.execute(
    tx,
  )
  return rows.map(({ account_id: accountId, zone }) => ({ accountId, clock: clockOf(zone) }))
}

/** An account that may be reminded of money, with the terms of each of its family's connections, newest first. */
interface OwingAccount {
  accountId: string
  today: CalendarDay
  lookedOn: CalendarDay | null
  /** How many messages it had this month, besides questions after classes. */
  told: number
  connections: { id: string; versions: TermsVersion[] }[]
}

/**
 * The accounts whose families have agreed on a day on which money is due, that see amounts and want to be reminded, and
 * weren't looked at on this day of theirs.
 */
export async function owingAccounts(tx: Tx, now: Date): Promise<OwingAccount[]> {
  const { rows } = await sql<
    { account_id: string; today: CalendarDay; looked_on: CalendarDay | null; told: number } & TermsVersion & {
        connection_id: string
      }
  >`
    select m.account_id, here.today, r.looked_on, case when r.told_month = to_char(here.today, 'YYYY-MM') then r.told_count else 0 end as told, t.connection_id, t.rules, t.applies_from, t.ended_on,
      case when t.is_verified then 'confirmed' else 'none' end as own_confirmation,
      case when t.is_verified then 'confirmed' else 'none' end as other_confirmation
    from members m join workspaces w on w.id = m.workspace_id and w.kind = 'family'
      join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null and u.email_confirmed_at is not null
      left join profiles p on p.user_id = m.account_id
      left join notice_choices n on n.user_id = m.account_id
      left join reminder_clocks r on r.account_id = m.account_id
      cross join lateral (select (${now}::timestamptz at time zone coalesce(p.time_zone, ${EMAIL_ZONE}::text))::date as today) here
      join connections c on c.family_id = m.workspace_id and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
      join terms t on t.connection_id = c.id and t.applies_from is not null
    where m.role <> 'caregiver' and m.all_students and coalesce(n.money_due, true)
      and coalesce(r.looked_on, '-infinity') < here.today
      and exists (select from terms d where d.connection_id = c.id and d.rules ? 'due_day')
    order by m.account_id, t.connection_id, t.key desc`.execute(tx)
  return [...Map.groupBy(rows, (row) => row.account_id)].flatMap(([accountId, own]) =>
    own.slice(0, 1).map(({ today, looked_on: lookedOn, told }) => ({
      accountId,
      today,
      lookedOn,
      told,
      connections: [...Map.groupBy(own, (row) => row.connection_id)].map(([id, versions]) => ({
        id,
        versions,
      })),
    })),
  )
}

/** Notes that it was looked on this day whether an account has money due; false if another job did that already. */
export async function noteLooked(tx: Tx, accountId: string, today: CalendarDay): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into reminder_clocks as r (account_id, looked_on) values (${accountId}::uuid, ${today}::date)
    on conflict (account_id) do update set looked_on = excluded.looked_on
      where coalesce(r.looked_on, '-infinity') < excluded.looked_on`.execute(tx)
  return Boolean(numAffectedRows)
}

/** Notes that an account is told of a day's classes; false if another job did that already. */
export async function noteTold(tx: Tx, accountId: string, day: CalendarDay): Promise<boolean> {
  const row = await tx
    .updateTable('notice_choices')
    .set({ told_of: day })
    .where('user_id', '=', accountId)
    .where((where) => where.or([where('told_of', 'is', null), where('told_of', '<', day)]))
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** An account as a member of each of its workspaces. */
export async function readersOf(tx: Tx, accountId: string): Promise<Reader[]> {
  const { rows } = await sql<ReaderRow>`
    select m.account_id, m.workspace_id, w.kind, m.role, ${ownZone('m.workspace_id')}
    from members m join workspaces w on w.id = m.workspace_id where m.account_id = ${accountId}::uuid order by m.joined_at, m.workspace_id`.execute(
    tx,
  )
  return rows.map(readerOf)
}

/** A member as the user of a request, with what decides whether their workspace has a plan. */
export async function userOf(tx: Tx, { accountId, workspace }: Reader): Promise<CurrentUser | undefined> {
  const { rows } = await sql<{
    email: string
    since: Date
    all_students: boolean
    owner_id: string
    owner_since: Date
    writable_until: Date | null
  }>`
    select u.email, coalesce(u.trial_since, u.created_at) as since, m.all_students, o.id as owner_id, w.writable_until,
      least(coalesce(o.trial_since, o.created_at), w.trial_since) as owner_since
    from members m join users u on u.id = m.account_id join workspaces w on w.id = m.workspace_id
      join members owning on owning.workspace_id = m.workspace_id and owning.role = 'owner' join users o on o.id = owning.account_id
    where m.account_id = ${accountId}::uuid and m.workspace_id = ${workspace.id}::uuid`.execute(tx)
  const [row] = rows
  return (
    row && {
      id: accountId,
      loginId: '',
      email: row.email,
      role: workspace.kind === 'family' ? 'parent' : 'tutor',
      isConfirmed: true,
      isLeaving: false,
      since: row.since,
      workspace: {
        ...workspace,
        allStudents: row.all_students,
        owner: { id: row.owner_id, since: row.owner_since, writableUntil: row.writable_until },
      },
    }
  )
}

/** Stores the hash of a link that answers the questions of one email. */
export async function insertClassLink(
  tx: Tx,
  hash: Buffer,
  link: { accountId: string; mailId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('class_links')
    .values({ token_hash: hash, account_id: link.accountId, mail_id: link.mailId, created_at: link.now })
    .execute()
}

/** Whose questions a link answers; undefined if there's no such link, it has expired, or the account is closed. */
export async function readClassLink(
  tx: Tx,
  hash: Buffer,
  now: Date,
): Promise<{ accountId: string; mailId: string } | undefined> {
  const row = await tx
    .selectFrom('class_links')
    .innerJoin('users', 'users.id', 'class_links.account_id')
    .select(['account_id', 'mail_id'])
    .where('token_hash', '=', hash)
    .where('class_links.created_at', '>', new Date(now.getTime() - ASKED_DAYS * 86_400_000))
    .where('users.disabled_at', 'is', null)
    .where('users.deletion_asked_at', 'is', null)
    .executeTakeFirst()
  return row && { accountId: row.account_id, mailId: row.mail_id }
}

/**
 * As the member who was asked: notes the answer that the email's link gives, once. False if it was given before. A second answer
 * waits for the first one's transaction.
 */
export async function takeAnswer(
  tx: Tx,
  { reader: { accountId, workspace }, schedule_id, day }: Ask,
  now: Date,
): Promise<boolean> {
  const taken = await tx
    .updateTable('class_asks')
    .set({ answered_at: now })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('schedule_id', '=', schedule_id)
    .where('day', '=', day)
    .where('answered_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Deletes the questions and links that nobody can answer any more. */
export async function forgetQuestions(tx: Tx, now: Date): Promise<void> {
  const before = new Date(`${addDays(now.toISOString().slice(0, 10) as CalendarDay, -4 * ASKED_DAYS)}T00:00Z`)
  await tx.deleteFrom('class_links').where('created_at', '<', before).execute()
  await tx.deleteFrom('class_questions').where('ends_at', '<', before).execute()
}
