// SQL of the tutor's side. It runs as the role tutorlog_tutor, which sees the sessions of its links and writes the tutor's word only.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { LinkedSession } from './verification.ts'

/** More than a tutor gives lessons in a year with all families; older ones come up as these are answered. */
const MOST = 1000

// From the links to their sessions, so that a tutor's few links decide which rows are touched at all.
function linkedSessions(tx: Tx) {
  return tx.selectFrom('tutor_links')
    .innerJoin('sessions', (join) => join.onRef('sessions.owner_id', '=', 'tutor_links.owner_id').onRef('sessions.tutor_id', '=', 'tutor_links.tutor_id'))
    .leftJoin('students', (join) => join.onRef('students.owner_id', '=', 'sessions.owner_id').onRef('students.id', '=', 'sessions.student_id'))
    .leftJoin('profiles', 'profiles.user_id', 'sessions.owner_id')
    .select([
      'sessions.id', 'tutor_links.id as family_id', 'full_name', 'first_name', 'day', 'minutes', 'rate_override_cents', 'tutor_rate_cents', 'total_cents', 'currency', 'subject', 'status', 'verified_by_tutor',
      'dispute_note', 'answer_note', 'sessions.version',
    ])
    .where('tutor_links.state', 'in', ['asked', 'active'])
}

type Row = Awaited<ReturnType<ReturnType<typeof linkedSessions>['execute']>>[number]

function toLinked(row: Row): LinkedSession {
  const inDollars = (amount: number | null) => (amount === null ? null : dollars(amount as Cents))
  return {
    id: row.id, family_id: row.family_id, family_name: row.full_name, student_first_name: row.first_name, date: row.day, duration: hours(row.minutes as Minutes),
    rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents), total_amount: inDollars(row.total_cents), currency: row.currency ?? 'USD', subject: row.subject,
    status: row.status, verified_by_tutor: row.verified_by_tutor, dispute_note: row.dispute_note, answer_note: row.answer_note, version: row.version,
  }
}

export interface Wanted {
  from?: CalendarDay
  to: CalendarDay
  /** Only what waits for the tutor's answer. */
  isWaiting?: boolean
}

/** The linked sessions of a range of days, newest first. */
export async function listLinkedSessions(tx: Tx, { from, to, isWaiting }: Wanted): Promise<LinkedSession[]> {
  let query = linkedSessions(tx).where('day', '<=', to).orderBy('day', 'desc').orderBy('sessions.id', 'desc').limit(MOST)
  if (from) query = query.where('day', '>=', from)
  if (isWaiting) query = query.where('verified_by_tutor', '=', false).where('status', '=', 'completed')
  return (await query.execute()).map(toLinked)
}

/** One linked session; undefined when it is not this tutor's. */
export async function readLinkedSession(tx: Tx, id: string): Promise<LinkedSession | undefined> {
  const row = await linkedSessions(tx).where('sessions.id', '=', id).executeTakeFirst()
  return row && toLinked(row)
}

export type Word = { verified_by_tutor: boolean; status: 'completed'; dispute_note: null } | { verified_by_tutor: false; status: 'disputed'; dispute_note: string }

/** Gives or takes back the tutor's word on a session as it was seen; false when it is not the tutor's or has another version. */
export async function giveWord(tx: Tx, id: string, version: number, word: Word): Promise<boolean> {
  const update = tx.updateTable('sessions').from('tutor_links').set({ ...word, version: sql`sessions.version + 1`, updated_at: sql`now()` })
    .whereRef('sessions.owner_id', '=', 'tutor_links.owner_id').whereRef('sessions.tutor_id', '=', 'tutor_links.tutor_id').where('tutor_links.state', 'in', ['asked', 'active']).where('sessions.id', '=', id).where('sessions.version', '=', version)
  return (await update.returning('sessions.id').execute()).length > 0
}

/** How many sessions wait for this tutor's answer up to a day. */
export async function countToConfirm(tx: Tx, to: CalendarDay): Promise<number> {
  const { count } = await tx.selectFrom('tutor_links')
    .innerJoin('sessions', (join) => join.onRef('sessions.owner_id', '=', 'tutor_links.owner_id').onRef('sessions.tutor_id', '=', 'tutor_links.tutor_id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tutor_links.state', '=', 'active').where('day', '<=', to).where('verified_by_tutor', '=', false).where('sessions.status', '=', 'completed').executeTakeFirstOrThrow()
  return count
}
