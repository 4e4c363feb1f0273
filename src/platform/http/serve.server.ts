// Turns an endpoint and its handler into a route: checks authorization, validates the input strictly, runs
// one transaction as the caller, and maps the outcome to a status code.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { seesAmounts } from '#kernel/amounts.ts'
import { type Declaration, declarationOf } from '#kernel/declaration.server.ts'
import type { Endpoint, MemberRole, OutputOf, ParsedInputOf, ReasonOf, Role } from '#kernel/endpoint.ts'
import { isId, type WorkspaceId } from '#kernel/id.ts'
import type { Outcome } from '#kernel/outcome.ts'
import {
  CallerChanged,
  type CallerKey,
  DatabaseAway,
  type Db,
  type EmailedLink,
  type KnownCaller,
  leaveToCommit,
  type ReadAtOnce,
  type Side,
  type Speaker,
  type Tx,
  withRetries,
} from '#platform/db/db.server.ts'
import { sendRead } from './etag.server.ts'
import { goneSignal } from './heavy.server.ts'
import {
  type Answer,
  checkStillOwn,
  keepAnswer,
  rememberAnswer,
  replayedAnswer,
} from './idempotency.server.ts'
import { notFound, ProblemError } from './problem.server.ts'
import { hitLimit, networkOf } from './rate-limit.server.ts'

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
export interface CurrentWorkspace {
  id: WorkspaceId
  kind: 'family' | 'practice'
  role: MemberRole
  /** False for a limited member, who sees only some students. */
  allStudents: boolean
  /** Whether members can write here depends on the owner's plan. No plan is needed until `writableUntil`. */
  owner: { id: string; since: Date; writableUntil: Date | null }
}

/** The services main/ passes to every feature's routes. */
export interface Services {
  db: Db
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
}

export interface Call<E extends Endpoint> {
  /**
   * The transaction. It runs as the signed-in user on the workspace's side or, if anyone may call the
   * operation, as the system.
   */
  tx: Tx
  input: ParsedInputOf<E>
  params: { id: string }
  user: CurrentUser
  /** The current workspace; throws a 403 if the user doesn't have one yet. */
  workspace: WorkspaceId
  /** The context for commands: the transaction, the workspace and its side, and the time. */
  desk: Desk
  /** The key for rate limits: the account, or the network address if nobody is signed in. */
  caller: string
  /** The version in the caller's If-Match header, or undefined if there isn't one. */
  expectedVersion: number | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** The context that a command runs in, including its side. */
export interface Desk {
  tx: Tx
  workspace: WorkspaceId
  side: Side
  /**
   * False for a caregiver. Rates and amounts are then null, and the database fills in the rate when a session
   * is logged.
   */
  seesAmounts: boolean
  /** True on the emailed page, where the side has no people and no notes. */
  isLink?: boolean
  now: Date
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Outcome<OutputOf<E>, ReasonOf<E>>>

/**
 * Serves an operation that waits for another server or hashes a password. No transaction is open during that
 * time; the handler opens its own when it needs one. An operation that creates something has to handle its
 * Idempotency-Key itself.
 */
export function serveOutside<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  declared: E,
  handler: (call: Omit<Call<E>, 'tx' | 'desk'>) => Promise<Outcome<OutputOf<E>, ReasonOf<E>>>,
): void {
  const endpoint = declarationOf(declared)
  services.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const { user, caller, params, input } = await admitted<E>(
        services,
        endpoint,
        request,
        endpoint.method === 'GET' ? asked(request) : (request.body ?? {}),
      )
      const outcome = await handler({
        input,
        params,
        user: user as CurrentUser,
        get workspace() {
          return workspaceOf(user)
        },
        caller,
        expectedVersion: versionIn(request.headers['if-match']),
        request,
        reply,
      })
      if (!outcome.ok) throw refusal(endpoint, outcome.reason)
      const body = endpoint.output.parse(outcome.value)
      return reply.status(body === undefined ? 204 : endpoint.creates ? 201 : 200).send(body)
    },
  })
}

