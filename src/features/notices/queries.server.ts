// SQL of the choices about mails, of one-click ends, and of addresses that want none.
import { sql } from 'kysely'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import type { NoticeName, Notices } from './notice.ts'

const COLUMNS = ['daily_digest', 'month_ready', 'connection_changes', 'version'] as const

/** Which emails a user wants; all of them until they chose otherwise. */
export async function readNotices(tx: Tx, userId: string): Promise<Notices> {
  const row = await tx
    .selectFrom('notice_choices')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { daily_digest: true, month_ready: true, connection_changes: true, version: 0 }
}

/** Changes the choices; undefined when the expected version is not the newest. */
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
  // Without a row the version is 0; the row that was just made is 1.
  if (
    expectedVersion !== undefined &&
    expectedVersion !== version &&
    !(expectedVersion === 0 && version === 1)
  )
    return undefined
  return tx
    .updateTable('notice_choices')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Keeps the hash of a token that ends emails: those of one kind to an account, or all to an address without one. */
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

/** Ends the emails of a token; false when it is not one of ours. It may be used again: a second click changes nothing. */
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

/** The address of an account that wants a kind of email, where it may be written to. */
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

/** Forgets the tokens that were mailed before a moment: those mails end nothing any more. */
export async function deleteUnsubscribesBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('unsubscribe_tokens').where('created_at', '<', before).execute()
}

/** Whether an address wants no more mails: neither invitations nor questions of families, whichever it ended (promise P9). */
export async function isOptedOut(tx: Tx, address: string): Promise<boolean> {
  return (
    (await tx
      .selectFrom('opt_outs')
      .select('address_hash')
      .where('address_hash', '=', addressHash(address))
      .executeTakeFirst()) !== undefined
  )
}

/** Keeps that the address of a hash wants no more mails, for good. */
export async function insertOptOut(tx: Tx, hash: Buffer): Promise<void> {
  await tx
    .insertInto('opt_outs')
    .values({ address_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The hash under which an address is remembered without being kept. */
export function addressHash(address: string): Buffer {
  return tokenHash(`address:${emailKey(address)}`)
}
