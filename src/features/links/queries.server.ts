// SQL of the links between families and tutors, from either side.
import { sql } from 'kysely'
import { plainName } from '#kernel/plain-name.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { type Family, type Link, TOKEN_DAYS, UNANSWERED_DAYS } from './link.ts'

const COLUMNS = ['id', 'tutor_id', 'state', 'email', 'created_at', 'ended_by', 'version'] as const

function toLink({ created_at, ...row }: Omit<Link, 'asked_at'> & { created_at: Date }): Link {
  return { ...row, asked_at: created_at.toISOString() }
}

/** The newest link of each of the family's tutors. */
export async function listLinks(tx: Tx, workspaceId: WorkspaceId): Promise<Link[]> {
  const rows = await tx
    .selectFrom('tutor_links')
    .select(COLUMNS)
    .distinctOn('tutor_id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('tutor_id')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toLink)
}

/** The address on a tutor's record; null where there is none, undefined when the family has no such tutor. */
export async function addressOfTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
): Promise<string | null | undefined> {
  return (
    await tx
      .selectFrom('tutors')
      .select('email')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', tutorId)
      .where('is_self', '=', false)
      .executeTakeFirst()
  )?.email
}

/** Asks; undefined when this tutor has an open link already. */
export async function insertLink(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
  email: string,
  emailKey: string,
): Promise<Link | undefined> {
  const row = await tx
    .insertInto('tutor_links')
    .values({ workspace_id: workspaceId, tutor_id: tutorId, email, email_key: emailKey })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'tutor_id']).where('state', 'in', ['asked', 'active']).doNothing(),
    )
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toLink(row)
}

/** Ends a family's open link, and asks for the email to a tutor who had accepted it; false when there is none of this id. */
export async function endLink(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('tutor_links')
    .set({
      state: 'ended',
      ended_by: 'family',
      ended_at: sql`now()`,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', ['asked', 'active'])
    .returning('tutor_user_id')
    .executeTakeFirst()
  if (row?.tutor_user_id) await queueNews(tx, row.tutor_user_id, { link_id: id, news: 'ended' })
  return row !== undefined
}

/** What a mail says of a connection. */
export type LinkNews = 'accepted' | 'declined' | 'ended'

function queueNews(tx: Tx, userId: string, data: { link_id: string; news: LinkNews }): Promise<void> {
  return queueMail(tx, { userId, recipient: '', kind: 'connection_changed', data })
}

function families(tx: Tx) {
  return tx
    .selectFrom('tutor_links')
    .leftJoin('workspaces', 'workspaces.id', 'tutor_links.workspace_id')
    .where('state', 'in', ['asked', 'active'])
    .select(['tutor_links.id', 'owner_name', 'tutor_links.created_at'])
    .select([
      // Answered from a mail, the link still waits for the account of that address.
      sql<
        Family['state']
      >`case when tutor_user_id is null and app_link() is null then 'asked' else state end`.as('state'),
      sql<number>`tutor_links.version`.as('version'),
      sql<boolean>`closed_at is not null`.as('is_read_only'),
      sql<
        string[]
      >`array(select f.student_id from family_students f where f.link_id = tutor_links.id order by 1)`.as(
        'student_ids',
      ),
    ])
}

function toFamily({
  owner_name: name,
  created_at,
  ...row
}: {
  id: string
  owner_name: string | null
  state: Family['state']
  created_at: Date
  student_ids: string[]
  is_read_only: boolean
  version: number
}): Family {
  return { ...row, name: plainName(name, '') || null, asked_at: created_at.toISOString() }
}

/** As the tutor's side: the families that asked or are linked, those that ask first. */
export async function listFamilies(tx: Tx): Promise<Family[]> {
  return (
    await families(tx)
      .orderBy(sql`tutor_user_id is not null`)
      .orderBy('tutor_links.created_at')
      .execute()
  ).map(toFamily)
}

/** As the tutor's side: one such family. */
export async function readFamily(tx: Tx, id: string): Promise<Family | undefined> {
  const row = await families(tx).where('tutor_links.id', '=', id).executeTakeFirst()
  return row && toFamily(row)
}

/** As the tutor's side: the two whom an open link ties together. */
export async function partiesOfLink(
  tx: Tx,
  id: string,
): Promise<{ workspace_id: WorkspaceId; tutor_id: string } | undefined> {
  return tx
    .selectFrom('tutor_links')
    .select(['workspace_id', 'tutor_id'])
    .where('id', '=', id)
    .where('state', 'in', ['asked', 'active'])
    .executeTakeFirst()
}

/** As the tutor's side: says which of the tutor's own students belong to a family. Throws where one is not the tutor's own. */
export async function setFamilyStudents(
  tx: Tx,
  workspaceId: WorkspaceId,
  linkId: string,
  studentIds: string[],
): Promise<void> {
  await tx.deleteFrom('family_students').where('link_id', '=', linkId).execute()
  if (studentIds.length === 0) return
  await tx
    .insertInto('family_students')
    .values(studentIds.map((id) => ({ workspace_id: workspaceId, student_id: id, link_id: linkId })))
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'student_id']).doUpdateSet({ link_id: linkId }),
    )
    .execute()
}

