// SQL for the emails between two sides: what to list in them. Who gets one is in recipient-queries.server.ts. Everything here runs
// as the system role, and the same rules apply to both sides.
import { sql } from 'kysely'
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { isRemoval, type Proposal, type ProposedFacts } from '#features/agreements/answer.ts'
import type { Side } from '#features/access/role.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { MonthOver } from './month-words.ts'
import type { MailedPayment } from './payment-lines.ts'
import type { MailedTerms } from './terms-lines.ts'
import type { MailedClass } from './class-lines.ts'
import type { CanceledClass } from './canceled-lines.ts'
import type { Place } from '#features/schedules/occurrence.ts'
import { type ProposedRule, shownRule } from '#features/schedules/queries.server.ts'
import { rulesFor, yoursOf } from '#features/schedules/zones.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import type { Currency } from '#kernel/money.ts'
import { WORDS_FIELDS } from '#features/sessions/lesson-words.ts'
import { type Amount, type MailedSession, MOST_TOLD, type WaitingWords } from './session-lines.ts'
import type { AskedMonth, ClosedMonth, MailedProposal, Waiting } from './waiting-words.ts'

/** What's written about a session that a query calls s. */
const WORDS = sql.join(WORDS_FIELDS.map((field) => sql.ref(`s.${field}`)))

/** What each side of every open connection is asked and told (db/repeatable/sides.sql). */
export const SHARED = sql`(select * from asked_sides where kind = 'session' and state = 'active') w`
/** The same for connections that nobody has accepted yet. */
const ASKED = sql`(select * from asked_sides where kind = 'session') w`
/** Payments, and charges and credits. */
export const MONEY = sql`(select * from asked_sides where kind in ('payment', 'charge') and state = 'active') w`
const MONEY_ROWS = sql.join(
  [
    { kind: 'payment', facts: 'kind, prepaid_minutes, method, null::text as reason, null::text as label' },
    {
      kind: 'charge',
      facts: "'charge' as kind, null::integer as prepaid_minutes, null::text as method, reason, label",
    },
  ].map(
    ({
      kind,
      facts,
    }) => sql`select ${sql.lit(kind)} as entry_kind, key, day, amount_cents, currency, ${sql.raw(facts)}, family_id,
      family_tutor_id, student_id, facts_version, family_answer, family_answer_version, family_answer_note, practice_answer,
      practice_answer_version, practice_answer_note, connection_id, is_verified, deletion_asked_by from ${sql.table(`public.${kind}s`)}`,
  ),
  sql` union all `,
)
export const TERMS = sql`(select * from asked_sides where kind = 'term' and state = 'active') w`
/** Schedules and single classes. */
export const CLASSES = sql`(select * from asked_sides where kind in ('schedule', 'schedule_change') and state = 'active') w`
/** The day on which a class takes place: a move counts once both sides took part in it. */
const CLASS_DAY = sql`(case when c.family_took_part and c.practice_took_part then coalesce(c.moved_to, c.day) else c.day end)`
/** Classes to come that one side canceled, for the other. They ask for nothing, and hold already. */
export function canceled(now: Date) {
  return sql`(select c.connection_id, c.outcome_at as since, ${CLASS_DAY} as day, p.first_name,
      ${CLASS_DAY} + case when c.moved_to is null or ${CLASS_DAY} = c.day then s.start_time else c.start_time end as starts, s.time_zone as zone,
      case c.outcome_by when 'family' then c.practice_id else c.family_id end as workspace_id,
      case c.outcome_by when 'family' then 'practice' else 'family' end as side
    from public.schedule_changes c join connections l on l.id = c.connection_id and l.state = 'active'
        and l.family_closed_at is null and l.practice_closed_at is null
      left join public.schedules s on s.connection_id = c.connection_id and s.id = c.schedule_id
      left join connection_people p on p.connection_id = c.connection_id and p.student_id = c.student_id
    where c.outcome <> 'no_show' and ${CLASS_DAY} >= ${now}::date - 1 and ${CLASS_DAY} >= c.outcome_at::date) w`
}
/** The months that a side has been asked to close. */
export const CLOSINGS = sql`(select m.connection_id, m.id, m.month, case m.asked_by when 'family' then c.practice_id else c.family_id end as workspace_id,
    case m.asked_by when 'family' then 'practice' else 'family' end as side, m.asked_at, m.reminders, m.reminded_at
  from closed_months m join connections c on c.id = m.connection_id and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
  where m.state = 'asked') w`
