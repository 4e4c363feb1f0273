// The browser's only way to the server: one call per endpoint, problems as typed errors.
import type { Endpoint, InputOf, OutputOf, Problem } from '#kernel/endpoint.ts'
import { noteReach } from './reach.web.ts'
import { spokenWorkspace } from './workspace.web.ts'

/** The server refused or could not be reached; `problem.code` is stable, status 0 means no network. */
export class CallFailed extends Error {
  readonly problem: Problem
  readonly retryAfterSeconds?: number

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.title)
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the same call may succeed a little later: no network, 502, 503, 504 (product.md section 8). */
  get isRetryable(): boolean {
    return [0, 502, 503, 504].includes(this.problem.status)
  }

  /** The message for one field, if the server refused it. */
  errorOf(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message
  }
}

export interface CallOptions {
  id?: string
  /** The version that is being changed; the server refuses when it is no longer the newest. */
  version?: number
  /** Kept by the caller over retries of the same creation. */
  idempotencyKey?: string
  /** Sent as it is, under its own type; the input then travels in the query. */
  body?: Blob
  /** Ends the call; one that ends by a timeout counts as a server that cannot be reached. */
  signal?: AbortSignal
  /** How long each try may take, in milliseconds, in place of a signal. */
  patience?: number
  /** Asks the person nothing: a refusal that they could answer is thrown like any other. */
  isSilent?: boolean
  /** The call is about the login itself: no other is made to renew it first. */
  isAboutLogin?: boolean
  /** Speaks in this workspace instead of the tab's own; null names none, which is the account's first. */
  workspace?: string | null
}

let onSignedOut: () => Promise<boolean> = async () => false

/** Registers what happens when the server answers that nobody is signed in; it tells whether the login could be renewed. */
export function whenSignedOut(listener: () => Promise<boolean>): void {
  onSignedOut = listener
}

let onLost: () => void = () => undefined

/** Registers what happens when the server answers that the account is no member of the tab's workspace any more. */
export function whenWorkspaceLost(listener: () => void): void {
  onLost = listener
}

let onUnpaid: () => void = () => undefined

/** Registers what happens when the server refuses a change because the trial is over. */
export function whenUnpaid(listener: () => void): void {
  onUnpaid = listener
}

type ClosedMonthOf = NonNullable<Problem['closed_month']>
let onMonthClosed: (closed: ClosedMonthOf) => Promise<boolean> = async () => false

/** Registers who asks why a closed month changes, when the server refuses a change in it; it tells whether the month was reopened. */
export function whenMonthClosed(listener: (closed: ClosedMonthOf) => Promise<boolean>): void {
  onMonthClosed = listener
}

/** Asks why a closed month changes, for what was refused while nobody could be asked; answers whether it was reopened. */
export function askClosedMonth(closed: ClosedMonthOf): Promise<boolean> {
  return onMonthClosed(closed)
}

/** Calls an endpoint; throws CallFailed for every answer that is not a success. A login that ran out is renewed first. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const { isAboutLogin, workspace, patience, isSilent } = options
  const spoken = spokenWorkspace()
  const once = () =>
    callOnce(endpoint, input, patience ? { ...options, signal: AbortSignal.timeout(patience) } : options)
  try {
    return await once()
  } catch (error) {
    const closed = error instanceof CallFailed ? error.problem.closed_month : undefined
    // A change may lie in two months, so what was reopened is asked again as a whole.
    if (closed && !isSilent && (await onMonthClosed(closed))) return call(endpoint, input, options)
    const code = error instanceof CallFailed && !isAboutLogin && error.problem.code
    // An answer that comes late is about a workspace that was left meanwhile.
    if (code === 'no_such_workspace' && workspace === undefined && spoken === spokenWorkspace()) onLost()
    if (code !== 'signed_out' || !(await onSignedOut())) throw error
    // What was refused so early has changed nothing.
    return once()
  }
}

async function callOnce<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions,
): Promise<OutputOf<E>> {
  const path = endpoint.path.replace(':id', options.id ?? '')
  const isRead = endpoint.method === 'GET'
  const query =
    isRead || options.body
      ? new URLSearchParams(
          Object.entries((input ?? {}) as Record<string, string>).filter(([, value]) => value !== undefined),
        ).toString()
      : ''
  const headers: Record<string, string> = {}
  if (!isRead) headers['content-type'] = options.body ? options.body.type : 'application/json'
  if (options.version !== undefined) headers['if-match'] = `"${options.version}"`
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  const workspace = options.workspace === undefined ? spokenWorkspace() : options.workspace
  if (workspace) headers['tutorlog-workspace'] = workspace
  let response: Response
  try {
    response = await fetch(query ? `${path}?${query}` : path, {
      method: endpoint.method,
      headers,
      body: isRead ? undefined : (options.body ?? JSON.stringify(input ?? {})),
      signal: options.signal,
      credentials: 'same-origin',
    })
  } catch (error) {
    if (options.signal?.aborted && (options.signal.reason as Error).name !== 'TimeoutError') throw error
    noteReach(false)
    throw offline()
  }
  if (!response.ok) throw await failure(response)
  noteReach(true)
  return (response.status === 204 ? undefined : await response.json()) as OutputOf<E>
}

/** The failure of a call that found no server. */
export function offline(): CallFailed {
  return new CallFailed({
    status: 0,
    code: 'offline',
    title: 'The server could not be reached. Check the connection and try again.',
  })
}

/** The failure that an answer other than a success is; who has to know of it is told. */
export async function failure(response: Response): Promise<CallFailed> {
  const problem = await problemIn(response)
  // Only 'unavailable' and a proxy's 'unexpected' mean us: that a payment provider or a speech engine is away is said by a server that is not.
  noteReach(response.status < 502 || !/^un[ae]/.test(problem.code))
  if (problem.code === 'signed_out' || problem.code === 'account_deleted') void onSignedOut()
  if (problem.code === 'subscription_required') onUnpaid()
  return new CallFailed(problem, Number(response.headers.get('retry-after')) || undefined)
}

async function problemIn(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Problem
    if (typeof body.code === 'string') return body
  } catch {
    // A proxy answered in its own words.
  }
  return { status: response.status, code: 'unexpected', title: 'Something went wrong on our side' }
}