/**
 * A read that the database handles in one statement (docs/decisions/0022).
 * @returns the function and its values, plus `finish` if the function's result isn't the final JSON yet.
 * Undefined if the function can't handle this input.
 */
export type AtOnce<E extends Endpoint> = (
  input: ParsedInputOf<E>,
) => (Omit<ReadAtOnce, 'closedTo'> & { finish?: (answer: string) => string }) | undefined

/**
 * Serves one operation. A refusal is sent with its declared status. For a signed-in user, it also rolls back
 * the transaction. After a deadlock, the handler runs again, so it must not do anything outside the database.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  handler: Handler<E>,
): void {
  addOperation<E>(app, services, declarationOf(endpoint), () => handler, {})
}

/**
 * Serves one operation. Its handler must access the database only through its transaction and do nothing else
 * that requires an admitted caller. Known callers are rechecked in the first step of that transaction, which
 * saves a round trip.
 * @param atOnce handles a read in one statement. If it can't, the handler runs and decides whether to refuse
 * the call.
 */
export function serveWithin<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  handler: Handler<E>,
  atOnce?: AtOnce<E>,
): void {
  addOperation<E>(app, services, declarationOf(endpoint), () => handler, { atOnce, isWithin: true })
}

/** The part of a call that's available before servePrepared begins its transaction. */
export type PreparingCall<E extends Endpoint> = Pick<LongCall<E>, 'input' | 'user' | 'workspace' | 'asMember'>

/**
 * Serves one operation like `serve`, but first does slow work that must not run in an open transaction.
 * @param prepare called once the caller is admitted; its result is passed to the handler
 */
export function servePrepared<E extends Endpoint, Prepared>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  prepare: (call: PreparingCall<E>) => Promise<Prepared>,
  handler: (call: Call<E>, prepared: Prepared) => ReturnType<Handler<E>>,
): void {
  const prepareHandler = async ({ user, input }: AdmittedCall<E>): Promise<Handler<E>> => {
    if (!user)
      throw new Error(`${declarationOf(endpoint).operation} prepares its work, so it needs a signed-in user`)
    const asMember = asMemberOf(services, user)
    const prepared = await prepare({ user, input, workspace: workspaceOf(user), asMember })
    return (call) => handler(call, prepared)
  }
  addOperation<E>(app, services, declarationOf(endpoint), prepareHandler, {})
}

function addOperation<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: Declaration<E>,
  handlerFor: (call: AdmittedCall<E>) => Handler<E> | Promise<Handler<E>>,
  { atOnce, isWithin = false }: { atOnce?: AtOnce<E> | undefined; isWithin?: boolean },
): void {
  services.served.push(endpoint)
  if (atOnce && !isForAtOnce(endpoint))
    throw new Error(`${endpoint.operation} needs checks that a one-statement read can't do`)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.maxBytes ? { bodyLimit: endpoint.maxBytes } : {}),
    handler: async (request, reply) => {
      const answered = atOnce && (await answerAtOnce<E>(services, endpoint, atOnce, request))
      // This response isn't parsed here; src/main/reads.test.ts checks its format.
      if (answered) return sendRead(request, reply, answered.answer, answered.finish)
      const known = isWithin ? await admittedBefore<E>(services, endpoint, request) : undefined
      if (known)
        try {
          return await answer<E>(services, endpoint, await handlerFor(known), request, reply, known)
        } catch (error) {
          if (!needsLongWay(error, known)) throw error
        }
      const input = endpoint.method === 'GET' ? asked(request) : (request.body ?? {})
      const { user, ...rest } = await admitted<E>(services, endpoint, request, input)
      const call = { user, ...rest, key: keyOf(endpoint, request, user) }
      return answer<E>(services, endpoint, await handlerFor(call), request, reply, call)
    },
  })
}

/**
 * A call that's ready to be handled. The caller has been admitted, or is known and will be checked again by
 * the transaction.
 */
