// Logins use two httpOnly cookies: one is sent with every call, the other only renews the login
// (docs/product-decisions.md, section 1).
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '#kernel/id.ts'
import { emailKey } from '#kernel/text.ts'
import type { CallerKey, KnownCaller, Tx } from '#platform/db/db.server.ts'
import { cookieRules } from '#platform/http/cookies.server.ts'
import { forgetLimit, hitLimit } from '#platform/http/rate-limit.server.ts'
import { type CurrentUser, type Services, tooMany } from '#features/access/admission.server.ts'
import { type NotProven, type Proof, PROOF_MINUTES } from '#features/access/proof.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { ownerOfUsed } from '#features/passkeys/commands.server.ts'
import type { UsedPasskey } from '#features/passkeys/passkey.ts'
import { noteEvent, noteFailure, originOf } from '#features/security/commands.server.ts'
import type { Login } from './account.ts'
import { isPassword } from './password.server.ts'
import {
  accountByEmail,
  confirmEmail,
  insertAccount,
  lockAddress,
  passwordHashOf,
  readMe,
  roleIn,
  signUpOfBrowser,
} from './queries.server.ts'
import {
  deleteLogin,
  insertLogin,
  isKnownBrowser,
  loginByAccess,
  loginByRefresh,
  noteBrowser,
  noteProof,
  provenAt,
  renewLogin,
  type SignedIn,
} from './login-queries.server.ts'
import { secondStepOf } from './step-queries.server.ts'
import { derivedToken, newToken, tokenHash } from '#platform/http/token.server.ts'

/**
 * How long the access cookie lasts, how long a login lasts without activity (docs/product.md, section 9), and
 * a login's maximum lifetime.
 */
const ACCESS_MINUTES = 15
const INACTIVITY_MINUTES = 120
const LOGIN_DAYS = 30
/**
 * After a renewal, the previous token leads to the same new ones for this long, because tabs may renew at the
 * same time.
 */
const OVERLAP_SECONDS = 60
/** Between a refresh token's two parts: the login's secret, which stays the same, and the renewal's. */
const PART = '.'

/** Limit on wrong passwords when a signed-in user has to reenter their password. */
const GUESSES = { hits: 10, seconds: 900 }
/**
 * How long a browser is remembered after its last sign-up or sign-in. Browsers don't keep cookies longer than
 * this (RFC 6265bis).
 */
const BROWSER_DAYS = 400

/** Who can create an account (SIGN_UP). */
export interface Admission {
  isOpen: boolean
  /** If true, nobody can sign up, not even with an invitation. */
  isClosed: boolean
  mayJoin(tx: Tx, email: string): Promise<boolean>
}

export interface AccountServices extends Services {
  admission: Admission
  trialDays: number
  /** If false, there's no trial and no plan, and no screen or email mentions one. */
  takesPayments: boolean
  speechEngine: Login['user']['speech_engine']
  referrals: Referrals
  /** If the address already had a trial, continues it. Implemented by the billing feature. */
  continueTrial(tx: Tx, userId: string): Promise<void>
}

/** Handles an invitation within the sign-up's transaction. Implemented by the referrals feature. */
interface Referrals {
  /** Creates a new user's referral code and records who invited them, replacing any earlier record. */
  note(tx: Tx, userId: string, code: string | undefined): Promise<void>
  /** Rewards both the inviter and the new user, once. */
  reward(tx: Tx, userId: string): Promise<void>
}

/** The request header that names the workspace (docs/contract.md, HTTP). */
const WORKSPACE_HEADER = 'tutorlog-workspace'

const minutesAfter = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000)

/** The cookies' names and flags. */
function loginCookies(baseUrl: string) {
  const rules = knownRules.get(baseUrl) ?? rulesFor(baseUrl)
  knownRules.set(baseUrl, rules)
  return rules
}

const knownRules = new Map<string, ReturnType<typeof rulesFor>>()

function rulesFor(baseUrl: string) {
  const { prefix, flags } = cookieRules(baseUrl)
  return {
    access: `${prefix}access`,
    refresh: `${prefix}refresh`,
    flow: `${prefix}flow`,
    browser: `${prefix}browser`,
    flags: { ...flags, sameSite: 'lax' } as const,
  }
}

