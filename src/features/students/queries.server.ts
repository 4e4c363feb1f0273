// SQL for students.
import { type Insertable, sql } from 'kysely'
import { peopleIn, type PersonValues } from '#features/people/queries.server.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import type { ListedStudent, Student } from './student.ts'

type StudentValues = PersonValues & Pick<Insertable<Tables['students']>, 'grade' | 'notes'>

export const {
  list: listStudents,
  read: readStudent,
  readRate: studentRate,
  insert: insertStudent,
  insertAll: insertStudents,
  update: updateStudent,
  remove: deleteStudent,
} = peopleIn<Student, StudentValues>({
  table: 'students',
  columns: sql`workspace_id as parent_user_id, grade`,
  reference: 'student_id',
})

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
