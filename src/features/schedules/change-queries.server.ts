// SQL for one class that's canceled or moved, for those that didn't take place, and what the other side is asked about them.
import { sql } from 'kysely'
import type { MemberCaller } from '#features/access/admission.server.ts'
import { holdSharing, type LockedEntry, type OwnChanges } from '#features/agreements/queries.server.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import type { Change, ClassQuestion, MovedClass } from './occurrence.ts'
import type { HeldPlace } from './holding.ts'
import type { MissedFacts } from './missed.server.ts'
import type { MissedClass } from './outcome.ts'
import { yoursOf } from './zones.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'

/** A changed class as the commands see it while it's locked. */
export type LockedChange = LockedEntry & {
  id: string
  moved_to: CalendarDay | null
  /** HH:MM:SS. */
  start_time: string | null
  /** Whether the move counts. In a shared schedule it does once both sides agree. */
  holds: boolean
  outcome: Outcome | null
}

const COLUMNS = [
  'id',
  'moved_to',
  'start_time',
  'holds',
  'outcome',
  'key',
  'connection_id',
  'facts_version',
  'own_says',
  'own_answer_note',
  'own_proposal',
  'other_says',
  'other_proposal',
  'waits_for_you',
  'other_took_part',
  'deletion_by',
  'is_read_only',
  'own_version as version',
] as const

/** Locks classes in an order that's the same for everyone, before the first of them changes. */
export async function lockClasses(
  tx: Tx,
  classes: readonly { schedule_id: string; date: CalendarDay }[],
): Promise<void> {
  await holdSharing(tx)
  const keys = classes.map(({ schedule_id: id, date }) => classKey(id, date)).sort()
  await sql`
    select pg_advisory_xact_lock(hashtextextended(k.key, 0))
    from (select key from unnest(${keys}::text[]) with ordinality as one (key, at) order by at) k`.execute(tx)
}

const classKey = (scheduleId: string, day: CalendarDay) => `class:${scheduleId}:${day}`

/** What's stored about one class. Nothing else says anything about it until the transaction ends. */
export async function lockChangeOf(
  tx: Tx,
  workspaceId: WorkspaceId,
  scheduleId: string,
  day: CalendarDay,
): Promise<LockedChange | undefined> {
  await holdSharing(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${classKey(scheduleId, day)}, 0))`.execute(tx)
  const row = await tx
    .selectFrom('schedule_changes')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('schedule_id', '=', scheduleId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row && lockChange(tx, workspaceId, row.id)
}

export async function lockChange(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedChange | undefined> {
  const own = tx.selectFrom('schedule_changes').where('workspace_id', '=', workspaceId).where('id', '=', id)
  await own.select('key').forUpdate().execute()
  return (await own.select(COLUMNS).executeTakeFirst()) as LockedChange | undefined
}

export async function readChange(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom('schedule_changes')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Moves one class, says how it ended, or puts it back. In a shared schedule, this asks the other side to agree to a move. The
 * row stays when a class is planned again, so that its version only ever rises.
 */
export async function saveChange(
  tx: Tx,
  workspaceId: WorkspaceId,
  { schedule_id, day }: Pick<Change, 'schedule_id' | 'day'>,
  to: Pick<Change, 'moved_to' | 'start_time'> | Pick<Change, 'outcome' | 'outcome_by' | 'outcome_at'>,
): Promise<void> {
  await tx
    .insertInto('schedule_changes')
    .values({ workspace_id: workspaceId, schedule_id, day, ...to })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'schedule_id', 'day']).doUpdateSet({
        ...to,
        version: sql`schedule_changes.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute()
}