/**
 * Confirms a user's address and discards all other sign-ups with the same address. Continues any earlier
 * trial and rewards whoever invited the user. The caller must have locked the address and checked that no
 * account has it.
 */
export async function confirmAddress(services: AccountServices, tx: Tx, userId: string): Promise<void> {
  if (!(await confirmEmail(tx, userId, services.now()))) return
  await services.continueTrial(tx, userId)
  await services.referrals.reward(tx, userId)
}

/**
 * The account for someone who has just proved that an address is theirs: the existing account, else the
 * sign-up made in this browser, else a new account without a role. Sign-ups by strangers never count (promise
 * A8).
 */
export async function claimAddress(
  services: AccountServices,
  tx: Tx,
  request: FastifyRequest,
  person: { email: string; fullName?: string; invitedBy?: string },
): Promise<string> {
  await lockAddress(tx, person.email)
  const account = await accountByEmail(tx, person.email)
  if (account) return account.id
  const own = await signUpOfBrowser(tx, person.email, signUpHash(services, request, person.email))
  const userId = own?.id ?? (await insertAccount(tx, { ...person, passwordHash: null }))
  if (!own || person.invitedBy) await services.referrals.note(tx, userId, person.invitedBy)
  await confirmAddress(services, tx, userId)
  return userId
}

/**
 * Returns the secret in this browser's long-lived cookie, or creates one if it's missing. Sets the cookie
 * again, so that it lasts longer.
 */
export function rememberBrowser(
  services: AccountServices,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const names = loginCookies(services.baseUrl)
  const secret = browserSecret(services, request) ?? newToken()
  reply.setCookie(names.browser, secret, { ...names.flags, maxAge: BROWSER_DAYS * 86_400 })
  return secret
}

