// The job that sends one mail of the outbox.
import type { Db, Tx } from '#platform/db/db.server.ts'
import type { Mail, SendMail } from './mailer.server.ts'
import { MailServerAway, type OutageWatch } from './outage.server.ts'
import { markFailed, markSent, type OutboxRow, waitingMail } from './outbox.server.ts'

/** Writes the mail of one kind, reading its rows anew; undefined when it no longer applies. */
export type MailWriter = (tx: Tx, row: OutboxRow) => Promise<Mail | undefined>

/**
 * Sends the mail with this id, once it is certain to be needed; throws when the mail server did not take it, so that
 * the queue tries again. A token in the mail is made here and committed before sending: it never lies in the outbox.
 */
export async function sendQueuedMail(
  db: Db,
  writers: Record<string, MailWriter>,
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
      return writer(tx, row)
    })
    if (mail) await send(id, mail).then(() => (wasSent = true))
  } catch (error) {
    if (error instanceof MailServerAway) outage.note()
    await db.asSystem((tx) => markFailed(tx, id, error instanceof Error ? error.message : String(error)))
    throw error
  }
  await db.asSystem((tx) => markSent(tx, id, now()))
  if (wasSent) await outage.end()
}
