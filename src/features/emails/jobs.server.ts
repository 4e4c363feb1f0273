// Emails about shared sessions: at most one a day, with news and reminders about unanswered questions, and a
// separate one when a month is over. The same rules apply to both sides.
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { tellOfWays } from '#features/payments/way-queries.server.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { type Recipients, takeDigests, takeMonth, takeReminders } from './queries.server.ts'

/**
 * The jobs' schedule, in UTC. The daily email goes out when it's morning in the US, the monthly one on the
 * 1st. Both jobs catch up if the server was down at that time.
 */
export const EMAIL_CRONTAB = [
  '0 13 * * * daily_digest ?fill=1d',
  '30 13 1 * * month_ready ?fill=7d',
  '',
].join('\n')

/** The jobs by name. Running one twice is harmless, because it skips anyone it has already emailed. */
export function emailJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return {
    daily_digest: () =>
      db.asSystem(async (tx) => {
        // A reminder is counted and its email queued in one transaction, so a restart or a second server
        // never repeats either.
        await queueFor(tx, await takeReminders(tx, now()), 'waiting_sessions', { is_reminder: true })
        await queueFor(tx, await takeDigests(tx, now()), 'waiting_sessions', {})
        // If payment options changed again on the day of the last email about them, queues another one now.
        await tellOfWays(tx, now())
      }),
    async month_ready() {
      const month = monthOf(addDays(`${monthOf(dayIn(now(), 'UTC'))}-01` as CalendarDay, -1))
      await db.asSystem(async (tx) => queueFor(tx, await takeMonth(tx, month), 'month_over', { month }))
    },
  }
}

/** Queues an email for each account, and for each address without an account that has something waiting. */
async function queueFor(
  tx: Tx,
  { accounts, connections }: Recipients,
  kind: string,
  data: object,
): Promise<void> {
  for (const userId of accounts) await queueMail(tx, { userId, recipient: '', kind, data })
  for (const id of connections)
    await queueMail(tx, {
      userId: null,
      recipient: '',
      kind: 'waiting_sessions',
      data: { ...data, link_id: id },
    })
}
