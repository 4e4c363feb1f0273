// Deletes old contact messages and announces new terms.
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/outbox.server.ts'
import type { Announcement } from './announcement.ts'
import { daysBefore, MESSAGE_DAYS } from './promise.ts'
import { keepAnnouncement, queueNotices } from './queries.server.ts'

/** Deletes old contact messages. The operator still has the emailed copies. */
export async function forgetMessages(db: Db, now: Date): Promise<void> {
  await db.asSystem((tx) => forgetMails(tx, 'contact', daysBefore(now, MESSAGE_DAYS)))
}

/**
 * Queues the emails that announce new terms (either all of them or none) and returns how many there are.
 * Nobody gets the same announcement twice. If this version was already announced for a different day, throws
 * an Error with a message for the operator.
 */
export async function announceTerms(db: Db, announcement: Announcement): Promise<number> {
  return db.asSystem(async (tx) => {
    const day = await keepAnnouncement(tx, announcement)
    if (day !== announcement.effectiveDay)
      throw new Error(
        `Version ${announcement.version} was already announced for ${day}. Use a different version for the new text.`,
      )
    return queueNotices(tx, announcement)
  })
}
