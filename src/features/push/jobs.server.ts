// The job that sends one message to all of an account's devices.
import type { Task } from 'graphile-worker'
import { regionOfAccount } from '#features/workspaces/queries.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import type { Delivery, PushSender } from '#platform/push/send-push.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import { type HeldPush, type PushKind, type QueuedPush, queuePush, SEND_PUSH } from './commands.server.ts'
import { noteDelivery, reachableDevices } from './queries.server.ts'

export function pushJobs(
  db: Db,
  sender: PushSender,
  kinds: Record<string, PushKind>,
  now: () => Date,
): Record<typeof SEND_PUSH, Task> {
  return {
    async [SEND_PUSH](payload, { job }) {
      const message = payload as QueuedPush
      const kind = kinds[message.kind]
      if (!kind) throw new Error(`no text for push messages of kind ${message.kind}`)
      const deliveries = await sendToDevices(db, sender, message, kind, now)
      if (!deliveries) return
      if ('heldUntil' in deliveries) {
        const { heldUntil: runAt } = deliveries
        return db.asSystem((tx) => queuePush(tx, message, { runAt, ...(job.key && { key: job.key }) }))
      }
      if (deliveries.includes('accepted')) return
      if (deliveries.includes('later') && job.attempts < job.max_attempts)
        throw new Error('no push service took the message')
      await db.asSystem((tx) => kind.sendInstead(tx, message))
    },
  }
}

/**
 * Sends a message to all devices, and resolves to what came of it on each; undefined if it's no longer needed. If at
 * least one device takes it, the person is told, so the message isn't tried again on the others.
 */
async function sendToDevices(
  db: Db,
  sender: PushSender,
  message: QueuedPush,
  kind: PushKind,
  now: () => Date,
): Promise<Delivery[] | HeldPush | undefined> {
  const written = await db.asSystem(async (tx) => {
    const texts = []
    const region = await regionOfAccount(tx, message.userId)
    for (const device of await reachableDevices(tx, message.userId, now())) {
      const text = await writeFor(region, () => kind.write(tx, { ...message, showsNames: device.showsNames }))
      if (!text || 'heldUntil' in text) return text
      texts.push({ device, text })
    }
    return texts
  })
  if (!written || 'heldUntil' in written) return written
  const sent = await Promise.all(
    written.map(async ({ device, text }) => ({ device, delivery: await sender.send(device, text) })),
  )
  await db.asSystem(async (tx) => {
    for (const { device, delivery } of sent) await noteDelivery(tx, device, delivery, now())
    if (sent.some(({ delivery }) => delivery === 'accepted')) await kind.noteDelivered(tx, message)
  })
  return sent.map(({ delivery }) => delivery)
}
