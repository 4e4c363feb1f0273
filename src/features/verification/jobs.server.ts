// The mails about sessions that wait: one a day at the most, and one when a month is over.
import { forgetUnanswered } from '#features/links/queries.server.ts'
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import type { Db } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { monthsToConfirm, takeDigests } from './queries.server.ts'

/**
 * When the jobs run, in UTC: the daily mail arrives in the American morning, the month's on its first day. Each catches up where the
 * server was down at that time.
 */
export const VERIFICATION_CRONTAB = [
  '0 13 * * * daily_digest ?fill=1d',
  '30 13 1 * * month_ready ?fill=7d',
  '20 4 * * * forget_unanswered',
].join('\n')

/** The jobs by name. Each may run twice: who was mailed today is not mailed again. */
export function verificationJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return {
    async daily_digest() {
      await db.asSystem(async (tx) => {
        const { tutors, links, families } = await takeDigests(tx, now())
        for (const id of tutors)
          await queueMail(tx, { userId: id, recipient: '', kind: 'waiting_sessions', data: {} })
        for (const id of links)
          await queueMail(tx, {
            userId: null,
            recipient: '',
            kind: 'waiting_sessions',
            data: { link_id: id },
          })
        for (const id of families)
          await queueMail(tx, { userId: id, recipient: '', kind: 'family_waiting', data: {} })
      })
    },
    async month_ready() {
      const month = monthOf(addDays(`${monthOf(dayIn(now(), 'UTC'))}-01` as CalendarDay, -1))
      await db.asSystem(async (tx) => {
        const { tutors, links, families } = await monthsToConfirm(tx, month)
        for (const id of families)
          await queueMail(tx, { userId: id, recipient: '', kind: 'month_over', data: { month } })
        for (const id of tutors)
          await queueMail(tx, { userId: id, recipient: '', kind: 'waiting_sessions', data: { month } })
        for (const id of links)
          await queueMail(tx, {
            userId: null,
            recipient: '',
            kind: 'waiting_sessions',
            data: { month, link_id: id },
          })
      })
    },
    forget_unanswered: () => db.asSystem((tx) => forgetUnanswered(tx, now())),
  }
}
