// SQL for tutors.
import { type Insertable, sql } from 'kysely'
import { peopleIn, type PersonValues } from '#features/people/queries.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import type { Tutor } from './tutor.ts'

type TutorValues = PersonValues & Pick<Insertable<Tables['tutors']>, 'email' | 'phone' | 'subjects' | 'notes'>

const tutors = peopleIn<Tutor, TutorValues>({
  table: 'tutors',
  columns: sql`workspace_id as user_id, email, phone, subjects, is_self`,
  reference: 'tutor_id',
  deletable: sql`not is_self`,
})

export const {
  list: listTutors,
  read: readTutor,
  readRate: tutorRate,
  insert: insertTutor,
  insertAll: insertTutors,
  update: updateTutor,
} = tutors

/** Deletes a tutor, after anything else that's being written about their connection. */
export const deleteTutor: typeof tutors.remove = async (tx, workspaceId, id, version) => {
  await sql`select lock_connection_with(${id}::uuid)`.execute(tx)
  return tutors.remove(tx, workspaceId, id, version)
}
