// Emails about shared sessions: at most one a day, with news and reminders about unanswered questions, and a
// separate one when a month is over. The same rules apply to both sides.
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { tellOfWays } from '#features/payments/way-queries.server.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  type Recipients,
  takeCanceled,
  takeDigests,
  takeFollowUps,
  takeMonth,
  takeReminders,
  type Turn,
} from './recipient-queries.server.ts'

/**
 * The jobs' schedule, in UTC. The daily email goes out in the account's morning. For addresses without an account, and for accounts
 * whose time zone no browser has told yet, that's when it's morning in the US. The monthly one is for the 1st. Jobs catch up if the
 * server was down at that time.
 */
export const EMAIL_CRONTAB = [
  '0 * * * * morning_digest',
  '*/15 * * * * tell_canceled',
  '0 13 * * * daily_digest ?fill=1d',
  '30 13 1 * * month_ready ?fill=7d',
  '',
].join('\n')

/** The jobs by name. Running one twice is harmless, because it skips anyone it has already emailed. */
export function emailJobs(db: Db, now: () => Date): Record<string, () => Promise<void>> {
  return {
    tell_canceled: () =>
      db.asSystem(async (tx) =>
        queueFor(tx, await takeCanceled(tx, now()), 'waiting_sessions', { until: now().toISOString() }),
      ),
    morning_digest: () => db.asSystem((tx) => queueDaily(tx, now(), 'morning')),
    daily_digest: () =>
      db.asSystem(async (tx) => {
        await queueDaily(tx, now(), 'unplaced')
        // If payment options changed again on the day of the last email about them, queues another one now.
        await tellOfWays(tx, now())
      }),
    async month_ready() {
      const month = lastMonth(now())
      await db.asSystem(async (tx) => queueFor(tx, await takeMonth(tx, month), 'month_over', { month }))
    },
  }
}

function lastMonth(now: Date): string {
  return addMonths(monthOf(dayIn(now, 'UTC')), -1)
}

// A reminder is counted and its email queued in one transaction, so a restart or a second server never repeats
// either.
async function queueDaily(tx: Tx, now: Date, turn: Turn): Promise<void> {
  const until = now.toISOString()
  await queueFor(tx, await takeReminders(tx, now, turn), 'waiting_sessions', { is_reminder: true, until })
  await queueFor(tx, await takeDigests(tx, now, turn), 'waiting_sessions', { until })
  const month = lastMonth(now)
  for (const { id: userId, day } of await takeFollowUps(tx, month, now, turn))
    await queueMail(tx, {
      userId,
      recipient: '',
      kind: 'month_over',
      data: { month, day, is_reminder: true },
    })
}

/** Queues an email for each account, and for each address without an account that has something waiting. */
async function queueFor(
  tx: Tx,
  { accounts, connections }: Recipients,
  kind: string,
  data: object,
): Promise<void> {
  for (const { id: userId, told_at: after } of accounts)
    await queueMail(tx, { userId, recipient: '', kind, data: { ...data, ...(after && { after }) } })
  for (const id of connections)
    await queueMail(tx, {
      userId: null,
      recipient: '',
      kind: 'waiting_sessions',
      data: { ...data, link_id: id },
    })
}
