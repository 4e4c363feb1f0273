// Sends messages to an account's devices. Who wants to tell somebody something asks here first, and emails only if
// there's no device.
import type { Tx } from '#platform/db/db.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import type { PushText } from '#platform/push/push-message.ts'
import { reachableDevices } from './queries.server.ts'

export const SEND_PUSH = 'send_push'
/** The queue waits a little longer before each attempt; the last one comes after about four minutes. */
const ATTEMPTS = 6

/** Like an email in the outbox: what it's about, never what it says. Texts and tokens are made when it's sent. */
export interface QueuedPush {
  userId: string
  kind: string
  data: Record<string, unknown>
}

/** A message that has to wait until this moment. */
export interface HeldPush {
  heldUntil: Date
}

/** How a kind of message is written, and what happens to one that no device takes. */
export interface PushKind {
  /**
   * Writes the message from the current data; undefined if it's no longer needed. Called for each device.
   * @param showsNames whether the text may contain names: without it, a lock screen shows none
   */
  write(tx: Tx, message: QueuedPush & { showsNames: boolean }): Promise<PushText | HeldPush | undefined>
  /** Notes that a push service took it. */
  noteDelivered(tx: Tx, message: QueuedPush): Promise<void>
  /** Says it in another way, such as by email. */
  sendInstead(tx: Tx, message: QueuedPush): Promise<void>
}

/**
 * Queues a message to all of an account's devices, in the transaction that causes it. 'no device' if it has none that
 * was used within 14 days: nothing is sent then, and the caller emails instead. If the message can't be delivered later
 * on, its kind's `sendInstead` is called.
 * @param key at most one message with the same key waits
 */
export async function pushTo(
  tx: Tx,
  message: QueuedPush,
  now: Date,
  key?: string,
): Promise<'queued' | 'no device'> {
  if ((await reachableDevices(tx, message.userId, now)).length === 0) return 'no device'
  await queuePush(tx, message, key === undefined ? {} : { key: `push:${key}` })
  return 'queued'
}

/** Queues the job itself: now, or at a later time. */
export async function queuePush(
  tx: Tx,
  message: QueuedPush,
  when: { key?: string; runAt?: Date },
): Promise<void> {
  await queueJob(tx, SEND_PUSH, message, { ...when, maxAttempts: ATTEMPTS })
}