/**
 * As the tutor's side: answers or ends a link, and asks for the email to the family; false when it is not open, or not the tutor's.
 * @param practice the workspace that answers, if any
 */
export async function answerLink(
  tx: Tx,
  id: string,
  state: 'active' | 'declined' | 'ended',
  practice: WorkspaceId | null,
): Promise<boolean> {
  const isOver = state !== 'active'
  const before = await tx
    .selectFrom('tutor_links')
    .select(['workspace_id', 'state'])
    .where('id', '=', id)
    .executeTakeFirst()
  const row = await tx
    .updateTable('tutor_links')
    .set({
      state,
      tutor_user_id: practice,
      ended_by: isOver ? 'tutor' : null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
      answered_at: sql`coalesce(answered_at, now())`,
      ended_at: isOver ? sql`now()` : null,
    })
    .where('id', '=', id)
    .where('state', 'in', state === 'ended' || practice ? ['asked', 'active'] : ['asked'])
    .where((where) => (state === 'ended' ? where.val(true) : where('tutor_user_id', 'is', null)))
    .returning('id')
    .executeTakeFirst()
  // Accepted from the email and then by the account of that address is accepted once.
  if (row && before && before.state !== state)
    await queueNews(tx, before.workspace_id, { link_id: id, news: newsOf(before.state, state) })
  return row !== undefined
}

function newsOf(before: string, state: 'active' | 'declined' | 'ended'): LinkNews {
  if (state === 'active') return 'accepted'
  return before === 'asked' ? 'declined' : 'ended'
}

/** The two sides of a link in any state, for a mail about it: the family's name and address, and the tutor as the family calls them. */
export async function partiesForMail(tx: Tx, linkId: string) {
  return tx
    .selectFrom('tutor_links')
    .innerJoin('users', 'users.id', 'tutor_links.workspace_id')
    .innerJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'tutor_links.workspace_id')
        .onRef('tutors.id', '=', 'tutor_links.tutor_id'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'tutor_links.workspace_id')
    .select([
      'tutor_links.workspace_id',
      'state',
      'tutors.name as tutor_name',
      'owner_name as full_name',
      'users.email as family_email',
    ])
    .where('tutor_links.id', '=', linkId)
    .executeTakeFirst()
}

/** As the system: the links that are open, with an account open on the side that asked and, where there is one, on the tutor's. */
function openLinks(tx: Tx) {
  return tx
    .selectFrom('tutor_links')
    .leftJoin('users as tutor_account', 'tutor_account.id', 'tutor_links.tutor_user_id')
    .where('state', 'in', ['asked', 'active'])
    .where('closed_at', 'is', null)
    .where('tutor_account.deletion_asked_at', 'is', null)
    .where('tutor_account.disabled_at', 'is', null)
}

/** What a mail about a link needs, while the link is open: who asks, at which address, and whether the tutor has an account. */
export async function linkForMail(tx: Tx, linkId: string) {
  return openLinks(tx)
    .innerJoin('users', 'users.id', 'tutor_links.workspace_id')
    .innerJoin('workspaces', 'workspaces.id', 'tutor_links.workspace_id')
    .select([
      'tutor_links.workspace_id',
      'tutor_links.tutor_id',
      'tutor_links.email',
      'state',
      'tutor_user_id',
      'owner_name as full_name',
      'users.email as family_email',
      'currency',
    ])
    .where('tutor_links.id', '=', linkId)
    .executeTakeFirst()
}

/** Keeps the hash of a mailed link's token. */
export async function insertLinkToken(
  tx: Tx,
  workspaceId: WorkspaceId,
  linkId: string,
  hash: Buffer,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('link_tokens')
    .values({
      workspace_id: workspaceId,
      link_id: linkId,
      token_hash: hash,
      expires_at: new Date(now.getTime() + TOKEN_DAYS * 86_400_000),
    })
    .execute()
}

/** The open link behind a mailed token that holds at this moment. */
export async function linkOfToken(
  tx: Tx,
  hash: Buffer,
  now: Date,
): Promise<{ id: string; email: string | null } | undefined> {
  return openLinks(tx)
    .innerJoin('link_tokens', (join) =>
      join
        .onRef('tutor_links.workspace_id', '=', 'link_tokens.workspace_id')
        .onRef('tutor_links.id', '=', 'link_tokens.link_id'),
    )
    .select(['tutor_links.id', 'tutor_links.email'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Forgets the addresses of tutors who never answered, and mailed links that are over. Run once a day (promise P9). */
export async function forgetUnanswered(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNANSWERED_DAYS * 86_400_000)
  await tx
    .updateTable('tutor_links')
    .set({ state: 'ended', ended_at: now, email: null, email_key: null })
    .where('state', '=', 'asked')
    .where('created_at', '<', before)
    .execute()
  await tx
    .updateTable('tutor_links')
    .set({ email: null, email_key: null })
    .where('state', 'in', ['declined', 'ended'])
    .where('email', 'is not', null)
    .where('ended_at', '<', before)
    .execute()
  await tx.deleteFrom('link_tokens').where('expires_at', '<', now).execute()
}