export async function updateChange(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  changes: OwnChanges & Partial<Pick<Change, 'moved_to' | 'start_time'>>,
): Promise<void> {
  await tx
    .updateTable('schedule_changes')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteChange(tx: Tx, workspaceId: RecordsId, id: string): Promise<void> {
  await tx
    .deleteFrom('schedule_changes')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

const openChanges = fixed((tx, { workspaceId }: { workspaceId: WorkspaceId }) =>
  tx
    .selectFrom('schedule_changes')
    .select(['schedule_id', 'day', 'moved_to', 'start_time', 'waits_for_you'])
    .select(['own_proposal', 'other_proposal'])
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', 'is not', null)
    .where('asked_since', 'is not', null)
    .orderBy('day')
    .orderBy('schedule_id')
    .compile(),
)

const toldChanges = fixed((tx, { workspaceId }: { workspaceId: WorkspaceId }) =>
  tx
    .selectFrom('schedule_changes')
    .select(['schedule_id', 'day', 'own_proposal'])
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', 'is not', null)
    .where('own_says', '=', 'disputed')
    .where('asked_since', 'is', null)
    .compile(),
)

/** Where this side wanted classes to be that the other side left where they are. The proposer is told until it says OK. */
async function listDeclined(tx: Tx, workspaceId: WorkspaceId) {
  const rows = await toldChanges(tx, { workspaceId })
  return rows.flatMap(({ schedule_id, day, own_proposal: proposal }) => {
    if (proposal === null) return []
    const { moved_to: date, start_time: time } = proposal as {
      moved_to: string | null
      start_time: string | null
    }
    return [
      { schedule_id, original_date: day, date, start_time: time?.slice(0, 5) ?? null, is_declined: true },
    ]
  })
}

/** What the other side asks this one about single classes, and what it declined, in the order of their days. */
export async function listMovedClasses(
  tx: Tx,
  { workspaceId, accountId }: { workspaceId: WorkspaceId; accountId: string },
): Promise<MovedClass[]> {
  const [asked, declined] = await Promise.all([
    listClassQuestions(tx, workspaceId),
    listDeclined(tx, workspaceId),
  ])
  const questions = [
    ...asked.filter(({ by }) => by === 'other').map((one) => ({ ...one, is_declined: false })),
    ...declined,
  ].sort((a, b) => a.original_date.localeCompare(b.original_date))
  if (questions.length === 0) return []
  const reader = await readTimeZone(tx, accountId)
  const rows = await tx
    .selectFrom('schedule_changes')
    .innerJoin('schedules', (join) =>
      join
        .onRef('schedules.workspace_id', '=', 'schedule_changes.workspace_id')
        .onRef('schedules.id', '=', 'schedule_changes.schedule_id'),
    )
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'schedules.workspace_id')
        .onRef('students.id', '=', 'schedules.student_id'),
    )
    .leftJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'schedules.workspace_id')
        .onRef('tutors.id', '=', 'schedules.tutor_id'),
    )
    .select(['schedule_changes.schedule_id', 'schedule_changes.day', 'moved_to', 'holds', 'outcome'])
    .select(['schedule_changes.start_time', 'schedules.start_time as usual_time', 'time_zone'])
    .select(['students.name as student_name', 'tutors.name as tutor_name'])
    .where('schedule_changes.workspace_id', '=', workspaceId)
    .where(({ or, eb }) =>
      or(
        questions.map((one) =>
          eb.and([
            eb('schedule_changes.schedule_id', '=', one.schedule_id),
            eb('schedule_changes.day', '=', one.original_date),
          ]),
        ),
      ),
    )
    .execute()
  return questions.flatMap(({ schedule_id, original_date, date, start_time, is_declined }) => {
    const row = rows.find((one) => one.schedule_id === schedule_id && one.day === original_date)
    if (!row) return []
    const placed = (day: string, time: string) => {
      const place = { date: day, start_time: time }
      return { ...place, yours: yoursOf(reader, row.time_zone, place) }
    }
    const at =
      row.holds && row.moved_to && row.start_time
        ? { date: row.moved_to, time: row.start_time }
        : { date: row.day, time: row.usual_time }
    return [
      {
        schedule_id,
        student_name: row.student_name,
        tutor_name: row.tutor_name,
        original_date,
        is_declined,
        now: row.outcome ? null : placed(at.date, at.time.slice(0, 5)),
        proposed: date && start_time ? placed(date, start_time) : null,
      },
    ]
  })
}

/** Where one side would like a class of a shared schedule to be, as long as the other side has a say in it. */
export async function listClassQuestions(tx: Tx, workspaceId: WorkspaceId): Promise<ClassQuestion[]> {
  const rows = await openChanges(tx, { workspaceId })
  return rows.flatMap((row) => {
    const by = row.waits_for_you ? ('other' as const) : ('you' as const)
    const proposal = by === 'other' ? row.other_proposal : row.own_proposal
    const place = (proposal ?? row) as { moved_to: string | null; start_time: string | null }
    const { moved_to: date, start_time: time } = place
    return [
      {
        schedule_id: row.schedule_id,
        original_date: row.day,
        by,
        date,
        start_time: time?.slice(0, 5) ?? null,
      },
    ]
  })
}

/** The classes between two days that didn't take place, newest first, with what they cost. */
export async function listMissed(
  { tx, workspace, seesAmounts }: MemberCaller,
  from: CalendarDay,
  to: CalendarDay,
): Promise<MissedClass[]> {
  const rows = await missedBetween(tx, { workspaceId: workspace, from, to })
  const isCharged = seesAmounts && rows.some(({ because }) => because !== null)
  const charges = isCharged ? await chargesOfClasses(tx, { workspaceId: workspace }) : []
  return rows.map(({ minutes, start_time: start, ...row }) => ({
    ...row,
    start_time: start.slice(0, 5),
    duration: hours(minutes as Minutes),
    charge: chargeOf(charges, { schedule_id: row.schedule_id, day: row.original_date }),
  }))
}

type ClassOf = Pick<Change, 'schedule_id' | 'day'>

