// SQL for students.
import { sql } from 'kysely'
import type { WhichRows } from '#kernel/archived.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { plainName } from '#kernel/plain-name.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { ListedStudent, Student } from './student.ts'

const COLUMNS = [
  'id',
  'workspace_id as parent_user_id',
  'name',
  'grade',
  'notes',
  'hourly_rate_cents',
  sql<boolean>`archived_at is not null`.as('archived'),
  'version',
] as const

function toStudent({
  hourly_rate_cents: rate,
  ...row
}: Omit<Student, 'hourly_rate'> & { hourly_rate_cents: number | null }): Student {
  return { ...row, hourly_rate: rate === null ? null : dollars(rate as Cents) }
}

/** The workspace's students sorted by name: active, archived, or all. */
export async function listStudents(
  tx: Tx,
  workspaceId: WorkspaceId,
  which: WhichRows = 'active',
): Promise<Student[]> {
  let query = tx
    .selectFrom('students')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`name ${ALPHABETICAL}`)
    .orderBy('id')
  if (which !== 'all') query = query.where('archived_at', which === 'active' ? 'is' : 'is not', null)
  return (await query.execute()).map(toStudent)
}

/** One student; undefined if the workspace doesn't have a student with this id. */
export async function readStudent(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Student | undefined> {
  const row = await tx
    .selectFrom('students')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toStudent(row)
}

/**
 * A student's hourly rate. Null if the tutor's own rate applies; undefined if the workspace has no such
 * student.
 */
export async function studentRate(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Cents | null | undefined> {
  const row = await tx
    .selectFrom('students')
    .select('hourly_rate_cents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (row.hourly_rate_cents as Cents | null)
}

export interface StudentValues {
  name: string
  grade: string | null
  notes: string | null
  hourly_rate_cents?: Cents | null
}

/** For each of a practice's students, the connected families, newest first. */
export async function familiesOfStudents(tx: Tx): Promise<Map<string, ListedStudent['families']>> {
  const { rows } = await sql<{ student_id: string; connection_id: string; owner_name: string | null }>`
    select * from student_families()`.execute(tx)
  const byStudent = Map.groupBy(rows, (row) => row.student_id)
  return new Map(
    [...byStudent].map(([id, families]) => [
      id,
      families.map((row) => ({
        connection_id: row.connection_id,
        name: plainName(row.owner_name, '') || null,
      })),
    ]),
  )
}

/** Adds a student unless the workspace already has `most` of them. */
export async function insertStudent(
  tx: Tx,
  workspaceId: WorkspaceId,
  values: StudentValues,
  most: number,
): Promise<Student | undefined> {
  return (await insertStudents(tx, workspaceId, [values], most))?.[0]
}

/**
 * Adds all of the students, or none if the total would exceed `most`. The limit holds even with concurrent
 * calls (promise I17).
 */
export async function insertStudents(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: StudentValues[],
  most: number,
): Promise<Student[] | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`students:${workspaceId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('students')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count + rows.length > most) return undefined
  const added = await tx
    .insertInto('students')
    .values(rows.map((values) => ({ workspace_id: workspaceId, ...values })))
    .returning(COLUMNS)
    .execute()
  return added.map(toStudent)
}

/**
 * Changes a student. Archiving one also deactivates their schedules. Undefined if there's no student with
 * this id and version.
 */
export async function updateStudent(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  changes: Partial<StudentValues> & { archived?: boolean },
  version?: number,
): Promise<Student | undefined> {
  const { archived, ...values } = changes
  if (archived) await stopSchedules(tx, workspaceId, id)
  const stamp =
    archived === undefined ? {} : { archived_at: archived ? sql<Date>`coalesce(archived_at, now())` : null }
  let update = tx
    .updateTable('students')
    .set({ ...values, ...stamp, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
  if (version !== undefined) update = update.where('version', '=', version)
  const row = await update.returning(COLUMNS).executeTakeFirst()
  return row && toStudent(row)
}

/**
 * Deletes a student and deactivates their schedules. Their sessions are kept, but without the name. Returns
 * false if there's no student with this id and version.
 */
export async function deleteStudent(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  version?: number,
): Promise<boolean> {
  await stopSchedules(tx, workspaceId, id)
  let deletion = tx.deleteFrom('students').where('workspace_id', '=', workspaceId).where('id', '=', id)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

async function stopSchedules(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ is_active: false, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('student_id', '=', id)
    .where('is_active', '=', true)
    .execute()
}
