// Deletes the addresses of people who were invited.
import { deleteUnsubscribesBefore } from '#features/notices/queries.server.ts'
import { daysBefore, INVITED_DAYS } from '#features/site/promise.ts'
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/outbox.server.ts'

/** The unsubscribe link in an email of this age still works. */
const LINK_DAYS = 365

/** Deletes invited friends' addresses when their days are over; opt-outs stay (promise P9). */
export async function forgetInvited(db: Db, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    await forgetMails(tx, 'invitation', daysBefore(now, INVITED_DAYS))
    await deleteUnsubscribesBefore(tx, daysBefore(now, LINK_DAYS))
  })
}
