// The single function the browser uses to call every server endpoint. Turns error responses into typed
// errors.
import type { Endpoint, InputOf, OutputOf, Problem } from '#kernel/endpoint.ts'
import { REGION_HEADER } from '#kernel/reader.ts'
import { noteReachable } from './connectivity.web.ts'
import { linkToken } from './link.web.ts'
import { spokenRegion } from './region.web.ts'
import { spokenWorkspace } from './workspace.web.ts'

/**
 * Thrown when the server rejects a call or can't be reached. `problem.code` is stable. Status 0 means no
 * server was reached.
 */
export class CallFailed extends Error {
  readonly problem: Problem
  readonly retryAfterSeconds?: number

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.title)
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }

  /**
   * True if retrying the call a little later might work: no network, 502, 503 or 504 (docs/product.md,
   * section 8).
   */
  get isRetryable(): boolean {
    return [0, 502, 503, 504].includes(this.problem.status)
  }

  /** The server's error message for a field, if there is one. */
  errorOf(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message
  }
}

/**
 * The server's message if it refused the call; otherwise the given one, for example if there's no network or
 * the server failed (docs/product.md, section 8).
 */
export function refusalText(error: unknown, otherwise = 'An unexpected error occurred'): string {
  const problem = error instanceof CallFailed ? error.problem : undefined
  const isRefused = problem && problem.status >= 400 && problem.status < 500 && problem.code !== 'unexpected'
  return isRefused ? problem.title : otherwise
}

/** The title of the problem if a call failed; otherwise the given text, because something else went wrong. */
export function problemTitle(error: unknown, otherwise: string): string {
  return error instanceof CallFailed ? error.problem.title : otherwise
}

interface CallOptions {
  id?: string
  /** The row version this change is based on. The server rejects the change if there's a newer version. */
  version?: number
  /** The idempotency key for a request that creates something. Pass the same key when retrying. */
  idempotencyKey?: string
  /** A request body that's sent as is, with its own content type. The input is then sent in the query string. */
  body?: Blob
  /** Aborts the call. A timeout is reported as if the server couldn't be reached. */
  signal?: AbortSignal
  /** Timeout for each attempt, in milliseconds. Ignored if there's a signal. */
  timeoutMs?: number
  /** True if the page may be closing. The browser then sends the request anyway. */
  isLeaving?: boolean
  /** Throws without prompting the user, even when the user could fix the problem. */
  isSilent?: boolean
  /** Set for calls that read, renew or end the login. They must not trigger a renewal themselves. */
  isAboutLogin?: boolean
  /**
   * The workspace for this call, instead of the tab's. If null, none is sent, and the server uses the
   * account's first workspace.
   */
  workspace?: string | null
}

let onSignedOut: () => Promise<boolean> = async () => false

/**
 * Registers a callback that runs when the server reports that nobody is signed in. The callback returns
 * whether it renewed the login.
 */
export function whenSignedOut(listener: () => Promise<boolean>): void {
  onSignedOut = listener
}

let onLost: () => void = () => undefined

/** Registers a callback that runs when the account is no longer a member of the tab's workspace. */
export function whenWorkspaceLost(listener: () => void): void {
  onLost = listener
}

let onUnpaid: () => void = () => undefined

/** Registers a callback that runs when the server rejects a change because the trial is over. */
export function whenUnpaid(listener: () => void): void {
  onUnpaid = listener
}

const resolvers = new Map<string, (problem: Problem) => Promise<boolean>>()

/**
 * Registers a callback that runs when the server rejects a change with a code. The callback returns whether the
 * user resolved the cause, so that the change can be sent again. Returns a function that unregisters it.
 */
export function whenRefused(code: string, resolve: (problem: Problem) => Promise<boolean>): () => void {
  resolvers.set(code, resolve)
  return () => resolvers.delete(code)
}

/**
 * Lets the user resolve the cause of a refusal. Also for a change that was rejected earlier, when there was
 * nobody to ask. Returns whether it was resolved.
 */
