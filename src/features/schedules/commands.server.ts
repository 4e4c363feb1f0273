// Changing schedules: creating one or several at once, editing, ending. A shared one changes by agreement.
import type { MemberCaller } from '#features/access/admission.server.ts'
import {
  acceptProposal,
  type AgreedKind,
  dispute,
  giveAnswer,
  type Seen,
} from '#features/agreements/commands.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { found } from '#platform/http/problem.server.ts'
import {
  answerEnding,
  deleteSchedule,
  endSchedule,
  insertSchedules,
  listSchedules,
  type LockedSchedule,
  lockSchedule,
  type NewSchedule,
  type ProposedRule,
  readSchedule,
  saveNotes,
  type ScheduleRow,
  updateSchedule,
} from './queries.server.ts'
import { isSameHour } from './zones.server.ts'
import { MAX_SCHEDULES, type Schedule, spanProblems } from './schedule.ts'

type NewRow = NewSchedule & { student_id: string; tutor_id: string }

/**
 * Creates schedules for one student and tutor, all or none. Returns them in the order given. The database shares those of
 * connected people.
 * @param zone where the classes take place, unless the rows say it: the time zone of the creator's account
 */
export async function createSchedules(
  tx: Tx,
  workspace: WorkspaceId,
  zone: string | null,
  rows: readonly NewRow[],
) {
  const [{ student_id, tutor_id }] = rows as [NewRow]
  if (!(await readStudent(tx, workspace, student_id))) return refused('unknown_student')
  if ((await tutorRate(tx, workspace, tutor_id)) === undefined) return refused('unknown_tutor')
  const placed = rows.map((row) => ({ time_zone: zone, ...row }))
  if (await isSharedAlready(tx, workspace, placed)) return refused('same_schedule')
  const ids = await insertSchedules(
    tx,
    workspace,
    placed.map((row) => ({ ...row, ...(row.frequency !== 'custom' && { custom_interval_days: null }) })),
    MAX_SCHEDULES,
  )
  if (!ids) return refused('too_many_rows')
  return done(await Promise.all(ids.map((id) => found(readSchedule(tx, workspace, id)))))
}

/** Whether both sides already have a weekly schedule for the same people at the same time, also by another zone's clock. */
async function isSharedAlready(tx: Tx, workspace: WorkspaceId, rows: readonly NewRow[]): Promise<boolean> {
  const shared = (await listSchedules(tx, workspace)).filter(
    (one) => one.is_shared && one.is_active && one.end_date === null && one.frequency === 'weekly',
  )
  return rows.some(
    (row) =>
      (row.frequency ?? 'weekly') === 'weekly' &&
      shared.some(
        (one) =>
          one.student_id === row.student_id &&
          one.tutor_id === row.tutor_id &&
          isSameHour({ ...one, start_day: one.start_date }, row),
      ),
  )
}

/** How the commands for anything two sides agree on lock, read and write a schedule. */
const SCHEDULE: AgreedKind<LockedSchedule, Schedule> = {
  kind: 'schedule',
  lock: lockSchedule,
  read: readSchedule,
  update: updateSchedule,
  remove: deleteSchedule,
  mayAnswerAlone: () => false,
  proposable: ruleOf,
  changesTo: (_, { rate_cents, ...rule }) => ({ ...rule, hourly_rate_cents: rate_cents }),
}

function ruleOf(row: ScheduleRow): ProposedRule {
  return {
    start_day: row.start_day,
    day_of_week: row.day_of_week,
    start_time: row.start_time.length === 5 ? `${row.start_time}:00` : row.start_time,
    minutes: row.minutes,
    rate_cents: row.hourly_rate_cents,
    frequency: row.frequency,
    custom_interval_days: row.custom_interval_days,
    end_day: row.end_day,
    time_zone: row.time_zone,
    is_active: row.is_active,
  }
}

type ChangeRefusal =
  | 'changed'
  | 'other_closed'
  | 'shared_people'
  | 'unknown_student'
  | 'unknown_tutor'
  | 'nobody'
  | ReturnType<typeof spanProblems>[number]

