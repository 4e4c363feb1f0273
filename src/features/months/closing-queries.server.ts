// SQL for the closings of months that are kept, with their pages. Runs as either of the two sides.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'
import type { Closing } from './closing.ts'
import type { MonthContent } from './month-page.ts'
import type { SignedPage } from './signed-page.ts'

/** A stored closing that has a page. */
type KeptClosing = Omit<Closing, 'code' | 'answered_at' | 'reminders' | 'reminded_at'> & {
  connection_id: string
  code: string
  answered_at: string
  content: MonthContent
  /** What the page's dates are written in; null if neither side's zone is known. */
  time_zone: string | null
}

/** A stored closing with its signed page; without one, if it was closed before pages were signed. */
export type SignedClosing = KeptClosing & { signed: SignedPage | null }

function keptClosings(tx: Tx) {
  return tx
    .selectFrom('closed_months')
    .select([
      'connection_id',
      'id',
      'month',
      'state',
      'asked_by',
      'asked_at',
      'answered_at',
      'code',
      'content',
      'reopened_by',
      'reopened_at',
      'reason',
      'version',
    ])
    .select(
      sql<
        string | null
      >`case when content ? 'time_zone' then content ->> 'time_zone' else page_time_zone(connection_id, id) end`.as(
        'time_zone',
      ),
    )
    .where('state', '<>', 'asked')
}

type KeptRow = Awaited<ReturnType<ReturnType<typeof keptClosings>['execute']>>[number]

function toKept(row: KeptRow): KeptClosing {
  return {
    ...row,
    code: row.code ?? '',
    content: row.content as MonthContent,
    asked_at: row.asked_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? '',
    reopened_at: row.reopened_at?.toISOString() ?? null,
  }
}

/**
 * A closed month's page: the latest or, given a code, the one with that code. The connection may have ended.
 * Undefined if this side has no such page.
 */
export async function readClosing(
  tx: Tx,
  connectionId: string,
  month: string,
  code?: string,
): Promise<SignedClosing | undefined> {
  let query = keptClosings(tx)
    .select(['signed_page', 'page_key', 'page_signature'])
    .where('connection_id', '=', connectionId)
    .where('month', '=', month)
  if (code !== undefined) query = query.where('code', '=', code)
  const found = await query.orderBy('version', 'desc').limit(1).executeTakeFirst()
  if (!found) return undefined
  const { signed_page: page, page_key: key, page_signature: signature, ...row } = found
  const signed =
    page !== null && key !== null && signature !== null
      ? { page, key, signature: signature.toString('hex') }
      : null
  return { ...toKept(row), signed }
}

/** This side's latest closing of each month, starting with the newest month. */
export async function listClosings(tx: Tx): Promise<KeptClosing[]> {
  const rows = await keptClosings(tx)
    .orderBy('month', 'desc')
    .orderBy('connection_id')
    .orderBy('version', 'desc')
    .limit(MOST_MONTHS)
    .execute()
  const isNewest = (row: KeptRow, at: number) =>
    row.connection_id !== rows[at - 1]?.connection_id || row.month !== rows[at - 1]?.month
  return rows.filter(isNewest).map(toKept)
}

/** More months than ten families could close in 40 years. */
const MOST_MONTHS = 5000
