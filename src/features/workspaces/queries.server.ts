// SQL for workspaces, their members and invitations.
import { sql } from 'kysely'
import type { Currency } from '#kernel/currency.ts'
import type { MemberRole } from '#features/access/role.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { currencyIn } from '#kernel/region-currency.ts'
import { emailKey } from '#kernel/text.ts'
import { constraintOf } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { currentRegion } from '#platform/reader.server.ts'
import { INVITATION_DAYS, type Kind, type Member } from './workspace.ts'

/**
 * As the system: gives an account its first workspace, unless it already owns one. Like every first
 * workspace, it gets the account's id, unless that id is already taken because a workspace was handed over.
 */
export async function insertFirstWorkspace(tx: Tx, accountId: string, kind: Kind): Promise<void> {
  if ((await ownWorkspaces(tx, accountId)).length > 0) return
  if (!(await insertOwnWorkspace(tx, accountId, kind, accountId)))
    await insertOwnWorkspace(tx, accountId, kind)
}

/**
 * As the system: makes sure an account owns a workspace of this kind. Creates one if it owns none. If it owns
 * only one of the other kind, changes that one's kind.
 */
export async function makeFirstWorkspace(tx: Tx, accountId: string, kind: Kind): Promise<void> {
  await insertFirstWorkspace(tx, accountId, kind)
  const own = await ownWorkspaces(tx, accountId)
  const [first] = own
  if (!first || own.some((one) => one.kind === kind)) return
  await tx.updateTable('workspaces').set({ kind }).where('id', '=', first.id).execute()
  if (kind === 'practice') await insertOwnTutor(tx, first.id)
}

/**
 * Adds the tutor's own row, shown as "You" (docs/product-decisions.md, section 2), unless the workspace
 * already has one.
 */
