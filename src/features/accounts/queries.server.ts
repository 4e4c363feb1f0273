// SQL for accounts: users, roles, profiles, logins and single-use tokens.
import { sql } from 'kysely'
import { makeFirstWorkspace, ownWorkspaces } from '#features/workspaces/queries.server.ts'
import { seesAmounts } from '#features/access/role.ts'
import type { MemberRole } from '#features/access/role.ts'
import { currencyOf } from '#kernel/currency.ts'
import { emailKey } from '#kernel/text.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { CallerKey, Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import { ACCEPTED, type Me, TERMS_VERSION } from './account.ts'
import { KEEP_DAYS } from './profile.ts'
import { trialEnd } from './trial.ts'

interface Account {
  id: string
  email: string
  passwordHash: string | null
  isDisabled: boolean
}

/** Finds the account with this confirmed address. */
export async function accountByEmail(tx: Tx, email: string): Promise<Account | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'disabled_at'])
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      isDisabled: row.disabled_at !== null,
    }
  )
}

/** A sign-up with an address that nobody has confirmed yet. */
export interface SignUp extends Account {
  browserHash: Buffer | null
}

/** An address's unconfirmed sign-ups, newest first, but with this browser's at the top. */
export async function signUpsOf(
  tx: Tx,
  email: string,
  browserHash: Buffer | undefined,
  limit: number,
): Promise<SignUp[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'disabled_at', 'sign_up_browser_hash'])
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is', null)
    .orderBy(sql`sign_up_browser_hash is not distinct from ${browserHash ?? null}::bytea`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    isDisabled: row.disabled_at !== null,
    browserHash: row.sign_up_browser_hash,
  }))
}

/** An address's newest sign-up from this browser. */
export async function signUpOfBrowser(
  tx: Tx,
  email: string,
  browserHash: Buffer | undefined,
): Promise<SignUp | undefined> {
  if (!browserHash) return undefined
  const [newest] = await signUpsOf(tx, email, browserHash, 1)
  return newest?.browserHash?.equals(browserHash) && !newest.isDisabled ? newest : undefined
}