/** The accounts of members, if we're allowed to email them, and which emails they want. */
const EMAILABLE = sql`join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null
  left join notice_choices n on n.user_id = m.account_id left join profiles z on z.user_id = m.account_id`
export const OWNERS = sql`members m on m.workspace_id = w.workspace_id and m.role = 'owner' ${EMAILABLE}`
/** Members who may answer for a workspace: its owner, and parents or assistants who see all students. */
export const ANSWERS = sql`m.workspace_id = w.workspace_id and (m.role = 'owner' or (m.role in ('parent', 'assistant') and m.all_students))`
/** Members who may answer and may also close a month. */
export const CLOSES = sql`m.role in ('owner', 'parent')`
export const ANSWERERS = sql`members m on ${ANSWERS} ${EMAILABLE}`
/** A side without an account. */
export const EMAILED = sql`w.workspace_id is null`

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
    select w.side as kind, w.currency, coalesce(sum(w.total_cents) filter (where ${waits}), 0)::bigint as amount_cents,
      count(*) filter (where ${waits})::int as sessions,
      coalesce(sum(w.minutes) filter (where ${waits}), 0)::int as minutes,
      count(*) filter (where w.is_leaving)::int as deletions, count(*) filter (where w.is_sent_back)::int as sent_back,
      min(w.asked_at) filter (where (${waits}) or w.is_leaving or w.proposal is not null) as since, array_agg(distinct w.connection_id) as connections
    from ${SHARED} join ${ANSWERERS} where m.account_id = ${accountId}::uuid and ${isOwn(accountId)}
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
      jsonb_build_object('day', s.day, 'minutes', s.minutes, 'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents),
        'lesson_price_cents', s.lesson_price_cents, 'lesson_price_minutes', s.lesson_price_minutes) as now,
      case when not w.proposal ? 'is_removed' then w.proposal end as proposed
    from ${ASKED} join public.sessions s on s.key = w.key left join connection_people p on p.connection_id = s.connection_id
      and (p.child_id = s.child_id or (s.child_id is null and p.student_id = s.student_id))
    where w.proposal is not null and ${isFor(whose)} order by s.day, s.key`.execute(tx)
  return rows
}

/** Whether a row is of one of an account's connections, by which it's found. It doesn't say which side's it is. */
export const isOwn = (account: string) => sql`w.connection_id = any (connections_of(${account}::uuid))`

/** Whether a question is for an account that may answer it, or for a side without an account. */
function isFor(whose: { account: string } | { connection: string }) {
  return 'account' in whose
    ? sql`exists (select from members m where ${ANSWERS} and m.account_id = ${whose.account}::uuid) and ${isOwn(whose.account)}`
    : sql`${EMAILED} and w.connection_id = ${whose.connection}::uuid`
}

/**
 * Payments and charges that an account (or a side without one) still has to answer, or that were sent back to it. Oldest
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
      p.day, p.kind, p.amount_cents, p.prepaid_minutes, p.method, p.reason, p.label, p.currency
    from ${MONEY} join (${MONEY_ROWS}) p on p.entry_kind = w.kind and p.key = w.key
      left join tutors t on t.workspace_id = w.workspace_id and t.id = p.family_tutor_id
      left join students st on st.workspace_id = w.workspace_id and st.id = p.student_id
      left join workspaces f on w.workspace_id is not null and f.id = p.family_id
    where (w.waits or w.is_leaving or w.is_sent_back) and ${isFor(whose)} order by p.day, p.key`.execute(tx)
  return rows
}

/** Terms that an account (or a side without one) still has to answer, or that were declined. Oldest first. */
export async function termsByMail(
  tx: Tx,
  whose: { account: string } | { connection: string },
): Promise<MailedTerms[]> {
  const { rows } = await sql<MailedTerms>`
    select w.connection_id, w.side, t.rules, t.currency, w.is_leaving, w.is_sent_back, w.proposal, w.asked_at,
      case when w.is_sent_back then case w.side when 'family' then t.practice_answer_note else t.family_answer_note end end as note
    from ${TERMS} join public.terms t on t.key = w.key
    where (w.waits or w.is_leaving or w.is_sent_back) and ${isFor(whose)} order by t.key`.execute(tx)
  return rows
}

