// Creating schedules, one or several at once.
import type { Insertable } from 'kysely'
import { readStudent } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { done, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { found } from '#platform/http/problem.server.ts'
import { insertSchedules, readSchedule } from './queries.server.ts'
import { MAX_SCHEDULES } from './schedule.ts'

type NewRow = Omit<Insertable<Tables['schedules']>, 'workspace_id'> & { student_id: string; tutor_id: string }

/** Creates schedules for one student and tutor, all or none. Returns them in the order given. */
export async function createSchedules(tx: Tx, workspace: WorkspaceId, rows: readonly NewRow[]) {
  const [{ student_id, tutor_id }] = rows as [NewRow]
  if (!(await readStudent(tx, workspace, student_id))) return refused('unknown_student')
  if ((await tutorRate(tx, workspace, tutor_id)) === undefined) return refused('unknown_tutor')
  const ids = await insertSchedules(
    tx,
    workspace,
    rows.map((row) => (row.frequency === 'custom' ? row : { ...row, custom_interval_days: null })),
    MAX_SCHEDULES,
  )
  if (!ids) return refused('too_many_rows')
  return done(await Promise.all(ids.map((id) => found(readSchedule(tx, workspace, id)))))
}
