// The emails about shared sessions: one a day at most, for what is new and as a reminder of what nobody answered, and one
// when a month is over. Both sides get them by one rule.
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { tellOfWays } from '#features/payments/queries.server.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { type Recipients, takeDigests, takeMonth, takeReminders } from './queries.server.ts'

/**
 * When the jobs run, in UTC: the daily email arrives in the American morning, the month's on its first day. Each catches up where the
 * server was down at that time.
 */
export const EMAIL_CRONTAB = [
  '0 13 * * * daily_digest ?fill=1d',
  '30 13 1 * * month_ready ?fill=7d',
  '',
].join('\n')

/** The jobs by name. Each may run twice: who was written to today isn't written to again. */
export function emailJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return {
    daily_digest: () =>
      db.asSystem(async (tx) => {
        // One transaction counts a reminder and asks for its email: a restart or a second server repeats neither.
        await queueFor(tx, await takeReminders(tx, now()), 'waiting_sessions', { is_reminder: true })
        await queueFor(tx, await takeDigests(tx, now()), 'waiting_sessions', {})
        // What changed again on the day it was told is told now.
        await tellOfWays(tx, now())
      }),
    async month_ready() {
      const month = monthOf(addDays(`${monthOf(dayIn(now(), 'UTC'))}-01` as CalendarDay, -1))
      await db.asSystem(async (tx) => queueFor(tx, await takeMonth(tx, month), 'month_over', { month }))
    },
  }
}

/** Asks for an email to each account, and to each address without one for what waits there. */
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
