// Deletes what strangers wrote, and tells everyone about new terms.
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/outbox.server.ts'
import type { Announcement } from './announcement.ts'
import { daysBefore, MESSAGE_DAYS } from './promise.ts'
import { keepAnnouncement, queueNotices } from './queries.server.ts'

/** Deletes old contact messages; the operator's mailbox has them. */
export async function forgetMessages(db: Db, now: Date): Promise<void> {
  await db.asSystem((tx) => forgetMails(tx, 'contact', daysBefore(now, MESSAGE_DAYS)))
}

/**
 * Announces new terms, with all emails or none; people who have been told aren't told again. Returns the number of emails.
 * Throws an Error with one clear line if the version was announced for another day.
 */
export async function announceTerms(db: Db, announcement: Announcement): Promise<number> {
  return db.asSystem(async (tx) => {
    const day = await keepAnnouncement(tx, announcement)
    if (day !== announcement.effectiveDay)
      throw new Error(
        `Version ${announcement.version} was announced for ${day}. Give the new text a version of its own.`,
      )
    return queueNotices(tx, announcement)
  })
}
