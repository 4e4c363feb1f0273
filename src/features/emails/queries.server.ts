// SQL for the emails between two sides: who gets one, and what to list in it. Everything here runs as the
// system role, and the same rules apply to both sides.
import { sql } from 'kysely'
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { REMINDED_DAYS, REMINDER_DAYS } from '#features/agreements/answer.ts'
import type { Side } from '#features/access/role.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { MonthOver } from './month-words.ts'
import type { MailedPayment } from './payment-lines.ts'
import { WORDS_FIELDS } from '#features/sessions/lesson-words.ts'
import { type Amount, type MailedSession, MOST_TOLD, type WaitingWords } from './session-lines.ts'
import type { AskedMonth, MailedProposal, Waiting } from './waiting-words.ts'

/** The recipients of an email: accounts, and connections where the recipient has an address but no account. */
export interface Recipients {
  accounts: string[]
  connections: string[]
}

/** What's written about a session that a query calls s. */
const WORDS = sql.join(WORDS_FIELDS.map((field) => sql.ref(`s.${field}`)))

/** What each side of every open connection is asked and told (db/repeatable/sides.sql). */
const SHARED = sql`(select * from asked_sides where kind = 'session' and state = 'active') w`
/** The same for connections that nobody has accepted yet. */
const ASKED = sql`(select * from asked_sides where kind = 'session') w`
const PAYMENTS = sql`(select * from asked_sides where kind = 'payment' and state = 'active') w`
/** The months that a side has been asked to close. */
const CLOSINGS = sql`(select m.connection_id, m.id, m.month, case m.asked_by when 'family' then c.practice_id else c.family_id end as workspace_id,
    case m.asked_by when 'family' then 'practice' else 'family' end as side, m.asked_at, m.reminders, m.reminded_at
  from closed_months m join connections c on c.id = m.connection_id and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
  where m.state = 'asked') w`
/** The accounts of members, if we're allowed to email them, and which emails they want. */
const EMAILABLE = sql`join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null
  left join notice_choices n on n.user_id = m.account_id`
const OWNERS = sql`members m on m.workspace_id = w.workspace_id and m.role = 'owner' ${EMAILABLE}`
/** Members who may answer for a workspace: its owner, and parents or assistants who see all students. */
const ANSWERS = sql`m.workspace_id = w.workspace_id and (m.role = 'owner' or (m.role in ('parent', 'assistant') and m.all_students))`
/** Members who may answer and may also close a month. */
const CLOSES = sql`m.role in ('owner', 'parent')`
const ANSWERERS = sql`members m on ${ANSWERS} ${EMAILABLE}`
/** A side without an account. */
const EMAILED = sql`w.workspace_id is null`

/** The minimum time between two emails: a day, minus some slack in case the daily job runs early. */
const PAUSE = sql`interval '20 hours'`

/**
 * Finds who gets today's email and marks them as emailed: owners (and addresses without an account) with
 * something new since their last email.
 */
