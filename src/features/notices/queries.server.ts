// SQL for email choices, one-click unsubscribe, and addresses that have opted out of all emails.
import { sql } from 'kysely'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import type { NoticeName, Notices } from './notice.ts'

const COLUMNS = [
  'daily_digest',
  'month_ready',
  'connection_changes',
  'class_questions',
  'classes_tomorrow',
  'money_due',
  'version',
] as const
/** What someone gets who hasn't chosen yet. */
const UNCHOSEN = {
  daily_digest: true,
  month_ready: true,
  connection_changes: true,
  class_questions: true,
  classes_tomorrow: false,
  money_due: true,
  version: 0,
}

/** The emails a user wants, and when they got the last one. */
export async function readNotices(tx: Tx, userId: string): Promise<Notices> {
  const [row, clock] = await Promise.all([
    tx.selectFrom('notice_choices').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst(),
    tx
      .selectFrom('reminder_clocks')
      .select('delivered_at')
      .where('account_id', '=', userId)
      .executeTakeFirst(),
  ])
  return { ...(row ?? UNCHOSEN), delivered_at: clock?.delivered_at?.toISOString() ?? null }
}

/** Saves the choices; undefined if the expected version isn't the latest. */
export async function saveNotices(
  tx: Tx,
  userId: string,
  changes: Partial<Pick<Notices, NoticeName>>,
  expectedVersion?: number,
): Promise<Notices | undefined> {
  await tx
    .insertInto('notice_choices')
    .values({ user_id: userId, daily_digest: true, month_ready: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { version } = await tx
    .selectFrom('notice_choices')
    .select('version')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // Without a row the version is 0; a new row starts at 1.
  if (
    expectedVersion !== undefined &&
    expectedVersion !== version &&
    !(expectedVersion === 0 && version === 1)
  )
    return undefined
  await tx
    .updateTable('notice_choices')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .execute()
  return readNotices(tx, userId)
}

/**
 * Stores the hash of an unsubscribe token. The token stops one kind of email to an account, or all emails to
 * an address that has no account.
 */
export async function insertUnsubscribe(
  tx: Tx,
  token: string,
  who: { userId: string; notice: NoticeName } | { address: string },
): Promise<void> {
  await tx
    .insertInto('unsubscribe_tokens')
    .values({
      token_hash: tokenHash(token),
      user_id: 'userId' in who ? who.userId : null,
      notice: 'userId' in who ? who.notice : null,
      address_hash: 'address' in who ? addressHash(who.address) : null,
    })
    .execute()
}

/**
 * Unsubscribes the account or address that a token was issued for; false if we didn't issue the token. Using
 * a token again changes nothing.
 */
export async function unsubscribe(tx: Tx, token: string): Promise<boolean> {
  const row = await tx
    .selectFrom('unsubscribe_tokens')
    .select(['user_id', 'address_hash', 'notice'])
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  if (row?.address_hash) await insertOptOut(tx, row.address_hash)
  if (row?.user_id)
    await saveNotices(
      tx,
      row.user_id,
      row.notice ? { [row.notice]: false } : { daily_digest: false, month_ready: false },
    )
  return row !== undefined
}

/** An account's address, if the account wants this kind of email and we may send it. */
export async function addressFor(tx: Tx, userId: string, notice: NoticeName): Promise<string | undefined> {
  if (!(await readNotices(tx, userId))[notice]) return undefined
  return (
    await tx
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .where('disabled_at', 'is', null)
      .where('deletion_asked_at', 'is', null)
      .where('email_confirmed_at', 'is not', null)
      .executeTakeFirst()
  )?.email
}

/** Deletes tokens emailed before a given time. The links in those emails stop working. */
export async function deleteUnsubscribesBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('unsubscribe_tokens').where('created_at', '<', before).execute()
}

/**
 * Whether an address has opted out of all emails. Opting out from an invitation or a family's request covers
 * both (promise P9).
 */
export async function isOptedOut(tx: Tx, address: string): Promise<boolean> {
  return (
    (await tx
      .selectFrom('opt_outs')
      .select('address_hash')
      .where('address_hash', '=', addressHash(address))
      .executeTakeFirst()) !== undefined
  )
}

/** Permanently records that the address with this hash has opted out of all emails. */
export async function insertOptOut(tx: Tx, hash: Buffer): Promise<void> {
  await tx
    .insertInto('opt_outs')
    .values({ address_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The hash that lets us recognize an address without storing it. */
export function addressHash(address: string): Buffer {
  return tokenHash(`address:${emailKey(address)}`)
}
