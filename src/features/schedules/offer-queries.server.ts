// SQL for making one schedule of both sides' own ones. The database checks on whose behalf, and that nothing changed meanwhile.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { ScheduleOffer } from './offer.ts'
import { type ProposedRule, shownRule } from './queries.server.ts'

interface OfferRow {
  state: ScheduleOffer['state']
  own_id: string | null
  connection_id: string
  student_id: string | null
  student_name: string | null
  tutor_id: string | null
  tutor_name: string | null
  other_id: string | null
  other_version: number | null
  other_rule: ProposedRule | null
  other_subject: string | null
}

/** What can become one schedule, in the order of the students' names. */
export async function listScheduleOffers(
  tx: Tx,
  workspaceId: WorkspaceId,
  today: CalendarDay,
): Promise<ScheduleOffer[]> {
  const { rows } = await sql<OfferRow>`select o.*, students.name as student_name, tutors.name as tutor_name
    from list_schedule_offers(${today}::date) o
    left join students on students.workspace_id = ${workspaceId} and students.id = o.student_id
    left join tutors on tutors.workspace_id = ${workspaceId} and tutors.id = o.tutor_id
    order by students.name ${ALPHABETICAL}, o.other_id, o.own_id`.execute(tx)
  return rows.map(
    ({ own_id, other_id: id, other_version: version, other_rule: rule, other_subject, ...row }) => ({
      ...row,
      schedule_id: own_id,
      other:
        id !== null && version !== null && rule !== null
          ? { id, version, subject: other_subject, rule: shownRule(rule) }
          : null,
    }),
  )
}

type Offered = 'asked' | 'joined' | 'changed' | 'not_connected' | 'asked_already'

/** Offers a schedule to the other side. Null if this side doesn't have it. */
export async function offerSchedule(
  tx: Tx,
  id: string,
  seen: number | undefined,
  today: CalendarDay,
): Promise<Offered | null> {
  const { rows } = await sql<{ outcome: Offered | null }>`
    select offer_schedule(${id}::uuid, ${seen ?? null}::integer, ${today}::date) as outcome`.execute(tx)
  return rows[0]?.outcome ?? null
}

/** Takes an offer back, or keeps a schedule this side's own. Returns false if this side doesn't have it. */
export async function keepScheduleApart(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{
    kept: boolean | null
  }>`select keep_schedule_apart(${id}::uuid) as kept`.execute(tx)
  return rows[0]?.kept ?? false
}

type Answered = 'joined' | 'kept' | 'changed'

/** Answers an offer of the other side. Null if there's no such offer. */
export async function answerScheduleOffer(
  tx: Tx,
  id: string,
  { version, joins }: { version: number; joins: boolean },
  today: CalendarDay,
): Promise<Answered | null> {
  const { rows } = await sql<{ outcome: Answered | null }>`
    select answer_schedule_offer(${id}::uuid, ${version}::integer, ${joins}, ${today}::date) as outcome`.execute(
    tx,
  )
  return rows[0]?.outcome ?? null
}