export async function takeDigests(tx: Tx, now: Date): Promise<Recipients> {
  const asked = sql`(select w.workspace_id, w.connection_id, w.since from ${SHARED}
      where (w.waits and w.day <= ${now}::date + 1) or w.is_leaving or (w.is_sent_back and coalesce(w.workspace_id::text, w.proposal::text) is not null)
    union all select w.workspace_id, w.connection_id, w.since from ${PAYMENTS} where w.waits or w.is_leaving or w.is_sent_back) w`
  const { rows: accounts } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select m.account_id, true, true, ${now}::timestamptz from ${asked} join ${OWNERS}
    where w.since > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest
      and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const { rows: connections } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null)
      and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and exists (select from ${asked} where ${EMAILED} and w.connection_id = l.id and w.since > coalesce(l.mailed_at, l.created_at)) returning l.id`.execute(
    tx,
  )
  return { accounts: idsOf(accounts), connections: idsOf(connections) }
}

/**
 * Counts the reminders that are due and returns who gets them: everyone who may answer for a side, or the
 * side's address if it has no account. If a side has opted out of emails, the reminder isn't counted, so the
 * side has longer to answer (answerDue in agreements/answer.ts).
 */
export async function takeReminders(tx: Tx, now: Date): Promise<Recipients> {
  const [first, second] = REMINDER_DAYS
  const before = (days: number) => sql`${new Date(now.getTime() - days * 86_400_000)}::timestamptz`
  const isDue = sql`((w.reminders = 0 and w.asked_at <= ${before(first)})
    or (w.reminders = 1 and w.asked_at <= ${before(second)} and w.reminded_at <= ${before(REMINDED_DAYS)}))`
  const isAsked = sql`(w.waits or w.is_leaving or w.proposal is not null) and ${isDue}`
  const due = sql`(select w.workspace_id, w.connection_id, false as is_closing from ${SHARED} where ${isAsked}
    union all select w.workspace_id, w.connection_id, false from ${PAYMENTS} where ${isAsked}
    union all select w.workspace_id, w.connection_id, true from ${CLOSINGS} where ${isDue}) w`
  const { rows: accounts } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select m.account_id, true, true, ${now}::timestamptz from ${due} join ${ANSWERERS}
    where (not w.is_closing or ${CLOSES}) and u.email_confirmed_at is not null and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest
      and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const { rows: connections } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null)
      and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and not exists (select from opt_outs o where o.address_hash = sha256(convert_to('address:' || l.email_key, 'UTF8')))
      and exists (select from ${due} where ${EMAILED} and w.connection_id = l.id) returning l.id`.execute(tx)
  const taken = { accounts: idsOf(accounts), connections: idsOf(connections) }
  if (accounts.length + connections.length === 0) return taken
  const isTaken = (
    who = sql`true`,
  ) => sql`((${EMAILED} and w.connection_id = any (${taken.connections}::uuid[]))
    or exists (select from members m where ${ANSWERS} and ${who} and m.account_id = any (${taken.accounts}::uuid[])))`
  for (const side of ['family', 'practice'] as const)
    for (const kind of ['session', 'payment'] as const) {
      const [count, last] = [sql.ref(`${side}_reminders`), sql.ref(`${side}_reminded_at`)]
      await sql`
        update ${sql.table(`public.${kind}s`)} s set ${count} = s.${count} + 1, ${last} = ${now}::timestamptz
        from ${kind === 'session' ? SHARED : PAYMENTS}
        where w.key = s.key and w.side = ${side} and s.${count} = w.reminders and ${isAsked} and ${isTaken()}`.execute(
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

/**
 * Finds who gets the email about a finished month: owners who shared sessions in that month, and addresses
 * without an account that still have something to answer in it.
 */
export async function takeMonth(tx: Tx, month: string): Promise<Recipients> {
  const { from, to } = daysOfMonth(month)
  const isNew = (who: ReturnType<typeof sql>) =>
    sql`not exists (select from outbox o where o.kind in ('month_over', 'waiting_sessions') and o.data ->> 'month' = ${month} and ${who})`
  const { rows: accounts } = await sql<{ id: string }>`
    select m.account_id as id from ${SHARED} join ${OWNERS}
    where w.day between ${from}::date and ${to}::date and coalesce(n.month_ready, true) and ${isNew(sql`o.user_id = m.account_id`)} group by 1`.execute(
    tx,
  )
  const { rows: connections } = await sql<{ id: string }>`
    select l.id from connections l where (l.practice_id is null or l.family_id is null) and l.email is not null
      and ${isNew(sql`o.data ->> 'link_id' = l.id::text`)}
      and exists (select from ${SHARED} where ${EMAILED} and w.connection_id = l.id and w.waits and w.day between ${from}::date and ${to}::date)`.execute(
    tx,
  )
  return { accounts: idsOf(accounts), connections: idsOf(connections) }
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

interface WaitingInCurrency extends Omit<Waiting, 'amounts'>, Amount {}

/** Merges rows in different currencies into one entry for each side (family or practice). */
function together(rows: readonly WaitingInCurrency[]): Waiting[] {
  const kinds = new Map<Side, Waiting>()
  for (const { currency, amount_cents, ...row } of rows) {
    const so = kinds.get(row.kind)
    kinds.set(row.kind, {
      kind: row.kind,
      sessions: row.sessions + (so?.sessions ?? 0),
      minutes: row.minutes + (so?.minutes ?? 0),
      deletions: row.deletions + (so?.deletions ?? 0),
      sent_back: row.sent_back + (so?.sent_back ?? 0),
      since: so?.since && (!row.since || so.since < row.since) ? so.since : row.since,
      connections: [...new Set([...row.connections, ...(so?.connections ?? [])])],
      amounts: [...(so?.amounts ?? []), { currency, amount_cents }],
    })
  }
  return [...kinds.values()]
}

/** What's waiting for an account in all its workspaces, up to the given day. */
export async function waitingFor(tx: Tx, accountId: string, to: CalendarDay): Promise<Waiting[]> {
  const waits = sql`w.waits and w.day <= ${to}::date`
  const { rows } = await sql<WaitingInCurrency>`
    select w.side as kind, w.currency, coalesce(sum(w.total_cents) filter (where ${waits}), 0)::int as amount_cents,
      count(*) filter (where ${waits})::int as sessions,
      coalesce(sum(w.minutes) filter (where ${waits}), 0)::int as minutes,
      count(*) filter (where w.is_leaving)::int as deletions, count(*) filter (where w.is_sent_back)::int as sent_back,
      min(w.asked_at) filter (where (${waits}) or w.is_leaving or w.proposal is not null) as since, array_agg(distinct w.connection_id) as connections
    from ${SHARED} join ${ANSWERERS} where m.account_id = ${accountId}::uuid
      and ((${waits}) or w.is_leaving or w.is_sent_back) group by 1, 2 order by 1, 2`.execute(tx)
  return together(rows)
}

/**
 * What's waiting for a side without an account, oldest first: sessions to confirm in this date range, and
 * deletions to agree to.
 */
export async function sessionsByMail(
  tx: Tx,
  id: string,
  days: { from?: CalendarDay; to: CalendarDay },
): Promise<MailedSession[]> {
  const { rows } = await sql<MailedSession>`
    select p.first_name, s.day, s.minutes, s.total_cents, s.currency, ${WORDS}, w.is_leaving, w.asked_at
    from ${ASKED} join public.sessions s on s.key = w.key left join connection_people p on p.connection_id = s.connection_id
      and (p.child_id = s.child_id or (s.child_id is null and p.student_id = s.student_id))
    where ${EMAILED} and w.connection_id = ${id}::uuid
      and (w.is_leaving or (w.waits and w.day between ${days.from ?? '1900-01-01'}::date and ${days.to}::date))
      order by s.day, s.key`.execute(tx)
  return rows
}

/** What the other side proposes to an account (or a side without one) about sessions, oldest first. */
export async function proposalsByMail(
  tx: Tx,
  whose: { account: string } | { connection: string },
): Promise<MailedProposal[]> {
  const { rows } = await sql<MailedProposal>`
    select w.connection_id, p.first_name, s.currency, w.asked_at,
      jsonb_build_object('day', s.day, 'minutes', s.minutes, 'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents)) as now,
      case when not w.proposal ? 'is_removed' then w.proposal end as proposed
    from ${ASKED} join public.sessions s on s.key = w.key left join connection_people p on p.connection_id = s.connection_id
      and (p.child_id = s.child_id or (s.child_id is null and p.student_id = s.student_id))
    where w.proposal is not null and ${isFor(whose)} order by s.day, s.key`.execute(tx)
  return rows
}

/** Whether a question is for an account that may answer it, or for a side without an account. */
function isFor(whose: { account: string } | { connection: string }) {
  return 'account' in whose
    ? sql`exists (select from members m where ${ANSWERS} and m.account_id = ${whose.account}::uuid)`
    : sql`${EMAILED} and w.connection_id = ${whose.connection}::uuid`
}

/**
 * Payments that an account (or a side without one) still has to answer, or that were sent back to it. Oldest
 * first.
 */
export async function paymentsByMail(
  tx: Tx,
  whose: { account: string } | { connection: string },
): Promise<MailedPayment[]> {
  const { rows } = await sql<MailedPayment>`
    select w.connection_id, w.side, case w.side when 'family' then t.name else coalesce(st.first_name, f.owner_name) end as about, w.is_leaving, w.is_sent_back,
      case when w.is_sent_back then case w.side when 'family' then p.practice_answer_note else p.family_answer_note end end as note, w.asked_at,
      case when p.practice_answer = 'confirmed' and p.practice_answer_version = p.facts_version
        and not coalesce(p.family_answer = 'confirmed' and p.family_answer_version = p.facts_version, false) then 'practice' else 'family' end as reported_by,
      p.day, p.kind, p.amount_cents, p.prepaid_minutes, p.method, p.currency
    from ${PAYMENTS} join public.payments p on p.key = w.key
      left join tutors t on t.workspace_id = w.workspace_id and t.id = p.family_tutor_id
      left join students st on st.workspace_id = w.workspace_id and st.id = p.student_id
      left join workspaces f on w.workspace_id is not null and f.id = p.family_id
    where (w.waits or w.is_leaving or w.is_sent_back) and ${isFor(whose)} order by p.day, p.key`.execute(tx)
  return rows
}

/** Months that an account (or a side without one) has been asked to close, oldest first. */
export async function askedMonths(
  tx: Tx,
  whose: { account: string } | { connection: string },
): Promise<AskedMonth[]> {
  const isWhose =
    'account' in whose
      ? sql`exists (select from members m where ${ANSWERS} and ${CLOSES} and m.account_id = ${whose.account}::uuid)`
      : sql`${EMAILED} and w.connection_id = ${whose.connection}::uuid`
  const { rows } = await sql<AskedMonth>`
    select w.side, w.connection_id, w.month, w.asked_at from ${CLOSINGS} where ${isWhose} order by w.month, w.connection_id`.execute(
    tx,
  )
  return rows
}

/** When an active connection's payment options last changed; undefined once either side's account is closed. */
export async function waysChangedAt(tx: Tx, id: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select('ways_changed_at')
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('family_closed_at', 'is', null)
    .where('practice_closed_at', 'is', null)
    .executeTakeFirst()
  return row?.ways_changed_at ?? undefined
}

/** An account's address, if it sees the family's payments and we may email it; otherwise undefined. */
export async function payerOf(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from connections c join members m on m.workspace_id = c.family_id and m.role <> 'caregiver'
      and m.all_students join users u on u.id = m.account_id
    where c.id = ${id}::uuid and m.account_id = ${accountId}::uuid and u.email_confirmed_at is not null
      and u.disabled_at is null and u.deletion_asked_at is null`.execute(tx)
  return rows[0]?.email
}

/** The side that an account belongs to, for each of these connections. */
export async function ownSides(
  tx: Tx,
  accountId: string,
  connections: readonly string[],
): Promise<{ id: string; side: Side }[]> {
  const { rows } = await sql<{ id: string; side: Side }>`
    select c.id, case when exists (select from members m where m.account_id = ${accountId}::uuid
        and m.workspace_id = c.family_id) then 'family' else 'practice' end as side
    from connections c where c.id = any (${[...connections]}::uuid[])`.execute(tx)
  return rows
}

/** What's written about the lessons waiting for an account, newest first. */
export async function wordsWaiting(tx: Tx, accountId: string, to: CalendarDay): Promise<WaitingWords[]> {
  const { rows } = await sql<WaitingWords>`
    select st.first_name, s.day, ${WORDS} from ${SHARED} join public.sessions s on s.key = w.key join ${OWNERS}
      left join students st on st.workspace_id = w.workspace_id and st.id = case w.side when 'family' then s.child_id else s.student_id end
    where m.account_id = ${accountId}::uuid and w.waits and w.day <= ${to}::date and coalesce(${WORDS}) is not null
    order by s.day desc, s.id limit ${MOST_TOLD}`.execute(tx)
  return rows
}

/**
 * The state of a finished month for each of an account's connections, except those where the month is already
 * closed.
 */
export async function monthOver(tx: Tx, accountId: string, month: string): Promise<MonthOver[]> {
  const { from, to } = daysOfMonth(month)
  const isForYou = sql`(w.waits or w.is_leaving)`
  const { rows } = await sql<MonthOver>`
    select over.*, (select case w.side when over.side then 'other' else 'you' end from ${CLOSINGS}
        where w.connection_id = over.connection_id and w.month = ${month}) as asked_by,
      (select jsonb_agg(jsonb_build_object('currency', t.currency, 'amount_cents', t.amount)) from (
        select s.currency, sum(s.total_cents)::int as amount from public.sessions s
        where s.connection_id = over.connection_id and s.day between ${from}::date and ${to}::date and not s.is_disputed
          and s.deletion_asked_by is null group by 1 order by 1) t) as amounts,
      (select count(*)::int from public.payments p where p.connection_id = over.connection_id and p.day between ${from}::date and ${to}::date
        and (not p.is_verified or p.deletion_asked_by is not null)) as open_payments
    from (
      select w.connection_id, w.side, count(*)::int as sessions, sum(w.minutes)::int as minutes,
        count(*) filter (where w.is_sent_back)::int as sent_back, count(*) filter (where ${isForYou} and not w.is_sent_back)::int as for_you,
        count(*) filter (where not (w.is_confirmed or w.is_sent_back or ${isForYou}))::int as for_them
      from ${SHARED} join ${OWNERS} where m.account_id = ${accountId}::uuid and w.day between ${from}::date and ${to}::date group by 1, 2) over
    where not exists (select from closed_months k where k.connection_id = over.connection_id and k.month = ${month} and k.state = 'closed')
    order by over.side, over.connection_id`.execute(tx)
  return rows.map((row) => ({ ...row, amounts: row.amounts ?? [] }))
}

/** The most recent request to close a month between two sides, and what became of it. */
export async function monthNews(tx: Tx, id: string, month: string) {
  return tx
    .selectFrom('closed_months')
    .select(['state', 'asked_by', 'reopened_by', 'reason'])
    .where('connection_id', '=', id)
    .where('month', '=', month)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}
