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
import type { Desk } from '#platform/http/serve.server.ts'
import { wordAfter, type WordChange } from './confirmation.ts'
import {
  type ClassRef,
  deleteSession,
  insertSession,
  insertSessions,
  leaveSession,
  type LockedSession,
  lockSession,
  lockSharedDay,
  loggedByOther,
  readSession,
  saveNotes,
  sessionOfClass,
  scheduleRate,
  type SessionRow,
  type Unrated,
  updateSession,
} from './queries.server.ts'
import { rateAfterChange, rateThatApplies } from './rate.ts'
import { type Session, sessionDay } from './session.ts'

/** A session as somebody saw it: its id, and the version where the caller names one. */
interface Seen {
  id: string
  version?: number
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
  /** Whether it is another lesson than the one that the other side logged on this day; asked where it is not said. */
  isAnother?: boolean
}

/** Sessions of one statement at most: PostgreSQL takes 65,535 values in all. */
const BATCH = 1000

/**
 * Logs a lesson. Refuses a day more than a year ahead, whoever is not on the lists, a class that is logged already, and a day
 * on which the other side logged a lesson, unless it is said to be another. A class that the other side logged is confirmed.
 * A caregiver names no rate: the database fills in the one that applies.
 */
export async function logSession(
  desk: Desk,
  lesson: Lesson,
): Promise<
  Outcome<
    Session,
    | 'too_far_ahead'
    | 'unknown_student'
    | 'unknown_tutor'
    | 'unknown_schedule'
    | 'already_logged'
    | 'same_lesson'
    | 'rate_not_yours'
  >
> {
  const { tx, workspace, seesAmounts, now } = desk
  if (!seesAmounts && lesson.rate) return refused('rate_not_yours')
  const day = sessionDay(lesson.date, now)
  if (!day) return refused('too_far_ahead')
  const student = await studentRate(tx, workspace, lesson.student_id)
  if (student === undefined) return refused('unknown_student')
  const tutor = await tutorRate(tx, workspace, lesson.tutor_id)
  if (tutor === undefined) return refused('unknown_tutor')
  const schedule = lesson.ofClass ? await scheduleRate(tx, workspace, lesson.ofClass.schedule_id) : null
  if (schedule === undefined) return refused('unknown_schedule')
  const row = {
    student_id: lesson.student_id,
    tutor_id: lesson.tutor_id,
    day,
    minutes: lesson.minutes,
    ...(seesAmounts && {
      rate_override_cents: lesson.rate ?? null,
      tutor_rate_cents: rateThatApplies({ schedule, student, tutor }),
    }),
    subject: lesson.subject ?? null,
    notes: lesson.notes ?? null,
    ...lesson.ofClass,
  }
  const theirs = lesson.isAnother ? undefined : await loggedByTheOther(desk, lesson)
  if (theirs && lesson.ofClass && (await sessionOfClass(tx, workspace, lesson.ofClass)))
    return refused('already_logged')
  // A caregiver confirms nothing, so what the other side logged waits for a parent.
  if (theirs && !(lesson.ofClass && seesAmounts)) return refused('same_lesson')
  const id = theirs ? await takeAsClass(desk, theirs, row) : await insertSession(tx, workspace, row)
  return id ? done(await existing(readSession(tx, workspace, id))) : refused('already_logged')
}

/** The session that the other side logged for these people on this day, and that the own side said nothing of. */
async function loggedByTheOther(
  { tx, workspace }: Desk,
  { student_id: studentId, tutor_id: tutorId, date, ofClass }: Lesson,
): Promise<string | undefined> {
  const connectionId = await lockSharedDay(tx, { studentId, tutorId }, date)
  return (
    connectionId &&
    (await loggedByOther(tx, workspace, { studentId, connectionId, isClass: ofClass !== undefined }, date))
  )
}