/** Changes of schedules and classes that an account still has to answer, in the order of their days, with its own hours. */
export async function classesByMail(tx: Tx, account: string, now: Date): Promise<MailedClass[]> {
  const reader = await readTimeZone(tx, account)
  const { rows } = await sql<StoredClass>`
    select w.connection_id, w.side, w.asked_at, w.kind, w.day, w.currency, w.proposal, current_facts(w.kind, w.key) as facts, s.time_zone
    from ${CLASSES} left join public.schedule_changes c on w.kind = 'schedule_change' and c.key = w.key
      left join public.schedules s on s.connection_id = w.connection_id and s.id = c.schedule_id
    where (w.waits or w.proposal is not null) and ${isFor({ account })} order by w.day, w.kind, w.key`.execute(
    tx,
  )
  return rows.flatMap(
    ({ kind, day, currency, proposal, facts, time_zone: zone, ...about }): MailedClass[] => {
      if (kind === 'schedule_change') {
        const place = placeOf(proposal ?? facts)
        return [{ ...about, day, place: place && { ...place, yours: yoursOf(reader, zone, place) } }]
      }
      if (!proposal || isRemoval(proposal)) return []
      const ruleFor = rulesFor(reader, now)
      const shown = (one: unknown) => ruleFor(shownRule(one as ProposedRule))
      return [{ ...about, currency, now: shown(facts), rule: shown(proposal) }]
    },
  )
}

/** What was canceled since an account's last daily email, until this one, in the order in which it was done. */
export async function canceledByMail(
  tx: Tx,
  account: string,
  { after, until, now }: { after: Date | null; until: Date; now: Date },
): Promise<CanceledClass[]> {
  const { rows } = await sql<CanceledClass>`
    select w.connection_id, w.side, w.first_name, w.day, w.since as recorded_at from ${canceled(now)}
    where w.since > coalesce(${after}::timestamptz, '-infinity') and w.since <= ${until}::timestamptz and ${isFor({ account })}
    order by w.since, w.connection_id, w.day, w.first_name`.execute(tx)
  return rows
}

interface StoredClass {
  connection_id: string
  side: Side
  asked_at: Date
  kind: 'schedule' | 'schedule_change'
  day: CalendarDay
  currency: Currency
  proposal: Proposal | null
  facts: ProposedFacts
  /** Only of a class: where it takes place. */
  time_zone: string | null
}

/** Where a class should be; null if it should be as planned. */
function placeOf(proposed: Proposal): Place | null {
  if (isRemoval(proposed)) return null
  const { moved_to: date, start_time: time } = proposed as {
    moved_to: string | null
    start_time: string | null
  }
  return date && time ? { date, start_time: time.slice(0, 5), yours: null } : null
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

/** The months that the other sides of an account's connections closed since a moment, which they had been asked to, oldest first. */
export async function closedSince(
  tx: Tx,
  account: string,
  after: Date | null,
  until: Date,
): Promise<ClosedMonth[]> {
  const { rows } = await sql<ClosedMonth>`
    select w.connection_id, w.side, w.month from (select m.connection_id, m.month, m.answered_at, m.asked_by as side,
        case m.asked_by when 'family' then c.family_id else c.practice_id end as workspace_id
      from closed_months m join connections c on c.id = m.connection_id and c.state = 'active' where m.state = 'closed') w
    where w.answered_at > coalesce(${after}::timestamptz, '-infinity') and w.answered_at <= ${until}::timestamptz
      and exists (select from members m where ${ANSWERS} and ${CLOSES} and m.account_id = ${account}::uuid)
    order by w.month, w.connection_id`.execute(tx)
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
    where m.account_id = ${accountId}::uuid and ${isOwn(accountId)} and w.waits and w.day <= ${to}::date and coalesce(${WORDS}) is not null
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
        select s.currency, sum(s.total_cents)::bigint as amount from public.sessions s
        where s.connection_id = over.connection_id and s.day between ${from}::date and ${to}::date and not s.is_disputed
          and s.deletion_asked_by is null group by 1 order by 1) t) as amounts,
      array(select p.entry_kind from (${MONEY_ROWS}) p where p.connection_id = over.connection_id and p.day between ${from}::date and ${to}::date
        and (not p.is_verified or p.deletion_asked_by is not null)) as open_money
    from (
      select w.connection_id, w.side, count(*)::int as sessions, sum(w.minutes)::int as minutes,
        count(*) filter (where w.is_sent_back)::int as sent_back, count(*) filter (where ${isForYou} and not w.is_sent_back)::int as for_you,
        count(*) filter (where not (w.is_confirmed or w.is_sent_back or ${isForYou}))::int as for_them
      from ${SHARED} join ${OWNERS} where m.account_id = ${accountId}::uuid and ${isOwn(accountId)}
        and w.day between ${from}::date and ${to}::date group by 1, 2) over
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
