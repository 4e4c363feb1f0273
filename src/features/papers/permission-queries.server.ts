// SQL for papers that a family makes in a tutor's name: whether the tutor allows it, and issuing one.
import { sql } from 'kysely'
import type { Caller, MemberCaller } from '#features/access/admission.server.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { copyForProvider, type PaperContent } from './content.ts'
import type { Permission } from './permission.ts'
import { NO_PROVIDER, type ProviderDetails } from './provider.ts'

/** What the tutors of these connections allow. A link has one connection. */
export async function readPermissions(caller: Caller): Promise<Permission[]> {
  const { tx, workspace, side, isLink } = caller
  if (side === 'family') {
    const { rows } = await sql<Permission>`
      select c.id as connection_id, c.tutor_id, coalesce(t.name, ${UNKNOWN_TUTOR}) as other_name, c.papers_allowed_at is not null as is_allowed
      from connections c left join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
      where c.family_id = ${workspace}::uuid and c.state = 'active' and c.practice_closed_at is null order by t.name ${ALPHABETICAL}, c.id`.execute(
      tx,
    )
    return rows
  }
  const which = isLink
    ? sql`c.id = ${workspace}::uuid and c.state in ('asked', 'active')`
    : sql`c.practice_id = ${workspace}::uuid and c.state = 'active' and c.family_closed_at is null`
  const { rows } = await sql<Permission & { family: string | null; first_names: string[] }>`
    select c.id as connection_id, c.papers_allowed_at is not null as is_allowed, w.owner_name as family,
      array(select p.first_name from connection_people p where p.connection_id = c.id order by p.first_name ${ALPHABETICAL}) as first_names
    from connections c left join workspaces w on w.id = c.family_id where ${which} order by w.owner_name ${ALPHABETICAL}, c.id`.execute(
    tx,
  )
  return rows.map(({ family, first_names: firstNames, ...permission }) => ({
    ...permission,
    tutor_id: null,
    other_name: familyOf(family, firstNames),
  }))
}

/** What a tutor without an account typed for receipts; null if nothing yet. Read as the tutor's link. */
export async function readTypedDetails(tx: Tx, connectionId: string): Promise<ProviderDetails | null> {
  const row = await tx
    .selectFrom('connections')
    .select('paper_details')
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return (row?.paper_details ?? null) as ProviderDetails | null
}

/** False if the caller isn't the tutor's side of this connection. */
export async function allowPapers(
  { tx, now }: Caller,
  connectionId: string,
  isAllowed: boolean,
  details: ProviderDetails | undefined,
): Promise<boolean> {
  const text = details ? JSON.stringify(details) : null
  const { rows } = await sql<{ done: boolean }>`
    select allow_papers(${connectionId}::uuid, ${isAllowed}, ${text}::jsonb, ${now}::timestamptz) as done`.execute(
    tx,
  )
  return rows[0]?.done ?? false
}

/** The connection with a family's tutor, if there's one, and the provider's details if the tutor allows papers. */
export async function readAllowance(
  { tx, workspace }: MemberCaller,
  tutorId: string,
): Promise<{ connection: string | null; provider: ProviderDetails | null }> {
  const { rows } = await sql<{ connection: string; provider: Partial<ProviderDetails> | null }>`
    select c.id as connection, allowed_provider(c.id) as provider from connections c
    where c.family_id = ${workspace}::uuid and c.tutor_id = ${tutorId}::uuid and c.state = 'active'`.execute(
    tx,
  )
  const [found] = rows
  return {
    connection: found?.connection ?? null,
    provider: found?.provider ? { ...NO_PROVIDER, ...found.provider } : null,
  }
}

interface FamilyPaper {
  id: string
  connection: string
  studentId: string
  code: string
  content: PaperContent
  replaces: string | null
}

/** Issues a paper in the tutor's name. The practice, if there's one, gets a copy without what the family typed. */
export async function issueInName({ tx, now }: MemberCaller, paper: FamilyPaper): Promise<void> {
  const { content } = paper
  const row = JSON.stringify({
    id: paper.id,
    student_id: paper.studentId,
    kind: content.kind,
    program: content.program,
    issued_on: content.issued_on,
    code: paper.code,
    content,
    entries: [...content.lessons, ...content.charges].map(({ id }) => id),
    replaces: paper.replaces,
  })
  const copy = JSON.stringify(copyForProvider(content))
  await sql`select issue_family_paper(${paper.connection}::uuid, ${row}::jsonb, ${copy}::jsonb, ${now}::timestamptz)`.execute(
    tx,
  )
}