/** Logs a class by confirming what the other side logged; where the own facts differ, they stand and the other side is asked. */
async function takeAsClass(
  { tx, workspace }: Desk,
  id: string,
  { notes, student_id: _student, tutor_id: _tutor, ...row }: Unrated & Partial<ClassRef>,
): Promise<string | undefined> {
  const stored = await existing(lockSession(tx, workspace, id))
  const [rate, storedRate] = [row, stored].map(
    (one) => one.rate_override_cents ?? one.tutor_rate_cents ?? null,
  )
  const { rate_override_cents, tutor_rate_cents } = row
  await updateSession(tx, workspace, id, {
    ...(row.minutes === stored.minutes ? {} : { minutes: row.minutes }),
    ...(rate === null || rate === storedRate ? {} : { rate_override_cents, tutor_rate_cents }),
    schedule_id: row.schedule_id,
    occurrence_day: row.occurrence_day,
    own_word: 'confirmed',
    own_word_version: stored.facts_version,
    own_word_note: null,
    ...(stored.subject === null && row.subject !== null ? { subject: row.subject } : {}),
  })
  if (notes) await saveNotes(tx, workspace, id, notes)
  return id
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
  { tx, workspace, seesAmounts, now }: Desk,
  { id, version }: Seen,
  changes: Partial<Lesson>,
): Promise<
  | Outcome<
      Session,
      | 'changed'
      | 'too_far_ahead'
      | 'unknown_student'
      | 'unknown_tutor'
      | 'other_connection'
      | 'other_closed'
      | 'rate_not_yours'
      | 'not_your_entry'
    >
  | undefined
> {
  if (!seesAmounts && changes.rate) return refused('rate_not_yours')
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return notOwnEntry(tx, workspace, id)
  if (version !== undefined && version !== stored.version) return refused('changed')
  const day = changes.date && sessionDay(changes.date, now)
  if (changes.date && !day) return refused('too_far_ahead')
  const row: Partial<Omit<SessionRow, 'notes'>> = given({
    student_id: changes.student_id,
    tutor_id: changes.tutor_id,
    day,
    minutes: changes.minutes,
    rate_override_cents: seesAmounts ? changes.rate : undefined,
    subject: changes.subject,
  })
  if (stored.is_read_only && Object.keys(row).length > 0) return refused('other_closed')
  const [studentId, tutorId] = [changes.student_id ?? stored.student_id, changes.tutor_id ?? stored.tutor_id]
  if (studentId !== stored.student_id || tutorId !== stored.tutor_id) {
    const [student, tutor] = await ratesOf(tx, workspace, studentId, tutorId)
    if (student === undefined) return refused('unknown_student')
    if (tutor === undefined) return refused('unknown_tutor')
    if (
      stored.connection_id &&
      (await connectionOf(tx, studentId, tutorId, day ?? stored.day, stored.connection_id)) !==
        stored.connection_id
    )
      return refused('other_connection')
    const [before] = await ratesOf(tx, workspace, stored.student_id, null)
    if (seesAmounts)
      row.tutor_rate_cents = rateAfterChange<Cents>(
        stored.tutor_rate_cents,
        { studentId: stored.student_id, tutorId: stored.tutor_id, student: before ?? null },
        { studentId, tutorId, student, tutor },
      )
  }
  await updateSession(tx, workspace, id, row)
  if (changes.notes !== undefined) await saveNotes(tx, workspace, id, changes.notes)
  return done(await existing(readSession(tx, workspace, id)))
}

/** Answers a session that the other side sent back, without changing it; undefined where there is none of this id. */
export async function answerDispute(
  { tx, workspace }: Desk,
  { id, version }: Seen,
  note: string,
): Promise<Outcome<Session, 'changed' | 'not_disputed' | 'other_closed'> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.other_says !== 'disputed') return refused('not_disputed')
  if (stored.is_read_only) return refused('other_closed')
  await updateSession(tx, workspace, id, { own_reply: note })
  return done(await existing(readSession(tx, workspace, id)))
}

