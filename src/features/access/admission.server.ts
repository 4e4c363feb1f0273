// Decides who may call an operation, and as whom.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limit } from '#kernel/endpoint.ts'
import type { ConnectionId, WorkspaceId } from '#kernel/id.ts'
import type { CallerKey, KnownCaller, Tx } from '#platform/db/db.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { hitLimit, networkOf } from '#platform/http/rate-limit.server.ts'
import type { CallerDb, EmailedLink, Principal } from './db.server.ts'
import { type Declaration, isClosedTo, isForLinks, needsPlan } from './declaration.server.ts'
import type { NotProven, Proof } from './proof.ts'
import { LINK_REFUSALS, type LinkProblem } from './link-refusals.ts'
import { deviceHash, linkHash, linkToken } from './device.server.ts'
import { type MemberRole, type Role, seesAmounts, type Side } from './role.ts'

export interface CurrentUser {
  id: string
  loginId: string
  email: string
  role: Role | null
  isConfirmed: boolean
  /**
   * The workspace named in the request, or else the account's first one. Undefined if the account doesn't
   * have one yet.
   */
  workspace: CurrentWorkspace | undefined
  /** When the trial began, on this account or an earlier one with the same email address. */
  since: Date
  /** Whether the account has been deleted and is waiting to be purged. */
  isLeaving: boolean
}

/** A workspace as one of its members sees it. */
interface CurrentWorkspace {
  id: WorkspaceId
  kind: Side
  role: MemberRole
  /** False for a limited member, who sees only some students. */
  allStudents: boolean
  /** Whether members can write here depends on the owner's plan. No plan is needed until `writableUntil`. */
  owner: { id: string; since: Date; writableUntil: Date | null }
}

/** A link, and the address of its side; null if there's none, or not any more. */
export interface AdmittedLink extends EmailedLink {
  email: string | null
  /** Whether it was handed over instead of emailed. */
  isHanded: boolean
}

/** What admission has to know about links, emailed or handed over. */
interface Links {
  /**
   * The open connection that a token's hash belongs to, or why the token can't be used.
   * @param device the hash of the device's cookie for this link, which only a handed-over link needs
   */
  find(hash: Buffer, device: Buffer | undefined): Promise<AdmittedLink | LinkProblem>
  /** Whether an account is a member of the side that made the link. */
  isSender(hash: Buffer, accountId: string): Promise<boolean>
  /** Keeps the connection as it is until the transaction ends. False if it's no longer open. */
  hold(tx: Tx, link: EmailedLink): Promise<boolean>
  /** Accepts the connection's request, if nobody has yet. */
  accept(tx: Tx, link: EmailedLink): Promise<void>
}

/** The services main/ passes to every feature's routes. */
export interface Services {
  db: CallerDb
  now: () => Date
  baseUrl: string
  /**
   * Sends a script-free text page in the app's style. The HTML comes from our code. The caller must escape
   * any user-entered text.
   */
  sendPage: (reply: FastifyReply, title: string, html: string) => FastifyReply
  /** Every endpoint we serve, for the OpenAPI document. */
  served: Declaration[]
  /** A request's signed-in user, or undefined. Provided by the accounts feature. */
  currentUser: (request: FastifyRequest) => Promise<CurrentUser | undefined>
  /** The key the database uses to admit a request's caller. Undefined if there's no access cookie. */
  callerKey: (request: FastifyRequest) => CallerKey | undefined
  /** The user admitted by such a key, in the same form as currentUser. */
  userBy: (key: CallerKey) => Promise<CurrentUser | undefined>
  /**
   * The user a request's cookie belonged to at the last lookup. The transaction checks that the user is still
   * the same.
   */
  knownUser: (request: FastifyRequest) => { user: CurrentUser; caller: KnownCaller } | undefined
  /** Whether a user has a trial or a subscription. Provided by the billing feature. */
  mayWrite: (user: CurrentUser) => Promise<boolean>
  /** Why a user hasn't proved again that the account is theirs. Provided by the accounts feature. */
  whyNotProven: (
    request: FastifyRequest,
    user: CurrentUser,
    proof: Proof,
    password: string | undefined,
  ) => Promise<NotProven | undefined>
  /** Notes that a caller's role didn't allow a call. Provided by the security feature. */
  noteRefusal: (request: FastifyRequest) => Promise<void>
  /** Provided by the connections feature. */
  links: Links
}

