// SQL that decides who gets which email about what two sides share, and when (reminders/reminder.ts has the rule). Everything here
// runs as the system role, and the same rules apply to both sides.
import { sql } from 'kysely'
import { REMINDED_DAYS, REMINDER_DAYS } from '#features/agreements/answer.ts'
import { type Kind, KINDS } from '#features/agreements/queries.server.ts'
import {
  CANCELED_HOURS,
  DIGEST_HOUR,
  FOLLOW_UP_DAYS,
  MOST_A_MONTH,
  RIDE_DAYS,
} from '#features/reminders/reminder.ts'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  ANSWERERS,
  ANSWERS,
  canceled,
  CLASSES,
  CLOSES,
  CLOSINGS,
  EMAILED,
  isOwn,
  MONEY,
  OWNERS,
  SHARED,
  TERMS,
} from './queries.server.ts'

/** An account, and when it got the daily email before; null if it never did. */
interface Account {
  id: string
  told_at: Date | null
}

/** The recipients of an email: accounts, and connections where the recipient has an address but no account. */
export interface Recipients {
  accounts: Account[]
  connections: string[]
}

const ASKED_OF: Record<Kind, typeof SHARED> = {
  session: SHARED,
  payment: MONEY,
  charge: MONEY,
  term: TERMS,
  schedule: CLASSES,
  schedule_change: CLASSES,
}
/** The minimum time between two emails: a day, minus some slack in case the daily job runs early. */
const PAUSE = sql`interval '20 hours'`

/** Whose daily email it's time for: accounts where it's morning, or everyone whose time zone isn't known. */
export type Turn = 'morning' | 'unplaced'

/** The latest moment at which it was this hour of the morning where the account is. */
function morning(now: Date) {
  const [zone, hours] = [sql`z.time_zone`, sql`make_interval(hours => ${DIGEST_HOUR})`]
  return sql`((date_trunc('day', (${now}::timestamptz at time zone ${zone}) - ${hours}) + ${hours}) at time zone ${zone})`
}

/** Whether it's an account's turn. In the morning, what came later in the day waits for the next. */
function isItsTurn(turn: Turn, now: Date) {
  return turn === 'unplaced'
    ? sql`z.time_zone is null`
    : sql`z.time_zone is not null and coalesce(n.mailed_at, '-infinity') < ${morning(now)}`
}

/** Whether an account's news come along with questions after classes. */
function rides(now: Date) {
  return sql`exists (select from class_asks a where a.account_id = m.account_id
    and a.mailed_at > ${now}::timestamptz - make_interval(days => ${RIDE_DAYS}))`
}
/** Whether news that an email tells alone may be told alone: plain facts only to accounts that are asked about no classes. */
const isToldAlone = (now: Date) => sql`(not w.is_fact or not ${rides(now)})`
/**
 * Finds who gets today's email and marks them as emailed: owners (and addresses without an account) with
 * something new since their last email.
 */