interface AdmittedCall<E extends Endpoint> {
  user: CurrentUser | undefined
  caller: string
  params: { id: string }
  input: ParsedInputOf<E>
  key: RequestKey | undefined
  known?: KnownCaller
}

/** The Idempotency-Key of a request that creates something, and the request's hash. */
interface RequestKey {
  key: string
  hash: Buffer
  /** The hash that an earlier version of the app stored for this request, if it could be from before an upgrade. */
  earlierHash?: Buffer
}

// If the caller has changed, the call takes the regular path. So does a failed call with a key, because there
// may already be a stored response for it.
function needsLongWay(error: unknown, { key }: { key: RequestKey | undefined }): boolean {
  return error instanceof CallerChanged || (key !== undefined && !(error instanceof DatabaseAway))
}

async function answer<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  handler: Handler<E>,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, caller, params, input, key, known }: AdmittedCall<E>,
): Promise<FastifyReply> {
  const work = async (tx: Tx) => {
    // An earlier attempt may have set another one.
    reply.status(200)
    // For a known caller, inserting the response also checks the key. If the key was already used, everything
    // is rolled back.
    if (user && key && !known) {
      const replayed = await replayedAnswer(tx, user.id, endpoint.operation, key)
      if (replayed) {
        // If a member's access has since been limited to some students, they must not find out anything about
        // the others.
        if (user.workspace?.allStudents === false) await checkStillOwn(tx, replayed)
        return replayed
      }
    }
    const call = {
      tx,
      input,
      params,
      user: user as CurrentUser,
      get workspace() {
        return workspaceOf(user)
      },
      get desk() {
        return deskOf(tx, user, services.now())
      },
      caller,
      expectedVersion: versionIn(request.headers['if-match']),
      request,
      reply,
    }
    const outcome = await handler(call as Call<E>)
    if (!outcome.ok) {
      // If the caller isn't signed in, commits anyway, because the transaction may have counted a wrong
      // password. For a signed-in user, rolls back.
      if (!user) return { status: 0, body: refusal(endpoint, outcome.reason) }
      throw refusal(endpoint, outcome.reason)
    }
    const body = endpoint.output.parse(outcome.value)
    if (!user || !key) return { status: endpoint.creates ? 201 : 200, body }
    const kept = { status: 201, body, json: JSON.stringify(body) }
    leaveToCommit(
      known
        ? keepAnswer(tx, user.id, endpoint.operation, key, kept)
        : rememberAnswer(tx, user.id, endpoint.operation, key.key, kept),
    )
    return kept
  }
  const { status, body, json }: Answer & { json?: string | undefined } = await withRetries(() =>
    transactionFor(services.db, endpoint, user, work, known),
  )
  if (body instanceof ProblemError) throw body
  // If the body includes a version, that becomes the ETag, so that callers can send it in If-Match.
  if (user && endpoint.method === 'GET' && isPlain(body) && !('version' in body))
    return sendRead(request, reply, JSON.stringify(body))
  tag(reply, body)
  // If the handler queued work for later, it has already set the status to 202.
  reply.status(body === undefined ? 204 : reply.statusCode === 202 ? 202 : status)
  return json === undefined ? reply.send(body) : reply.type('application/json; charset=utf-8').send(json)
}

function keyOf(
  endpoint: Declaration,
  request: FastifyRequest,
  user: CurrentUser | undefined,
): RequestKey | undefined {
  const key = endpoint.creates && user ? idempotencyKey(request) : undefined
  if (!key) return undefined
  const { url, body } = request
  // Keeps caregivers' keys separate, because a response from before the caller became a caregiver may contain
  // amounts.
  const caregiver = seesAmounts(user?.workspace?.role) ? [] : ['caregiver']
  const hashOf = (of: unknown[]) => createHash('sha256').update(JSON.stringify(of)).digest()
  return {
    key,
    hash: hashOf([user?.workspace?.id, url, body ?? null, ...caregiver]),
    // Versions from before workspaces hashed only the request. An account's first workspace has its id since.
    ...(user?.workspace?.id === user?.id &&
      caregiver.length === 0 && { earlierHash: hashOf([url, body ?? null]) }),
  }
}