/** What a side's word on a session is refused with. */
type WordRefusal = 'changed' | 'not_shared' | 'too_early' | 'other_closed'

/**
 * Gives or takes back the own side's word on a session; undefined where there is none of this id. Refuses another version
 * than was seen, a session that nobody else is part of, one of a later day, and one whose other side closed its account.
 * @param latest the last day on which somebody may be already
 */
export async function giveWord(
  { tx, workspace }: Desk,
  { id, version }: Seen,
  change: WordChange,
  latest: CalendarDay,
  note: string | null = null,
): Promise<Outcome<Session, WordRefusal> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  const problem = wordProblem(stored, latest)
  if (problem) return refused(problem)
  const next = wordAfter(stored.own_says, change)
  const isSaid =
    next === undefined ||
    (next === 'disputed' && stored.own_says === next && stored.own_word_note === note && !stored.is_answered)
  if (!isSaid) {
    // What stands already is not given twice, so a double tap has no version to miss.
    if (version !== undefined && version !== stored.version) return refused('changed')
    await updateSession(tx, workspace, id, {
      own_word: next === 'none' ? null : next,
      own_word_version: next === 'none' ? null : stored.facts_version,
      own_word_note: next === 'disputed' ? note : null,
    })
  }
  return done(await existing(readSession(tx, workspace, id)))
}

function wordProblem(stored: LockedSession, latest: CalendarDay): WordRefusal | undefined {
  if (stored.connection_id === null) return 'not_shared'
  if (stored.is_read_only) return 'other_closed'
  return stored.day > latest ? 'too_early' : undefined
}

/**
 * Deletes a session; undefined where there is none of this id. What the other side took part in is deleted when it asked for
 * that too, and otherwise the other side is asked: then the session is the answer.
 */
export async function removeSession(
  { tx, workspace, side, now }: Desk,
  { id, version }: Seen,
): Promise<Outcome<Session | undefined, 'changed' | 'other_closed' | 'not_your_entry'> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return notOwnEntry(tx, workspace, id)
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  const needsConsent =
    stored.connection_id !== null && stored.other_took_part && stored.deletion_by !== 'other'
  if (!needsConsent) {
    await deleteSession(tx, workspace, id)
    return done(undefined)
  }
  if (stored.deletion_by === 'you') {
    if (await leaveSession(tx, stored.key, now)) return done(undefined)
  } else {
    await updateSession(tx, workspace, id, { deletion_asked_by: side, deletion_asked_at: now })
  }
  return done(await existing(readSession(tx, workspace, id)))
}

/** Keeps a session that a side asked to delete; undefined where there is none of this id. */
export async function keepSession(
  { tx, workspace }: Desk,
  { id, version }: Seen,
): Promise<Outcome<Session, 'changed' | 'not_asked' | 'other_closed'> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  if (stored.deletion_by === null) return refused('not_asked')
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  await updateSession(tx, workspace, id, { deletion_asked_by: null, deletion_asked_at: null })
  return done(await existing(readSession(tx, workspace, id)))
}

/** Why a session could not be locked: a caregiver sees all of them, and changes only what they logged and nobody else confirmed. */
async function notOwnEntry(
  tx: Tx,
  workspace: WorkspaceId,
  id: string,
): Promise<Outcome<never, 'not_your_entry'> | undefined> {
  return (await readSession(tx, workspace, id)) && refused('not_your_entry')
}

async function connectionOf(
  tx: Tx,
  studentId: string | null,
  tutorId: string | null,
  day: CalendarDay,
  under: string,
): Promise<string | undefined> {
  return studentId && tutorId ? lockSharedDay(tx, { studentId, tutorId }, day, under) : undefined
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

async function existing<Found>(session: Promise<Found | undefined>): Promise<Found> {
  const found = await session
  if (!found) throw new Error('a session that was just written is not there')
  return found
}
