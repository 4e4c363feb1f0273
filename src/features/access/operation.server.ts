// Turns an endpoint and its handler into a route: admits the caller (admission.server.ts), reads the request
// (input.server.ts), runs one transaction as the caller, and maps the outcome to a status code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, OutputOf, ParsedInputOf, ReasonOf, Refusal } from '#kernel/endpoint.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Outcome } from '#kernel/outcome.ts'
import {
  CallerChanged,
  DatabaseAway,
  type KnownCaller,
  leaveToCommit,
  type ReadAtOnce,
  type Tx,
  withRetries,
} from '#platform/db/db.server.ts'
import { sendRead } from '#platform/http/etag.server.ts'
import { goneSignal } from '#platform/http/heavy.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import {
  admit,
  admitCaller,
  type Admitted,
  type AdmittedLink,
  type Caller,
  callerOf,
  checkOpen,
  type CurrentUser,
  linkGone,
  memberCaller,
  type MemberCaller,
  principalOf,
  type Services,
  workspaceOf,
} from './admission.server.ts'
import { type Declaration, declarationOf } from './declaration.server.ts'
import { linkToken } from './device.server.ts'
import {
  expectedVersion,
  idempotencyKey,
  idsOf,
  parsedSafely,
  parseInput,
  rawInput,
  requestHash,
} from './input.server.ts'
import { NOT_PROVEN } from './proof.ts'
import {
  type Answer,
  checkStillOwn,
  keepAnswer,
  rememberAnswer,
  replayedAnswer,
  type RequestKey,
} from './queries.server.ts'
import { seesAmounts } from './role.ts'