/** Who acts in a command, in which transaction, on which side, and when. */
interface AnyCaller {
  tx: Tx
  side: Side
  /**
   * False for a caregiver. Rates and amounts are then null, and the database fills in the rate when a session
   * is logged.
   */
  seesAmounts: boolean
  now: Date
}

/** A member of a workspace. */
export interface MemberCaller extends AnyCaller {
  /** Whose records the command is about. */
  workspace: WorkspaceId
  isLink?: false
}

/** An emailed link. Its side has no workspace, no people and no notes. */
interface LinkCaller extends AnyCaller {
  /** The connection, as in the views that the link's role reads (db/repeatable/sides.sql). */
  workspace: ConnectionId
  isLink: true
}

export type Caller = MemberCaller | LinkCaller

/** A caller, whether a member or a link. Throws a 403 if a user doesn't have a workspace yet. */
export function callerOf(tx: Tx, { user, link }: Pick<Admitted, 'user' | 'link'>, now: Date): Caller {
  return link ? linkCaller(tx, link, now) : memberCaller(tx, user?.workspace, now)
}

/** A member as the caller of a command. Throws a 403 without a workspace. */
export function memberCaller(tx: Tx, workspace: Principal['workspace'], now: Date): MemberCaller {
  if (!workspace) throw wrongRole()
  const { id, kind, role } = workspace
  return { tx, workspace: id, side: kind, seesAmounts: seesAmounts(role), now }
}

/** An emailed link as the caller of a command, in a transaction of db.asLink. */
export function linkCaller(tx: Tx, { id, side }: EmailedLink, now: Date): LinkCaller {
  return { tx, workspace: id as ConnectionId, side, seesAmounts: true, isLink: true, now }
}

/** Who a user's calls run as in the database. */
export function principalOf(user: CurrentUser): Principal {
  return { accountId: user.id, workspace: user.workspace }
}

/** A user's workspace. Throws a 403 if the user doesn't have one yet. */
export function workspaceOf(user: CurrentUser | undefined): WorkspaceId {
  if (!user?.workspace) throw wrongRole()
  return user.workspace.id
}

function wrongRole(): ProblemError {
  return new ProblemError(403, 'role', "You don't have permission to access this page.")
}

/** Who a call runs as: a signed-in user, an emailed link or, if anyone may call the operation, nobody. */
export interface Admitted {
  user?: CurrentUser | undefined
  link?: AdmittedLink | undefined
  /** The key for rate limits: the account, or the network address if nobody is signed in. */
  limitKey: string
}

/**
 * A request's caller. Throws the refusal if the caller may not call the operation or has called it too often.
 * With the header Tutorlog-Link, cookies admit nobody.
 */
export async function admitCaller(
  services: Services,
  endpoint: Declaration,
  request: FastifyRequest,
): Promise<Admitted> {
  const { access, limit } = endpoint
  if (access === 'anyone') {
    // Looks up the user before opening the transaction. Calls that hold one connection while waiting for
    // another could starve each other.
    const counted = limit?.perAccount ? await services.currentUser(request) : undefined
    const limitKey = counted?.id ?? networkOf(request.ip)
    await checkLimit(services, endpoint, limitKey, limit)
    return { limitKey }
  }
  if (linkToken(request) !== undefined) {
    const limitKey = networkOf(request.ip)
    await checkLimit(services, endpoint, limitKey, LINK_LIMIT)
    return { link: await admitLink(services, endpoint, request), limitKey }
  }
  const user = await admit(services, endpoint, request)
  await checkLimit(services, endpoint, user.id, limit)
  return { user, limitKey: user.id }
}

