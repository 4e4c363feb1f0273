// SQL for the security log, and for the links in emails about it.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'
import { EVENT_KINDS, type EventKind, type Failure } from './event.ts'

/** Where something came from. Nothing in it is as the browser sent it. Null: an operator, on the server. */
export interface Origin {
  network: string | null
  device: string | null
}

interface NewEvent extends Origin {
  /** Undefined if it's about no account. */
  userId: string | undefined
  kind: EventKind
  at: Date
}

const toRow = ({ userId, kind, at, network, device }: NewEvent) => ({
  user_id: userId ?? null,
  kind,
  happened_at: at,
  network,
  device,
})

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.insertInto('security_events').values(toRow(event)).execute()
}

/** Writes a failure, or counts it if the same one was written in this hour. */
export async function countFailure(tx: Tx, event: NewEvent & { kind: Failure }): Promise<void> {
  const hour = new Date(Math.floor(event.at.getTime() / 3_600_000) * 3_600_000)
  await tx
    .insertInto('security_events')
    .values({ ...toRow(event), hour })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'network', 'device', 'hour'])
        .where('hour', 'is not', null)
        .doUpdateSet({
          times: sql`security_events.times + 1`,
          happened_at: sql`greatest(security_events.happened_at, excluded.happened_at)`,
          is_logged: false,
        }),
    )
    .execute()
}

/** One page of an account's events, newest first. */
export async function listEvents(tx: Tx, userId: string, cursor: string | undefined, limit: number) {
  let query = tx
    .selectFrom('security_events')
    .select(['id', 'kind', 'happened_at', 'network', 'device', 'times'])
    .where('user_id', '=', userId)
    // An older version may meet kinds of a newer one.
    .where('kind', 'in', EVENT_KINDS)
  if (cursor !== undefined)
    query = query.where(
      sql<boolean>`(happened_at, id) < (select e.happened_at, e.id from security_events e where e.id = ${cursor} and e.user_id = ${userId})`,
    )
  return query.orderBy('happened_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** The events that the operator's log doesn't have yet, oldest first. They count as logged from now on. */
export async function takeUnlogged(tx: Tx, limit: number) {
  const { rows } = await sql<{
    user_id: string | null
    kind: EventKind
    happened_at: Date
    network: string | null
    device: string | null
    times: number
  }>`with taken as (
      update security_events set is_logged = true where id in
        (select id from security_events where not is_logged order by happened_at limit ${limit} for update skip locked)
      returning user_id, kind, happened_at, network, device, times)
    select * from taken order by happened_at`.execute(tx)
  return rows
}

/** What an attack by guessing looks like, in numbers without names. */
interface Guessing {
  /** The most failed sign-ins at one account. */
  failed_sign_ins_at_one_account: number
  /** The most accounts and unknown addresses that sign-ins from one network failed at. */
  accounts_failed_from_one_network: number
  /** The accounts and unknown addresses that sign-ins failed at. */
  accounts_failed: number
  sign_ins: number
}

/** Failed and successful sign-ins since a time. */
export async function guessingSince(tx: Tx, since: Date): Promise<Guessing> {
  const { rows } = await sql<Guessing>`
    with failed as (select user_id, network, sum(times) as times from security_events where happened_at > ${since}
        and kind in ('sign_in_failed', 'proof_failed', 'second_step_failed') group by user_id, network),
      -- Each failure at an unknown address is counted as another one.
      at_accounts as (select network, user_id, case when user_id is null then times else 1 end as accounts from failed)
    select coalesce((select max(times) from
          (select sum(times) as times from failed where user_id is not null group by user_id) each), 0)::int
        as failed_sign_ins_at_one_account,
      coalesce((select max(accounts) from
          (select sum(accounts) as accounts from at_accounts where network is not null group by network) each), 0)::int
        as accounts_failed_from_one_network,
      (select count(distinct user_id) + coalesce(sum(accounts) filter (where user_id is null), 0) from at_accounts)::int
        as accounts_failed,
      (select count(*) from security_events where happened_at > ${since} and kind in ('signed_in', 'new_browser'))::int
        as sign_ins`.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('an aggregate without a row')
  return counted
}

interface NotMeLink {
  hash: Buffer
  userId: string
  happenedAt: Date
  formerEmail: string | undefined
}

export async function insertNotMeLink(tx: Tx, link: NotMeLink, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('not_me_links')
    .values({
      token_hash: link.hash,
      user_id: link.userId,
      happened_at: link.happenedAt,
      former_email: link.formerEmail ?? null,
      expires_at: expiresAt,
    })
    .execute()
}

/**
 * The link that a token belongs to, if it still works. Doesn't use it up. If the address was changed since, it's taken
 * back, too: whoever had the account may have changed it after what the email is about.
 */
export async function findNotMeLink(tx: Tx, hash: Buffer, now: Date): Promise<NotMeLink | undefined> {
  const row = await tx
    .selectFrom('not_me_links')
    .select(['user_id', 'happened_at'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { user_id: userId, happened_at: happenedAt } = row
  const change = await tx
    .selectFrom('not_me_links')
    .select('former_email')
    .where('user_id', '=', userId)
    .where('happened_at', '>=', happenedAt)
    .where('expires_at', '>', now)
    .where('former_email', 'is not', null)
    .orderBy('happened_at')
    .limit(1)
    .executeTakeFirst()
  return { hash, userId, happenedAt, formerEmail: change?.former_email ?? undefined }
}

/**
 * Uses up a link, and those in the account's later emails; false if another call has just done so. An earlier link stays:
 * whoever took an account and its address could otherwise end the link that the owner got at the address before.
 */
export async function useNotMeLink(tx: Tx, { hash, userId, happenedAt }: NotMeLink): Promise<boolean> {
  const used = await tx
    .deleteFrom('not_me_links')
    .where('token_hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  if (!used) return false
  await tx
    .deleteFrom('not_me_links')
    .where('user_id', '=', userId)
    .where('happened_at', '>=', happenedAt)
    .execute()
  return true
}
