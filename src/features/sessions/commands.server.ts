// What people do with sessions. Each thing has one command, called by whichever way it comes in: the form, a spoken card, one
// tap on a class, the queue of a device that was offline, or an import. So no way in can forget a rule.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Cents } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { studentRate } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  type ClassRef,
  deleteSession,
  insertSession,
  insertSessions,
  lockSession,
  readSession,
  scheduleRate,
  type SessionRow,
  updateSession,
} from './queries.server.ts'
import { rateAfterChange, rateThatApplies } from './rate.ts'
import { type Session, sessionDay } from './session.ts'

/** Where and when a command runs. */
export interface Desk {
  tx: Tx
  workspace: WorkspaceId
  now: Date
}

/** A lesson as somebody tells of it. */
export interface Lesson {
  student_id: string
  tutor_id: string
  date: CalendarDay
  minutes: Minutes
  /** The lesson's own rate; none where the usual one applies. */
  rate?: Cents | null
  subject?: string | null
  notes?: string | null
  /** The class of a schedule that it stands for. */
  ofClass?: ClassRef
}

/** Sessions of one statement at most: PostgreSQL takes 65,535 values in all. */
const BATCH = 1000

/** Logs a lesson. Refuses a day more than a year ahead, whoever is not on the lists, and a class that is logged already. */
export async function logSession(
  { tx, workspace, now }: Desk,
  lesson: Lesson,
): Promise<
  Outcome<
    Session,
    'too_far_ahead' | 'unknown_student' | 'unknown_tutor' | 'unknown_schedule' | 'already_logged'
  >
> {
  const day = sessionDay(lesson.date, now)
  if (!day) return refused('too_far_ahead')
  const student = await studentRate(tx, workspace, lesson.student_id)
  if (student === undefined) return refused('unknown_student')
  const tutor = await tutorRate(tx, workspace, lesson.tutor_id)
  if (tutor === undefined) return refused('unknown_tutor')
  const schedule = lesson.ofClass ? await scheduleRate(tx, workspace, lesson.ofClass.schedule_id) : null
  if (schedule === undefined) return refused('unknown_schedule')
  const id = await insertSession(tx, workspace, {
    student_id: lesson.student_id,
    tutor_id: lesson.tutor_id,
    day,
    minutes: lesson.minutes,
    rate_override_cents: lesson.rate ?? null,
    tutor_rate_cents: rateThatApplies({ schedule, student, tutor }),
    subject: lesson.subject ?? null,
    notes: lesson.notes ?? null,
    ...lesson.ofClass,
  })
  return id ? done(await existing(readSession(tx, workspace, id))) : refused('already_logged')
}

/** Logs lessons whose people, days and rates were looked at together, as those of an import. */
export async function logSessions({ tx, workspace }: Desk, rows: SessionRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH)
    await insertSessions(tx, workspace, rows.slice(at, at + BATCH))
}

/**
 * Changes a session; undefined where there is none of this id. Refuses a version that is not the newest, a day more than a
 * year ahead, and whoever is not on the lists.
 */
export async function changeSession(
  { tx, workspace, now }: Desk,
  { id, version }: { id: string; version?: number },
  changes: Partial<Lesson>,
): Promise<Outcome<Session, 'changed' | 'too_far_ahead' | 'unknown_student' | 'unknown_tutor'> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  const day = changes.date && sessionDay(changes.date, now)
  if (changes.date && !day) return refused('too_far_ahead')
  const row: Partial<SessionRow> = given({
    student_id: changes.student_id,
    tutor_id: changes.tutor_id,
    day,
    minutes: changes.minutes,
    rate_override_cents: changes.rate,
    subject: changes.subject,
    notes: changes.notes,
  })
  const [studentId, tutorId] = [changes.student_id ?? stored.student_id, changes.tutor_id ?? stored.tutor_id]
  if (studentId !== stored.student_id || tutorId !== stored.tutor_id) {
    const [student, tutor] = await ratesOf(tx, workspace, studentId, tutorId)
    if (student === undefined) return refused('unknown_student')
    if (tutor === undefined) return refused('unknown_tutor')
    const [before] = await ratesOf(tx, workspace, stored.student_id, null)
    row.tutor_rate_cents = rateAfterChange<Cents>(
      stored.tutor_rate_cents,
      { studentId: stored.student_id, tutorId: stored.tutor_id, student: before ?? null },
      { studentId, tutorId, student, tutor },
    )
  }
  await updateSession(tx, workspace, id, row)
  return done(await existing(readSession(tx, workspace, id)))
}

/** Answers a session that the tutor sent back, without changing it; undefined where there is none of this id. */
export async function answerDispute(
  { tx, workspace }: Desk,
  { id, version }: { id: string; version?: number },
  note: string,
): Promise<Outcome<Session, 'changed' | 'not_disputed'> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.status !== 'disputed') return refused('not_disputed')
  await updateSession(tx, workspace, id, { answer_note: note })
  return done(await existing(readSession(tx, workspace, id)))
}

/** Deletes a session; undefined where there is none of this id. Refuses a version that is not the newest. */
export async function removeSession(
  { tx, workspace }: Desk,
  { id, version }: { id: string; version?: number },
): Promise<Outcome<undefined, 'changed'> | undefined> {
  if (await deleteSession(tx, workspace, id, version)) return done(undefined)
  return (await readSession(tx, workspace, id)) ? refused('changed') : undefined
}

/** The rates of a student and of a tutor now; undefined for one who is not on the list, null for nobody or without a rate. */
async function ratesOf(
  tx: Tx,
  workspaceId: WorkspaceId,
  studentId: string | null,
  tutorId: string | null,
): Promise<(Cents | null | undefined)[]> {
  return [
    studentId === null ? null : await studentRate(tx, workspaceId, studentId),
    tutorId === null ? null : await tutorRate(tx, workspaceId, tutorId),
  ]
}

async function existing(session: Promise<Session | undefined>): Promise<Session> {
  const found = await session
  if (!found) throw new Error('a session that was just written is not there')
  return found
}
