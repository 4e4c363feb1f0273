// Cleans up invited friends' addresses and old unsubscribe links.
import { deleteUnsubscribesBefore } from '#features/notices/queries.server.ts'
import { daysBefore, INVITED_DAYS } from '#features/site/promise.ts'
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/outbox.server.ts'

/** How many days unsubscribe links keep working. */
const LINK_DAYS = 365

/** Deletes the addresses of friends invited more than 30 days ago; opt-outs are kept (promise P9). */
export async function forgetInvited(db: Db, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    await forgetMails(tx, 'invitation', daysBefore(now, INVITED_DAYS))
    await deleteUnsubscribesBefore(tx, daysBefore(now, LINK_DAYS))
  })
}
