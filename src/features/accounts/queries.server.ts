// SQL of the accounts: users, roles, profiles, logins and single-use tokens.
import { sql } from 'kysely'
import type { Currency } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { ACCEPTED, type Me, TERMS_VERSION } from './account.ts'
import { KEEP_DAYS } from './profile.ts'

/** The address as it is compared: only A to Z are lowered, so that no other letter equals one of them (promise A15). */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export interface Account {
  id: string
  email: string
  passwordHash: string | null
  isConfirmed: boolean
  isDisabled: boolean
}

/** The account of an address, locked against a second sign-up or sign-in at the same time. */
export async function accountByEmail(tx: Tx, email: string): Promise<Account | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'email_confirmed_at', 'disabled_at'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      isConfirmed: row.email_confirmed_at !== null,
      isDisabled: row.disabled_at !== null,
    }
  )
}

/** Makes an account with its profile; undefined when the address has one already. */
export async function insertAccount(
  tx: Tx,
  account: { email: string; passwordHash: string | null; fullName?: string },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('users')
    .values({
      email: account.email.trim(),
      email_key: emailKey(account.email),
      password_hash: account.passwordHash,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row)
    await tx
      .insertInto('profiles')
      .values({ user_id: row.id, full_name: account.fullName ?? null })
      .execute()
  return row?.id
}

/** Sets the role of a user who has none, and gives a tutor the row of their own that their forms need. False when there was a role. */
export async function insertRole(tx: Tx, userId: string, role: 'parent' | 'tutor'): Promise<boolean> {
  const row = await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('role')
    .executeTakeFirst()
  if (row && role === 'tutor')
    await tx
      .insertInto('tutors')
      .values({ owner_id: userId, name: 'You', is_self: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return row !== undefined
}

/** Forgets what an earlier, never confirmed sign-up left: its role, acceptances, tokens and logins (promise A8). */
export async function clearUnconfirmed(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', userId).execute()
  await tx.deleteFrom('tutors').where('owner_id', '=', userId).execute()
  await tx.deleteFrom('acceptances').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth_tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('logins').where('user_id', '=', userId).execute()
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string | null): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

export async function passwordHashOf(tx: Tx, userId: string): Promise<string | null> {
  return (
    await tx.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirstOrThrow()
  ).password_hash
}

/** When a login began. */
export async function loginStart(tx: Tx, loginId: string): Promise<Date | undefined> {
  return (await tx.selectFrom('logins').select('created_at').where('id', '=', loginId).executeTakeFirst())
    ?.created_at
}

/** Records with version and time what signing up accepts (promise P8). */
export async function insertAcceptances(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('acceptances')
    .values(ACCEPTED.map((document) => ({ user_id: userId, document, version: TERMS_VERSION })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Confirms the address; true when it was not confirmed before. */
export async function confirmEmail(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ email_confirmed_at: now })
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The signed-in user as the browser sees it. */
export async function readMe(
  tx: Tx,
  userId: string,
  trialDays: number,
  speechEngine: Me['speech_engine'] = 'off',
): Promise<Me | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.user_id', 'users.id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select([
      'users.id',
      'email',
      'email_confirmed_at',
      'users.created_at',
      'trial_since',
      'full_name',
      'avatar_url',
      'currency',
      'role',
      'has_password',
      'deletion_asked_at',
    ])
    .select(sql<number>`profiles.version`.as('version'))
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    email: row.email,
    email_confirmed_at: row.email_confirmed_at?.toISOString() ?? null,
    role: row.role,
    full_name: row.full_name,
    avatar_url: row.avatar_url,
    currency: row.currency,
    version: row.version,
    trial_ends_at: daysAfter(row.trial_since ?? row.created_at, trialDays).toISOString(),
    has_password: row.has_password,
    speech_engine: speechEngine,
    deletion_due_at: row.deletion_asked_at && daysAfter(row.deletion_asked_at, KEEP_DAYS).toISOString(),
  }
}

/** The currency of an account's amounts. */
export async function readCurrency(tx: Tx, userId: string): Promise<Currency> {
  const row = await tx
    .selectFrom('profiles')
    .select('currency')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.currency
}

function daysAfter(start: Date, days: number): Date {
  return new Date(start.getTime() + days * 86_400_000)
}

/** Changes the profile; undefined when the expected version is not the newest. */
export async function updateProfile(
  tx: Tx,
  userId: string,
  changes: { full_name?: string | null; currency?: Currency; onboarding_dismissed_at?: Date },
  expectedVersion?: number,
): Promise<number | undefined> {
  let update = tx
    .updateTable('profiles')
    .set({ ...changes, version: sql`version + 1`, updated_at: new Date() })
    .where('user_id', '=', userId)
  if (expectedVersion !== undefined) update = update.where('version', '=', expectedVersion)
  return (await update.returning('version').executeTakeFirst())?.version
}

export interface LoginTokens {
  accessHash: Buffer
  refreshHash: Buffer
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
      access_expires_at: tokens.accessExpiresAt,
      active_until: tokens.activeUntil,
      ends_at: times.endsAt,
      user_agent: userAgent.slice(0, 300),
      created_at: times.now,
      refreshed_at: times.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The user behind an access token that holds at this moment. */
export async function loginByAccess(tx: Tx, accessHash: Buffer, now: Date) {
  return tx
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select([
      'logins.id as loginId',
      'users.id',
      'email',
      'email_confirmed_at',
      'role',
      'access_expires_at',
      'users.created_at',
      'trial_since',
      'deletion_asked_at',
    ])
    .where('access_hash', '=', accessHash)
    .where('access_expires_at', '>', now)
    .where('active_until', '>', now)
    .where('ends_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

/** The login behind a refresh token, the present or the previous one, locked for its renewal. */
export async function loginByRefresh(tx: Tx, refreshHash: Buffer) {
  return tx
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .select([
      'logins.id',
      'logins.user_id',
      'refresh_hash',
      'refreshed_at',
      'active_until',
      'ends_at',
      'disabled_at',
    ])
    .where((where) =>
      where.or([where('refresh_hash', '=', refreshHash), where('previous_refresh_hash', '=', refreshHash)]),
    )
    .forUpdate('logins')
    .executeTakeFirst()
}

export async function renewLogin(
  tx: Tx,
  loginId: string,
  tokens: LoginTokens,
  previousHash: Buffer,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('logins')
    .set({
      access_hash: tokens.accessHash,
      access_expires_at: tokens.accessExpiresAt,
      refresh_hash: tokens.refreshHash,
      previous_refresh_hash: previousHash,
      refreshed_at: now,
      active_until: tokens.activeUntil,
    })
    .where('id', '=', loginId)
    .execute()
}

export async function deleteLogin(tx: Tx, hashes: { access?: Buffer; refresh?: Buffer }): Promise<void> {
  if (hashes.access) await tx.deleteFrom('logins').where('access_hash', '=', hashes.access).execute()
  if (hashes.refresh) {
    const refresh = hashes.refresh
    await tx
      .deleteFrom('logins')
      .where((where) =>
        where.or([where('refresh_hash', '=', refresh), where('previous_refresh_hash', '=', refresh)]),
      )
      .execute()
  }
}

export async function deleteLoginsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('logins').where('user_id', '=', userId).execute()
}

export interface SingleUseToken {
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

/** The user of a token that is unused and in time; it stays usable. */
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

/** Uses a token up, and every other one of its purpose; undefined for all but one of several calls at once (promise A2). */
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

/** The user whom an identity of another provider signs in. */
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

export async function insertIdentity(tx: Tx, issuer: string, subject: string, userId: string): Promise<void> {
  await tx.insertInto('identities').values({ issuer, subject, user_id: userId }).execute()
}

export async function insertFlow(
  tx: Tx,
  flow: {
    stateHash: Buffer
    nonce: string
    codeVerifier: string
    expiresAt: Date
    ref?: string
    returnTo?: 'deletion'
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
      return_to: flow.returnTo ?? null,
    })
    .execute()
}

/** Takes a sign-in flow that was begun and has not ended; a second call finds nothing. */
export async function takeFlow(
  tx: Tx,
  stateHash: Buffer,
  now: Date,
): Promise<
  { nonce: string; codeVerifier: string; ref: string | undefined; returnTo: 'deletion' | null } | undefined
> {
  const row = await tx
    .deleteFrom('oidc_flows')
    .where('state_hash', '=', stateHash)
    .returning(['nonce', 'code_verifier', 'expires_at', 'referral_code', 'return_to'])
    .executeTakeFirst()
  return row && row.expires_at > now
    ? {
        nonce: row.nonce,
        codeVerifier: row.code_verifier,
        ref: row.referral_code ?? undefined,
        returnTo: row.return_to,
      }
    : undefined
}
