// Sessions that were logged while the server couldn't be reached. They wait on the device until they're sent,
// in a separate queue for each user.
import { type MonthToReopen, monthToReopen } from '#features/access/closed-month.ts'
import type { InputOf, Problem } from '#kernel/endpoint.ts'
import type { LogSession } from './session.ts'

export interface WaitingSession {
  /**
   * Also the Idempotency-Key, so only one row is stored no matter how many times the session is sent (promise
   * D5).
   */
  id: string
  /**
   * The workspace where the session was logged and will be sent. Missing in queues from older versions; those
   * sessions go to the account's first workspace.
   */
  workspace?: string
  /**
   * The request body. It can't change without a new id, because an earlier attempt may have been stored even
   * though no response arrived.
   */
  input: InputOf<typeof LogSession>
  /** If it's one lesson of several students: what's sent for the others in the same request, which stores all or none. */
  others?: InputOf<typeof LogSession>[]
  /** Whether they share one price. */
  sharesOnePrice?: boolean
  /** True for a class logged as scheduled with one tap. Nobody typed anything that could get lost. */
  isAsScheduled?: boolean
  /** What the list shows until the server has stored the session. */
  shown: {
    student: string
    tutor: string
    date: string
    hours: number
    subject: string | null
    amount: number | null
  }
  /** How many times the session was sent without a final response. */
  tries: number
  /** The earliest time for the next attempt, in milliseconds since 1970. */
  notBefore: number
  /** Why the server rejected the session. It won't be resent unless the user asks. */
  refusal?: Problem
}

/** The response to an attempt. The status is 0 if there was no response. */
export interface Answer {
  status: number
  problem?: Problem
  retryAfterSeconds?: number
  /**
   * True if the session was stored but is held as a possible duplicate, because the other side logged a
   * lesson that day.
   */
  isHeld?: boolean
}

/**
 * What to do after a response. 'stored': done. 'refused': don't resend. 'later': retry this session only.
 * 'all-wait': the server can't be reached. 'signed-out': nobody is signed in anymore, so all sessions wait
 * until their user is back.
 */
type Verdict = 'stored' | 'refused' | 'later' | 'all-wait' | 'signed-out'

/** No network, timeouts, too many requests, or a proxy that can't reach the server. */
const UNREACHABLE_STATUSES = new Set([0, 408, 425, 429, 502, 503, 504])
/**
 * Rejections due to the account (trial over, role, email) rather than the session. The same session may be
 * accepted later.
 */
const ACCOUNT_STATUSES = new Set([402, 403])

const FIRST_DELAY_MS = 2000
const LAST_DELAY_MS = 300_000

export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'stored'
  if (status === 401) return 'signed-out'
  if (UNREACHABLE_STATUSES.has(status)) return 'all-wait'
  // A server error for one session must not hold up the others (promise D13).
  return status >= 400 && status < 500 ? 'refused' : 'later'
}

/**
 * How long to wait before the next attempt. Doubles from 2 s up to 5 minutes; longer if the server asks for
 * it.
 */
export function retryDelayMs(tries: number, retryAfterSeconds = 0): number {
  return Math.max(
    Math.min(FIRST_DELAY_MS * 2 ** Math.max(tries - 1, 0), LAST_DELAY_MS),
    retryAfterSeconds * 1000,
  )
}

/** Whether a session is for a class that's already in the log, for example because an earlier attempt was stored. */
export function isLoggedAlready({ isAsScheduled }: WaitingSession, { problem }: Answer): boolean {
  return isAsScheduled === true && problem?.code === 'already_logged'
}

/** Appends a session unless its id is already in the queue. */
export function added(queue: WaitingSession[], item: WaitingSession): WaitingSession[] {
  return queue.some(({ id }) => id === item.id) ? queue : [...queue, item]
}

/**
 * Counts an attempt just before it's made. The session may be stored even if the device shuts down right
 * after that.
 */
export function tried(queue: WaitingSession[], id: string): WaitingSession[] {
  return changed(queue, id, (item) => ({
    ...item,
    tries: item.tries + 1,
    // A rejected request isn't stored, so its id can be reused.
    ...(looksSame(item) ? { ...late(item), refusal: undefined } : {}),
  }))
}