export async function resolveRefusal(problem: Problem): Promise<boolean> {
  return (await resolvers.get(problem.code)?.(problem)) ?? false
}

/** Calls an endpoint. Throws CallFailed unless the call succeeds. Renews an expired login first. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const { isAboutLogin, workspace, timeoutMs, isSilent } = options
  const spoken = spokenWorkspace()
  const once = () =>
    callOnce(endpoint, input, timeoutMs ? { ...options, signal: AbortSignal.timeout(timeoutMs) } : options)
  try {
    return await once()
  } catch (error) {
    const problem = error instanceof CallFailed ? error.problem : undefined
    // A change can be refused for several causes, such as two closed months, so this starts over.
    if (problem && !isSilent && (await resolveRefusal(problem))) return call(endpoint, input, options)
    const code = !isAboutLogin && problem?.code
    // The user may have switched workspaces before this response arrived.
    if (code === 'no_such_workspace' && workspace === undefined && spoken === spokenWorkspace()) onLost()
    if (code !== 'signed_out' || !(await onSignedOut())) throw error
    // A request rejected with signed_out changed nothing, so it's safe to resend.
    return once()
  }
}

async function callOnce<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions,
): Promise<OutputOf<E>> {
  const { id = '', body, signal, isLeaving = false } = options
  const path = endpoint.path.replace(':id', id)
  const isRead = endpoint.method === 'GET'
  const query = isRead || body ? queryOf((input ?? {}) as Record<string, string | undefined>) : ''
  let response: Response
  try {
    response = await fetch(query ? `${path}?${query}` : path, {
      method: endpoint.method,
      headers: headersOf(isRead, options),
      body: isRead ? undefined : (body ?? JSON.stringify(input ?? {})),
      signal,
      keepalive: isLeaving,
      credentials: 'same-origin',
    })
  } catch (error) {
    if (signal?.aborted && (signal.reason as Error).name !== 'TimeoutError') throw error
    noteReachable(false)
    throw offline()
  }
  if (!response.ok) throw await failure(response)
  noteReachable(true)
  return (response.status === 204 ? undefined : await response.json()) as OutputOf<E>
}

/** The query string of the given values. */
export function queryOf(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given).toString()
}

function headersOf(isRead: boolean, { body, version, idempotencyKey, workspace }: CallOptions) {
  return {
    ...callerHeaders(workspace),
    ...(!isRead && { 'content-type': body ? body.type : 'application/json' }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
}

/**
 * The headers that say who calls: the page's emailed link or else the workspace, and how they write.
 * @param workspace instead of the tab's; null for none
 */
export function callerHeaders(workspace: string | null = spokenWorkspace() ?? null): Record<string, string> {
  const token = linkToken()
  const region = { [REGION_HEADER]: spokenRegion() }
  if (token) return { ...region, 'tutorlog-link': token }
  return workspace ? { ...region, 'tutorlog-workspace': workspace } : region
}

/** The error for a call that couldn't reach the server. */
export function offline(): CallFailed {
  return new CallFailed({
    status: 0,
    code: 'offline',
    title: 'The server could not be reached. Check the connection and try again.',
  })
}

/** The error for a failed response. Also notifies the listeners above. */
export async function failure(response: Response): Promise<CallFailed> {
  const problem = await problemIn(response)
  // Our server is down only if the code is 'unavailable' or 'maintenance', or 'unexpected' from a proxy. Other
  // outage codes come from a running server when a payment provider or a speech engine is down.
  noteReachable(response.status < 502 || !/^(un[ae]|mai)/.test(problem.code), problem.code === 'maintenance')
  if (problem.code === 'signed_out' || problem.code === 'account_deleted') void onSignedOut()
  if (problem.code === 'subscription_required') onUnpaid()
  return new CallFailed(problem, Number(response.headers.get('retry-after')) || undefined)
}

async function problemIn(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Problem
    if (typeof body.code === 'string') return body
  } catch {
    // The response came from a proxy and isn't in our format.
  }
  return { status: response.status, code: 'unexpected', title: 'Something went wrong on our side' }
}
