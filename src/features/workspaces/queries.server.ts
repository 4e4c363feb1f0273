// SQL of the workspaces, their members and the invitations.
import { sql } from 'kysely'
import type { Currency } from '#kernel/currency.ts'
import type { MemberRole } from '#kernel/endpoint.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { INVITATION_DAYS, type Kind, type Member } from './workspace.ts'

/**
 * As the system: gives an account the first workspace of its own, with the account as its owner; nothing where it has one.
 * It takes the account's id, as the workspaces of earlier accounts did.
 */
export async function insertFirstWorkspace(tx: Tx, accountId: string, kind: Kind): Promise<void> {
  const row = await tx
    .insertInto('workspaces')
    .columns(['id', 'kind', 'owner_name'])
    .expression((from) =>
      from
        .selectFrom('profiles')
        .where('user_id', '=', accountId)
        .select(['user_id', sql<Kind>`${kind}`.as('kind'), 'full_name']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await tx
    .insertInto('members')
    .values({ workspace_id: accountId, account_id: accountId, role: 'owner' })
    .execute()
  if (kind === 'practice') await insertOwnTutor(tx, row.id)
}

/** As the system: the first workspace of an account is of this kind from now on, and made where there is none. */
export async function makeFirstWorkspace(tx: Tx, accountId: string, kind: Kind): Promise<void> {
  await insertFirstWorkspace(tx, accountId, kind)
  const row = await tx
    .updateTable('workspaces')
    .set({ kind })
    .where('id', '=', accountId as WorkspaceId)
    .where('kind', '<>', kind)
    .returning('id')
    .executeTakeFirst()
  if (row && kind === 'practice') await insertOwnTutor(tx, row.id)
}

/** Gives a workspace the tutor that a tutor's own forms need, shown as 'You' (decisions, section 2); nothing where it has one. */
export async function insertOwnTutor(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .insertInto('tutors')
    .values({ workspace_id: workspaceId, name: 'You', is_self: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The workspaces of an account, the one it has been in longest first. */
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

/** The currency of a workspace's amounts. */
export async function readCurrency(tx: Tx, workspaceId: WorkspaceId): Promise<Currency> {
  const row = await tx
    .selectFrom('workspaces')
    .select('currency')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return row.currency
}

/** Sets the currency of a workspace's amounts; false for a member who may not. */
export async function setCurrency(tx: Tx, workspaceId: WorkspaceId, currency: Currency): Promise<boolean> {
  const row = await tx
    .updateTable('workspaces')
    .set({ currency })
    .where('id', '=', workspaceId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** For jobs: the workspace of an account's own; undefined where it has none. */
export async function ownWorkspace(tx: Tx, accountId: string): Promise<WorkspaceId | undefined> {
  return (await listWorkspaces(tx, accountId)).find(({ role }) => role === 'owner')?.id
}

/** As the system: the members of a workspace, the owner first, with their names and addresses. */
export async function listMembers(tx: Tx, workspaceId: WorkspaceId, me: string): Promise<Member[]> {
  const rows = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.account_id')
    .innerJoin('profiles', 'profiles.user_id', 'members.account_id')
    .select(['users.id', 'role', 'full_name', 'email', 'joined_at'])
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
    joined_at: row.joined_at.toISOString(),
    expires_at: null,
  }))
}

/** As the system: whether somebody is a member of both workspaces, who could then speak for two sides. */
export async function shareMember(tx: Tx, one: WorkspaceId, other: WorkspaceId): Promise<boolean> {
  const row = await tx
    .selectFrom('members as a')
    .innerJoin('members as b', 'b.account_id', 'a.account_id')
    .select('a.account_id')
    .where('a.workspace_id', '=', one)
    .where('b.workspace_id', '=', other)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Invitation = { id: string; email: string; role: MemberRole; expires_at: Date }

function toInvited({ id, email, role, expires_at }: Invitation): Member {
  const expires = expires_at.toISOString()
  return { id, state: 'invited', role, name: null, email, is_me: false, joined_at: null, expires_at: expires }
}

/** The invitations of the owner's workspace that still work, the oldest first; none for anybody else. */
export async function listInvitations(tx: Tx, workspaceId: WorkspaceId, now: Date): Promise<Member[]> {
  const rows = await tx
    .selectFrom('member_invitations')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toInvited)
}

/** Lets one transaction at a time change who belongs to a workspace. */
export async function lockMembers(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members:${workspaceId}`}, 0))`.execute(tx)
}

/** As the owner: invites an address, or invites it anew; the link of the email before works no more. */
export async function insertInvitation(
  tx: Tx,
  workspaceId: WorkspaceId,
  invited: { email: string; emailKey: string; role: Exclude<MemberRole, 'owner'> },
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
      expires_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'email_key'])
        .doUpdateSet({ role: invited.role, token_hash: null, created_at: now, expires_at }),
    )
    .returning(['id', 'email', 'role', 'expires_at'])
    .executeTakeFirstOrThrow()
  return toInvited(row)
}

/** As the owner: takes an invitation back; false where there is none of this id. */
export async function deleteInvitation(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('member_invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** As the owner: gives a member another role; false for whoever is none, or the owner. */
export async function changeRole(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: string,
  role: MemberRole,
): Promise<boolean> {
  const row = await tx
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a membership: the owner anybody's but the own, everybody else their own; false where nothing ended. */
export async function deleteMember(tx: Tx, workspaceId: WorkspaceId, accountId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('members')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row.numDeletedRows > 0n
}

/** As the system: an invitation that works at this moment, by its id for the email, or by the hash of its token. */
export async function openInvitation(tx: Tx, by: { id: string } | { tokenHash: Buffer }, now: Date) {
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
      'expires_at',
    ])
    .where('expires_at', '>', now)
    .where('users.deletion_asked_at', 'is', null)
    .where('users.disabled_at', 'is', null)
  return (
    'id' in by
      ? query.where('member_invitations.id', '=', by.id)
      : query.where('member_invitations.token_hash', '=', by.tokenHash)
  ).executeTakeFirst()
}

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof openInvitation>>>

/** As the system: keeps the hash of the token that the newest email of an invitation carries. */
export async function keepInvitationToken(tx: Tx, id: string, tokenHash: Buffer): Promise<void> {
  await tx.updateTable('member_invitations').set({ token_hash: tokenHash }).where('id', '=', id).execute()
}

/** As the system: whether an account keeps a workspace, or has an address, that a connection ties to the other side of this one. */
export async function isOnOtherSide(tx: Tx, workspaceId: WorkspaceId, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from connections c where c.state in ('asked', 'active') and (
      (c.family_id = ${workspaceId}::uuid and (c.practice_id in (select m.workspace_id from members m where m.account_id = ${accountId}::uuid)
        or (c.practice_id is null and c.email_key = (select u.email_key from users u where u.id = ${accountId}::uuid))))
      or (c.practice_id = ${workspaceId}::uuid and c.family_id in (select m.workspace_id from members m where m.account_id = ${accountId}::uuid)))
    limit 1`.execute(tx)
  return rows.length > 0
}

/** As the system: takes an invitation, once. False when it was used or taken back meanwhile; somebody who is a member already stays what they are. */
export async function useInvitation(tx: Tx, invitation: OpenInvitation, accountId: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('member_invitations')
    .where('id', '=', invitation.id)
    .returning('id')
    .executeTakeFirst()
  if (!used) return false
  await tx
    .insertInto('members')
    .values({ workspace_id: invitation.workspace_id, account_id: accountId, role: invitation.role })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** As the system: forgets the invitations that ended before a moment, and with them the addresses in them. */
export async function forgetInvitations(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('member_invitations').where('expires_at', '<', before).execute()
}