// Returns undefined for anything that might be refused. What we know about the caller may be out of date, so
// only the regular path refuses calls.
async function admittedBefore<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  request: FastifyRequest,
): Promise<AdmittedCall<E> | undefined> {
  if (endpoint.access === 'anyone' || endpoint.limit) return undefined
  try {
    const known = services.knownUser(request)
    if (!known) return undefined
    const { user } = known
    await checkOpen(services, endpoint, user)
    const key = keyOf(endpoint, request, user)
    const input = parseInput<E>(
      endpoint,
      endpoint.method === 'GET' ? asked(request) : (request.body ?? {}),
      request.log,
    )
    return { user, caller: user.id, params: idsOf(request), input, key, known: known.caller }
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

// These are the only requirements on a caller that the functions in db/repeatable/reads.sql check.
function isForAtOnce({ method, access, limit, needsAllStudents }: Declaration): boolean {
  return method === 'GET' && access === 'confirmed' && !limit && !needsAllStudents
}

// Returns undefined for anything that might be refused, so that every refusal comes from admit or the
// handler.
async function answerAtOnce<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  atOnce: AtOnce<E>,
  request: FastifyRequest,
): Promise<{ answer: string; finish?: (answer: string) => string } | undefined> {
  const key = services.callerKey(request)
  const input = key && safely(endpoint.input, asked(request))
  const read = input?.success ? atOnce(input.data as ParsedInputOf<E>) : undefined
  if (!key || !read) return undefined
  const answer = await services.db.readAtOnce({ ...read, closedTo: endpoint.closedTo ?? [] }, key)
  return answer === undefined ? undefined : { ...read, answer }
}

export interface LongCall<E extends Endpoint> {
  input: ParsedInputOf<E>
  user: CurrentUser
  workspace: WorkspaceId
  /** Runs a short transaction as the member. No other transaction is open. */
  asMember: <Value>(work: (tx: Tx) => Promise<Value>) => Promise<Value>
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  request: FastifyRequest
}

interface LongOptions {
  bodyLimit: number
  /** Builds the schema's input if the body isn't JSON. */
  inputOf: (request: FastifyRequest) => unknown
}

/**
 * Serves an operation that spends seconds on work outside the database. Authorization, strict input and
 * refusals work as usual, but no transaction is open during that time.
 */
export function serveLong<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  declared: E,
  options: LongOptions,
  handler: (call: LongCall<E>) => Promise<Outcome<OutputOf<E>, ReasonOf<E>>>,
): void {
  const endpoint = declarationOf(declared)
  services.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: options.bodyLimit,
    // Rejects unauthorized callers before reading their body, which may be large.
    onRequest: async (request) => {
      await admit(services, endpoint, request)
    },
    handler: async (request, reply) => {
      const { user, input } = await admitted<E>(services, endpoint, request, options.inputOf(request))
      if (!user) throw new Error(`${endpoint.operation} runs long work, so it needs a signed-in user`)
      const signal = goneSignal(reply)
      const outcome = await handler({
        input,
        user,
        workspace: workspaceOf(user),
        asMember: asMemberOf(services, user),
        signal,
        request,
      }).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error
      })
      if (!outcome.ok) throw refusal(endpoint, outcome.reason)
      return reply.status(200).send(endpoint.output.parse(outcome.value))
    },
  })
}

function asMemberOf({ db }: Services, user: CurrentUser): LongCall<Endpoint>['asMember'] {
  return (work) => db.asMember(speakerOf(user), work)
}