/** Nobody can guess a token at this rate, per operation and network address. */
const LINK_LIMIT: Limit = { hits: 120, seconds: 60 }
/** The response to a call with an emailed link that expired, was ended or never existed. */
export function linkGone(): ProblemError {
  return linkProblem('link_gone')
}

function linkProblem(problem: LinkProblem): ProblemError {
  const { status, title } = LINK_REFUSALS[problem]
  return new ProblemError(status, problem, title)
}

async function admitLink(
  services: Services,
  endpoint: Declaration,
  request: FastifyRequest,
): Promise<AdmittedLink> {
  if (!isForLinks(endpoint)) throw wrongRole()
  const link = await findLink(services, request)
  if (typeof link === 'string') throw linkProblem(link)
  return link
}

/** The link that a request brings, or why it can't be used in this browser. */
export async function findLink(
  { links, currentUser, baseUrl }: Services,
  request: FastifyRequest,
): Promise<AdmittedLink | LinkProblem> {
  const hash = linkHash(request)
  if (!hash) return 'link_gone'
  // Even if the link is forwarded to the side that made it, that side must not be able to answer for the
  // other.
  const user = await currentUser(request)
  if (user && (await links.isSender(hash, user.id))) return 'own_link'
  return links.find(hash, deviceHash(request, baseUrl))
}

/** A request's user. Throws the refusal if the user may not call the operation. */
export async function admit(
  services: Services,
  endpoint: Declaration,
  request: FastifyRequest,
): Promise<CurrentUser> {
  if (linkToken(request) !== undefined) throw wrongRole()
  return admitUser(services, endpoint, await services.currentUser(request))
}

/** Like admit, for a user who has already been looked up. */
export async function admitUser(
  services: Services,
  endpoint: Declaration,
  user: CurrentUser | undefined,
): Promise<CurrentUser> {
  if (!user) throw new ProblemError(401, 'signed_out', 'Please sign in')
  await checkOpen(services, endpoint, user)
  return user
}

/** Throws the refusal if a user may not call an operation. */
export async function checkOpen(services: Services, endpoint: Declaration, user: CurrentUser): Promise<void> {
  if (endpoint.access === 'signed-in') return
  if (user.isLeaving)
    throw new ProblemError(403, 'account_deleted', 'This account was deleted. Sign in again to keep it.')
  if (!user.isConfirmed) throw new ProblemError(403, 'email_not_verified', 'Please verify your email first')
  if (Array.isArray(endpoint.access) && !(user.role && endpoint.access.includes(user.role))) throw wrongRole()
  if (user.workspace) checkMember(endpoint, user.workspace)
  if (needsPlan(endpoint) && !(await services.mayWrite(user)))
    throw new ProblemError(
      402,
      'subscription_required',
      user.workspace && user.workspace.role !== 'owner'
        ? "The owner's free trial is over. Ask the owner to choose a plan."
        : 'Your free trial is over. Choose a plan in your account settings to continue.',
    )
}

function checkMember(endpoint: Declaration, { role, allStudents }: CurrentWorkspace): void {
  if (isClosedTo(endpoint, role))
    throw role === 'viewer'
      ? new ProblemError(403, 'read_only', 'You can look at these records, but not change them.')
      : wrongRole()
  if (endpoint.needsAllStudents && !allStudents)
    throw new ProblemError(403, 'limited', 'Only members who can see everyone can do this.')
}

async function checkLimit(
  { db }: Services,
  { operation }: Declaration,
  limitKey: string,
  limit: Limit | undefined,
): Promise<void> {
  const wait = limit && (await db.asSystem((tx) => hitLimit(tx, `${operation}:${limitKey}`, limit)))
  if (wait !== undefined) throw tooMany(wait)
}

/**
 * The response if a limit is exceeded.
 * @param seconds until the next attempt is allowed
 */
export function tooMany(seconds: number): ProblemError {
  return new ProblemError(429, 'too_many', 'Too many attempts. Please wait a moment and try again.', {
    retryAfterSeconds: seconds,
  })
}
