// Forgetting what strangers wrote, and telling everybody about new terms.
import type { Db } from '#platform/db/db.server.ts'
import { forgetMails } from '#platform/mail/outbox.server.ts'
import type { Announcement } from './announcement.ts'
import { daysBefore, MESSAGE_DAYS } from './promise.ts'
import { keepAnnouncement, queueNotices } from './queries.server.ts'

/** Deletes old messages of the contact form; the operator's mailbox has them. */
export async function forgetMessages(db: Db, now: Date): Promise<void> {
  await db.asSystem((tx) => forgetMails(tx, 'contact', daysBefore(now, MESSAGE_DAYS)))
}

/**
 * Announces new terms, all mails or none; who was told before is not told again. Returns the number of mails.
 * Throws an Error with one clear line when the version was announced for another day.
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