export async function takeDigests(tx: Tx, now: Date, turn: Turn): Promise<Recipients> {
  const isFact = sql`not (w.is_leaving or w.is_sent_back) as is_fact`
  const asked = sql`(select w.workspace_id, w.connection_id, w.since, ${isFact} from ${SHARED}
      where (w.waits and w.day <= ${now}::date + 1) or w.is_leaving or (w.is_sent_back and coalesce(w.workspace_id::text, w.proposal::text) is not null)
    union all select w.workspace_id, w.connection_id, w.since, ${isFact} from ${MONEY} where w.waits or w.is_leaving or w.is_sent_back
    union all select w.workspace_id, w.connection_id, w.since, false from ${TERMS} where w.waits or w.is_leaving or w.is_sent_back
    union all select w.workspace_id, w.connection_id, w.since, false from ${CLASSES} where w.waits or w.proposal is not null
    union all select w.workspace_id, w.connection_id, w.since, true from ${canceled(now)}) w`
  const inTurn = turn === 'morning' ? sql`w.since <= ${morning(now)}` : sql`true`
  const accounts = await takeAccounts(
    tx,
    now,
    sql`from ${asked} join ${OWNERS}
      where w.since > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true)
        and ${isItsTurn(turn, now)} and ${inTurn} and ${isToldAlone(now)}`,
  )
  if (turn === 'morning') return { accounts, connections: [] }
  const { rows: connections } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null)
      and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and exists (select from ${asked} where ${EMAILED} and w.connection_id = l.id and w.since > coalesce(l.mailed_at, l.created_at)) returning l.id`.execute(
    tx,
  )
  return { accounts, connections: idsOf(connections) }
}

/**
 * Finds who has to know that a class that begins soon was canceled, and marks them as emailed, even on the day of another email. A
 * class without a zone takes place in the account's.
 */
export async function takeCanceled(tx: Tx, now: Date): Promise<Recipients> {
  const start = sql`(w.starts at time zone coalesce(w.zone, z.time_zone, 'UTC'))`
  const accounts = await takeAccounts(
    tx,
    now,
    sql`from ${canceled(now)} join ${OWNERS} where w.since > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true)
      and ${start} > ${now}::timestamptz and ${start} <= ${now}::timestamptz + make_interval(hours => ${CANCELED_HOURS})`,
    true,
  )
  return { accounts, connections: [] }
}

/**
 * Marks accounts as emailed now, except those that were within the pause.
 * @param who the accounts m with their choices n
 * @param isUrgent whether an account's pause doesn't count
 */
async function takeAccounts(
  tx: Tx,
  now: Date,
  who: ReturnType<typeof sql>,
  isUrgent = false,
): Promise<Account[]> {
  const { rows } = await sql<Account>`
    with due as (select m.account_id, max(n.mailed_at) as told_at ${who} group by 1),
      taken as (insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
        select account_id, true, true, ${now}::timestamptz from due
        on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest
          and (${isUrgent} or coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE})
        returning user_id)
    select user_id as id, told_at from taken join due on account_id = user_id`.execute(tx)
  return rows
}

/**
 * Finds who is reminded of a month that's over, on certain days after it: owners who have something to do for it, and who got no
 * other email that morning. It isn't the email that tells news, so those aren't told by it.
 */
export async function takeFollowUps(
  tx: Tx,
  month: string,
  now: Date,
  turn: Turn,
): Promise<{ id: string; day: string }[]> {
  const today = sql`(${now}::timestamptz at time zone coalesce(z.time_zone, 'UTC'))::date`
  const { rows } = await sql<{ id: string; day: string }>`
    select m.account_id as id, ${today}::text as day from ${ofMonth(month)} join ${OWNERS} left join reminder_clocks r on r.account_id = m.account_id
    where coalesce(n.month_ready, true) and ${isItsTurn(turn, now)} and extract(day from ${today}) = any (${[...FOLLOW_UP_DAYS]}::int[])
      and (${now}::timestamptz at time zone coalesce(z.time_zone, 'UTC'))::time >= make_time(${DIGEST_HOUR}, 0, 0)
      and not coalesce(r.told_month = to_char(${today}, 'YYYY-MM') and r.told_count >= ${MOST_A_MONTH}, false)
      and not exists (select from outbox o where o.user_id = m.account_id and o.kind = 'month_over' and o.data ->> 'day' = ${today}::text)
    group by 1, 2`.execute(tx)
  return rows
}

/** The sides that have something to do for a month: answer, agree to close it, or ask to. */
function ofMonth(month: string) {
  const { from, to } = daysOfMonth(month)
  return sql`(select w.workspace_id, w.connection_id, w.side from asked_sides w
      where w.kind in ('session', 'payment', 'charge') and w.state = 'active' and w.day between ${from}::date and ${to}::date group by 1, 2, 3
      having bool_or(w.waits or w.is_leaving or w.is_sent_back) or (bool_and(w.is_confirmed) and not exists (select from closed_months k
        where k.connection_id = w.connection_id and k.month = ${month} and k.state in ('asked', 'closed')))
    union select w.workspace_id, w.connection_id, w.side from ${CLOSINGS} where w.month = ${month}) w`
}

/** The connections for which an account has something to do in a month. */
export async function connectionsToClose(tx: Tx, accountId: string, month: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct w.connection_id as id from ${ofMonth(month)} join ${OWNERS} where m.account_id = ${accountId}::uuid and ${isOwn(accountId)}`.execute(
    tx,
  )
  return idsOf(rows)
}

/** Notes that an account's news are told now. */
export async function noteNewsTold(tx: Tx, accountId: string, now: Date): Promise<void> {
  await sql`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at) values (${accountId}::uuid, true, true, ${now}::timestamptz)
    on conflict (user_id) do update set mailed_at = excluded.mailed_at`.execute(tx)
}

/** When an account's news were told last; null if never. */
export async function toldAt(tx: Tx, accountId: string): Promise<Date | null> {
  const { rows } = await sql<{ mailed_at: Date | null }>`
    select mailed_at from notice_choices where user_id = ${accountId}::uuid for update`.execute(tx)
  return rows[0]?.mailed_at ?? null
}

