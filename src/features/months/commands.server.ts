// What people do with a month as a whole: ask to close it, confirm that, and reopen it. Called with an account and from an emailed
// page alike; the desk says for which side.
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Desk } from '#platform/http/serve.server.ts'
import {
  type ClosedMonth,
  contentOf,
  inTheWay,
  isOver,
  latest,
  type MonthRows,
  type Obstacle,
  standingOfMonth,
} from './closing.ts'
import { askOrClose, newCode, queueMonthNews, readMonth, reopen } from './queries.server.ts'
import { shownCode } from './sign-off.ts'

/** A month of a connection, as a side means it. */
export interface MonthOf {
  connectionId: string
  month: string
  /** What that side calls the other. */
  otherName: string | null
}

/** What closing a month is refused with, and what is in the way where something is. */
export type CloseRefusal =
  | { ok: false; reason: 'nothing_to_close' | 'not_over' | 'changed' | 'other_closed' }
  | { ok: false; reason: 'still_open'; obstacles: Obstacle[] }

/**
 * Asks the other side to close a month, or closes it where the other side asked; undefined for whoever is no side of it. What is asked
 * or closed already stays so. Refuses a month that runs, one without a session or a payment, and one in which something is not agreed.
 * @param seen the version that the caller saw: one that was reopened since is not closed again by a late tap
 */
export async function closeMonth(
  { tx, now }: Desk,
  { connectionId, month, otherName }: MonthOf,
  baseUrl: string,
  seen?: number,
): Promise<{ ok: true; value: ClosedMonth } | CloseRefusal | undefined> {
  const rows = await readMonth(tx, connectionId, month, true)
  if (!rows) return undefined
  const closing = latest(rows.closings)
  const standing = () => standingOfMonth(connectionId, otherName, rows, month, now)
  if (closing?.state === 'closed' || (closing?.state === 'asked' && closing.asked_by === rows.side))
    return done(standing())
  const refusal = refusalOf(rows, month, now)
  if (refusal) return refusal
  if (seen !== undefined && closing?.state === 'reopened' && closing.version !== seen)
    return refused('changed')
  const code = newCode()
  const state = await askOrClose(
    tx,
    connectionId,
    month,
    contentOf(rows, month, {
      askedBy: closing?.state === 'asked' ? closing.asked_by : rows.side,
      askedAt: closing?.state === 'asked' ? closing.asked_at : now.toISOString(),
      closedAt: now.toISOString(),
      code,
      url: `${baseUrl}/verify/${shownCode(code)}`,
    }),
  )
  await queueMonthNews(tx, connectionId, month, state)
  return done(await newStanding({ tx, now }, { connectionId, month, otherName }))
}

function refusalOf(rows: MonthRows, month: string, now: Date): CloseRefusal | undefined {
  if (rows.is_other_closed) return refused('other_closed')
  if (!isOver(month, now)) return refused('not_over')
  const obstacles = inTheWay(rows, month)
  if (obstacles.length > 0) return { ...refused('still_open'), obstacles }
  const isIn = ({ day }: { day: string }) => day.startsWith(month)
  return rows.sessions.some(isIn) || rows.payments.some(isIn) ? undefined : refused('nothing_to_close')
}

/** Reopens a closed month for both sides, and tells the other; undefined for whoever is no side of it. Refuses one that is not closed. */
export async function reopenMonth(
  { tx, now }: Desk,
  { connectionId, month, otherName }: MonthOf,
  reason: string,
): Promise<Outcome<ClosedMonth, 'not_closed' | 'other_closed'> | undefined> {
  const rows = await readMonth(tx, connectionId, month, true)
  if (!rows) return undefined
  if (rows.is_other_closed) return refused('other_closed')
  if (!(await reopen(tx, connectionId, month, reason, now))) return refused('not_closed')
  await queueMonthNews(tx, connectionId, month, 'reopened')
  return done(await newStanding({ tx, now }, { connectionId, month, otherName }))
}

async function newStanding(
  { tx, now }: Pick<Desk, 'tx' | 'now'>,
  { connectionId, month, otherName }: MonthOf,
): Promise<ClosedMonth> {
  const rows = await readMonth(tx, connectionId, month)
  if (!rows) throw new Error('a month that was just written is not there')
  return standingOfMonth(connectionId, otherName, rows, month, now)
}
