// SQL for signing in: logins, known browsers, single-use tokens, and signing in with Google.
import { sql } from 'kysely'
import type { MemberRole } from '#features/access/role.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { CallerKey, Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Me } from './account.ts'

export async function isKnownBrowser(tx: Tx, userId: string, browserHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('known_browsers')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('browser_hash', '=', browserHash)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Remembers a browser used to sign in to an account, and forgets the account's browsers that haven't been
 * used to sign in for a long time.
 */
export async function noteBrowser(
  tx: Tx,
  userId: string,
  browserHash: Buffer,
  times: { now: Date; forgetBefore: Date },
): Promise<void> {
  await tx
    .insertInto('known_browsers')
    .values({ user_id: userId, browser_hash: browserHash, seen_at: times.now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'browser_hash']).doUpdateSet({ seen_at: times.now }),
    )
    .execute()
  await tx
    .deleteFrom('known_browsers')
    .where('user_id', '=', userId)
    .where('seen_at', '<', times.forgetBefore)
    .execute()
}

/**
 * Forgets all of an account's known browsers except the given one. Someone who knew the old password may be
 * using one of the others.
 */
export async function forgetBrowsers(tx: Tx, userId: string, kept?: Buffer): Promise<void> {
  let query = tx.deleteFrom('known_browsers').where('user_id', '=', userId)
  if (kept) query = query.where('browser_hash', '<>', kept)
  await query.execute()
}

/** When a login's user last proved who they are. */
export async function provenAt(tx: Tx, loginId: string): Promise<Date | undefined> {
  return (await tx.selectFrom('logins').select('proven_at').where('id', '=', loginId).executeTakeFirst())
    ?.proven_at
}

export async function noteProof(tx: Tx, loginId: string, now: Date): Promise<void> {
  await tx.updateTable('logins').set({ proven_at: now }).where('id', '=', loginId).execute()
}

interface LoginTokens {
  accessHash: Buffer
  refreshHash: Buffer
  familyHash: Buffer | undefined
  accessExpiresAt: Date
  activeUntil: Date
}

