// SQL of the proposals. As the system, which reads both sides without notes, and always by the family's own active links.
import { sql } from 'kysely'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Proposed } from './proposal.ts'

/** More than a tutor logs between two looks; older ones come up as these are answered. */
const MOST = 100

/** Every proposal s that waits for the answer of the family l.workspace_id; ends within its conditions, so that more may follow. */
export const PROPOSED = sql`
    from tutor_links l
      join family_students f on f.link_id = l.id and f.workspace_id = l.tutor_user_id
      join sessions s on s.workspace_id = f.workspace_id and s.student_id = f.student_id
      join students st on st.workspace_id = f.workspace_id and st.id = f.student_id
      join tutors t on t.workspace_id = l.workspace_id and t.id = l.tutor_id
      join workspaces w on w.id = l.workspace_id
      join users tutor on tutor.id = l.tutor_user_id and tutor.deletion_asked_at is null and tutor.disabled_at is null
    where l.state = 'active'
      and not exists (select from sessions own where own.workspace_id = l.workspace_id and own.proposed_id = s.id)
      and not exists (select from declined_proposals d where d.workspace_id = l.workspace_id and d.proposed_id = s.id and d.version >= s.version)`

/** What linked tutors logged for a family and the family has not answered, newest first. */
export async function listProposed(tx: Tx, familyId: string): Promise<Proposed[]> {
  const { rows } = await sql<{
    id: string
    version: number
    tutor_id: string
    tutor_name: string
    student_first_name: string
    date: string
    minutes: Minutes
    rate: Cents | null
    total: Cents | null
    currency: Currency
    subject: string | null
  }>`
    select s.id, s.version, l.tutor_id, t.name as tutor_name, st.first_name as student_first_name, s.day as date, s.minutes, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate, s.total_cents as total, w.currency, s.subject
    ${PROPOSED} and l.workspace_id = ${familyId}::uuid
    order by s.day desc, s.id limit ${MOST}`.execute(tx)
  return rows.map(({ minutes, rate, total, ...row }) => ({
    ...row,
    duration: hours(minutes),
    rate: rate === null ? null : dollars(rate),
    total_amount: total === null ? null : dollars(total),
  }))
}

/** As the family: the own session that took a proposal over, if one did. */
export async function sessionOfProposal(
  tx: Tx,
  workspaceId: WorkspaceId,
  proposedId: string,
): Promise<string | undefined> {
  return (
    await tx
      .selectFrom('sessions')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('proposed_id', '=', proposedId)
      .executeTakeFirst()
  )?.id
}

/** As the family: puts one version of a proposal aside. */
export async function insertDeclined(
  tx: Tx,
  workspaceId: WorkspaceId,
  proposedId: string,
  version: number,
): Promise<void> {
  await tx
    .insertInto('declined_proposals')
    .values({ workspace_id: workspaceId, proposed_id: proposedId, version })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'proposed_id']).doUpdateSet({ version }))
    .execute()
}
