// SQL for sign-offs (run as the system role) and for closed months (run as either of the two sides).
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import { familyOf, tutorOf } from '#features/workspaces/sides.ts'
import type { Currency } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Caller } from '#features/access/admission.server.ts'
import type { Side } from '#features/access/role.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  type MonthNews,
  type MonthCharge,
  type MonthPayment,
  type MonthRows,
  type MonthSession,
} from './closing.ts'
import { contentText, type MonthContent } from './month-page.ts'
import type { SignedPage } from './signed-page.ts'
import { CODE_LENGTH, CODE_LETTERS, type SignedLine, signedText } from './sign-off.ts'
import { type CheckedCode, factsOfPage, factsOfSignOff } from './verify-page.ts'

/**
 * The history entry that verified a session: either the second side's confirmation or the merge of two
 * sessions into one. If both sides logged the session before sharing, it has neither, so the other side's
 * last entry counts. If the session was already confirmed before a merge, the earlier confirmation still
 * counts.
 */
const CONFIRMING = sql`select h.at, h.hash from public.history h
  where h.kind = 'session' and h.entry_key = s.key and (h.chain > 1 or h.action in ('confirmed', 'accepted')
    or (h.action = 'merged'
        and not exists (select from public.history before where before.kind = 'session' and before.entry_key = h.entry_key
        and before.chain = 1 and before.seq = h.seq - 1
      and before.facts ->> 'state' = 'verified')))
  order by h.chain, h.seq desc limit 1`

/**
 * Who confirmed which session and when, for a family's month with a tutor. Undefined if there are no sessions
 * or some of them aren't confirmed.
 */
async function signedLines(
  tx: Tx,
  familyId: WorkspaceId,
  tutorId: string,
  month: string,
): Promise<(SignedLine & { currency: Currency })[] | undefined> {
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<SignedLine & { currency: Currency; is_verified: boolean }>`
    select s.id as session_id, s.day, s.minutes, s.currency, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate_cents, s.total_cents,
      s.is_verified and s.deletion_asked_by is null as is_verified, to_char(first.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as logged_at,
      to_char(word.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, encode(word.hash, 'hex') as confirmed_entry
    from public.sessions s
    left join public.history first on first.kind = 'session' and first.entry_key = s.key and first.chain = 1 and first.seq = 1
    left join lateral (${CONFIRMING}) word on true
    where s.family_id = ${familyId}::uuid and s.family_tutor_id = ${tutorId}::uuid and s.day between ${from}::date and ${to}::date and not s.is_held`.execute(
    tx,
  )
  const isWhole = rows.length > 0 && rows.every((row) => row.is_verified && row.confirmed_entry !== null)
  return isWhole ? rows : undefined
}

interface KeptSignOff {
  code: string
  signedAt: Date
}

/**
 * Returns the sign-off for a month with a tutor. If this content doesn't have one yet, creates it. Undefined
 * until everything is confirmed.
 */
export async function signOff(
  tx: Tx,
  { familyId, tutorId }: Parties,
  month: string,
  now: Date,
): Promise<KeptSignOff | undefined> {
  const lines = await signedLines(tx, familyId, tutorId, month)
  if (!lines) return undefined
  const hash = contentHash(month, tutorId, lines)
  const code = newCode()
  await tx
    .insertInto('sign_offs')
    .values({ workspace_id: familyId, tutor_id: tutorId, month, code, content_hash: hash, signed_at: now })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'tutor_id', 'month', 'content_hash']).doNothing(),
    )
    .execute()
  const row = await tx
    .selectFrom('sign_offs')
    .select(['code', 'signed_at'])
    .where('workspace_id', '=', familyId)
    .where('tutor_id', '=', tutorId)
    .where('month', '=', month)
    .where('content_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return { code: row.code, signedAt: row.signed_at }
}

