// The outbox: a transaction queues its emails, and a job composes and sends them afterward.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'

/** A queued email. Its kind selects the template. None of its text or addresses come from a browser. */
interface QueuedMail {
  /** Chosen by whoever refers to the email in the same transaction. */
  id?: string
  userId: string | null
  recipient: string
  kind: string
  data?: object
}

export interface OutboxRow extends QueuedMail {
  id: string
  data: Record<string, unknown>
}

/** Queues an email, which is sent only if the transaction commits. One with the same id isn't queued again. */
export async function queueMail(tx: Tx, mail: QueuedMail): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      ...(mail.id && { id: mail.id }),
      user_id: mail.userId,
      recipient: mail.recipient,
      kind: mail.kind,
      data: JSON.stringify(mail.data ?? {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A queued email. Undefined if the email has been sent or its user is gone. */
export async function waitingMail(tx: Tx, id: string): Promise<OutboxRow | undefined> {
  const row = await tx
    .selectFrom('outbox')
    .select(['id', 'user_id as userId', 'recipient', 'kind', 'data'])
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .executeTakeFirst()
  return row as OutboxRow | undefined
}

export async function markSent(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ sent_at: now, attempts: sql`attempts + 1`, last_error: null })
    .where('id', '=', id)
    .execute()
}

export async function markFailed(tx: Tx, id: string, reason: string): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ attempts: sql`attempts + 1`, last_error: reason.slice(0, 500) })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes all emails of one kind that were queued before a given time, sent or not. Their addresses are
 * deleted with them.
 */
export async function forgetMails(tx: Tx, kind: string, before: Date): Promise<void> {
  await tx.deleteFrom('outbox').where('kind', '=', kind).where('created_at', '<', before).execute()
}
