// SQL for the admin API and for granting and revoking the admin role.
import { sql } from 'kysely'
import { insertFirstWorkspace, insertOwnTutor, ownWorkspaces } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'

/**
 * Makes a user an administrator and remembers the previous role. Adds the user's own tutor row, which the
 * forms require.
 */
export async function grantAdmin(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role: 'admin' })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        role: 'admin',
        earlier_role: sql`case when user_roles.role = 'admin' then user_roles.earlier_role else user_roles.role end`,
      }),
    )
    .execute()
  await insertFirstWorkspace(tx, userId, 'practice')
  const own = await ownWorkspaces(tx, userId)
  const workspace = own.find(({ kind }) => kind === 'practice') ?? own[0]
  if (workspace) await insertOwnTutor(tx, workspace.id)
}

/**
 * Revokes the admin role and restores the previous role. A user with no previous role chooses one on their
 * next visit.
 */
export async function revokeAdmin(tx: Tx, userId: string): Promise<void> {
  const row = await tx
    .selectFrom('user_roles')
    .select(['role', 'earlier_role'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row?.role !== 'admin') throw new Error('This account is not an administrator.')
  if (row.earlier_role)
    await tx
      .updateTable('user_roles')
      .set({ role: row.earlier_role, earlier_role: null })
      .where('user_id', '=', userId)
      .execute()
  else await tx.deleteFrom('user_roles').where('user_id', '=', userId).execute()
}

interface AccountRow {
  id: string
  email: string
  full_name: string | null
  role: 'parent' | 'tutor' | 'admin' | null
  created_at: Date
  last_seen_at: Date | null
  email_confirmed_at: Date | null
  disabled_at: Date | null
  deletion_asked_at: Date | null
}

/** Accounts with the search text in their address or name, newest first. */
export async function listAccounts(
  tx: Tx,
  search: string,
  before: Date | undefined,
  limit: number,
): Promise<AccountRow[]> {
  let query = tx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.user_id', 'users.id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select([
      'users.id',
      'email',
      'full_name',
      'role',
      'users.created_at',
      'email_confirmed_at',
      'disabled_at',
      'deletion_asked_at',
    ])
    .select(({ selectFrom }) =>
      selectFrom('logins')
        .select(({ fn }) => fn.max('refreshed_at').as('at'))
        .whereRef('logins.user_id', '=', 'users.id')
        .as('last_seen_at'),
    )
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id')
    .limit(limit)
  if (search)
    query = query.where(
      sql<boolean>`strpos(plain_spelling(email || ' ' || coalesce(full_name, '')), ${plainSpelling(search)}) > 0`,
    )
  if (before) query = query.where('users.created_at', '<', before)
  return query.execute()
}

/** Records which people an administrator saw in the list, at most once a day for each person. */
export async function noteListed(tx: Tx, adminId: string, userIds: string[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  const entry = {
    admin_id: adminId,
    what: 'listed' as const,
    purpose: 'looking after accounts',
    day: now.toISOString().slice(0, 10),
    read_at: now,
  }
  await tx
    .insertInto('admin_reads')
    .values([...new Set(userIds)].map((owner_id) => ({ owner_id, ...entry })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Records that an administrator viewed someone's entries, and why. */
export async function noteRecordRead(
  tx: Tx,
  adminId: string,
  ownerId: string,
  purpose: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('admin_reads')
    .values({
      owner_id: ownerId,
      admin_id: adminId,
      what: 'record',
      purpose,
      day: now.toISOString().slice(0, 10),
      read_at: now,
    })
    .execute()
}

export async function isUser(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/**
 * Disables or enables an account; false if it doesn't exist. A disabled account is signed out right away
 * (promise A16).
 */
export async function setDisabled(tx: Tx, id: string, disabledAt: Date | null): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ disabled_at: disabledAt })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (row && disabledAt) await tx.deleteFrom('logins').where('user_id', '=', id).execute()
  return row !== undefined
}

/** The entries an administrator may view. Must run as the owner of those entries. */
export async function readRecord(tx: Tx, workspaceId: WorkspaceId) {
  const students = await tx
    .selectFrom('students')
    .select(['name', 'grade'])
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`name ${ALPHABETICAL}`)
    .limit(200)
    .execute()
  const tutors = await tx
    .selectFrom('tutors')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`name ${ALPHABETICAL}`)
    .limit(200)
    .execute()
  const count = async (table: 'sessions' | 'schedules') =>
    (
      await tx
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
    ).count
  return { students, tutors, sessions: await count('sessions'), schedules: await count('schedules') }
}

interface Counts {
  people: number
  confirmed: number
  disabled: number
  signed_in: number
  subscribed: number
}

export async function countPeople(tx: Tx, now: Date): Promise<Counts> {
  const { rows } =
    await sql<Counts>`select count(*)::int as people, count(email_confirmed_at)::int as confirmed, count(disabled_at)::int as disabled,
    (select count(distinct user_id)::int from logins where active_until > ${now} and ends_at > ${now}) as signed_in,
    (select count(distinct owner_id)::int from subscriptions where status in ('active', 'trialing', 'past_due')) as subscribed from users`.execute(
      tx,
    )
  const [row] = rows
  if (!row) throw new Error('a count without a row')
  return row
}
