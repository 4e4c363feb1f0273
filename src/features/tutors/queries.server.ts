// SQL for tutors.
import { sql } from 'kysely'
import type { WhichRows } from '#kernel/archived.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tutor } from './tutor.ts'

const COLUMNS = [
  'id',
  'workspace_id as user_id',
  'name',
  'email',
  'phone',
  'hourly_rate_cents',
  'subjects',
  'notes',
  'is_self',
  sql<boolean>`archived_at is not null`.as('archived'),
  'version',
] as const

function toTutor({
  hourly_rate_cents: rate,
  ...row
}: Omit<Tutor, 'hourly_rate'> & { hourly_rate_cents: number | null }): Tutor {
  return { ...row, hourly_rate: rate === null ? null : dollars(rate as Cents) }
}

/** The workspace's tutors sorted by name: active, archived, or all. */
export async function listTutors(
  tx: Tx,
  workspaceId: WorkspaceId,
  which: WhichRows = 'active',
): Promise<Tutor[]> {
  let query = tx
    .selectFrom('tutors')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`name ${ALPHABETICAL}`)
    .orderBy('id')
  if (which !== 'all') query = query.where('archived_at', which === 'active' ? 'is' : 'is not', null)
  return (await query.execute()).map(toTutor)
}

/** One tutor; undefined if the workspace doesn't have a tutor with this id. */
export async function readTutor(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<Tutor | undefined> {
  const row = await tx
    .selectFrom('tutors')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toTutor(row)
}

/** A tutor's current hourly rate. Null if there isn't one; undefined if the workspace has no such tutor. */
export async function tutorRate(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Cents | null | undefined> {
  const row = await tx
    .selectFrom('tutors')
    .select('hourly_rate_cents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (row.hourly_rate_cents as Cents | null)
}

export interface TutorValues {
  name: string
  email: string | null
  phone: string | null
  hourly_rate_cents: Cents | null
  subjects: string[]
  notes: string | null
}

/** Adds a tutor unless the workspace already has `most` of them. */
export async function insertTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  values: TutorValues,
  most: number,
): Promise<Tutor | undefined> {
  return (await insertTutors(tx, workspaceId, [values], most))?.[0]
}

/**
 * Adds all of the tutors, or none if the total would exceed `most`. The limit holds even with concurrent
 * calls (promise I17).
 */
export async function insertTutors(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: TutorValues[],
  most: number,
): Promise<Tutor[] | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tutors:${workspaceId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('tutors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count + rows.length > most) return undefined
  const added = await tx
    .insertInto('tutors')
    .values(rows.map((values) => ({ workspace_id: workspaceId, ...values })))
    .returning(COLUMNS)
    .execute()
  return added.map(toTutor)
}

/**
 * Changes a tutor. Archiving one also deactivates their schedules. Undefined if there's no tutor with this id
 * and version.
 */
export async function updateTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  changes: Partial<TutorValues> & { archived?: boolean },
  version?: number,
): Promise<Tutor | undefined> {
  const { archived, ...values } = changes
  if (archived) await stopSchedules(tx, workspaceId, id)
  const stamp =
    archived === undefined ? {} : { archived_at: archived ? sql<Date>`coalesce(archived_at, now())` : null }
  let update = tx
    .updateTable('tutors')
    .set({ ...values, ...stamp, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
  if (version !== undefined) update = update.where('version', '=', version)
  const row = await update.returning(COLUMNS).executeTakeFirst()
  return row && toTutor(row)
}

/**
 * Deletes a tutor and deactivates their schedules. Their sessions are kept, but without the name. Returns
 * false if there's no tutor with this id and version.
 */
export async function deleteTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  await sql`select lock_connection_with(${id}::uuid)`.execute(tx)
  await stopSchedules(tx, workspaceId, id)
  let deletion = tx
    .deleteFrom('tutors')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('is_self', '=', false)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

async function stopSchedules(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ is_active: false, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('tutor_id', '=', id)
    .where('is_active', '=', true)
    .execute()
}