/** What every handler gets. */
interface AnyCall<E extends Endpoint> {
  input: ParsedInputOf<E>
  params: { id: string }
  /** The signed-in user. Undefined if anyone may call the operation, and if the caller is a link. */
  user: CurrentUser
  /** The current workspace; throws a 403 if the user doesn't have one yet. */
  workspace: WorkspaceId
  /** The key for rate limits: the account, or the network address if nobody is signed in. */
  limitKey: string
  /** The version in the request's If-Match header, or undefined if there isn't one. */
  expectedVersion: number | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** A call that runs in one transaction. */
export interface Call<E extends Endpoint> extends AnyCall<E> {
  /**
   * The transaction. It runs as the signed-in user on the workspace's side, as the link or, if anyone may call
   * the operation, as the system.
   */
  tx: Tx
  /** Who calls commands. */
  caller: Caller
  /** The same, for commands that only members may call. */
  member: MemberCaller
}

/** A call without an open transaction. */
export interface OutsideCall<E extends Endpoint> extends AnyCall<E> {
  /** The emailed link that the caller has; undefined for a signed-in user. */
  link: AdmittedLink | undefined
  /** Runs a short transaction as the caller. No other transaction is open. */
  asCaller: <Value>(work: (caller: Caller) => Promise<Value>) => Promise<Value>
  /** Runs a short, read-only transaction as the caller. */
  readAsCaller: <Value>(work: (caller: Caller) => Promise<Value>) => Promise<Value>
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
}

type Answered<E extends Endpoint> = Promise<Outcome<OutputOf<E>, ReasonOf<E>>>

/**
 * A read that the database handles in one statement (docs/decisions/0022-reads-in-one-statement.md).
 * @returns the call of the function and its values, plus `finish` if the function's result isn't the final
 * JSON yet. Undefined if the function can't handle this input.
 */
type AtOnce<E extends Endpoint> = (
  input: ParsedInputOf<E>,
) => (Omit<ReadAtOnce, 'closedTo'> & { finish?: (answer: string) => string }) | undefined

interface InTransaction<E extends Endpoint> {
  transaction?: 'one'
  /**
   * True if the handler accesses the database only through its transaction and does nothing else that
   * requires an admitted caller. Known callers are then rechecked in the first step of that transaction,
   * which saves a round trip.
   */
  rechecksCaller?: boolean
  /** Reads in one statement. If it can't, the handler runs and decides whether to refuse the call. */
  atOnce?: AtOnce<E>
}

/** For a handler that accesses the database only through its transaction. */
export const WITHIN = { rechecksCaller: true } as const
/** For a handler without an open transaction. */
export const OUTSIDE = { transaction: 'none' } as const

interface Prepared<E extends Endpoint, Result> extends InTransaction<E> {
  /** Slow work that must not run in an open transaction. Its result is passed to the handler. */
  prepare: (call: OutsideCall<E>) => Promise<Result>
}

interface OutsideTransaction {
  /**
   * For an operation that waits for another server, hashes a password or works for seconds. The handler opens
   * a transaction when it needs one. An operation that creates something has to handle its Idempotency-Key
   * itself.
   */
  transaction: 'none'
  /**
   * A body that isn't JSON: its maximum size in bytes, and the schema's input made from it. As with an
   * endpoint that has maxBytes, unauthorized callers are rejected before it's read.
   */
  body?: { maxBytes: number; inputOf: (request: FastifyRequest) => unknown }
}

type Options<E extends Endpoint> = InTransaction<E> | Prepared<E, unknown> | OutsideTransaction
type Handler<E extends Endpoint> = (call: never, prepared?: unknown) => Answered<E>

/**
 * Serves one operation. A refusal is sent with its declared status. For a signed-in user, it also rolls back
 * the transaction. After a deadlock, the handler runs again, so it must not do anything outside the database.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  handler: (call: Call<E>) => Answered<E>,
): void
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  options: InTransaction<E>,
  handler: (call: Call<E>) => Answered<E>,
): void
/** Serves one operation that prepares its work before its transaction begins. */
export function serve<E extends Endpoint, Result>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  options: Prepared<E, Result>,
  handler: (call: Call<E>, prepared: Result) => Answered<E>,
): void
/** Serves one operation without an open transaction. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  options: OutsideTransaction,
  handler: (call: OutsideCall<E>) => Answered<E>,
): void
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  declared: E,
  ...rest: [Handler<E>] | [Options<E>, Handler<E>]
): void {
  const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest
  const endpoint = declarationOf(declared)
  services.served.push(endpoint)
  if (options.transaction === 'none')
    serveOutside<E>(app, services, endpoint, options, handler as (call: OutsideCall<E>) => Answered<E>)
  else serveInTransaction<E>(app, services, endpoint, options, handler as InTransactionHandler<E>)
}

type InTransactionHandler<E extends Endpoint> = (call: Call<E>, prepared?: unknown) => Answered<E>

function serveOutside<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: Declaration<E>,
  { body }: OutsideTransaction,
  handler: (call: OutsideCall<E>) => Answered<E>,
): void {
  const bodyLimit = body?.maxBytes ?? endpoint.maxBytes
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(bodyLimit && {
      bodyLimit,
      onRequest: noting(services, async (request: FastifyRequest) => {
        await admit(services, endpoint, request)
      }),
    }),
    handler: noting(services, async (request, reply) => {
      const raw = body ? body.inputOf(request) : rawInput(endpoint, request)
      const admission = await admitted<E>(services, endpoint, request, raw)
      const call = outsideCall<E>(services, admission, request, reply)
      const outcome = await handler(call).catch((error: unknown) => {
        throw call.signal.aborted ? call.signal.reason : error
      })
      if (!outcome.ok) throw refusal(endpoint, outcome.reason)
      const answer = endpoint.output.parse(outcome.value)
      return reply.status(answer === undefined ? 204 : endpoint.creates ? 201 : 200).send(answer)
    }),
  })
}

/** Refusals because of what the caller is, rather than what was sent. */
const BY_ROLE = new Set(['role', 'read_only', 'limited', 'owner_only'])

// The only place that notes refusals by role, whoever refuses.
function noting<Result>(
  services: Services,
  work: (request: FastifyRequest, reply: FastifyReply) => Promise<Result>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Result> {
  return async (request, reply) => {
    try {
      return await work(request, reply)
    } catch (error) {
      if (error instanceof ProblemError && BY_ROLE.has(error.problem.code))
        await services.noteRefusal(request)
      throw error
    }
  }
}

function serveInTransaction<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: Declaration<E>,
  options: InTransaction<E> | Prepared<E, unknown>,
  handler: InTransactionHandler<E>,
): void {
  const { atOnce, rechecksCaller } = options
  const prepare = 'prepare' in options ? options.prepare : undefined
  if (atOnce && !isForAtOnce(endpoint))
    throw new Error(`${endpoint.operation} needs checks that a one-statement read can't do`)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.maxBytes ? { bodyLimit: endpoint.maxBytes } : {}),
    handler: noting(services, async (request, reply) => {
      const byLink = linkToken(request) !== undefined
      const answered = atOnce && !byLink && (await answerAtOnce<E>(services, endpoint, atOnce, request))
      // This response isn't parsed here; src/main/reads.test.ts checks its format.
      if (answered) return sendRead(request, reply, answered.answer, answered.finish)
      const known =
        rechecksCaller && !byLink ? await admittedBefore<E>(services, endpoint, request) : undefined
      if (known)
        try {
          return await answer<E>(services, endpoint, handler, request, reply, known)
        } catch (error) {
          if (!needsLongWay(error, known)) throw error
        }
      const input = rawInput(endpoint, request)
      const admission = await admitted<E>(services, endpoint, request, input)
      const key = keyOf(endpoint, request, admission)
      const prepared = await prepare?.(outsideCall<E>(services, admission, request, reply))
      const withPrepared = (call: Call<E>) => handler(call, prepared)
      return answer<E>(services, endpoint, withPrepared, request, reply, { ...admission, key })
    }),
  })
}