export async function insertLogin(
  tx: Tx,
  userId: string,
  tokens: LoginTokens,
  times: { now: Date; endsAt: Date },
  userAgent: string,
): Promise<string> {
  const row = await tx
    .insertInto('logins')
    .values({
      user_id: userId,
      access_hash: tokens.accessHash,
      refresh_hash: tokens.refreshHash,
      family_hash: tokens.familyHash ?? null,
      access_expires_at: tokens.accessExpiresAt,
      active_until: tokens.activeUntil,
      ends_at: times.endsAt,
      user_agent: userAgent.slice(0, 300),
      created_at: times.now,
      proven_at: times.now,
      refreshed_at: times.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A row of signed_in (db/repeatable/reads.sql). */
export interface SignedIn {
  login_id: string
  id: string
  email: string
  email_confirmed_at: Date | null
  role: Me['role']
  workspace_id: WorkspaceId | null
  kind: 'family' | 'practice' | null
  member_role: MemberRole | null
  all_students: boolean | null
  access_expires_at: Date
  owner_id: string | null
  writable_until: Date | null
  deletion_asked_at: Date | null
  since: Date
  /** Null if there's no workspace, or if the workspace has no owner. */
  owner_since: Date | null
  /** The whole row as a string. The database compares it to detect changes (admit_again). */
  known: string
}

/**
 * The user that a valid access token belongs to, in the named workspace or else the one they joined first.
 * Reads everything in a single statement.
 */
export async function loginByAccess(
  tx: Tx,
  { accessHash, now, workspaceId }: CallerKey,
): Promise<SignedIn | undefined> {
  const [login] = await signedIn(tx, { accessHash, now, workspaceId: workspaceId ?? null })
  return login
}

const signedIn = fixed((tx, { accessHash, now, workspaceId }: Record<keyof CallerKey, unknown>) =>
  sql<SignedIn>`
    select *, found::text as known from signed_in(${accessHash}, ${now}, ${workspaceId}::uuid) found`.compile(
    tx,
  ),
)

/** Finds the login that a refresh token belongs or once belonged to, and locks its row for the renewal. */
export async function loginByRefresh(tx: Tx, refreshHash: Buffer, familyHash: Buffer | undefined) {
  return tx
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .select([
      'logins.id',
      'logins.user_id',
      'refresh_hash',
      'previous_refresh_hash',
      'renewal_salt',
      'refreshed_at',
      'active_until',
      'ends_at',
      'disabled_at',
    ])
    .where(ofRefresh(refreshHash, familyHash))
    .forUpdate('logins')
    .executeTakeFirst()
}

// A login from an earlier version is found by its current or previous token.
function ofRefresh(refreshHash: Buffer, familyHash: Buffer | undefined) {
  return sql<boolean>`(family_hash = ${familyHash ?? null} or refresh_hash = ${refreshHash} or previous_refresh_hash = ${refreshHash})`
}

export async function renewLogin(
  tx: Tx,
  loginId: string,
  tokens: LoginTokens,
  renewal: { previousHash: Buffer; salt: Buffer; refreshedAt: Date },
): Promise<void> {
  await tx
    .updateTable('logins')
    .set({
      access_hash: tokens.accessHash,
      access_expires_at: tokens.accessExpiresAt,
      refresh_hash: tokens.refreshHash,
      family_hash: tokens.familyHash ?? null,
      previous_refresh_hash: renewal.previousHash,
      renewal_salt: renewal.salt,
      refreshed_at: renewal.refreshedAt,
      active_until: tokens.activeUntil,
    })
    .where('id', '=', loginId)
    .execute()
}

export async function deleteLogin(
  tx: Tx,
  hashes: { access?: Buffer | undefined; refresh?: Buffer | undefined; family?: Buffer | undefined },
): Promise<void> {
  if (hashes.access) await tx.deleteFrom('logins').where('access_hash', '=', hashes.access).execute()
  if (hashes.refresh) await tx.deleteFrom('logins').where(ofRefresh(hashes.refresh, hashes.family)).execute()
}

export async function deleteLoginsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('logins').where('user_id', '=', userId).execute()
}

/**
 * Removes the passkeys, the links to other providers, the second step and the recovery codes that an account got since a
 * moment, or up to a minute before it.
 */
export async function dropWaysInSince(tx: Tx, userId: string, since: Date): Promise<void> {
  // These times are the database's, whose clock may differ.
  const from = new Date(since.getTime() - 60_000)
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', from).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).where('created_at', '>=', from).execute()
  // Else whoever turned it on could keep the owner out of the reset.
  await tx.deleteFrom('second_steps').where('user_id', '=', userId).where('on_since', '>=', from).execute()
  await tx
    .updateTable('second_steps')
    .set({ recovery_hashes: [] })
    .where('user_id', '=', userId)
    .where('recovery_made_at', '>=', from)
    .execute()
}

interface SingleUseToken {
  userId: string
  purpose: 'verify' | 'reset'
  hash: Buffer
  pairHash?: Buffer
  expiresAt: Date
}

export async function insertToken(tx: Tx, token: SingleUseToken): Promise<void> {
  await tx
    .insertInto('auth_tokens')
    .values({
      user_id: token.userId,
      purpose: token.purpose,
      token_hash: token.hash,
      pair_hash: token.pairHash ?? null,
      expires_at: token.expiresAt,
    })
    .execute()
}

/** The user an unused, unexpired token belongs to. Doesn't use up the token. */
export async function userOfToken(
  tx: Tx,
  token: Omit<SingleUseToken, 'userId' | 'expiresAt'>,
  now: Date,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('auth_tokens')
    .innerJoin('users', 'users.id', 'auth_tokens.user_id')
    .select('user_id')
    .where('purpose', '=', token.purpose)
    .where('token_hash', '=', token.hash)
    .where('pair_hash', 'is not distinct from', token.pairHash ?? null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Uses up a token, and all of that user's other tokens for the same purpose. If several calls run at the same
 * time, all but one return undefined (promise A2).
 */
export async function useToken(
  tx: Tx,
  token: Omit<SingleUseToken, 'userId' | 'expiresAt'>,
  now: Date,
): Promise<string | undefined> {
  const userId = await userOfToken(tx, token, now)
  if (!userId) return undefined
  const used = await tx
    .updateTable('auth_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', token.hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (!used) return undefined
  await tx
    .updateTable('auth_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', token.purpose)
    .where('used_at', 'is', null)
    .execute()
  return userId
}

export async function userOfIdentity(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<{ id: string; isDisabled: boolean } | undefined> {
  const row = await tx
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'disabled_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && { id: row.id, isDisabled: row.disabled_at !== null }
}

/** Links an identity to a user, unless another tab has just done so. */
export async function insertIdentity(tx: Tx, issuer: string, subject: string, userId: string): Promise<void> {
  await tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function insertFlow(
  tx: Tx,
  flow: {
    stateHash: Buffer
    nonce: string
    codeVerifier: string
    expiresAt: Date
    ref?: string
  },
): Promise<void> {
  await tx
    .insertInto('oidc_flows')
    .values({
      state_hash: flow.stateHash,
      nonce: flow.nonce,
      code_verifier: flow.codeVerifier,
      expires_at: flow.expiresAt,
      referral_code: flow.ref ?? null,
    })
    .execute()
}

/** Reads the data for a sign-in in progress and deletes it, so a second call finds nothing. */
export async function consumeFlow(
  tx: Tx,
  stateHash: Buffer,
  now: Date,
): Promise<{ nonce: string; codeVerifier: string; ref: string | undefined } | undefined> {
  const row = await tx
    .deleteFrom('oidc_flows')
    .where('state_hash', '=', stateHash)
    .returning(['nonce', 'code_verifier', 'expires_at', 'referral_code'])
    .executeTakeFirst()
  return row && row.expires_at > now
    ? {
        nonce: row.nonce,
        codeVerifier: row.code_verifier,
        ref: row.referral_code ?? undefined,
      }
    : undefined
}