function browserSecret(services: AccountServices, request: FastifyRequest): string | undefined {
  const secret = request.cookies[loginCookies(services.baseUrl).browser]
  return secret && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

/** The browser hash stored with a sign-up; undefined if this browser has no secret. */
export function signUpHash(
  services: AccountServices,
  request: FastifyRequest,
  email: string,
  secret = browserSecret(services, request),
): Buffer | undefined {
  return secret === undefined ? undefined : tokenHash(`sign-up:${emailKey(email)}:${secret}`)
}

/** The browser hash stored when a browser signs in to an account; undefined if this browser has no secret. */
export function knownBrowserHash(
  services: AccountServices,
  request: FastifyRequest,
  userId: string,
  secret = browserSecret(services, request),
): Buffer | undefined {
  return secret === undefined ? undefined : tokenHash(`known:${userId}:${secret}`)
}

/**
 * Starts a login with new tokens, no matter which cookies the browser sent (promise A6), and sets its
 * cookies.
 * @param how 'sign-up' and 'reset' follow an email to the owner, so a new browser is nothing to email about
 */
export async function startLogin(
  services: AccountServices,
  tx: Tx,
  userId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'sign-in' | 'sign-up' | 'reset' = 'sign-in',
): Promise<Login> {
  const now = services.now()
  const ends = minutesAfter(now, LOGIN_DAYS * 24 * 60)
  const first = { access: newToken(), refresh: newToken() + PART + newToken() }
  const tokens = withTimes(first, now, minutesAfter(now, INACTIVITY_MINUTES), ends)
  await insertLogin(tx, userId, tokens.kept, { now, endsAt: ends }, request.headers['user-agent'] ?? '')
  const browser = knownBrowserHash(services, request, userId, rememberBrowser(services, request, reply))
  const forgetBefore = minutesAfter(now, -BROWSER_DAYS * 24 * 60)
  const isKnown = browser !== undefined && (await isKnownBrowser(tx, userId, browser))
  if (browser) await noteBrowser(tx, userId, browser, { now, forgetBefore })
  const login = await setCookies(services, tx, { userId }, tokens, now, reply)
  // Nobody is emailed at an address that isn't known to be theirs.
  const isNew = how === 'sign-in' && !isKnown && login.user.email_confirmed_at !== null
  const kind = how === 'reset' ? 'recovered' : isNew ? 'new_browser' : 'signed_in'
  await noteEvent(tx, originOf(request), { userId, kind, at: now, email: login.user.email })
  return login
}

/**
 * Renews the login that the refresh cookie belongs to; undefined if there's nothing to renew. Calls that renew
 * with the same token at the same time all get the same new tokens, so the browser may keep any of the
 * responses. If a token is used well after it was replaced, someone must have copied it, so the login ends.
 * @param wasActive whether the user was active since the last renewal; only activity extends the inactivity
 * deadline
 */
export async function renewFromCookie(
  services: AccountServices,
  tx: Tx,
  wasActive: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Login | undefined> {
  const cookie = request.cookies[loginCookies(services.baseUrl).refresh]
  if (!cookie) return undefined
  const now = services.now()
  const { hash, familyHash } = hashesOf(cookie)
  const login = await loginByRefresh(tx, hash, familyHash)
  if (!login) return undefined
  const isCurrent = login.refresh_hash.equals(hash)
  const isOverlapping =
    login.previous_refresh_hash?.equals(hash) &&
    now.getTime() - login.refreshed_at.getTime() <= OVERLAP_SECONDS * 1000
  const isCopied = !isCurrent && !isOverlapping
  if (isCopied || login.disabled_at || login.ends_at <= now || login.active_until <= now) {
    await deleteLogin(tx, { refresh: hash, family: familyHash })
    return undefined
  }
  const salt = (isOverlapping ? login.renewal_salt : undefined) ?? randomBytes(32)
  const tokens = withTimes(
    nextTokens(cookie, salt),
    now,
    wasActive ? minutesAfter(now, INACTIVITY_MINUTES) : login.active_until,
    login.ends_at,
  )
  await renewLogin(tx, login.id, tokens.kept, {
    previousHash: hash,
    salt,
    refreshedAt: isCurrent ? now : login.refreshed_at,
  })
  return setCookies(
    services,
    tx,
    { userId: login.user_id, workspaceId: wantedWorkspace(request) },
    tokens,
    now,
    reply,
  )
}

/** Ends this browser's login on the server and deletes its cookies (promise A5). */
export async function endLogin(
  services: AccountServices,
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const names = loginCookies(services.baseUrl)
  const access = request.cookies[names.access]
  const refresh = request.cookies[names.refresh]
  const { hash, familyHash } = refresh ? hashesOf(refresh) : {}
  await deleteLogin(tx, { access: access ? tokenHash(access) : undefined, refresh: hash, family: familyHash })
  clearCookies(services, reply)
  reply.header('clear-site-data', '"cache", "storage"')
}

export function clearCookies(services: AccountServices, reply: FastifyReply): void {
  const names = loginCookies(services.baseUrl)
  reply.clearCookie(names.access, names.flags).clearCookie(names.refresh, names.flags)
}

/**
 * The workspace a request names, in its header or (for downloads) in its URL. Throws a 404 if the value isn't
 * an id.
 */
function wantedWorkspace(request: FastifyRequest): string | undefined {
  const { workspace } = request.query as { workspace?: unknown }
  const wanted = request.headers[WORKSPACE_HEADER] ?? workspace
  if (wanted === undefined) return undefined
  if (typeof wanted !== 'string' || !isId(wanted)) throw noSuchWorkspace()
  return wanted
}

function noSuchWorkspace(): ProblemError {
  return new ProblemError(404, 'no_such_workspace', 'You are not a member of this workspace')
}

/**
 * The key that identifies a request's caller in the database; undefined if there's no access cookie. Throws a
 * 404 if the workspace named in the request isn't an id.
 */
export function callerKey(services: AccountServices, request: FastifyRequest): CallerKey | undefined {
  const cookie = request.cookies[loginCookies(services.baseUrl).access]
  if (!cookie) return undefined
  return { accessHash: tokenHash(cookie), now: services.now(), workspaceId: wantedWorkspace(request) }
}

/** A request's signed-in user, or undefined. Throws a 404 if they aren't a member of the workspace it names. */
export async function currentUser(
  services: AccountServices,
  request: FastifyRequest,
): Promise<CurrentUser | undefined> {
  const key = callerKey(services, request)
  return key && userBy(services, key)
}

/**
 * The user that a key identifies, or undefined. Throws a 404 if they aren't a member of the workspace it
 * names.
 */
export async function userBy(services: AccountServices, key: CallerKey): Promise<CurrentUser | undefined> {
  const row = await services.db.readAsSystem((tx) => loginByAccess(tx, key))
  callersOf(services).delete(nameOf(key))
  if (!row) return undefined
  const wanted = key.workspaceId
  if (wanted !== undefined && row.workspace_id !== wanted.toLowerCase()) throw noSuchWorkspace()
  const user = userOf(row)
  if (user.workspace) remember(callersOf(services), nameOf(key), { user, known: row.known })
  return user
}

interface Remembered {
  user: CurrentUser
  known: string
}

/** The maximum number of callers to remember; each takes about a kilobyte. */
const MOST_CALLERS = 5000
const callers = new WeakMap<AccountServices, Map<string, Remembered>>()

function callersOf(services: AccountServices): Map<string, Remembered> {
  const known = callers.get(services) ?? new Map<string, Remembered>()
  callers.set(services, known)
  return known
}

// When there are too many callers, evicts the oldest one.
function remember(known: Map<string, Remembered>, name: string, caller: Remembered): void {
  known.set(name, caller)
  const [oldest] = known.keys()
  if (known.size > MOST_CALLERS && oldest !== undefined) known.delete(oldest)
}

const nameOf = ({ accessHash, workspaceId = '' }: CallerKey) =>
  `${accessHash.toString('base64')} ${workspaceId}`

/**
 * The user this access cookie belonged to when it was last looked up; undefined if it hasn't been looked up
 * yet. This doesn't authorize anything: work for this user goes through db.asMember or db.readAsMember, which
 * check again.
 */
export function knownUser(
  services: AccountServices,
  request: FastifyRequest,
): { user: CurrentUser; caller: KnownCaller } | undefined {
  const key = callerKey(services, request)
  const found = key && callersOf(services).get(nameOf(key))
  return found && { user: found.user, caller: { ...key, known: found.known } }
}

function userOf(row: SignedIn): CurrentUser {
  return {
    id: row.id,
    loginId: row.login_id,
    email: row.email,
    role: roleIn(row),
    isConfirmed: row.email_confirmed_at !== null,
    workspace:
      row.workspace_id && row.kind && row.member_role
        ? {
            id: row.workspace_id,
            kind: row.kind,
            role: row.member_role,
            allStudents: row.all_students ?? true,
            owner: {
              id: row.owner_id ?? row.id,
              since: row.owner_since ?? row.since,
              writableUntil: row.writable_until,
            },
          }
        : undefined,
    since: row.since,
    isLeaving: row.deletion_asked_at !== null,
  }
}

/** When this request's access cookie expires. */
export async function accessEnd(
  services: AccountServices,
  tx: Tx,
  request: FastifyRequest,
): Promise<Date | undefined> {
  const key = callerKey(services, request)
  return key && (await loginByAccess(tx, key))?.access_expires_at
}

/** Ties a sign-in at an external provider to this browser for ten minutes. */
export function setFlowCookie(services: AccountServices, reply: FastifyReply, secret: string): void {
  const names = loginCookies(services.baseUrl)
  reply.setCookie(names.flow, secret, { ...names.flags, maxAge: 600 })
}

export function takeFlowCookie(
  services: AccountServices,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const names = loginCookies(services.baseUrl)
  reply.clearCookie(names.flow, names.flags)
  return request.cookies[names.flow]
}

/** Why a signed-in user hasn't proved again that the account is theirs; undefined if they have. */
export async function whyNotProven(
  services: AccountServices,
  request: FastifyRequest,
  user: CurrentUser,
  proof: Proof,
  password: string | undefined,
): Promise<NotProven | undefined> {
  const { db, now } = services
  const { hash, since, secondStep } = await db.readAsSystem(async (tx) => ({
    hash: await passwordHashOf(tx, user.id),
    since: await provenAt(tx, user.loginId),
    secondStep: await secondStepOf(tx, user.id),
  }))
  const isRecent = since !== undefined && now() <= minutesAfter(since, PROOF_MINUTES)
  if (proof === 'recent' || !hash) return isRecent ? undefined : 'sign_in_again'
  // With a second step, the password alone is no proof.
  if (secondStep && !isRecent) return 'sign_in_again'
  if (password === undefined || !(await isOwnPassword(services, request, user, password)))
    return 'wrong_password'
  if (!secondStep) await db.asSystem((tx) => noteProof(tx, user.loginId, now()))
  return undefined
}

/** Whether this is the password of a signed-in user. If it isn't, that's noted. */
export async function isOwnPassword(
  services: AccountServices,
  request: FastifyRequest,
  user: CurrentUser,
  password: string,
): Promise<boolean> {
  const { db } = services
  const key = `guess:${emailKey(user.email)}:again`
  const { hash, wait } = await db.asSystem(async (tx) => ({
    hash: await passwordHashOf(tx, user.id),
    wait: await hitLimit(tx, key, GUESSES),
  }))
  if (wait !== undefined) throw tooMany(wait)
  if (!(await isPassword(password, hash))) return noteFailedProof(services, request, user)
  await db.asSystem((tx) => forgetLimit(tx, key))
  return true
}

async function noteFailedProof(
  { db, now }: AccountServices,
  request: FastifyRequest,
  { id: userId }: CurrentUser,
): Promise<false> {
  await db.asSystem((tx) => noteFailure(tx, request, { userId, kind: 'proof_failed', at: now() }))
  return false
}

/** Checks a passkey that a signed-in user has just used. If it's one of theirs, that's a proof; if not, that's noted. */
export async function provePasskey(
  services: AccountServices,
  request: FastifyRequest,
  user: CurrentUser,
  used: UsedPasskey,
): Promise<boolean> {
  if ((await ownerOfUsed(services, used, user.id)) === undefined)
    return noteFailedProof(services, request, user)
  await services.db.asSystem((tx) => noteProof(tx, user.loginId, services.now()))
  return true
}

interface Tokens {
  access: string
  refresh: string
}

/** What the database stores of a refresh token. Tokens from an earlier version have no family. */
function hashesOf(refresh: string): { hash: Buffer; familyHash: Buffer | undefined } {
  const [family, own] = refresh.split(PART)
  return { hash: tokenHash(refresh), familyHash: family && own ? tokenHash(family) : undefined }
}

function nextTokens(refresh: string, salt: Buffer): Tokens {
  const [family, own] = refresh.split(PART)
  const derived = (use: string) => derivedToken(refresh, salt, use)
  return {
    access: derived('access'),
    refresh: (own === undefined ? derived('family') : family) + PART + derived('refresh'),
  }
}

function withTimes({ access, refresh }: Tokens, now: Date, activeUntil: Date, endsAt: Date) {
  const accessExpiresAt = new Date(
    Math.min(minutesAfter(now, ACCESS_MINUTES).getTime(), activeUntil.getTime(), endsAt.getTime()),
  )
  const { hash: refreshHash, familyHash } = hashesOf(refresh)
  return {
    access,
    refresh,
    kept: { accessHash: tokenHash(access), refreshHash, familyHash, accessExpiresAt, activeUntil },
  }
}

async function setCookies(
  services: AccountServices,
  tx: Tx,
  { userId, workspaceId }: { userId: string; workspaceId?: string },
  tokens: ReturnType<typeof withTimes>,
  now: Date,
  reply: FastifyReply,
): Promise<Login> {
  const user = await readMe(tx, userId, services, workspaceId)
  if (!user) throw new Error('a login without a user')
  const names = loginCookies(services.baseUrl)
  const secondsTo = (end: Date) => Math.max(1, Math.round((end.getTime() - now.getTime()) / 1000))
  reply.setCookie(names.access, tokens.access, {
    ...names.flags,
    maxAge: secondsTo(tokens.kept.accessExpiresAt),
  })
  reply.setCookie(names.refresh, tokens.refresh, {
    ...names.flags,
    maxAge: secondsTo(tokens.kept.activeUntil),
  })
  return {
    user,
    expires_at: tokens.kept.accessExpiresAt.toISOString(),
    expires_in: secondsTo(tokens.kept.accessExpiresAt),
  }
}
