// The job that sends one email from the outbox.
import type { Db, Tx } from '#platform/db/db.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import type { Mail, SendMail } from './mailer.server.ts'
import { MailServerAway, type OutageWatch } from './outage.server.ts'
import { markFailed, markSent, type OutboxRow, waitingMail } from './outbox.server.ts'

/** An email that has to wait until this moment. */
interface HeldMail {
  heldUntil: Date
}

/** Composes the email from the current data. Returns undefined if it's no longer needed. */
export type MailWriter = (tx: Tx, row: OutboxRow) => Promise<Mail | HeldMail | undefined>

/** The region whose way of writing an email's reader expects; null if unknown. */
type RegionOfMail = (tx: Tx, row: OutboxRow) => Promise<string | null>

/**
 * Sends the email with this id if it's still needed. Throws if the server doesn't accept it, so that the
 * queue retries. Tokens are created here and committed before the email goes out, so the outbox never
 * contains one.
 */
export async function sendQueuedMail(
  db: Db,
  { writers, regionOf }: { writers: Record<string, MailWriter>; regionOf: RegionOfMail },
  send: SendMail,
  id: string,
  now: () => Date,
  outage: OutageWatch,
): Promise<void> {
  let wasSent = false
  try {
    const mail = await db.asSystem(async (tx) => {
      const row = await waitingMail(tx, id)
      if (!row) return undefined
      const writer = writers[row.kind]
      if (!writer) throw new Error(`no template for mails of kind ${row.kind}`)
      const written = await writeFor(await regionOf(tx, row), () => writer(tx, row))
      if (written && 'heldUntil' in written)
        await queueJob(tx, 'send_mail', { id }, { key: `mail:${id}`, runAt: written.heldUntil })
      return written
    })
    if (mail && 'heldUntil' in mail) return
    if (mail) await send(id, mail).then(() => (wasSent = true))
  } catch (error) {
    if (error instanceof MailServerAway) outage.note()
    await db.asSystem((tx) => markFailed(tx, id, error instanceof Error ? error.message : String(error)))
    throw error
  }
  await db.asSystem((tx) => markSent(tx, id, now()))
  if (wasSent) await outage.end()
}