/** Whether an account's news come along with the questions that it's asked after classes. */
export async function ridesWithQuestions(tx: Tx, accountId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select ${rides(now)} as found from (select ${accountId}::uuid as account_id) m`.execute(tx)
  return rows[0]?.found ?? false
}

/**
 * Counts the reminders that are due and returns who gets them: everyone who may answer for a side, or the
 * side's address if it has no account. If a side has opted out of emails, the reminder isn't counted, so the
 * side has longer to answer (answerDue in agreements/answer.ts).
 */
export async function takeReminders(tx: Tx, now: Date, turn: Turn): Promise<Recipients> {
  const [first, second] = REMINDER_DAYS
  const before = (days: number) => sql`${new Date(now.getTime() - days * 86_400_000)}::timestamptz`
  const isDue = sql`((w.reminders = 0 and w.asked_at <= ${before(first)})
    or (w.reminders = 1 and w.asked_at <= ${before(second)} and w.reminded_at <= ${before(REMINDED_DAYS)}))`
  // What became due since the morning waits for the next one.
  const sinceDue = sql`(case w.reminders when 0 then w.asked_at + make_interval(days => ${first})
    else greatest(w.asked_at + make_interval(days => ${second}), w.reminded_at + make_interval(days => ${REMINDED_DAYS})) end)`
  const isAsked = sql`(w.waits or w.is_leaving or w.proposal is not null) and ${isDue}`
  const isFact = sql`not (w.is_leaving or w.proposal is not null)`
  const due = sql`(select w.workspace_id, w.connection_id, false as is_closing, ${isFact} as is_fact, ${sinceDue} as since_due from ${SHARED} where ${isAsked}
    union all select w.workspace_id, w.connection_id, false, ${isFact}, ${sinceDue} from ${MONEY} where ${isAsked}
    union all select w.workspace_id, w.connection_id, false, false, ${sinceDue} from ${TERMS} where ${isAsked}
    union all select w.workspace_id, w.connection_id, false, false, ${sinceDue} from ${CLASSES} where ${isAsked}
    union all select w.workspace_id, w.connection_id, true, true, ${sinceDue} from ${CLOSINGS} where ${isDue}) w`
  const accounts = await takeAccounts(
    tx,
    now,
    sql`from ${due} join ${ANSWERERS}
      where (not w.is_closing or ${CLOSES}) and ${isToldAlone(now)} and u.email_confirmed_at is not null and coalesce(n.daily_digest, true)
        and ${isItsTurn(turn, now)} and ${turn === 'morning' ? sql`w.since_due <= ${morning(now)}` : sql`true`}`,
  )
  const connections = turn === 'unplaced' ? await takeReminded(tx, now, due) : []
  const taken = { accounts, connections }
  if (accounts.length + connections.length === 0) return taken
  const isTaken = (
    who = sql`true`,
  ) => sql`((${EMAILED} and w.connection_id = any (${taken.connections}::uuid[]))
    or exists (select from members m where ${ANSWERS} and ${who} and m.account_id = any (${idsOf(taken.accounts)}::uuid[])))`
  for (const side of ['family', 'practice'] as const)
    for (const kind of KINDS) {
      const [count, last] = [sql.ref(`${side}_reminders`), sql.ref(`${side}_reminded_at`)]
      await sql`
        update ${sql.table(`public.${kind}s`)} s set ${count} = s.${count} + 1, ${last} = ${now}::timestamptz
        from ${ASKED_OF[kind]}
        where w.kind = ${kind} and w.key = s.key and w.side = ${side} and s.${count} = w.reminders and ${isAsked} and ${isTaken()}`.execute(
        tx,
      )
    }
  await sql`
    update closed_months s set reminders = s.reminders + 1, reminded_at = ${now}::timestamptz from ${CLOSINGS}
    where w.connection_id = s.connection_id and w.id = s.id and s.reminders = w.reminders and ${isDue} and ${isTaken(CLOSES)}`.execute(
    tx,
  )
  return taken
}

/** Marks addresses without an account as emailed now that are to be reminded. @param due what is */
async function takeReminded(tx: Tx, now: Date, due: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null)
      and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and not exists (select from opt_outs o where o.address_hash = sha256(convert_to('address:' || l.email_key, 'UTF8')))
      and exists (select from ${due} where ${EMAILED} and w.connection_id = l.id) returning l.id`.execute(tx)
  return idsOf(rows)
}

/**
 * Finds who gets the email about a finished month: owners who shared sessions in that month, and addresses
 * without an account that still have something to answer in it.
 */
export async function takeMonth(tx: Tx, month: string): Promise<Recipients> {
  const { from, to } = daysOfMonth(month)
  const isNew = (who: ReturnType<typeof sql>) =>
    sql`not exists (select from outbox o where o.kind in ('month_over', 'waiting_sessions') and o.data ->> 'month' = ${month} and ${who})`
  const { rows: accounts } = await sql<Account>`
    select m.account_id as id, null::timestamptz as told_at from ${SHARED} join ${OWNERS}
    where w.day between ${from}::date and ${to}::date and coalesce(n.month_ready, true) and ${isNew(sql`o.user_id = m.account_id`)} group by 1`.execute(
    tx,
  )
  const { rows: connections } = await sql<{ id: string }>`
    select l.id from connections l where (l.practice_id is null or l.family_id is null) and l.email is not null
      and ${isNew(sql`o.data ->> 'link_id' = l.id::text`)}
      and exists (select from ${SHARED} where ${EMAILED} and w.connection_id = l.id and w.waits and w.day between ${from}::date and ${to}::date)`.execute(
    tx,
  )
  return { accounts, connections: idsOf(connections) }
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