/** Changes a schedule. What both sides agreed on is proposed to the other side; the subject and notes change at once. */
export async function changeSchedule(
  caller: MemberCaller,
  { id, version }: Seen,
  { notes, ...changes }: Partial<ScheduleRow & { notes: string | null }>,
): Promise<Outcome<Schedule, ChangeRefusal> | undefined> {
  const { tx, workspace } = caller
  const stored = await lockSchedule(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  const row: ScheduleRow = { ...rowOf(stored), ...given(changes) }
  if (row.frequency !== 'custom') row.custom_interval_days = null
  const problem = await problemOf(caller, stored, row)
  if (problem) return refused(problem)
  if (notes !== undefined && notes !== stored.notes) await saveNotes(tx, workspace, id, notes)
  if (stored.connection_id === null) await updateSchedule(tx, workspace, id, row)
  else {
    if (row.subject !== stored.subject) await updateSchedule(tx, workspace, id, { subject: row.subject })
    const asked = await propose(caller, id, stored, row)
    if (asked && !asked.ok) return refused('other_closed')
  }
  return done(await found(readSchedule(tx, workspace, id)))
}

function rowOf(stored: LockedSchedule): ScheduleRow {
  const { student_id, tutor_id, subject, start_day, day_of_week, start_time, minutes, frequency } = stored
  const { hourly_rate_cents, custom_interval_days, end_day, time_zone, is_active } = stored
  const people = {
    student_id,
    tutor_id,
    subject,
    hourly_rate_cents,
    custom_interval_days,
    end_day,
    time_zone,
    is_active,
  }
  return { ...people, start_day, day_of_week, start_time, minutes, frequency }
}

function propose(caller: MemberCaller, id: string, stored: LockedSchedule, row: ScheduleRow) {
  const [now, then] = [ruleOf(stored), ruleOf(row)]
  const isSame = (Object.keys(now) as (keyof ProposedRule)[]).every((name) => now[name] === then[name])
  if (isSame) return undefined
  return dispute(caller, SCHEDULE, { id }, { note: null, proposes: then })
}

async function problemOf(
  { tx, workspace }: MemberCaller,
  stored: LockedSchedule,
  row: ScheduleRow,
): Promise<Exclude<ChangeRefusal, 'changed'> | undefined> {
  const [problem] = spanProblems({
    start_date: row.start_day,
    end_date: row.end_day,
    frequency: row.frequency,
    custom_interval_days: row.custom_interval_days,
  })
  if (problem) return problem
  if (stored.is_read_only) return 'other_closed'
  const isOther = row.student_id !== stored.student_id || row.tutor_id !== stored.tutor_id
  if (isOther && stored.connection_id !== null) return 'shared_people'
  if (
    row.student_id &&
    row.student_id !== stored.student_id &&
    !(await readStudent(tx, workspace, row.student_id))
  )
    return 'unknown_student'
  if (
    row.tutor_id &&
    row.tutor_id !== stored.tutor_id &&
    (await tutorRate(tx, workspace, row.tutor_id)) === undefined
  )
    return 'unknown_tutor'
  return row.is_active && (row.student_id === null || row.tutor_id === null) ? 'nobody' : undefined
}

/**
 * Deletes a schedule; undefined if there isn't one with this id. The other side of a shared one has no classes from today on,
 * and may keep its copy.
 */
export async function removeSchedule(
  { tx, workspace, now }: MemberCaller,
  { id, version }: Seen,
): Promise<Outcome<undefined, 'changed' | 'other_closed'> | undefined> {
  const stored = await lockSchedule(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  await (stored.connection_id === null
    ? deleteSchedule(tx, workspace, id)
    : endSchedule(tx, id, dayIn(now, 'UTC')))
  return done(undefined)
}

/** Keeps this side's copy of a schedule that the other side ended, or lets it go; undefined if there isn't one with this id. */
export async function answerEnded(
  { tx, workspace }: MemberCaller,
  id: string,
  answer: 'keep' | 'let_go',
): Promise<Outcome<Schedule, 'not_ended'> | undefined> {
  const isDone = await answerEnding(tx, id, answer === 'keep')
  const schedule = await readSchedule(tx, workspace, id)
  if (!schedule) return undefined
  return isDone ? done(schedule) : refused('not_ended')
}

/**
 * Accepts the rule that the other side proposes, or keeps the one that holds, which also withdraws an own proposal.
 * Undefined if there's no schedule with this id.
 */
export async function answerSchedule(
  caller: MemberCaller,
  seen: Seen,
  answer: 'accept' | 'keep',
): Promise<Outcome<Schedule, 'changed' | 'not_proposed' | 'other_closed'> | undefined> {
  const answered =
    answer === 'accept'
      ? await acceptProposal(caller, SCHEDULE, seen)
      : await giveAnswer(caller, SCHEDULE, seen, 'confirm')
  if (!answered) return undefined
  if (!answered.ok) return refused(answered.reason === 'not_shared' ? 'not_proposed' : answered.reason)
  return answered.value === 'deleted' ? refused('not_proposed') : done(answered.value)
}
