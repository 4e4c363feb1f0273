// SQL for learned names.
import { sql } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type LearnedName, MOST_LEARNED, type NewName } from './learned-name.ts'

interface Membership {
  accountId: string
  workspaceId: WorkspaceId
}

/** A member's learned names, newest first. */
export async function listLearnedNames(
  tx: Tx,
  { accountId, workspaceId }: Membership,
): Promise<LearnedName[]> {
  return tx
    .selectFrom('learned_names as l')
    .leftJoin('students as s', (join) =>
      join.onRef('s.workspace_id', '=', 'l.workspace_id').onRef('s.id', '=', 'l.student_id'),
    )
    .leftJoin('tutors as t', (join) =>
      join.onRef('t.workspace_id', '=', 'l.workspace_id').onRef('t.id', '=', 'l.tutor_id'),
    )
    .select([
      'l.id',
      'l.words',
      'l.student_id',
      'l.tutor_id',
      sql<string>`case when t.is_self then 'You' else coalesce(s.name, t.name) end`.as('name'),
    ])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.account_id', '=', accountId)
    .where(sql<boolean>`coalesce(s.id, t.id) is not null`)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.words')
    .execute()
}

/** Stores names, and drops the oldest ones if there are too many. */
export async function insertLearnedNames(
  tx: Tx,
  { accountId, workspaceId }: Membership,
  names: readonly NewName[],
): Promise<void> {
  if (names.length === 0) return
  const own = { workspace_id: workspaceId, account_id: accountId }
  await tx
    .insertInto('learned_names')
    .values(
      names.map((name) => ({
        ...own,
        words: name.words,
        student_id: 'student_id' in name ? name.student_id : null,
        tutor_id: 'tutor_id' in name ? name.tutor_id : null,
      })),
    )
    .onConflict((conflict) => conflict.constraint('learned_once').doNothing())
    .execute()
  await tx
    .deleteFrom('learned_names')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where(
      'id',
      'in',
      tx
        .selectFrom('learned_names')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(MOST_LEARNED),
    )
    .execute()
}

/** Deletes one of a member's learned names, or all. Returns whether there were any. */
export async function deleteLearnedNames(
  tx: Tx,
  { accountId, workspaceId }: Membership,
  id?: string,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('learned_names')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
