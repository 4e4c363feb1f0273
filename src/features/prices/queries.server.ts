// SQL for prices of pairs.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type ListedPrice, MOST_PRICES, type PairPrice } from './price.ts'

interface PriceValues {
  from_day: CalendarDay
  amount_cents: Cents
  lesson_minutes: number | null
}

const RETURNED = [
  'id',
  'student_id',
  'tutor_id',
  'from_day',
  'amount_cents',
  'lesson_minutes',
  'version',
] as const

type Returned = Omit<ListedPrice, 'from' | 'amount'> & { from_day: string; amount_cents: number }

function toListed({
  from_day: from,
  amount_cents: amount,
  lesson_minutes,
  version,
  ...ids
}: Returned): ListedPrice {
  return { ...ids, from, amount: dollars(amount as Cents), lesson_minutes, version }
}

/** All prices of the workspace's pairs that the member may see, by student, the latest first. */
export async function pricesByStudent(tx: Tx, workspaceId: WorkspaceId): Promise<Map<string, ListedPrice[]>> {
  const rows = await tx
    .selectFrom('prices')
    .select(RETURNED)
    .where('workspace_id', '=', workspaceId)
    .orderBy('from_day', 'desc')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows.map(toListed), (price) => price.student_id)
}

/** All prices of one pair, as the rule takes them. */
export async function pricesOf(
  tx: Tx,
  workspaceId: WorkspaceId,
  studentId: string | null,
  tutorId: string | null,
): Promise<PairPrice[]> {
  if (!studentId || !tutorId) return []
  const rows = await tx
    .selectFrom('prices')
    .select(['from_day', 'amount_cents', 'lesson_minutes'])
    .where('workspace_id', '=', workspaceId)
    .where('student_id', '=', studentId)
    .where('tutor_id', '=', tutorId)
    .execute()
  return rows.map(({ from_day: since, amount_cents, lesson_minutes }) => ({
    since: since as CalendarDay,
    cents: amount_cents as Cents,
    lesson_minutes,
  }))
}

/** Adds a price. Says what's in the way: a price from the same day, people who aren't on the lists, or too many prices. */
export async function insertPrice(
  tx: Tx,
  workspaceId: WorkspaceId,
  values: PriceValues & { student_id: string; tutor_id: string },
): Promise<ListedPrice | 'same_day' | 'unknown_student' | 'unknown_tutor' | 'too_many_rows'> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`prices:${workspaceId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ is_student: boolean; is_tutor: boolean; prices: number }>`select
      exists (select from students where workspace_id = ${workspaceId} and id = ${values.student_id}) as is_student,
      exists (select from tutors where workspace_id = ${workspaceId} and id = ${values.tutor_id}) as is_tutor,
      (select count(*)::int from prices where workspace_id = ${workspaceId}) as prices`.execute(tx)
  const [known] = rows
  if (!known?.is_student) return 'unknown_student'
  if (!known.is_tutor) return 'unknown_tutor'
  if (known.prices >= MOST_PRICES) return 'too_many_rows'
  const added = await tx
    .insertInto('prices')
    .values({ workspace_id: workspaceId, ...values })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'student_id', 'tutor_id', 'from_day']).doNothing(),
    )
    .returning(RETURNED)
    .executeTakeFirst()
  return added ? toListed(added) : 'same_day'
}

/** Changes a price. Undefined if there isn't one with this id and version. */
export async function updatePrice(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  changes: Partial<PriceValues>,
  version?: number,
): Promise<ListedPrice | 'same_day' | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`prices:${workspaceId}`}, 0))`.execute(tx)
  if (changes.from_day && (await isDayTaken(tx, workspaceId, id, changes.from_day))) return 'same_day'
  const changed = await tx
    .updateTable('prices')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .returning(RETURNED)
    .executeTakeFirst()
  return changed && toListed(changed)
}

async function isDayTaken(tx: Tx, workspaceId: WorkspaceId, id: string, day: CalendarDay): Promise<boolean> {
  const { rows } =
    await sql`select from prices other join prices own using (workspace_id, student_id, tutor_id)
    where own.workspace_id = ${workspaceId} and own.id = ${id} and other.id <> own.id and other.from_day = ${day}`.execute(
      tx,
    )
  return rows.length > 0
}

export async function isPrice(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('prices')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** Deletes a price. False if there isn't one with this id and version. */
export async function deletePrice(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('prices')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
