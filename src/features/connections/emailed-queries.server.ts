// SQL for emails about connections, the links in them, and the page that they open. The page's queries run
// under a connection's role, which sees only that connection's rows, all others as the system role.
import { sql } from 'kysely'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { AdmittedLink } from '#features/access/admission.server.ts'
import type { EmailedLink } from '#features/access/db.server.ts'
import type { LinkProblem } from '#features/access/link-refusals.ts'
import { emailKey } from '#kernel/text.ts'
import type { Side } from '#features/access/role.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type Connection, TOKEN_DAYS, UNANSWERED_DAYS } from './connection.ts'
import type { EmailedSession } from './emailed.ts'
import { handedLinkOf } from './handed-queries.server.ts'
import { answered, queueNews } from './queries.server.ts'

/** Maps session ids to the facts in a side's last answer, if that answer was a confirmation. */
export async function confirmedFacts(tx: Tx, side: Side, ids: string[]) {
  if (ids.length === 0) return new Map<string, NonNullable<EmailedSession['confirmed_before']>>()
  const answers = await tx
    .selectFrom('history')
    .select(['entry_id', 'action', 'facts'])
    .distinctOn('entry_id')
    .where('entry_id', 'in', ids)
    .where('kind', '=', 'session')
    .where('chain', '=', 1)
    .where('side', '=', side)
    .where('action', 'in', ['confirmed', 'withdrawn', 'disputed'])
    .orderBy('entry_id')
    .orderBy('seq', 'desc')
    .execute()
  return new Map(
    answers
      .filter(({ action }) => action === 'confirmed')
      .map(({ entry_id: id, facts }) => {
        const {
          date,
          minutes,
          rate_cents: rate,
          lesson_price_cents: price,
          lesson_price_minutes: stated,
        } = facts as {
          date: string
          minutes: Minutes
          rate_cents: Cents | null
          lesson_price_cents?: Cents
          lesson_price_minutes?: number
        }
        const perLesson =
          price === undefined || stated === undefined
            ? {}
            : { lesson_price: dollars(price), lesson_minutes: stated }
        return [
          id,
          { date, duration: hours(minutes), rate: rate === null ? null : dollars(rate), ...perLesson },
        ]
      }),
  )
}

/**
 * For the emailed page: accepts the request if it hasn't been accepted yet, or ends the connection. Notifies
 * the other side.
 */
export async function answerAsLink(
  tx: Tx,
  { id, side }: EmailedLink,
  state: 'active' | 'ended',
): Promise<void> {
  const before = await tx.selectFrom('connections').select('state').where('id', '=', id).executeTakeFirst()
  if (!before || before.state === state) return
  await tx.updateTable('connections').set(answered(side, state)).where('id', '=', id).execute()
  await queueNews(tx, id, state === 'active' ? 'accepted' : before.state === 'asked' ? 'declined' : 'ended')
}

/** The first names of the children whose sessions a connection shares. */
const FIRST_NAMES = sql<
  string[]
>`array(select p.first_name from connection_people p where p.connection_id = c.id order by p.first_name ${ALPHABETICAL})`

/**
 * For an email: the state of a connection, which side sent the request, the family's owner, and the names of
 * both sides.
 */