export async function checkCode(tx: Tx, code: string): Promise<CheckedCode | undefined> {
  const row = await tx
    .selectFrom('sign_offs')
    .select(['workspace_id', 'tutor_id', 'month', 'content_hash'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!row) return checkClosing(tx, code)
  const lines = row.tutor_id ? await signedLines(tx, row.workspace_id, row.tutor_id, row.month) : undefined
  const isCurrent =
    lines !== undefined &&
    row.tutor_id !== null &&
    contentHash(row.month, row.tutor_id, lines).equals(row.content_hash)
  // Only a hash of the content was kept, so what it was before a change isn't known.
  return {
    month: row.month,
    kind: 'signed',
    standing: isCurrent ? 'current' : 'changed',
    facts: isCurrent ? factsOfSignOff(lines) : null,
  }
}

export interface Parties {
  familyId: WorkspaceId
  tutorId: string
}

/**
 * The family and the tutor of an open connection, read as the system role; undefined if the connection ended
 * or the family's tutor was deleted.
 */
export async function partiesOf(tx: Tx, connectionId: string): Promise<Parties | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select(['family_id', 'tutor_id'])
    .where('id', '=', connectionId)
    .where('state', 'in', ['asked', 'active'])
    .executeTakeFirst()
  return row?.family_id && row.tutor_id ? { familyId: row.family_id, tutorId: row.tutor_id } : undefined
}

/**
 * For a practice: whether this is one of its active connections. A request that was only sent to its address
 * doesn't count. For an emailed link: whether this is its connection.
 */