const chargesOfClasses = fixed((tx, { workspaceId }: { workspaceId: WorkspaceId }) =>
  tx
    .selectFrom('charges')
    .select(['id', 'schedule_id', 'class_day', 'amount_cents', 'currency', 'own_says', 'other_says'])
    .select('own_version')
    .where('workspace_id', '=', workspaceId)
    .where('class_day', 'is not', null)
    .compile(),
)

function chargeOf(
  charges: Awaited<ReturnType<typeof chargesOfClasses>>,
  { schedule_id, day }: { schedule_id: string; day: string },
): MissedClass['charge'] {
  const row = charges.find((one) => one.schedule_id === schedule_id && one.class_day === day)
  if (!row) return null
  const amount = row.amount_cents as Cents
  return {
    id: row.id,
    amount: dollars(amount),
    currency: row.currency,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    version: row.own_version,
  }
}

/** What one class costs that didn't take place. */
export async function readConsequence(
  { tx, workspace }: MemberCaller,
  { schedule_id, day }: ClassOf,
): Promise<Pick<MissedClass, 'because' | 'charge' | 'is_waived'>> {
  const row = await tx
    .selectFrom('schedule_changes')
    .select(['because', 'is_waived'])
    .where('workspace_id', '=', workspace)
    .where('schedule_id', '=', schedule_id)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  const charges = row.because === null ? [] : await chargesOfClasses(tx, { workspaceId: workspace })
  return { ...row, charge: chargeOf(charges, { schedule_id, day }) }
}

/** Everything that decides what a missed class costs; undefined if two sides don't share it. */
export async function missedClass(tx: Tx, { schedule_id, day }: ClassOf): Promise<MissedFacts | undefined> {
  const { rows } = await sql<{ missed: MissedFacts | null }>`
    select missed_class(${schedule_id}::uuid, ${day}::date) as missed`.execute(tx)
  return rows[0]?.missed ?? undefined
}

/** Makes, changes or removes the charge of a class, so that it's what the terms say; undefined if they say nothing. */
export async function followOutcome(
  tx: Tx,
  { schedule_id, day }: ClassOf,
  said: { charge: Cents; usesFree: boolean; because: string } | undefined,
): Promise<void> {
  await sql`select follow_outcome(${schedule_id}::uuid, ${day}::date, ${said?.charge ?? null}::integer,
    ${said?.because ?? null}::text, ${said?.usesFree ?? false}::boolean)`.execute(tx)
}

/** What decides about holding fees, for each active connection whose terms have one. */
export async function listHeldPlaces(
  tx: Tx,
  now: Date,
): Promise<(HeldPlace & { id: string; proposed: string[] })[]> {
  const { rows } = await sql<{ held: HeldPlace & { id: string; proposed: string[] } }>`
    select held from held_places(${now}::timestamptz) as held`.execute(tx)
  return rows.map(({ held }) => held)
}

const missedBetween = fixed(
  (tx, { workspaceId, from, to }: { workspaceId: WorkspaceId; from: CalendarDay; to: CalendarDay }) => {
    const day = sql<CalendarDay>`coalesce(case when missed.holds then missed.moved_to end, missed.day)`
    return tx
      .selectFrom('schedule_changes as missed')
      .innerJoin('schedules', (join) =>
        join
          .onRef('schedules.workspace_id', '=', 'missed.workspace_id')
          .onRef('schedules.id', '=', 'missed.schedule_id'),
      )
      .leftJoin('students', (join) =>
        join
          .onRef('students.workspace_id', '=', 'schedules.workspace_id')
          .onRef('students.id', '=', 'schedules.student_id'),
      )
      .leftJoin('tutors', (join) =>
        join
          .onRef('tutors.workspace_id', '=', 'schedules.workspace_id')
          .onRef('tutors.id', '=', 'schedules.tutor_id'),
      )
      .select([
        'missed.schedule_id',
        day.as('date'),
        'missed.day as original_date',
        sql<string>`coalesce(case when missed.holds then missed.start_time end, schedules.start_time)`.as(
          'start_time',
        ),
        'schedules.minutes',
        'schedules.student_id',
        'students.name as student_name',
        'schedules.tutor_id',
        'tutors.name as tutor_name',
        'schedules.subject',
        sql<Outcome>`missed.outcome`.as('outcome'),
        'missed.because',
        'missed.is_waived',
      ])
      .where('missed.workspace_id', '=', workspaceId)
      .where('missed.outcome', 'is not', null)
      .where('schedules.deleted_at', 'is', null)
      .where(day, '>=', from)
      .where(day, '<=', to)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sessions')
              .select('sessions.id')
              .where('sessions.workspace_id', '=', workspaceId)
              .whereRef('sessions.schedule_id', '=', 'missed.schedule_id')
              .whereRef('sessions.occurrence_day', '=', 'missed.day'),
          ),
        ),
      )
      .orderBy('date', 'desc')
      .orderBy('start_time', 'desc')
      .orderBy('missed.id')
      .compile()
  },
)