/** Marks what's sent as late, so that it's held if the other side may have logged it, too. */
export function late({ input, others }: WaitingSession): Pick<WaitingSession, 'input' | 'others'> {
  return {
    input: { ...input, is_late: true },
    ...(others && { others: others.map((one) => ({ ...one, is_late: true })) }),
  }
}

/** The queue after a response. Removes only sessions that were stored. */
export function answered(queue: WaitingSession[], id: string, answer: Answer, now: number): WaitingSession[] {
  const verdict = verdictOf(answer.status)
  if (verdict === 'stored') return without(queue, id)
  if (verdict === 'refused')
    return changed(queue, id, (item) => ({
      ...item,
      refusal: answer.problem ?? {
        status: answer.status,
        code: 'unexpected',
        title: "The server didn't accept it",
      },
    }))
  if (verdict === 'later')
    return changed(queue, id, (item) => ({
      ...item,
      notBefore: now + retryDelayMs(item.tries, answer.retryAfterSeconds),
    }))
  return queue
}

/** Removes a session. */
export function without(queue: WaitingSession[], id: string): WaitingSession[] {
  return queue.filter((item) => item.id !== id)
}

/** Makes a rejected or failed session due again, without changing its content or id. */
export function tryAgain(queue: WaitingSession[], id: string): WaitingSession[] {
  return changed(queue, id, (item) => ({ ...item, refusal: undefined, notBefore: 0 }))
}

/**
 * Whether the session was rejected because the other side may have logged it too. There's nobody to ask when
 * it's sent in the background, so it's resent as late and held as a possible duplicate.
 */
export function looksSame({ refusal, input }: WaitingSession): boolean {
  return refusal?.code === 'same_lesson' && !input.is_late
}

/** The closed month that the session belongs to. The session waits until the user reopens that month. */
export function closedMonthOf({ refusal }: WaitingSession): MonthToReopen | undefined {
  return refusal && monthToReopen(refusal)
}

/** Whether the session can no longer be sent because the account is no longer a member of its workspace. */
export function isStranded({ refusal }: WaitingSession): boolean {
  return refusal?.code === 'no_such_workspace'
}

/**
 * The sessions to show in a workspace: those logged there, plus those whose user has left the workspace,
 * which otherwise wouldn't be shown anywhere.
 */
export function shownIn(queue: WaitingSession[], workspaceId: string | undefined): WaitingSession[] {
  return queue.filter(
    (item) => item.workspace === undefined || item.workspace === workspaceId || isStranded(item),
  )
}

/**
 * Whether the session can be edited. True if we know it wasn't stored: either it was never sent, or its
 * content was rejected.
 */
export function mayEdit(item: WaitingSession): boolean {
  const { tries, refusal } = item
  return refusal ? !ACCOUNT_STATUSES.has(refusal.status) && !isStranded(item) : tries === 0
}

/**
 * Replaces a session with its edited version, which gets a new id. Does nothing if the server may have stored
 * the old one.
 */
export function edited(queue: WaitingSession[], id: string, item: WaitingSession): WaitingSession[] {
  return queue.map((old) => (old.id === id && mayEdit(old) ? item : old))
}

/** The sessions that can be sent now, in the order they were logged. */
export function due(queue: WaitingSession[], now: number): WaitingSession[] {
  return queue.filter((item) => mayBeSent(item) && item.notBefore <= now)
}

/** When the next session can be sent. Undefined if none can. */
export function nextDue(queue: WaitingSession[]): number | undefined {
  const instants = queue.filter(mayBeSent).map(({ notBefore }) => notBefore)
  return instants.length > 0 ? Math.min(...instants) : undefined
}

function mayBeSent(item: WaitingSession): boolean {
  return !item.refusal || looksSame(item)
}

function changed(
  queue: WaitingSession[],
  id: string,
  change: (item: WaitingSession) => WaitingSession,
): WaitingSession[] {
  return queue.map((item) => (item.id === id ? change(item) : item))
}