export async function isOwnConnection(caller: Caller, id: string): Promise<boolean> {
  if (caller.isLink) return caller.workspace === id
  const { tx, workspace: practiceId } = caller
  const row = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('practice_id', '=', practiceId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The names on a sign-off, as the other side may see them: the records' owner and the tutor. Also the
 * currency.
 */
export async function signedNames(
  tx: Tx,
  { familyId, tutorId }: Parties,
): Promise<{ holder: string; currency: Currency; tutor: string } | undefined> {
  const { rows } = await sql<{
    family: string | null
    tutor: string | null
    first_names: string[]
    currency: Currency
  }>`
    select w.owner_name as family, w.currency,
      (select p.owner_name from connections c join workspaces p on p.id = c.practice_id
        where c.family_id = t.workspace_id and c.tutor_id = t.id order by c.created_at desc limit 1) as tutor,
      array(select distinct p.first_name from connections c join connection_people p on p.connection_id = c.id
        where c.family_id = t.workspace_id and c.tutor_id = t.id and p.child_id is not null order by 1) as first_names
    from tutors t join workspaces w on w.id = t.workspace_id
    where t.workspace_id = ${familyId}::uuid and t.id = ${tutorId}::uuid`.execute(tx)
  const [row] = rows
  return (
    row && {
      holder: familyOf(row.family, row.first_names),
      currency: row.currency,
      tutor: tutorOf(row.tutor, row.first_names),
    }
  )
}

/** The time zone that a workspace's documents are dated in: its owner's. UTC until that is known. */
export async function documentTimeZone(tx: Tx, workspaceId: WorkspaceId): Promise<string> {
  const { rows } = await sql<{ zone: string | null }>`
    select owner_time_zone(${workspaceId}::uuid) as zone`.execute(tx)
  return rows[0]?.zone ?? 'UTC'
}

/** The time zone and region of what two sides share: the family owner's, or else the practice owner's. */
export async function placeOfBoth(
  tx: Tx,
  connection: { id: string } | Parties,
): Promise<{ timeZone: string; region: string | null }> {
  const isWanted =
    'id' in connection
      ? sql`c.id = ${connection.id}::uuid`
      : sql`c.family_id = ${connection.familyId}::uuid and c.tutor_id = ${connection.tutorId}::uuid`
  const { rows } = await sql<{ zone: string | null; region: string | null }>`
    select coalesce(owner_time_zone(c.family_id), owner_time_zone(c.practice_id)) as zone,
      coalesce(owner_region(c.family_id), owner_region(c.practice_id)) as region
    from connections c where ${isWanted} order by c.state = 'active' desc, c.id limit 1`.execute(tx)
  return { timeZone: rows[0]?.zone ?? 'UTC', region: rows[0]?.region ?? null }
}

/** What a statement says about a lesson. */
const LESSON_FACTS = [
  ...(['day', 'minutes', 'rate_override_cents', 'tutor_rate_cents', 'lesson_price_cents'] as const),
  ...(['lesson_price_minutes', 'total_cents', 'subject', 'makes_up'] as const),
] as const

/** A sign-off's sessions, oldest first. Includes only what both sides may read, such as first names. */
export async function signedSessions(tx: Tx, { familyId, tutorId }: Parties, month: string) {
  const { from, to } = daysOfMonth(month)
  return tx
    .selectFrom('public.sessions as s')
    .leftJoin('students', (join) =>
      join.onRef('students.workspace_id', '=', 's.family_id').onRef('students.id', '=', 's.child_id'),
    )
    .select(['s.id', 's.child_id', 'first_name'])
    .select(LESSON_FACTS)
    .where('s.family_id', '=', familyId)
    .where('s.family_tutor_id', '=', tutorId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('s.is_held', '=', false)
    .orderBy('day')
    .orderBy('s.id')
    .execute()
}

function contentHash(month: string, tutorId: string, lines: SignedLine[]): Buffer {
  return createHash('sha256')
    .update(signedText(month, tutorId, lines))
    .digest()
}

// Closed months. These queries use database functions that can read both sides.

/**
 * Everything the two sides share through the end of a month; undefined if the reader isn't on either side of
 * an open connection. With a lock, nothing in the month can change until the transaction ends.
 */
export async function readMonth(
  tx: Tx,
  connectionId: string,
  month: string,
  isLocked = false,
): Promise<MonthRows | undefined> {
  const { rows } = await sql<{ found: MonthRows | null }>`
    select read_month(${connectionId}::uuid, ${month}, ${isLocked}) as found`.execute(tx)
  const found = rows[0]?.found
  if (!found) return undefined
  const withMoments = <Row extends MonthSession | MonthPayment | MonthCharge>(row: Row) => ({
    ...row,
    family_at: moment(row.family_at),
    practice_at: moment(row.practice_at),
  })
  return {
    ...found,
    sessions: found.sessions.map(withMoments),
    payments: found.payments.map(withMoments),
    charges: found.charges.map(withMoments),
    closings: found.closings.map((row) => ({
      ...row,
      asked_at: moment(row.asked_at) ?? '',
      answered_at: moment(row.answered_at),
      reopened_at: moment(row.reopened_at),
      reminded_at: moment(row.reminded_at),
    })),
  }
}

/** For an emailed page: the months up to `until` that have any content, newest first. */
export async function listMonths(
  tx: Tx,
  connectionId: string,
  until: string,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(s.day, 'YYYY-MM') as month from sessions s where s.connection_id = ${connectionId}::uuid and to_char(s.day, 'YYYY-MM') <= ${until}
    union select to_char(p.day, 'YYYY-MM') from payments p where p.connection_id = ${connectionId}::uuid and to_char(p.day, 'YYYY-MM') <= ${until}
    union select to_char(c.day, 'YYYY-MM') from charges c where c.connection_id = ${connectionId}::uuid and to_char(c.day, 'YYYY-MM') <= ${until}
    union select m.month from closed_months m where m.connection_id = ${connectionId}::uuid
    order by 1 desc limit ${most}`.execute(tx)
  return rows.map(({ month }) => month)
}

/** Converts a timestamp from the database's JSON to ISO 8601 in UTC. */
function moment(text: string | null): string | null {
  return text && new Date(text).toISOString()
}

/** Asks to close a month. If the other side already asked, closes it with this page, which is signed then. */
export async function askOrClose(
  tx: Tx,
  connectionId: string,
  month: string,
  page: MonthContent,
  signed?: SignedPage,
): Promise<'asked' | 'closed'> {
  const hash = createHash('sha256').update(contentText(page)).digest()
  const { rows } = await sql<{ state: 'asked' | 'closed' }>`
    select close_month(${connectionId}::uuid, ${month}, ${JSON.stringify(page)}::jsonb, ${hash}, ${page.code},
        ${page.closed_at}::timestamptz, ${signed?.page ?? null}, ${signed?.key ?? null},
        ${signed ? Buffer.from(signed.signature, 'hex') : null}::bytea) as state`.execute(tx)
  return rows[0]?.state ?? 'asked'
}

/** Reopens a month. Returns false if it isn't closed. */
export async function reopen(
  tx: Tx,
  connectionId: string,
  month: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select reopen_month(${connectionId}::uuid, ${month}, ${reason}, ${now}::timestamptz) as found`.execute(tx)
  return rows[0]?.found ?? false
}

/**
 * Withdraws this side's request to close a month. Returns 'asked' if it did, 'closed' if the month is already
 * closed, and null if this side didn't ask.
 */
export async function withdraw(
  tx: Tx,
  connectionId: string,
  month: string,
): Promise<'asked' | 'closed' | null> {
  const { rows } = await sql<{ was: 'asked' | 'closed' | null }>`
    select withdraw_month(${connectionId}::uuid, ${month}) as was`.execute(tx)
  return rows[0]?.was ?? null
}

/** For a side with an account: its active connections, and what it calls the other side of each. */
export async function connectedSides(
  tx: Tx,
  side: Side,
): Promise<{ id: string; other_name: string | null }[]> {
  const { rows } = await sql<Called & { id: string }>`
    select c.id, ${OTHER_NAME[side]} as other_name, ${FIRST_NAMES} as first_names from connections c
      where c.state = 'active' and ${IS_OWN[side]} order by ${OTHER_NAME[side]} ${ALPHABETICAL}, c.id`.execute(
    tx,
  )
  return rows.map(({ id, ...row }) => ({ id, other_name: named(side, row) }))
}

/**
 * For a side with an account: the months that the other side has asked it to close, oldest first. Leaves out
 * connections if the other side's account is closed.
 */
export async function listAskedMonths(tx: Tx, side: Side) {
  const { rows } = await sql<
    Called & {
      connection_id: string
      month: string
      asked_at: Date
      reminders: number
      reminded_at: Date | null
    }
  >`
    select m.connection_id, m.month, m.asked_at, m.reminders, m.reminded_at, ${OTHER_NAME[side]} as other_name, ${FIRST_NAMES} as first_names
    from closed_months m join connections c on c.id = m.connection_id
    where m.state = 'asked' and m.asked_by <> ${side} and c.state = 'active' and ${IS_OPEN[side]} order by m.asked_at, m.month`.execute(
    tx,
  )
  return rows.map(({ first_names, other_name, ...row }) => ({
    ...row,
    other_name: named(side, { first_names, other_name }),
  }))
}

/** For an emailed page: the name of the side that sent the link, if it gave one, and the children's first names. */
export async function senderOfLink(tx: Tx): Promise<{ name: string | null; firstNames: string[] }> {
  const { rows } = await sql<{ name: string | null; first_names: string[] }>`
    select w.owner_name as name,
      array(select first_name from connection_people p where p.connection_id = c.id
        order by first_name ${ALPHABETICAL}) as first_names
    from connections c join workspaces w on w.id = coalesce(c.family_id, c.practice_id)`.execute(tx)
  const [row] = rows
  return {
    name: plainName(row?.name, '') || null,
    firstNames: (row?.first_names ?? []).map((name) => plainName(name, '?')),
  }
}

/**
 * For an emailed page: a month's sessions, oldest first; undefined if there are none, or if any of them
 * hasn't been confirmed by both sides.
 */
export async function confirmedOfLink(tx: Tx, month: string) {
  const { from, to } = daysOfMonth(month)
  const rows = await tx
    .selectFrom('sessions as s')
    .leftJoin('connection_people as p', (join) =>
      join.onRef('p.connection_id', '=', 's.connection_id').onRef('p.student_id', '=', 's.student_id'),
    )
    .select(['s.id', 's.student_id as child_id', 'first_name', 's.currency', 's.updated_at', 'standing'])
    .select(LESSON_FACTS)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('s.id')
    .execute()
  const isWhole = rows.length > 0 && rows.every(({ standing }) => standing === 'verified')
  return isWhole ? rows : undefined
}

/** What a side calls the other side of a connection, whether open or ended. */
export async function otherNameOf(
  { tx, side, isLink }: Pick<Caller, 'tx' | 'side' | 'isLink'>,
  connectionId: string,
): Promise<string | null> {
  if (isLink) return (await senderOfLink(tx)).name
  const { rows } = await sql<Called>`
    select ${OTHER_NAME[side]} as other_name, ${FIRST_NAMES} as first_names from connections c where c.id = ${connectionId}::uuid`.execute(
    tx,
  )
  return rows[0] ? named(side, rows[0]) : null
}

const OTHER_NAME = {
  family: sql`(select t.name from tutors t where t.workspace_id = c.family_id and t.id = c.tutor_id)`,
  practice: sql`(select w.owner_name from workspaces w where w.id = c.family_id)`,
}
/** A side also sees requests that were sent to its address, but it can't close months for those yet. */
const IS_OWN = { family: sql`c.family_id is not null`, practice: sql`c.practice_id is not null` }

const IS_OPEN = {
  family: sql`c.practice_closed_at is null`,
  practice: sql`c.family_closed_at is null`,
}

/** Empty once the connection has ended. From then on, the name comes from the month's page. */
const FIRST_NAMES = sql`array(select p.first_name from connection_people p
  where p.connection_id = c.id and c.state = 'active' order by p.first_name ${ALPHABETICAL})`

interface Called {
  other_name: string | null
  first_names: string[]
}

/** For a family, the name it gave the tutor. For a practice, the name that its balances show for the family. */
function named(side: Side, { other_name: name, first_names: firstNames }: Called): string | null {
  if (side === 'family') return name
  return firstNames.length > 0 ? familyOf(name, firstNames) : plainName(name, '') || null
}

/** For a family: the code of a month that it closed with a tutor. */
export async function codeWithTutor(
  tx: Tx,
  familyId: WorkspaceId,
  tutorId: string,
  month: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    select m.code from closed_months m join connections c on c.id = m.connection_id
    where c.family_id = ${familyId}::uuid and c.tutor_id = ${tutorId}::uuid and m.month = ${month}
      and m.state = 'closed' order by m.answered_at desc limit 1`.execute(tx)
  return rows[0]?.code
}

/** Queues the email to the other side. It goes to the owner or, without an account, to the side's address. */
export async function queueMonthNews(
  tx: Tx,
  connectionId: string,
  month: string,
  news: MonthNews,
): Promise<void> {
  const { rows } = await sql<{ user_id: string | null }>`
    select other_owner(${connectionId}::uuid) as user_id`.execute(tx)
  await queueMail(tx, {
    userId: rows[0]?.user_id ?? null,
    recipient: '',
    kind: 'month_news',
    data: { link_id: connectionId, month, news },
  })
}

/**
 * Looks up a closed month by its code, and checks whether its content is still what both sides closed.
 * Undefined if the code is unknown. Runs as the system role.
 */
async function checkClosing(tx: Tx, code: string): Promise<CheckedCode | undefined> {
  const { rows } = await sql<{
    month: string
    content: MonthContent
    state: 'closed' | 'reopened'
    content_hash: Buffer
    is_current: boolean
  }>`
    select m.month, m.state, m.content, m.content_hash, is_month_current(m) as is_current from closed_months m where m.code = ${code}`.execute(
    tx,
  )
  const [row] = rows
  const isWhole =
    row && createHash('sha256').update(contentText(row.content)).digest().equals(row.content_hash)
  return (
    row && {
      month: row.month,
      kind: 'closed',
      standing:
        row.state === 'reopened' ? 'reopened' : row.is_current && isWhole === true ? 'current' : 'changed',
      facts: isWhole === true ? factsOfPage(row.content) : null,
    }
  )
}

export function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('')
}
