// SQL for account settings: a user's logins, and email changes waiting to be confirmed.
import { sql } from 'kysely'
import {
  accountByEmail,
  discardSignUps,
  endEmailedLinks,
  lockAddress,
} from '#features/accounts/queries.server.ts'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'

/** A user's active logins, newest first. */
export async function listLogins(tx: Tx, userId: string, now: Date) {
  return tx
    .selectFrom('logins')
    .select(['id', 'user_agent', 'created_at', 'refreshed_at'])
    .where('user_id', '=', userId)
    .where('active_until', '>', now)
    .where('ends_at', '>', now)
    .orderBy('refreshed_at', 'desc')
    .execute()
}

/** Deletes one of a user's logins. Returns false if the user doesn't have one with this id. */
export async function deleteOneLogin(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (
    (await tx
      .deleteFrom('logins')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()) !== undefined
  )
}

export async function deleteOtherLogins(tx: Tx, userId: string, keptId: string): Promise<void> {
  await tx.deleteFrom('logins').where('user_id', '=', userId).where('id', '<>', keptId).execute()
}

/**
 * Stores the email address a user wants to change to. Replaces any earlier request, so the earlier links stop
 * working.
 */
export async function replaceEmailChange(
  tx: Tx,
  userId: string,
  newEmail: string,
  expiresAt: Date,
): Promise<void> {
  const links = { old_token_hash: null, new_token_hash: null, old_confirmed_at: null, new_confirmed_at: null }
  await tx
    .insertInto('email_changes')
    .values({ owner_id: userId, new_email: newEmail, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('owner_id')
        .doUpdateSet({ new_email: newEmail, expires_at: expiresAt, created_at: sql`now()`, ...links }),
    )
    .execute()
}

type EmailSide = 'old' | 'new'

/**
 * Stores the hash of the link sent to one of the two addresses. Returns the requested address, or undefined
 * if the request no longer exists.
 * @param wished if set, the request must still be for this address
 */
export async function keepEmailLink(
  tx: Tx,
  userId: string,
  side: EmailSide,
  hash: Buffer,
  wished?: string,
): Promise<string | undefined> {
  let update = tx
    .updateTable('email_changes')
    .set(side === 'old' ? { old_token_hash: hash } : { new_token_hash: hash })
    .where('owner_id', '=', userId)
  if (wished !== undefined) update = update.where('new_email', '=', wished)
  return (await update.returning('new_email').executeTakeFirst())?.new_email
}

interface EmailChange {
  userId: string
  oldEmail: string
  newEmail: string
  isComplete: boolean
}

/**
 * Confirms one of the two addresses in an email change, using its link. Returns undefined if the link was
 * already used, was replaced, or has expired.
 */
export async function confirmEmailSide(tx: Tx, hash: Buffer, now: Date): Promise<EmailChange | undefined> {
  for (const side of ['old', 'new'] as const) {
    const row = await tx
      .updateTable('email_changes')
      .set(
        side === 'old'
          ? { old_confirmed_at: now, old_token_hash: null }
          : { new_confirmed_at: now, new_token_hash: null },
      )
      .where(`${side}_token_hash`, '=', hash)
      .where('expires_at', '>', now)
      .returning(['owner_id', 'new_email', 'old_confirmed_at', 'new_confirmed_at'])
      .executeTakeFirst()
    if (!row) continue
    const user = await tx
      .selectFrom('users')
      .select('email')
      .where('id', '=', row.owner_id)
      .executeTakeFirstOrThrow()
    return {
      userId: row.owner_id,
      oldEmail: user.email,
      newEmail: row.new_email,
      isComplete: row.old_confirmed_at !== null && row.new_confirmed_at !== null,
    }
  }
  return undefined
}

/**
 * Switches to the new address and discards unconfirmed sign-ups for it. Returns false if someone else has
 * taken the address in the meantime.
 */
export async function applyEmailChange(
  tx: Tx,
  change: Pick<EmailChange, 'userId' | 'newEmail'>,
): Promise<boolean> {
  await lockAddress(tx, change.newEmail)
  const owner = await accountByEmail(tx, change.newEmail)
  await endEmailedLinks(tx, change.userId)
  if (owner && owner.id !== change.userId) return false
  await discardSignUps(tx, change.newEmail)
  await tx
    .updateTable('users')
    .set({ email: change.newEmail, email_key: emailKey(change.newEmail) })
    .where('id', '=', change.userId)
    .execute()
  return true
}