export async function insertOwnTutor(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .insertInto('tutors')
    .values({ workspace_id: workspaceId, name: 'You', is_self: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** An account's workspaces, oldest membership first. */
export async function listWorkspaces(tx: Tx, accountId: string) {
  return tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['workspaces.id', 'kind', 'role', 'owner_name'])
    .where('account_id', '=', accountId)
    .orderBy('joined_at')
    .orderBy('workspaces.id')
    .execute()
}

export async function readCurrency(tx: Tx, workspaceId: WorkspaceId): Promise<Currency> {
  const row = await tx
    .selectFrom('workspaces')
    .select('currency')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return row.currency
}

/**
 * Chooses a workspace's currency. Amounts that only this workspace has are relabeled, not converted. Returns
 * why it isn't allowed, in which case the transaction has to be rolled back; undefined if it's done.
 * @param relabels whether the caller agreed that existing amounts keep their numbers
 */
export async function setCurrency(
  tx: Tx,
  workspaceId: WorkspaceId,
  currency: Currency,
  relabels: boolean,
): Promise<'currency_not_yours' | 'other_currency' | 'decimals_exist' | 'amounts_exist' | undefined> {
  const before = await readCurrency(tx, workspaceId)
  try {
    const { numUpdatedRows } = await tx
      .updateTable('workspaces')
      .set({ currency })
      .where('id', '=', workspaceId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'currency_not_yours'
  } catch (error) {
    if (constraintOf(error) === 'shared_currency') return 'other_currency'
    if (constraintOf(error) === 'whole_amounts') return 'decimals_exist'
    throw error
  }
  if (relabels || currency === before) return undefined
  const { rows } = await sql<{ has: boolean }>`select has_own_amounts() as has`.execute(tx)
  return rows[0]?.has ? 'amounts_exist' : undefined
}

/** As the system: the workspaces an account owns, oldest membership first. */
export async function ownWorkspaces(tx: Tx, accountId: string) {
  return (await listWorkspaces(tx, accountId)).filter(({ role }) => role === 'owner')
}

/** As the system: locks the account, so that only one transaction at a time can create a workspace for it. */
export async function lockWorkspacesOf(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspaces:${accountId}`}, 0))`.execute(tx)
}

/**
 * As the system: creates a workspace for an account. Copies the account's name, and the currency of the
 * workspace the account has owned longest. The caller has to check that the account doesn't already own one
 * of this kind. Returns undefined if the id is taken.
 * @param id random if omitted
 */
export async function insertOwnWorkspace(
  tx: Tx,
  accountId: string,
  kind: Kind,
  id: string = crypto.randomUUID(),
): Promise<WorkspaceId | undefined> {
  const [first] = await ownWorkspaces(tx, accountId)
  const { full_name: owner_name } = await tx
    .selectFrom('profiles')
    .select('full_name')
    .where('user_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const made = await tx
    .insertInto('workspaces')
    .values({
      id,
      kind,
      owner_name,
      currency: first ? await readCurrency(tx, first.id) : currencyIn(currentRegion()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return undefined
  await tx.insertInto('members').values({ workspace_id: id, account_id: accountId, role: 'owner' }).execute()
  if (kind === 'practice') await insertOwnTutor(tx, made.id)
  // The account of someone who joined by invitation has no role. Becoming an owner sets it, so they don't
  // have to choose one.
  await tx
    .insertInto('user_roles')
    .values({ user_id: accountId, role: kind === 'family' ? 'parent' : 'tutor' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return made.id
}

/**
 * As the system: starts an account's trial when it gets its first workspace. It can't start any earlier,
 * because someone who joined by invitation may have been helping others for months. Does nothing if the
 * account owns another workspace, or if its address was already used for a trial.
 * @param besides the workspace that the account now owns
 */
export async function startTrial(
  tx: Tx,
  accountId: string,
  now: Date,
  besides: WorkspaceId | null = null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ trial_since: now })
    .where('id', '=', accountId)
    .where('trial_since', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('role')
            .where('account_id', '=', accountId)
            .where('role', '=', 'owner')
            .where(sql<boolean>`workspace_id is distinct from ${besides}::uuid`),
        ),
      ),
    )
    .execute()
}

/**
 * How many days a family can go without a plan after its owner's account is erased
 * (docs/design/shared-sessions.md, Workspaces).
 */
const GRACE_DAYS = 30

/**
 * As the system: makes someone else the owner, and gives the former owner that person's previous role. The
 * person has to be a parent (in a practice, an assistant) who sees all students; returns false otherwise.
 * From then on, the new owner's plan applies. If this is the first workspace they own, their trial starts
 * now.
 */
export async function handOver(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: string,
  now: Date,
  writableUntil: Date | null = null,
): Promise<boolean> {
  const former = await tx
    .selectFrom('members')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  const { rows } = await sql<{ is_done: boolean }>`
    select hand_over(${workspaceId}::uuid, ${accountId}::uuid, ${writableUntil}::timestamptz) as is_done`.execute(
    tx,
  )
  if (!rows[0]?.is_done) return false
  await startTrial(tx, accountId, now, workspaceId)
  // The former owner used a trial here, so their next workspace doesn't start another one.
  await tx
    .updateTable('users')
    .set({ trial_since: sql`created_at` })
    .where('id', '=', former?.account_id ?? null)
    .where('trial_since', 'is', null)
    .execute()
  return true
}

/**
 * As the system, before an account is erased: hands over each of its workspaces to the parent who joined
 * first among those who see all students. Returns the new owners, so that they can be emailed.
 */
export async function handOnWorkspaces(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ workspaceId: WorkspaceId; heir: string }[]> {
  const { rows } = await sql<{ workspaceId: WorkspaceId; heir: string }>`
    select workspace_id as "workspaceId", heir_of(workspace_id) as heir from members
    where account_id = ${accountId}::uuid and role = 'owner' and heir_of(workspace_id) is not null`.execute(
    tx,
  )
  const until = new Date(now.getTime() + GRACE_DAYS * 86_400_000)
  for (const { workspaceId, heir } of rows) await handOver(tx, workspaceId, heir, now, until)
  return rows
}

/**
 * As the system: the address of a new owner, and the date until which the workspace doesn't need a plan. Used
 * for the email to them. Undefined if they no longer own the workspace.
 */
export async function ownershipForMail(tx: Tx, workspaceId: string, accountId: string) {
  return tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .innerJoin('users', 'users.id', 'members.account_id')
    .select(['kind', 'email', 'writable_until'])
    .where(sql<boolean>`members.workspace_id = ${workspaceId}::uuid`)
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('deletion_asked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

/**
 * As the system or the person: an account's time zone, for dates that only its person reads. Null until a browser
 * has told it.
 */
export async function readTimeZone(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('profiles')
    .select('time_zone')
    .where('user_id', '=', accountId)
    .executeTakeFirst()
  return row?.time_zone ?? null
}

/** As the system: the region whose way of writing an account's person expects. Null until a browser has told it. */
export async function regionOfAccount(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('profiles')
    .select('region')
    .where('user_id', '=', accountId)
    .executeTakeFirst()
  return row?.region ?? null
}

/**
 * As the system: the region of an email's reader. A side without an account is written to the way the other side
 * writes, which is most likely its own.
 */
export async function regionOfMail(
  tx: Tx,
  { userId, data }: { userId: string | null; data: Record<string, unknown> },
): Promise<string | null> {
  if (userId) return regionOfAccount(tx, userId)
  if (typeof data.link_id !== 'string') return null
  const { rows } = await sql<{ region: string | null }>`
    select coalesce(owner_region(family_id), owner_region(practice_id)) as region
    from connections where id = ${data.link_id}::uuid`.execute(tx)
  return rows[0]?.region ?? null
}

/** As the system: a person's name. Null if they didn't give one or if their account is gone. */
export async function nameOfAccount(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('profiles')
    .select('full_name')
    .where('user_id', '=', accountId)
    .executeTakeFirst()
  return row?.full_name ?? null
}

/** As the system: records that a member has dismissed a workspace's checklist. */
export async function dismissOnboarding(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('members')
    .set({ onboarding_dismissed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

/** As the system: whether an account can become an owner, which disabled and deleted accounts can't. */
export async function isOpenAccount(tx: Tx, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', accountId)
    .where('deletion_asked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** As the system: a workspace's members with their names and addresses, owner first. */
export async function listMembers(tx: Tx, workspaceId: WorkspaceId, me: string): Promise<Member[]> {
  const rows = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.account_id')
    .innerJoin('profiles', 'profiles.user_id', 'members.account_id')
    .select(['users.id', 'role', 'full_name', 'email', 'joined_at'])
    .select(
      sql<
        string[] | null
      >`case when not all_students then array(select s.student_id::text from member_students s
          where s.workspace_id = members.workspace_id and s.account_id = members.account_id order by 1) end`.as(
        'student_ids',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`role = 'owner'`, 'desc')
    .orderBy('joined_at')
    .orderBy('users.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    state: 'member',
    role: row.role,
    name: row.full_name,
    email: row.email,
    is_me: row.id === me,
    student_ids: row.student_ids,
    joined_at: row.joined_at.toISOString(),
    expires_at: null,
  }))
}

type Invitation = Pick<Member, 'id' | 'role' | 'student_ids'> & { email: string; expires_at: Date }

function toInvited({ expires_at, ...invitation }: Invitation): Member {
  const expires = expires_at.toISOString()
  return {
    ...invitation,
    state: 'invited',
    name: null,
    is_me: false,
    joined_at: null,
    expires_at: expires,
  }
}

/** Open invitations to the owner's workspace, oldest first. Empty unless the caller is the owner. */
export async function listInvitations(tx: Tx, workspaceId: WorkspaceId, now: Date): Promise<Member[]> {
  const rows = await tx
    .selectFrom('member_invitations')
    .select(['id', 'email', 'role', 'student_ids', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toInvited)
}

/** Locks the list of members, so that only one transaction at a time can change it. */
export async function lockMembers(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members:${workspaceId}`}, 0))`.execute(tx)
}

/** As the owner: invites an address. If it was already invited, the earlier link stops working. */
export async function insertInvitation(
  tx: Tx,
  workspaceId: WorkspaceId,
  invited: {
    email: string
    emailKey: string
    role: Exclude<MemberRole, 'owner'>
    studentIds: string[] | null
  },
  now: Date,
): Promise<Member> {
  const expires_at = new Date(now.getTime() + INVITATION_DAYS * 86_400_000)
  const row = await tx
    .insertInto('member_invitations')
    .values({
      workspace_id: workspaceId,
      email: invited.email,
      email_key: invited.emailKey,
      role: invited.role,
      student_ids: invited.studentIds,
      expires_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'email_key']).doUpdateSet({
        role: invited.role,
        student_ids: invited.studentIds,
        token_hash: null,
        created_at: now,
        expires_at,
      }),
    )
    .returning(['id', 'email', 'role', 'student_ids', 'expires_at'])
    .executeTakeFirstOrThrow()
  return toInvited(row)
}

/** As the owner: withdraws an invitation. Returns false if there isn't one with this id. */
export async function deleteInvitation(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('member_invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * As the owner: changes a member's role and students. Returns false if the person is the owner or isn't a
 * member.
 * @param studentIds if undefined, the students don't change
 */
export async function changeRole(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: string,
  role: MemberRole,
  studentIds: string[] | null | undefined,
): Promise<boolean> {
  const row = await tx
    .updateTable('members')
    .set({ role, ...(studentIds !== undefined && { all_students: studentIds === null }) })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  if (row && studentIds !== undefined) {
    await tx
      .deleteFrom('member_students')
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .execute()
    await insertMemberStudents(tx, workspaceId, accountId, studentIds ?? [])
  }
  return row !== undefined
}

/** Limits a member to these students. Ignores any that no longer exist. */
async function insertMemberStudents(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: string,
  studentIds: string[],
): Promise<void> {
  if (studentIds.length === 0) return
  await tx
    .insertInto('member_students')
    .columns(['workspace_id', 'account_id', 'student_id'])
    .expression((from) =>
      from
        .selectFrom('students')
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', studentIds)
        .select(['workspace_id', sql<string>`${accountId}::uuid`.as('account_id'), 'id']),
    )
    .execute()
}

/** Whether all of these students belong to the workspace. */
export async function hasStudents(tx: Tx, workspaceId: WorkspaceId, ids: string[]): Promise<boolean> {
  const rows = await tx
    .selectFrom('students')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.length === new Set(ids).size
}

/**
 * Ends a membership. Owners can remove anyone but themselves; other members can only remove themselves.
 * Returns false if nothing changed.
 */
export async function deleteMember(tx: Tx, workspaceId: WorkspaceId, accountId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('members')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row.numDeletedRows > 0n
}

/** As the system: finds an open invitation by its id (for the email), the hash of its token, or its address. */
export async function openInvitation(
  tx: Tx,
  by: { id: string } | { tokenHash: Buffer } | { email: string },
  now: Date,
) {
  const query = tx
    .selectFrom('member_invitations')
    .innerJoin('workspaces', 'workspaces.id', 'member_invitations.workspace_id')
    .innerJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'workspaces.id').on('members.role', '=', 'owner'),
    )
    .innerJoin('users', 'users.id', 'members.account_id')
    .select([
      'member_invitations.id',
      'member_invitations.workspace_id',
      'kind',
      'owner_name',
      'member_invitations.email',
      'member_invitations.email_key',
      'member_invitations.role',
      'student_ids',
      'expires_at',
    ])
    .where('expires_at', '>', now)
    .where('users.deletion_asked_at', 'is', null)
    .where('users.disabled_at', 'is', null)
  if ('id' in by) return query.where('member_invitations.id', '=', by.id).executeTakeFirst()
  if ('email' in by)
    return query.where('member_invitations.email_key', '=', emailKey(by.email)).limit(1).executeTakeFirst()
  return query.where('member_invitations.token_hash', '=', by.tokenHash).executeTakeFirst()
}

type OpenInvitation = NonNullable<Awaited<ReturnType<typeof openInvitation>>>

/** As the system: stores the hash of the token in the latest email for an invitation. */
export async function keepInvitationToken(tx: Tx, id: string, tokenHash: Buffer): Promise<void> {
  await tx.updateTable('member_invitations').set({ token_hash: tokenHash }).where('id', '=', id).execute()
}

/** What the database says when a change would put one person on both sides of a connection (promise T21). */
export const ONE_SIDE = 'one_person_one_side'

/** As the system: whether an account would be on both sides of a connection if it had this address too. */
export async function isOnBothSides(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select is_on_both_sides(${accountId}::uuid, ${emailKey(email)}) as is`.execute(tx)
  return rows[0]?.is ?? false
}

/**
 * As the system: accepts an invitation. Each invitation works only once; returns false if it was used or
 * withdrawn. Existing members keep their role. Throws ONE_SIDE if the account is on the other side of one of
 * the workspace's connections.
 */
export async function useInvitation(tx: Tx, invitation: OpenInvitation, accountId: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('member_invitations')
    .where('id', '=', invitation.id)
    .returning('id')
    .executeTakeFirst()
  if (!used) return false
  const { workspace_id: workspaceId, role, student_ids: studentIds } = invitation
  const joined = await tx
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id: accountId, role, all_students: studentIds === null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  if (joined && studentIds) await insertMemberStudents(tx, workspaceId, accountId, studentIds)
  return true
}

/** As the system: deletes invitations that expired before the given time, along with their addresses. */
export async function forgetInvitations(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('member_invitations').where('expires_at', '<', before).execute()
}
