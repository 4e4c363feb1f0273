// SQL for passkeys, and for the challenges that devices sign.
import type { Tx } from '#platform/db/db.server.ts'

/** The index that keeps a passkey from belonging to two accounts. */
export const ONE_CREDENTIAL = 'passkeys_by_credential'

/** A passkey as a device has made it. */
export interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  userHandle: Buffer
  signCount: number
  transports: string[]
}

export interface Challenge {
  hash: Buffer
  /** What a new passkey will know the account by; undefined for a challenge to use one. */
  userHandle: Buffer | undefined
  /** The account that asked; undefined if nobody was signed in. */
  userId: string | undefined
  /** What's signed with it; undefined for a proof of who someone is. */
  signs: string | undefined
}

export async function insertChallenge(tx: Tx, challenge: Challenge, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challenge.hash,
      makes: challenge.userHandle !== undefined,
      user_id: challenge.userId ?? null,
      user_handle: challenge.userHandle ?? null,
      signs: challenge.signs ?? null,
      expires_at: expiresAt,
    })
    .execute()
}

/** Uses up a challenge: whatever comes of it, nobody can answer it again. */
export async function takeChallenge(
  tx: Tx,
  { hash, userId, makes, signs }: Omit<Challenge, 'userHandle'> & { makes: boolean },
  now: Date,
): Promise<Challenge | undefined> {
  const row = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('makes', '=', makes)
    .where('user_id', 'is not distinct from', userId ?? null)
    .where('signs', 'is not distinct from', signs ?? null)
    .returning(['user_handle', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now
    ? { hash, userHandle: row.user_handle ?? undefined, userId, signs }
    : undefined
}

/** A passkey of an account that isn't disabled. Holds its row, so that its count can't go back. */
export async function passkeyForUse(tx: Tx, credentialId: Buffer) {
  return tx
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['passkeys.id', 'user_id', 'public_key', 'user_handle', 'sign_count', 'transports'])
    .where('credential_id', '=', credentialId)
    .where('disabled_at', 'is', null)
    .forUpdate('passkeys')
    .executeTakeFirst()
}

export async function noteUse(tx: Tx, id: string, signCount: number, now: Date): Promise<void> {
  await tx.updateTable('passkeys').set({ sign_count: signCount, used_at: now }).where('id', '=', id).execute()
}

/** What a browser has to know of an account's passkeys to use one, or not to make another. */
export async function knownPasskeys(tx: Tx, userId: string) {
  return tx
    .selectFrom('passkeys')
    .select(['credential_id', 'transports', 'user_handle'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}

export async function listPasskeys(tx: Tx, userId: string) {
  return tx
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertPasskey(tx: Tx, userId: string, name: string, made: NewPasskey, now: Date) {
  return tx
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      user_handle: made.userHandle,
      sign_count: made.signCount,
      transports: made.transports,
      name,
      created_at: now,
    })
    .returning(['id', 'name', 'created_at', 'used_at'])
    .executeTakeFirstOrThrow()
}

/** The ways to sign in besides passkeys. */
export async function otherWaysIn(
  tx: Tx,
  userId: string,
): Promise<{ hasPassword: boolean; hasGoogle: boolean }> {
  const { has_password: hasPassword } = await tx
    .selectFrom('users')
    .select('has_password')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const identity = await tx
    .selectFrom('identities')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return { hasPassword, hasGoogle: identity !== undefined }
}

/** Whether signing in with the password takes a code, too. */
export async function readSecondStep(tx: Tx, userId: string) {
  return tx
    .selectFrom('second_steps')
    .select(['on_since', 'recovery_codes_left'])
    .where('user_id', '=', userId)
    .where('on_since', 'is not', null)
    .$narrowType<{ on_since: Date }>()
    .executeTakeFirst()
}

/** Makes changes of an account's passkeys wait for each other. */
export async function holdAccount(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()
}

export async function renamePasskey(tx: Tx, userId: string, id: string, name: string) {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name', 'created_at', 'used_at'])
    .executeTakeFirst()
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).execute()
}
