// Sessions logged while the server was out of reach. Each waits on the device, in its user's own queue, until it is answered.
import type { InputOf, Problem } from '#kernel/endpoint.ts'
import type { LogSession } from './session.ts'

export interface WaitingSession {
  /** Its Idempotency-Key too: however often it is sent, it makes one row (promise D5). */
  id: string
  /** The workspace that it was logged in, and is sent to whatever is chosen later. What an older version kept has none and goes to the account's first. */
  workspace?: string
  /** What is sent. Under one id it never changes, because an earlier try may have arrived unnoticed. */
  input: InputOf<typeof LogSession>
  /** What the list shows until the server has its own words for it. */
  shown: {
    student: string
    tutor: string
    date: string
    hours: number
    subject: string | null
    amount: number | null
  }
  /** How often it was sent without an answer that settles it. */
  tries: number
  /** Not before this instant, in milliseconds. */
  notBefore: number
  /** The server's no. The user decides what becomes of it; it is not sent again by itself. */
  refusal?: Problem
}

/** What came back for one try; status 0 where nothing did. */
export interface Answer {
  status: number
  problem?: Problem
  retryAfterSeconds?: number
  /** Stored, to wait beside what the other side logged. */
  isHeld?: boolean
}

/**
 * What an answer means: it is stored; it is refused; this one has to be tried later; nobody gets through just now, so all
 * of them wait; or the login has ended, so they wait for their user.
 */
export type Verdict = 'stored' | 'refused' | 'later' | 'all-wait' | 'signed-out'

/** No network, time-outs, too many, and what a proxy says for a server that is away. */
const NOBODY_GETS_THROUGH = new Set([0, 408, 425, 429, 502, 503, 504])
/** Not about this session but about the account: trial over, role, email. The same session may pass later. */
const ABOUT_THE_ACCOUNT = new Set([402, 403])

const FIRST_DELAY_MS = 2000
const LAST_DELAY_MS = 300_000

export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'stored'
  if (status === 401) return 'signed-out'
  if (NOBODY_GETS_THROUGH.has(status)) return 'all-wait'
  // A fault of the server on this one session must not hold up the others (promise D13).
  return status >= 400 && status < 500 ? 'refused' : 'later'
}

/** How long to wait after so many tries: doubling from 2 s to 5 minutes, or as long as the server asks. */
export function retryDelayMs(tries: number, retryAfterSeconds = 0): number {
  return Math.max(
    Math.min(FIRST_DELAY_MS * 2 ** Math.max(tries - 1, 0), LAST_DELAY_MS),
    retryAfterSeconds * 1000,
  )
}

/** The queue with one more at its end; an id that is in it already changes nothing. */
export function added(queue: WaitingSession[], item: WaitingSession): WaitingSession[] {
  return queue.some(({ id }) => id === item.id) ? queue : [...queue, item]
}

/** The queue just before a session is sent: if the device stops now, the session counts as perhaps arrived. */
export function tried(queue: WaitingSession[], id: string): WaitingSession[] {
  return changed(queue, id, (item) => ({
    ...item,
    tries: item.tries + 1,
    // A no leaves no trace, so its id still serves.
    ...(looksSame(item) ? { input: { ...item.input, is_late: true }, refusal: undefined } : {}),
  }))
}

/** The queue after an answer. Only what is stored leaves it. */
export function answered(queue: WaitingSession[], id: string, answer: Answer, now: number): WaitingSession[] {
  const verdict = verdictOf(answer.status)
  if (verdict === 'stored') return without(queue, id)
  if (verdict === 'refused')
    return changed(queue, id, (item) => ({
      ...item,
      refusal: answer.problem ?? {
        status: answer.status,
        code: 'unexpected',
        title: 'The server did not accept it',
      },
    }))
  if (verdict === 'later')
    return changed(queue, id, (item) => ({
      ...item,
      notBefore: now + retryDelayMs(item.tries, answer.retryAfterSeconds),
    }))
  return queue
}

/** The queue without one of its sessions. */
export function without(queue: WaitingSession[], id: string): WaitingSession[] {
  return queue.filter((item) => item.id !== id)
}

/** The queue where a refused session, or one that failed, is sent again as it is: a no leaves no trace, so its id still serves. */
export function tryAgain(queue: WaitingSession[], id: string): WaitingSession[] {
  return changed(queue, id, (item) => ({ ...item, refusal: undefined, notBefore: 0 }))
}

/** Whether the other side may have logged it too. Nobody is there to be asked, so it goes out again as a late one, which waits beside the other. */
export function looksSame({ refusal, input }: WaitingSession): boolean {
  return refusal?.code === 'same_lesson' && !input.is_late
}

/** The closed month that it would change; it waits for its user to say why, and to reopen that month. */
export function closedMonthOf({ refusal }: WaitingSession): Problem['closed_month'] {
  return refusal?.code === 'month_closed' ? refusal.closed_month : undefined
}

/** Whether it can go nowhere: the account is no member any more of the workspace that it was logged in. */
export function isStranded({ refusal }: WaitingSession): boolean {
  return refusal?.code === 'no_such_workspace'
}

/** What the screens of a workspace show of a queue: its own sessions, and the stranded ones, which no other screen would show. */
export function shownIn(queue: WaitingSession[], workspaceId: string | undefined): WaitingSession[] {
  return queue.filter(
    (item) => item.workspace === undefined || item.workspace === workspaceId || isStranded(item),
  )
}

/** Whether its content may be changed: it was surely not stored, because it was never sent or was refused for what it holds. */
export function mayEdit(item: WaitingSession): boolean {
  const { tries, refusal } = item
  return refusal ? !ABOUT_THE_ACCOUNT.has(refusal.status) && !isStranded(item) : tries === 0
}

/** The queue with a session's place taken by its edited form, under that one's own id; unchanged once it may have been stored. */
export function edited(queue: WaitingSession[], id: string, item: WaitingSession): WaitingSession[] {
  return queue.map((old) => (old.id === id && mayEdit(old) ? item : old))
}

/** What may be sent now, oldest first. */
export function due(queue: WaitingSession[], now: number): WaitingSession[] {
  return queue.filter((item) => mayBeSent(item) && item.notBefore <= now)
}

/** The instant at which the next one may be sent, or undefined when none waits. */
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