export async function partiesForMail(tx: Tx, id: string) {
  const { rows } = await sql<{
    state: Connection['state']
    asked_by: Side
    family_owner_id: string | null
    family_name: string | null
    tutor_name: string | null
    first_names: string[]
  }>`
    select c.state, c.asked_by, m.account_id as family_owner_id, f.owner_name as family_name,
      coalesce(t.name, p.owner_name) as tutor_name, ${FIRST_NAMES} as first_names
    from connections c left join workspaces f on f.id = c.family_id left join members m on m.workspace_id = c.family_id and m.role = 'owner'
      left join workspaces p on p.id = c.practice_id left join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
    where c.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

/** Open connections where neither side's account is closed. */
function openConnections(tx: Tx) {
  return tx
    .selectFrom('connections')
    .where('state', 'in', ['asked', 'active'])
    .where('family_closed_at', 'is', null)
    .where('practice_closed_at', 'is', null)
}

/** Data for an email to the side without an account in an open connection. */
export interface EmailedSide extends EmailedLink {
  email: string | null
  state: Connection['state']
  /** The name of the side that sent the request, if it gave one. */
  other_name: string | null
  first_names: string[]
}

/** The side without an account in an open connection; undefined if both have one. */
export async function connectionForMail(tx: Tx, id: string): Promise<EmailedSide | undefined> {
  const { rows } = await sql<EmailedSide>`
    select c.id, case when c.practice_id is null then 'practice' else 'family' end as side, c.email, c.state,
      w.owner_name as other_name, ${FIRST_NAMES} as first_names
    from connections c join workspaces w on w.id = coalesce(c.family_id, c.practice_id)
    where c.id = ${id}::uuid and c.state in ('asked', 'active') and c.family_closed_at is null
      and c.practice_closed_at is null and (c.practice_id is null or c.family_id is null)`.execute(tx)
  return rows[0]
}

/**
 * Stores the hash of an emailed link's token.
 * @param address what the token confirms first, if the connection has no address yet
 */
export async function insertLinkToken(
  tx: Tx,
  id: string,
  hash: Buffer,
  now: Date,
  address: string | null = null,
): Promise<void> {
  await tx
    .insertInto('link_tokens')
    .values({
      link_id: id,
      token_hash: hash,
      expires_at: new Date(now.getTime() + TOKEN_DAYS * 86_400_000),
      address,
    })
    .execute()
}

/**
 * The open connection that a token belongs to, if no account has taken over its side yet, or why the token can't
 * be used.
 * @param device of the browser, which a handed-over link needs
 */
export async function connectionOfToken(
  tx: Tx,
  { hash, device }: { hash: Buffer; device: Buffer | undefined },
  now: Date,
): Promise<AdmittedLink | LinkProblem> {
  const row = await openConnections(tx)
    .innerJoin('link_tokens', 'connections.id', 'link_tokens.link_id')
    .select(['connections.id', 'connections.email', 'email_key', 'practice_id', 'address'])
    .where((where) => where.or([where('practice_id', 'is', null), where('family_id', 'is', null)]))
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return handedLinkOf(tx, { hash, device }, now)
  if (row.address && row.email_key === null) return 'address_unconfirmed'
  if (row.address && row.email_key !== emailKey(row.address)) return 'link_gone'
  const side = row.practice_id === null ? 'practice' : 'family'
  return { id: row.id, email: row.email, side, isHanded: false }
}

/** Whether an account is a member of the side that made a link. Runs as the system role. */
export async function isSenderOfLink(tx: Tx, hash: Buffer, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from connections c join members m on m.workspace_id in (c.family_id, c.practice_id) and m.account_id = ${accountId}::uuid
    where (c.family_id is null or c.practice_id is null) and c.id in (select link_id from link_tokens where token_hash = ${hash}
      union all select connection_id from handed_links where token_hash = ${hash})`.execute(tx)
  return rows.length > 0
}

/**
 * Deletes expired emailed links, and the addresses of people who never answered. Runs once a day (promise
 * P9).
 */
export async function forgetUnanswered(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNANSWERED_DAYS * 86_400_000)
  // Handing over a new link, or claiming one, begins the time anew.
  const unanswered = sql<boolean>`state = 'asked' and created_at < ${before} and not exists (select from handed_links h
    where h.connection_id = connections.id and h.ended_at is null and greatest(h.claimed_at, h.created_at) > ${before})`
  await sql`select lock_sides(c.id) from (select id from connections where ${unanswered} order by id) c`.execute(
    tx,
  )
  await tx
    .updateTable('connections')
    .set({ state: 'ended', ended_at: now, email: null, email_key: null })
    .where(unanswered)
    .execute()
  await tx
    .updateTable('connections')
    .set({ email: null, email_key: null })
    .where('state', 'in', ['declined', 'ended'])
    .where('email', 'is not', null)
    .where('ended_at', '<', before)
    .execute()
  await tx.deleteFrom('link_tokens').where('expires_at', '<', now).execute()
  await sql`delete from handed_links h using connections c where c.id = h.connection_id and (c.ended_at < ${before} or h.ended_at < ${before})`.execute(
    tx,
  )
}
