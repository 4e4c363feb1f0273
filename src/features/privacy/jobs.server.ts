// The jobs that erase deleted accounts and data past its retention period. They're safe to run at any time,
// any number of times.
import { KEEP_DAYS } from '#features/accounts/profile.ts'
import { askToForget, rememberTrial } from '#features/billing/queries.server.ts'
import { handOnWorkspaces } from '#features/workspaces/queries.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/mailer.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { comeBack, eraseOld, eraseUser, leavers, mailsOf } from './queries.server.ts'
import { keptSince } from './retention.ts'

/**
 * Erases accounts that are past their retention period: database rows, emails, files, and the payment
 * provider's customer record.
 * @param mailbox the folder of the local mailbox
 */
export async function purgeAccounts(db: Db, mailbox: string, now: Date): Promise<void> {
  const deletedBefore = new Date(now.getTime() - KEEP_DAYS * 86_400_000)
  for (;;) {
    const going = await db.asSystem((tx) => leavers(tx, deletedBefore, now))
    for (const leaver of going) {
      // Deletes the files first: if this is interrupted, the next run still finds the account.
      const mails = new Set(await db.asSystem((tx) => mailsOf(tx, leaver)))
      await forgetMails(
        mailbox,
        (mail) =>
          mails.has(mail.id) ||
          (leaver.ownsAddress && JSON.stringify(mail).toLowerCase().includes(leaver.email.toLowerCase())),
      )
      await db.asSystem(async (tx) => {
        await askToForget(tx, leaver.id)
        await rememberTrial(tx, leaver, now)
        // If a family has another parent, that parent becomes the owner and gets an email.
        for (const { workspaceId, heir } of await handOnWorkspaces(tx, leaver.id, now))
          await queueMail(tx, {
            userId: heir,
            recipient: '',
            kind: 'ownership',
            data: { workspace_id: workspaceId },
          })
        await eraseUser(tx, leaver)
      })
    }
    if (going.length < 100) return
  }
}

/**
 * Erases accounts again that a restored backup brought back. Whoever inherited from them has been told, and the payment
 * provider has forgotten them.
 */
export async function eraseAgain(db: Db, now: Date): Promise<number> {
  const going = await db.readAsSystem(comeBack)
  for (const leaver of going)
    await db.asSystem(async (tx) => {
      await handOnWorkspaces(tx, leaver.id, now)
      await eraseUser(tx, leaver)
    })
  return going.length
}

export async function purgeOld(db: Db, mailbox: string, now: Date): Promise<void> {
  await db.asSystem((tx) => eraseOld(tx, now))
  await forgetMails(mailbox, (mail) => new Date(mail.sent_at) < keptSince('outbox', now))
}
