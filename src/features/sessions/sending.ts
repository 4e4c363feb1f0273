// Sends what waits, one after the other. The device's storage and network come in, so that it runs the same under test.
import { type Answer, answered, due, looksSame, tried, verdictOf, type WaitingSession } from './waiting.ts'

export interface Ports {
  /** The user's queue, as it is kept. */
  read(userId: string): Promise<WaitingSession[]>
  /** Changes the kept queue in one step, also against other tabs; a queue that was wiped stays away. */
  change(userId: string, change: (queue: WaitingSession[]) => WaitingSession[]): Promise<void>
  /** Whom the server knows this device as: a user, nobody (null), or undefined where it cannot be asked. */
  whoIsSignedIn(): Promise<string | null | undefined>
  send(item: WaitingSession): Promise<Answer>
  now(): number
}

export interface Round {
  stored: WaitingSession[]
  /** How many of those wait beside what the other side logged. */
  held: number
  refused: number
  /** Why the round ended: everything that was due was answered, nobody gets through, or somebody else or nobody is signed in. */
  end: 'done' | 'all-wait' | 'signed-out'
  retryAfterSeconds?: number
}

/**
 * Sends a user's due sessions in order, and keeps each answer before it sends the next. Nothing is sent unless the server
 * itself says that this user is signed in: another user never sends it.
 */
export async function sendWaiting(userId: string, ports: Ports): Promise<Round> {
  const round: Round = { stored: [], held: 0, refused: 0, end: 'done' }
  if (due(await ports.read(userId), ports.now()).length === 0) return round
  const signedIn = await ports.whoIsSignedIn()
  if (signedIn !== userId) return { ...round, end: signedIn === undefined ? 'all-wait' : 'signed-out' }
  const ids = due(await ports.read(userId), ports.now()).map((item) => item.id)
  for (const id of ids) {
    await ports.change(userId, (queue) => tried(queue, id))
    // Read again: another tab may have edited it, or the user may have discarded it.
    const item = due(await ports.read(userId), ports.now()).find((candidate) => candidate.id === id)
    if (!item) continue
    const answer = await ports.send(item)
    await ports.change(userId, (queue) => answered(queue, id, answer, ports.now()))
    const verdict = verdictOf(answer.status)
    if (verdict === 'stored') round.stored.push(item)
    if (answer.isHeld) round.held += 1
    // The list goes on with it: it is sent once more, as a late one.
    if (looksSame({ ...item, refusal: answer.problem })) ids.push(id)
    else if (verdict === 'refused') round.refused += 1
    if (verdict === 'all-wait' || verdict === 'signed-out')
      return { ...round, end: verdict, retryAfterSeconds: answer.retryAfterSeconds }
  }
  return round
}
