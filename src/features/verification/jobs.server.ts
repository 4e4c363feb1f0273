// The mails about sessions that wait: one a day at the most, and one when a month is over.
import { forgetUnanswered } from '#features/links/queries.server.ts'
import { addDays, type CalendarDay, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import type { Db } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { monthsToConfirm, takeDigests } from './queries.server.ts'

/** When the jobs run, in UTC: the daily mail arrives in the American morning, the month's on its first day. */
export const VERIFICATION_CRONTAB = [
  '0 13 * * * daily_digest',
  '30 13 1 * * month_ready',
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
          await queueMail(tx, { userId: id, recipient: '', kind: 'sent_back', data: {} })
      })
    },
    async month_ready() {
      const month = monthOf(addDays(`${monthOf(dayIn(now(), 'UTC'))}-01` as CalendarDay, -1))
      await db.asSystem(async (tx) => {
        const { tutors, links } = await monthsToConfirm(tx, daysOfMonth(month))
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