async function admitted<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  request: FastifyRequest,
  raw: unknown,
) {
  const user = endpoint.access === 'anyone' ? undefined : await admit(services, endpoint, request)
  // Looks up the caller before opening the transaction. Calls that hold one connection while waiting for
  // another could starve each other.
  const caller =
    (user ?? (endpoint.limit?.perAccount ? await services.currentUser(request) : undefined))?.id ??
    networkOf(request.ip)
  await refuseBeyondLimit(services, endpoint, caller)
  return { user, caller, params: idsOf(request), input: parseInput<E>(endpoint, raw, request.log) }
}

// A download names its workspace in the URL. Authorization has already used that parameter, so it's removed
// from the input.
function asked(request: FastifyRequest): object {
  const { workspace: _workspace, ...rest } = request.query as Record<string, unknown>
  return rest
}

function transactionFor<Result>(
  db: Db,
  endpoint: Endpoint,
  user: CurrentUser | undefined,
  work: (tx: Tx) => Promise<Result>,
  caller: KnownCaller | undefined,
): Promise<Result> {
  if (!user) return db.asSystem(work)
  if (endpoint.method === 'GET') return db.readAsMember(speakerOf(user), work, caller)
  return db.asMember(speakerOf(user), work, caller && { caller })
}

/** The identity that a user's calls use in the database. */
export function speakerOf(user: CurrentUser): Speaker {
  return { accountId: user.id, workspace: user.workspace }
}

function workspaceOf(user: CurrentUser | undefined): WorkspaceId {
  if (!user?.workspace) throw wrongRole()
  return user.workspace.id
}

function deskOf(tx: Tx, user: CurrentUser | undefined, now: Date): Desk {
  if (!user?.workspace) throw wrongRole()
  const { id, kind, role } = user.workspace
  return { tx, workspace: id, side: kind, seesAmounts: seesAmounts(role), now }
}

/**
 * The context for commands on a connection's emailed page, in a transaction of db.asLink. That side has no
 * workspace. The connection's id is used instead, as in the view that the link's role reads
 * (db/repeatable/sides.sql).
 */
export function deskOfLink(tx: Tx, { id, side }: EmailedLink, now: Date): Desk {
  return { tx, workspace: id as WorkspaceId, side, seesAmounts: true, isLink: true, now }
}

function wrongRole(): ProblemError {
  return new ProblemError(403, 'role', "You don't have permission to access this page.")
}

