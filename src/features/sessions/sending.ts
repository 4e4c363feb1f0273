// Sends waiting sessions one at a time. Storage and network are passed in, so that tests can replace them.
import {
  type Answer,
  answered,
  due,
  isLoggedAlready,
  looksSame,
  tried,
  verdictOf,
  type WaitingSession,
} from './waiting.ts'

export interface Ports {
  /** Reads the user's stored queue. */
  read(userId: string): Promise<WaitingSession[]>
  /** Changes the stored queue atomically, even across tabs. Doesn't re-create a queue that was deleted. */
  change(userId: string, change: (queue: WaitingSession[]) => WaitingSession[]): Promise<void>
  /** Who is signed in according to the server. Null if nobody is; undefined if the server can't be reached. */
  whoIsSignedIn(): Promise<string | null | undefined>
  send(item: WaitingSession): Promise<Answer>
  now(): number
}

export interface Round {
  stored: WaitingSession[]
  /**
   * How many of the stored sessions are held as possible duplicates because the other side logged a lesson
   * that day.
   */
  held: number
  refused: number
  /**
   * Why sending stopped: everything due was sent, the server can't be reached, or this user is no longer
   * signed in.
   */
  end: 'done' | 'all-wait' | 'signed-out'
  retryAfterSeconds?: number
}

/**
 * Sends a user's due sessions in order and stores each response before sending the next session. First asks
 * the server who is signed in, so that sessions are never sent from another account.
 */
export async function sendWaiting(userId: string, ports: Ports): Promise<Round> {
  const round: Round = { stored: [], held: 0, refused: 0, end: 'done' }
  if (due(await ports.read(userId), ports.now()).length === 0) return round
  const signedIn = await ports.whoIsSignedIn()
  if (signedIn !== userId) return { ...round, end: signedIn === undefined ? 'all-wait' : 'signed-out' }
  const ids = due(await ports.read(userId), ports.now()).map((item) => item.id)
  for (const id of ids) {
    await ports.change(userId, (queue) => tried(queue, id))
    // Reads the session again because another tab may have edited or discarded it.
    const item = due(await ports.read(userId), ports.now()).find((candidate) => candidate.id === id)
    if (!item) continue
    const sent = await ports.send(item)
    const answer = isLoggedAlready(item, sent) ? { status: 200 } : sent
    await ports.change(userId, (queue) => answered(queue, id, answer, ports.now()))
    const verdict = verdictOf(answer.status)
    if (verdict === 'stored') round.stored.push(item)
    if (answer.isHeld) round.held += 1
    // Will be sent again at the end of this round, marked as late.
    if (looksSame({ ...item, refusal: answer.problem })) ids.push(id)
    else if (verdict === 'refused') round.refused += 1
    if (verdict === 'all-wait' || verdict === 'signed-out')
      return { ...round, end: verdict, retryAfterSeconds: answer.retryAfterSeconds }
  }
  return round
}