/** An admitted caller's request, after parsing. */
interface Admission<E extends Endpoint> extends Admitted {
  params: { id: string }
  input: ParsedInputOf<E>
  /** The Idempotency-Key of a request that creates something. */
  key?: RequestKey | undefined
  /** A caller the server knows, whom the transaction checks again. */
  known?: KnownCaller
}

async function admitted<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  request: FastifyRequest,
  raw: unknown,
): Promise<Admission<E>> {
  const caller = await admitCaller(services, endpoint, request)
  const input = parseInput<E>(endpoint, raw, request.log)
  if (caller.user) await checkProof(services, endpoint, request, caller.user, input)
  return { ...caller, params: idsOf(request), input }
}

// The only place that asks for a proof. An endpoint says that it needs one.
async function checkProof(
  services: Services,
  endpoint: Declaration,
  request: FastifyRequest,
  user: CurrentUser,
  input: unknown,
): Promise<void> {
  const { proof } = endpoint
  if (!proof || endpoint.needsProof?.(input) === false) return
  const password = (input as { current_password?: string }).current_password
  const reason = await services.whyNotProven(request, user, proof, password)
  if (reason) throw problemOf(reason, NOT_PROVEN[reason])
}

// Returns undefined for anything that might be refused. What we know about the caller may be out of date, so
// only the regular path refuses calls.
async function admittedBefore<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  request: FastifyRequest,
): Promise<Admission<E> | undefined> {
  if (endpoint.access === 'anyone' || endpoint.limit || endpoint.proof) return undefined
  try {
    const known = services.knownUser(request)
    if (!known) return undefined
    const { user, caller } = known
    await checkOpen(services, endpoint, user)
    const key = keyOf(endpoint, request, { user })
    const input = parseInput<E>(endpoint, rawInput(endpoint, request), request.log)
    return { user, limitKey: user.id, params: idsOf(request), input, key, known: caller }
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

// If the caller has changed, the call takes the regular path. So does a failed call with a key, because there
// may already be a stored response for it.
function needsLongWay(error: unknown, { key }: { key?: RequestKey | undefined }): boolean {
  return error instanceof CallerChanged || (key !== undefined && !(error instanceof DatabaseAway))
}

// These are the only requirements on a caller that the functions in db/repeatable/reads.sql check.
function isForAtOnce({ method, access, limit, needsAllStudents, proof }: Declaration): boolean {
  return method === 'GET' && access === 'confirmed' && !limit && !needsAllStudents && !proof
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
  const input = key && parsedSafely(endpoint.input, rawInput(endpoint, request))
  const read = input?.success ? atOnce(input.data as ParsedInputOf<E>) : undefined
  if (!key || !read) return undefined
  const answer = await services.db.readAtOnce({ ...read, closedTo: endpoint.closedTo ?? [] }, key)
  return answer === undefined ? undefined : { ...read, answer }
}

function callOf<E extends Endpoint>(
  { user, limitKey, params, input }: Admission<E>,
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<AnyCall<E>, 'workspace'> {
  return {
    input,
    params,
    user: user as CurrentUser,
    limitKey,
    expectedVersion: expectedVersion(request),
    request,
    reply,
  }
}

function outsideCall<E extends Endpoint>(
  { db, now }: Services,
  admission: Admission<E>,
  request: FastifyRequest,
  reply: FastifyReply,
): OutsideCall<E> {
  const call = callOf(admission, request, reply)
  const { link } = admission
  return {
    ...call,
    link,
    get workspace() {
      return workspaceOf(call.user)
    },
    asCaller(work) {
      const asCaller = (tx: Tx) => work(callerOf(tx, admission, now()))
      return link ? db.asLink(link, asCaller) : db.asMember(principalOf(call.user), asCaller)
    },
    readAsCaller(work) {
      const asCaller = (tx: Tx) => work(callerOf(tx, admission, now()))
      return link ? db.readAsLink(link, asCaller) : db.readAsMember(principalOf(call.user), asCaller)
    },
    signal: goneSignal(reply),
  }
}

async function answer<E extends Endpoint>(
  services: Services,
  endpoint: Declaration<E>,
  handler: (call: Call<E>) => Answered<E>,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission<E>,
): Promise<FastifyReply> {
  const { user, link, key, known } = admission
  const isAnswer = link !== undefined && endpoint.method !== 'GET'
  const work = async (tx: Tx): Promise<Answer & { json?: string }> => {
    // An earlier attempt may have set another one.
    reply.status(200)
    // For a known caller, inserting the response also checks the key. If the key was already used, everything
    // is rolled back.
    if (isAnswer && !(await services.links.hold(tx, link))) throw linkGone()
    if (key && !known) {
      const replayed = await replayedAnswer(tx, endpoint.operation, key)
      if (replayed) {
        // If a member's access has since been limited to some students, they must not find out anything about
        // the others.
        if (user?.workspace?.allStudents === false) await checkStillOwn(tx, replayed)
        return replayed
      }
    }
    const outcome = await handler({
      ...callOf(admission, request, reply),
      tx,
      get workspace() {
        return workspaceOf(user)
      },
      get caller() {
        return callerOf(tx, admission, services.now())
      },
      get member() {
        return memberCaller(tx, user?.workspace, services.now())
      },
    })
    if (!outcome.ok) {
      // If anyone may call this, commits anyway, because the transaction may have counted a wrong password.
      // Otherwise, rolls back.
      if (!user && !link) return { status: 0, body: refusal(endpoint, outcome.reason) }
      throw refusal(endpoint, outcome.reason)
    }
    const body = endpoint.output.parse(outcome.value)
    // The first answer of a link that's accepted also accepts the connection.
    if (isAnswer && (endpoint.isAnswer?.(body) ?? true)) await services.links.accept(tx, link)
    if (!key) return { status: endpoint.creates ? 201 : 200, body }
    const kept = { status: 201, body, json: JSON.stringify(body) }
    leaveToCommit((known ? keepAnswer : rememberAnswer)(tx, endpoint.operation, key, kept))
    return kept
  }
  const { status, body, json } = await withRetries(() => transactionFor(services, endpoint, admission, work))
  if (body instanceof ProblemError) throw body
  // If the body includes a version, that becomes the ETag, so that callers can send it in If-Match.
  if (user && endpoint.method === 'GET' && isPlain(body) && !('version' in body))
    return sendRead(request, reply, JSON.stringify(body))
  tag(reply, body)
  // If the handler queued work for later, it has already set the status to 202.
  reply.status(body === undefined ? 204 : reply.statusCode === 202 ? 202 : status)
  return json === undefined ? reply.send(body) : reply.type('application/json; charset=utf-8').send(json)
}

function transactionFor<E extends Endpoint, Result>(
  { db }: Services,
  endpoint: Endpoint,
  { user, link, known }: Admission<E>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (link) return endpoint.method === 'GET' ? db.readAsLink(link, work) : db.asLink(link, work)
  if (!user) return db.asSystem(work)
  if (endpoint.method === 'GET') return db.readAsMember(principalOf(user), work, known)
  return db.asMember(principalOf(user), work, known && { caller: known })
}

function keyOf(
  endpoint: Declaration,
  request: FastifyRequest,
  { user, link }: Pick<Admitted, 'user' | 'link'>,
): RequestKey | undefined {
  const key = endpoint.creates ? idempotencyKey(request) : undefined
  if (!key) return undefined
  if (link)
    return { owner: { link_id: link.id, link_side: link.side }, key, hash: requestHash(request, [link.id]) }
  if (!user) return undefined
  // Keeps caregivers' keys separate, because a response from before the caller became a caregiver may contain
  // amounts.
  const caregiver = seesAmounts(user.workspace?.role) ? [] : ['caregiver']
  return { owner: { user_id: user.id }, key, hash: requestHash(request, [user.workspace?.id, ...caregiver]) }
}

function refusal(endpoint: Declaration, reason: string): ProblemError {
  const declared = endpoint.refusals[reason]
  if (!declared)
    throw new Error(`${endpoint.operation} refused with ${reason}, which isn't among its declared refusals`)
  return problemOf(reason, declared)
}

function problemOf(code: string, { status, title, field, retryAfterSeconds }: Refusal): ProblemError {
  const errors = field ? [{ field, message: title }] : undefined
  return new ProblemError(status, code, title, { errors, retryAfterSeconds })
}

// Files are sent as bytes or as a string.
function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

function tag(reply: FastifyReply, body: unknown): void {
  if (body && typeof body === 'object' && 'version' in body) reply.header('etag', `"${String(body.version)}"`)
}