/** A request's user. Throws the refusal if the user may not call the operation. */
export async function admit(
  services: Services,
  endpoint: Declaration,
  request: FastifyRequest,
): Promise<CurrentUser> {
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
async function checkOpen(services: Services, endpoint: Declaration, user: CurrentUser): Promise<void> {
  if (endpoint.access === 'signed-in') return
  if (user.isLeaving)
    throw new ProblemError(403, 'account_deleted', 'This account was deleted. Sign in again to keep it.')
  if (!user.isConfirmed) throw new ProblemError(403, 'email_not_verified', 'Please verify your email first')
  if (Array.isArray(endpoint.access) && !(user.role && endpoint.access.includes(user.role))) {
    throw wrongRole()
  }
  if (user.workspace && isClosedTo(endpoint, user.workspace.role))
    throw user.workspace.role === 'viewer'
      ? new ProblemError(403, 'read_only', 'You can look at these records, but not change them.')
      : wrongRole()
  if (user.workspace && endpoint.needsAllStudents && !user.workspace.allStudents)
    throw new ProblemError(403, 'limited', 'Only members who can see everyone can do this.')
  if (needsPlan(endpoint) && !(await services.mayWrite(user)))
    throw new ProblemError(
      402,
      'subscription_required',
      user.workspace && user.workspace.role !== 'owner'
        ? "The owner's free trial is over. Ask the owner to choose a plan."
        : 'Your free trial is over. Choose a plan in your account settings to continue.',
    )
}

/**
 * True if members with this role may not call the operation. Viewers can't change anything in a workspace,
 * and caregivers can make only the changes declared for them. An operation can also exclude other roles.
 */
export function isClosedTo(endpoint: Declaration, role: MemberRole): boolean {
  const isOfWorkspace = Array.isArray(endpoint.access) && endpoint.access.some((one) => one !== 'admin')
  const isWrite = endpoint.method !== 'GET' && !endpoint.isOwn
  const isReader = role === 'viewer' || (role === 'caregiver' && !endpoint.isForCaregivers)
  return (isOfWorkspace && isWrite && isReader) || (endpoint.closedTo?.includes(role) ?? false)
}

/** True if an operation needs a plan once the trial is over. All writes do, except those declared free. */
export function needsPlan(endpoint: Declaration): boolean {
  return (
    endpoint.method !== 'GET' &&
    endpoint.access !== 'anyone' &&
    endpoint.access !== 'signed-in' &&
    !endpoint.isFree
  )
}

async function refuseBeyondLimit(services: Services, endpoint: Declaration, caller: string): Promise<void> {
  if (!endpoint.limit) return
  const limit = endpoint.limit
  const wait = await services.db.asSystem((tx) => hitLimit(tx, `${endpoint.operation}:${caller}`, limit))
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

function idsOf(request: FastifyRequest): { id: string } {
  const params = (request.params ?? {}) as Record<string, string>
  if (Object.values(params).some((value) => !isId(value))) throw notFound()
  return { id: (params.id ?? '').toLowerCase() }
}

function parseInput<E extends Endpoint>(
  endpoint: Declaration<E>,
  raw: unknown,
  log: FastifyRequest['log'],
): ParsedInputOf<E> {
  const parsed = safely(endpoint.input, raw)
  if (parsed?.success) return parsed.data as ParsedInputOf<E>
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw))
    throw new ProblemError(400, 'malformed', 'Send a JSON object')
  if (!parsed) log.warn({ operation: endpoint.operation }, 'an input made its schema throw')
  const errors = parsed ? parsed.error.issues.flatMap(fieldErrors) : unreadableFields(endpoint.input, raw)
  throw new ProblemError(422, 'invalid', 'Some fields are invalid', { errors })
}

function fieldErrors(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((field) => ({ field, message: 'Unknown field' }))
    : [{ field: issue.path.map(String).join('.'), message: issue.message }]
}

// The schema library compares a value's length before it checks whether the value is a string or a list. If
// the length is something like {"toString": 1}, the comparison throws. Input that makes a schema throw is
// therefore treated as invalid (promise I1).
function safely(schema: z.ZodMiniType, value: unknown) {
  try {
    return schema.safeParse(value)
  } catch {
    return undefined
  }
}

/** The fields that make the schema throw. Each field is checked separately. */
function unreadableFields(schema: z.ZodMiniType, raw: object): { field: string; message: string }[] {
  const { shape = {} } = schema as { shape?: Record<string, z.ZodMiniType> }
  return Object.entries(shape)
    .filter(([field, own]) => !safely(own, (raw as Record<string, unknown>)[field]))
    .map(([field]) => ({ field, message: "This value isn't valid" }))
}

function refusal(endpoint: Declaration, reason: string): ProblemError {
  const declared = endpoint.refusals[reason]
  if (!declared)
    throw new Error(`${endpoint.operation} refused with ${reason}, which isn't among its declared refusals`)
  const errors = declared.field ? [{ field: declared.field, message: declared.title }] : undefined
  return new ProblemError(declared.status, reason, declared.title, {
    errors,
    retryAfterSeconds: declared.retryAfterSeconds,
  })
}

/** A request's Idempotency-Key after validation, or undefined if there isn't one. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new ProblemError(400, 'malformed', 'Idempotency-Key must be 1 to 200 visible characters')
  return key
}

// Turns an unreadable version into one that never matches a row, so that an invalid If-Match never overwrites
// anything.
function versionIn(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const match = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())
  return match ? Number(match[1]) : -1
}

// Files are sent as bytes or as a string.
function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

function tag(reply: FastifyReply, body: unknown): void {
  if (body && typeof body === 'object' && 'version' in body) reply.header('etag', `"${String(body.version)}"`)
}
