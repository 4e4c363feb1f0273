// SQL for accounts: users, sign-ups, roles and profiles.
import { sql, type Updateable } from 'kysely'
import { makeFirstWorkspace, ownWorkspaces } from '#features/workspaces/queries.server.ts'
import { seesAmounts } from '#features/access/role.ts'
import type { MemberRole } from '#features/access/role.ts'
import { currencyOf } from '#kernel/currency.ts'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
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
  return row && toAccount(row)
}

function toAccount(row: {
  id: string
  email: string
  password_hash: string | null
  disabled_at: Date | null
}): Account {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    isDisabled: row.disabled_at !== null,
  }
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
  return rows.map((row) => ({ ...toAccount(row), browserHash: row.sign_up_browser_hash }))
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
    .select(['users.id', 'email', 'password_hash', 'disabled_at', 'sign_up_browser_hash'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'verify')
    .where('email_confirmed_at', 'is', null)
    .where('disabled_at', 'is', null)
  if (!options.mayBeOld)
    query = query.where('used_at', 'is', null).where('auth_tokens.expires_at', '>', options.now)
  const row = await query.executeTakeFirst()
  return row && { ...toAccount(row), browserHash: row.sign_up_browser_hash }
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

/** Leaves an account without a password: somebody else may know it. */
export async function dropPassword(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
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
      'region',
      'has_chosen_region',
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
    region: row.region,
    has_chosen_region: row.has_chosen_region,
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
  changes: Updateable<
    Pick<
      Tables['profiles'],
      'full_name' | 'time_zone' | 'region' | 'has_chosen_time_zone' | 'has_chosen_region'
    >
  >,
  expectedVersion?: number,
): Promise<number | undefined> {
  let update = tx
    .updateTable('profiles')
    .set({ ...changes, version: sql`version + 1`, updated_at: new Date() })
    .where('user_id', '=', userId)
  if (expectedVersion !== undefined) update = update.where('version', '=', expectedVersion)
  return (await update.returning('version').executeTakeFirst())?.version
}

/**
 * Keeps the browser's time zone and region, unless the person chose them. Nobody edits those, so the version stays
 * the same.
 */
export async function keepFromBrowser(
  tx: Tx,
  userId: string,
  { timeZone, region }: { timeZone: string | undefined; region: string | undefined },
): Promise<void> {
  const profile = tx.updateTable('profiles').where('user_id', '=', userId)
  if (timeZone !== undefined)
    await profile.set({ time_zone: timeZone }).where('has_chosen_time_zone', '=', false).execute()
  if (region !== undefined) await profile.set({ region }).where('has_chosen_region', '=', false).execute()
}

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