/** The sign-up a confirmation link belongs to. Accepts a used or expired link only if mayBeOld is set. */
export async function signUpOfLink(
  tx: Tx,
  tokenHash: Buffer,
  options: { now: Date; mayBeOld?: boolean },
): Promise<SignUp | undefined> {
  let query = tx
    .selectFrom('auth_tokens')
    .innerJoin('users', 'users.id', 'auth_tokens.user_id')
    .select(['users.id', 'email', 'password_hash', 'sign_up_browser_hash'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'verify')
    .where('email_confirmed_at', 'is', null)
    .where('disabled_at', 'is', null)
  if (!options.mayBeOld)
    query = query.where('used_at', 'is', null).where('auth_tokens.expires_at', '>', options.now)
  const row = await query.executeTakeFirst()
  return (
    row && {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      isDisabled: false,
      browserHash: row.sign_up_browser_hash,
    }
  )
}

/** Locks an address, so that only one transaction at a time can decide who owns it. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${emailKey(email)}`}, 0))`.execute(tx)
}

/** Creates an unconfirmed account with its profile. */
export async function insertAccount(
  tx: Tx,
  account: { email: string; passwordHash: string | null; fullName?: string; browserHash?: Buffer },
): Promise<string> {
  const { id } = await tx
    .insertInto('users')
    .values({
      email: account.email.trim(),
      email_key: emailKey(account.email),
      password_hash: account.passwordHash,
      sign_up_browser_hash: account.browserHash ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('profiles')
    .values({ user_id: id, full_name: account.fullName ?? null })
    .execute()
  return id
}

/** Discards an address's unconfirmed sign-ups, with their roles, links and logins. */
export async function discardSignUps(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('users')
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is', null)
    .execute()
}

/** Whether the account is still enabled and its password hasn't changed since we compared it. */
export async function mayStillSignIn(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', 'is not distinct from', passwordHash)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

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

/**
 * Gives a user a role and creates their workspace. If they already have a role and own a workspace, changes
 * nothing and returns false.
 */
export async function insertRole(tx: Tx, userId: string, role: 'parent' | 'tutor'): Promise<boolean> {
  const row = await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('role')
    .executeTakeFirst()
  if (!row && (await ownWorkspaces(tx, userId)).length > 0) return false
  await makeFirstWorkspace(tx, userId, role === 'parent' ? 'family' : 'practice')
  return true
}

/** Sets a new password. Links sent before it no longer work. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await endEmailedLinks(tx, userId)
}

/**
 * Ends an account's reset links and its unfinished change of address, because the password or the address has
 * changed. Emails with such a link that haven't been sent yet won't be.
 */
export async function endEmailedLinks(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('auth_tokens').where('user_id', '=', userId).where('purpose', '=', 'reset').execute()
  await tx
    .deleteFrom('outbox')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset_password')
    .where('sent_at', 'is', null)
    .execute()
  await tx.deleteFrom('email_changes').where('owner_id', '=', userId).execute()
}

/** Stores the same password in the form it's hashed in now, unless it has been changed in the meantime. */
export async function rehashPassword(tx: Tx, account: Account, passwordHash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.passwordHash)
    .execute()
}

export async function passwordHashOf(tx: Tx, userId: string): Promise<string | null> {
  return (
    await tx.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirstOrThrow()
  ).password_hash
}

export async function loginStart(tx: Tx, loginId: string): Promise<Date | undefined> {
  return (await tx.selectFrom('logins').select('created_at').where('id', '=', loginId).executeTakeFirst())
    ?.created_at
}

/**
 * Records the documents the user accepted by signing up, along with their version and the time of acceptance
 * (promise P8).
 */
export async function insertAcceptances(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('acceptances')
    .values(ACCEPTED.map((document) => ({ user_id: userId, document, version: TERMS_VERSION })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Confirms a sign-up's address and discards all other sign-ups with that address; false if it was already
 * confirmed.
 */
export async function confirmEmail(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ email_confirmed_at: now, sign_up_browser_hash: null })
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  if (row) await discardSignUps(tx, row.email)
  return row !== undefined
}

/** The server settings that appear in a user's profile. */
interface ServerFacts {
  trialDays: number
  takesPayments?: boolean
  speechEngine?: Me['speech_engine']
}

/**
 * The signed-in user, as sent to the browser, in one of their workspaces.
 * @param wanted the id of the workspace to use; if the user isn't a member of it, uses the one they joined
 * first
 */
export async function readMe(
  tx: Tx,
  userId: string,
  { trialDays, takesPayments = false, speechEngine = 'off' }: ServerFacts,
  wanted?: string,
): Promise<Me | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.user_id', 'users.id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoinLateral(
      () => membership(tx, wanted).as('membership'),
      (join) => join.onTrue(),
    )
    .select([
      'users.id',
      'email',
      'email_confirmed_at',
      'users.created_at',
      'users.trial_since',
      'membership.trial_since as workspace_trial_since',
      'full_name',
      'avatar_url',
      'time_zone',
      'has_chosen_time_zone',
      'workspace_id',
      'kind',
      'member_role',
      'all_students',
      'currency',
      'membership.owner_name',
      'membership.memberships',
      'user_roles.role',
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
    role: roleIn(row),
    workspace: workspaceIn(row),
    can_see_amounts: seesAmounts(row.member_role),
    has_all_students: row.all_students ?? true,
    full_name: row.full_name,
    avatar_url: row.avatar_url,
    time_zone: row.time_zone,
    has_chosen_time_zone: row.has_chosen_time_zone,
    // The default until there's a workspace with its own currency (docs/product-decisions.md, section 3).
    currency: row.currency ?? currencyOf('USD'),
    version: row.version,
    trial_ends_at: trialEnd({
      since: trialStart(row),
      days: trialDays,
      rewards: await trialRewards(tx, userId),
    }).toISOString(),
    takes_payments: takesPayments,
    // Only people who have owned a workspace have a role stored with their account.
    is_trial_ahead: takesPayments && row.role === null && row.trial_since === null,
    has_password: row.has_password,
    speech_engine: speechEngine,
    deletion_due_at: row.deletion_asked_at && daysAfter(row.deletion_asked_at, KEEP_DAYS).toISOString(),
  }
}

// When the account's trial started. If the account took over its workspace and the first owner's trial
// started earlier, that earlier date is used instead.
function trialStart(row: {
  trial_since: Date | null
  created_at: Date
  workspace_trial_since: Date | null
  member_role: MemberRole | null
}): Date {
  const own = row.trial_since ?? row.created_at
  const former = row.member_role === 'owner' ? row.workspace_trial_since : null
  return former && former < own ? former : own
}

/** The rewards that count toward a user's trial, oldest first. */
export async function trialRewards(tx: Tx, ownerId: string): Promise<{ days: number; at: Date }[]> {
  return tx
    .selectFrom('rewards')
    .select(['days', 'created_at as at'])
    .where('owner_id', '=', ownerId)
    .where('credit', 'is', null)
    .orderBy('created_at')
    .execute()
}

function daysAfter(start: Date, days: number): Date {
  return new Date(start.getTime() + days * 86_400_000)
}

export async function readName(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('profiles')
    .select('full_name')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.full_name ?? null
}

/** Changes the profile; undefined if the expected version is out of date. */
export async function updateProfile(
  tx: Tx,
  userId: string,
  changes: { full_name?: string | null; time_zone?: string; has_chosen_time_zone?: boolean },
  expectedVersion?: number,
): Promise<number | undefined> {
  let update = tx
    .updateTable('profiles')
    .set({ ...changes, version: sql`version + 1`, updated_at: new Date() })
    .where('user_id', '=', userId)
  if (expectedVersion !== undefined) update = update.where('version', '=', expectedVersion)
  return (await update.returning('version').executeTakeFirst())?.version
}

/** Keeps the browser's time zone, unless the person chose one. Nobody edits it, so the version stays the same. */
export async function keepBrowserTimeZone(tx: Tx, userId: string, timeZone: string): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ time_zone: timeZone })
    .where('user_id', '=', userId)
    .where('has_chosen_time_zone', '=', false)
    .execute()
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

/** A user's membership in the requested workspace, else their oldest one. */
function membership(tx: Tx, wanted?: string) {
  return tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'members.workspace_id',
      'workspaces.kind',
      'workspaces.currency',
      'workspaces.writable_until',
      'workspaces.trial_since',
      'members.role as member_role',
      'members.all_students',
      'workspaces.owner_name',
      // Counts all memberships, because window functions are evaluated before the limit is applied.
      sql<number>`count(*) over ()::int`.as('memberships'),
    ])
    .where(sql<boolean>`members.account_id = users.id`)
    .orderBy(sql`members.workspace_id is not distinct from ${wanted ?? null}::uuid`, 'desc')
    .orderBy('members.joined_at')
    .orderBy('members.workspace_id')
    .limit(1)
}

/**
 * A person's role in a workspace: parent in a family, tutor in a practice. Administrators are administrators
 * everywhere.
 */
export function roleIn(row: {
  role: Me['role']
  kind: 'family' | 'practice' | null
  member_role: MemberRole | null
}): Me['role'] {
  if (row.role === 'admin') return 'admin'
  // A former administrator with no previous role has to choose one for the workspace they own.
  if (!row.kind || (row.member_role === 'owner' && !row.role)) return null
  return row.kind === 'family' ? 'parent' : 'tutor'
}

function workspaceIn(row: {
  workspace_id: string | null
  kind: 'family' | 'practice' | null
  member_role: MemberRole | null
  owner_name: string | null
  memberships: number | null
}): Me['workspace'] {
  const { workspace_id: id, kind, member_role: role, owner_name } = row
  if (!id || !kind || !role) return null
  return { id, kind, role, can_write: role !== 'viewer', owner_name, is_only: row.memberships === 1 }
}

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

/** Reads the data for a sign-in in progress and deletes it, so a second call finds nothing. */
export async function consumeFlow(
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
