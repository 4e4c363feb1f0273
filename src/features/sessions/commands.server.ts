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
  isClassLogged,
  leaveSession,
  type LockedSession,
  lockForDeletion,
  lockSession,
  lockSharedDay,
  lessonTold,
  loggedByOther,
  pairHeld,
  readSession,
  rememberFamily,
  saveNotes,
  sharedConnection,
  type SessionRow,
  type Theirs,
  type Unrated,
  unpaired,
  updateSession,
} from './queries.server.ts'
import { rateAfterChange, rateThatApplies } from './rate.ts'
import { lookAlikes } from './same-lesson.ts'
import { joinedWords, type LessonWords, type Session, sessionDay } from './session.ts'

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
  /** HH:MM; of a class that which is planned, where nothing is said. */
  start_time?: string | null
  summary?: string | null
  homework?: string | null
  notes?: string | null
  /** The class of a schedule that it fulfills. */
  ofClass?: ClassRef
  /** Whether it is another lesson than the one that the other side logged on this day; asked where it is not said. */
  isAnother?: boolean
  /** The connection with the family that a practice means, where several share the student. */
  connection_id?: string
  /** Whether nobody is there to be asked: a device sends it later, or a file holds it. What may be the other side's lesson then waits beside it. */
  isLate?: boolean
}

/** Sessions of one statement at most: PostgreSQL takes 65,535 values in all. */
const BATCH = 1000

/**
 * Logs a lesson. Refuses a day more than a year ahead, whoever is not on the lists, a class that is logged already, and a day
 * on which the other side logged a lesson, unless it is said to be another; sent late, it is logged to wait beside that one and
 * counts in no total until somebody answers. What the other side logged for this start time, or for a class without any, is the
 * lesson, and is confirmed. A caregiver names no rate: the database fills in the one that applies.
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
    | 'unknown_connection'
    | 'already_logged'
    | 'same_lesson'
    | 'rate_not_yours'
  >
> {
  const { tx, workspace, side, seesAmounts, now } = desk
  if (!seesAmounts && lesson.rate) return refused('rate_not_yours')
  const day = sessionDay(lesson.date, now)
  if (!day) return refused('too_far_ahead')
  const { student, tutor, planned, shared, theirs: logged } = await lessonTold(tx, { ...lesson, day })
  if (!student) return refused('unknown_student')
  if (!tutor) return refused('unknown_tutor')
  if (lesson.ofClass && !planned) return refused('unknown_schedule')
  const start = lesson.start_time === undefined ? (planned?.start ?? null) : lesson.start_time
  const named = lesson.connection_id
  if (named && (side !== 'practice' || shared !== named)) return refused('unknown_connection')
  if (named && lesson.ofClass && named !== planned?.connectionId)
    await rememberFamily(tx, workspace, lesson.ofClass.schedule_id, named)
  const row = {
    student_id: lesson.student_id,
    tutor_id: lesson.tutor_id,
    day,
    minutes: lesson.minutes,
    ...(seesAmounts && {
      rate_override_cents: lesson.rate ?? null,
      tutor_rate_cents: rateThatApplies({
        schedule: planned?.rate,
        student: student.rate,
        tutor: tutor.rate,
      }),
    }),
    subject: lesson.subject ?? null,
    start_time: start,
    summary: lesson.summary ?? null,
    homework: lesson.homework ?? null,
    notes: lesson.notes ?? null,
    ...lesson.ofClass,
    ...(side === 'practice' && shared ? { connection_id: shared } : {}),
  }
  const theirs = shared ? await theSameOf(tx, logged, { ...lesson, connection_id: shared }, start) : undefined
  if (theirs && lesson.ofClass && (await isClassLogged(tx, lesson.ofClass))) return refused('already_logged')
  // A caregiver confirms nothing, so what the other side logged waits for a parent.
  const isTaken = theirs?.isSame && seesAmounts
  if (theirs && !isTaken && !lesson.isLate) return refused('same_lesson')
  if (isTaken) {
    await takeAsSame(desk, theirs.id, row)
    return done(await existing(readSession(tx, workspace, theirs.id)))
  }
  const names = { student_name: student.name, tutor_name: tutor.name }
  const added = await insertSession(tx, workspace, { ...row, is_held: theirs !== undefined }, names)
  if (!added) return refused('already_logged')
  if (theirs) await pairHeld(tx, [{ held: added.id, theirs: theirs.id }])
  return done(added)
}

/**
 * Of what the other side logged for these people on this day, and the own side said nothing of, the session that this may be; and
 * whether it is this lesson without asking: it has the same start time, or a class has none to tell it by, and what both wrote has
 * room in it.
 */
async function theSameOf(
  tx: Tx,
  theirs: Theirs[],
  lesson: Lesson & { connection_id: string },
  start: string | null,
): Promise<(Theirs & { isSame: boolean }) | undefined> {
  const { student_id, connection_id, date, minutes, ofClass, isLate } = lesson
  const [nearest] = theirs
  if (nearest && isSameLesson(nearest, lesson, start)) return { ...nearest, isSame: true }
  // What is sent late beside a session that another one waits for is one more lesson.
  const other =
    isLate && !ofClass
      ? lookAlikes([{ connection_id, student_id, day: date, minutes }], await unpaired(tx, theirs))[0]
      : nearest
  return other && { ...other, isSame: false }
}

function isSameLesson(theirs: Theirs, { ofClass, summary, homework }: Lesson, start: string | null): boolean {
  const isClass = ofClass !== undefined
  const hasSameStart = start === null || theirs.start === null ? isClass : start === theirs.start
  const hasRoom =
    joinedWords(theirs.summary, summary) !== undefined && joinedWords(theirs.homework, homework) !== undefined
  return hasSameStart && hasRoom
}

/** Logs a lesson by confirming what the other side logged; where the own facts differ, they stand and the other side is asked. */
async function takeAsSame(
  { tx, workspace }: Desk,
  id: string,
  { notes, student_id: _student, tutor_id: _tutor, ...row }: Unrated & Partial<ClassRef>,
): Promise<void> {
  const stored = await existing(lockSession(tx, workspace, id))
  const [rate, storedRate] = [row, stored].map(
    (one) => one.rate_override_cents ?? one.tutor_rate_cents ?? null,
  )
  const { rate_override_cents, tutor_rate_cents } = row
  await updateSession(tx, workspace, id, {
    ...(row.minutes === stored.minutes ? {} : { minutes: row.minutes }),
    ...(rate === null || rate === storedRate ? {} : { rate_override_cents, tutor_rate_cents }),
    ...given({ schedule_id: row.schedule_id, occurrence_day: row.occurrence_day }),
    ...given(addedTo(stored, row)),
    own_word: 'confirmed',
    own_word_version: stored.facts_version,
    own_word_note: null,
  })
  if (notes) await saveNotes(tx, workspace, id, notes)
}

/** What somebody adds to what the other side logged, beside the facts; undefined where nothing changes. */
function addedTo(
  stored: LockedSession,
  row: Pick<Unrated, 'subject' | 'start_time' | 'summary' | 'homework'>,
): Partial<Pick<SessionRow, 'subject' | 'start_time' | 'summary' | 'homework'>> {
  const added = {
    subject: stored.subject ?? row.subject,
    start_time: stored.start_time ?? row.start_time,
    summary: joinedWords(stored.summary, row.summary),
    homework: joinedWords(stored.homework, row.homework),
  }
  return Object.fromEntries(
    Object.entries(added).filter(([field, value]) => value !== stored[field as keyof typeof added]),
  )
}

/**
 * Logs lessons whose people, days and rates were looked at together, as those of an import. Returns how many of them wait beside
 * a session that the other side logged.
 */
export async function logSessions(desk: Desk, rows: SessionRow[]): Promise<number> {
  const { tx, workspace } = desk
  const theirs = await lookAlikesOf(desk, rows)
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    const ids = await insertSessions(
      tx,
      workspace,
      batch.map((row, place) => ({ ...row, is_held: theirs[at + place] !== undefined })),
    )
    await pairHeld(
      tx,
      ids.flatMap((held, place) => {
        const other = theirs[at + place]
        return other ? [{ held, theirs: other.id }] : []
      }),
    )
  }
  return theirs.filter((other) => other !== undefined).length
}

/** For each of many lessons the one that the other side logged and that it looks like. */
async function lookAlikesOf({ tx }: Desk, rows: SessionRow[]): Promise<(Theirs | undefined)[]> {
  const days = rows.map(({ day }) => day).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const theirs = await unpaired(tx, await loggedByOther(tx, {}, first, last))
  const students = new Set(theirs.map(({ student_id: id }) => id))
  const connections = new Map<string, string | undefined>()
  for (const { student_id: studentId, tutor_id: tutorId } of rows) {
    const people = `${studentId} ${tutorId}`
    if (studentId && tutorId && students.has(studentId) && !connections.has(people))
      connections.set(people, await sharedConnection(tx, { studentId, tutorId }))
  }
  return lookAlikes(
    rows.map((row) => ({ ...row, connection_id: connections.get(`${row.student_id} ${row.tutor_id}`) })),
    theirs,
  )
}

/**
 * Changes a session; undefined where there is none of this id. Refuses a version that is not the newest, a day more than a
 * year ahead, and whoever is not on the lists.
 */
export async function changeSession(
  { tx, workspace, side, seesAmounts, now }: Desk,
  { id, version }: Seen,
  changes: Partial<Lesson>,
): Promise<
  | Outcome<
      Session,
      | 'changed'
      | 'too_far_ahead'
      | 'unknown_student'
      | 'unknown_tutor'
      | 'unknown_connection'
      | 'other_connection'
      | 'other_closed'
      | 'held'
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
    start_time: changes.start_time,
    summary: changes.summary,
    homework: changes.homework,
  })
  if (stored.is_read_only && Object.keys(row).length > 0) return refused('other_closed')
  if (stored.is_held && Object.keys(row).length > 0) return refused('held')
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
  const named = changes.connection_id
  if (named) {
    const asked = { named, side, studentId, tutorId, day: day ?? stored.day }
    const problem = await familyProblem(tx, asked, stored.connection_id)
    if (problem) return refused(problem)
  }
  await updateSession(tx, workspace, id, { ...row, ...(named ? { connection_id: named } : {}) })
  if (changes.notes !== undefined) await saveNotes(tx, workspace, id, changes.notes)
  return done(await existing(readSession(tx, workspace, id)))
}

/** Why a session cannot be with the family that a practice names. */
async function familyProblem(
  tx: Tx,
  asked: {
    named: string
    side: Desk['side']
    studentId: string | null
    tutorId: string | null
    day: CalendarDay
  },
  under: string | null,
): Promise<'unknown_connection' | 'other_connection' | undefined> {
  const { named, side, studentId, tutorId, day } = asked
  if (side !== 'practice' || (await connectionOf(tx, studentId, tutorId, day, named)) !== named)
    return 'unknown_connection'
  return under && under !== named ? 'other_connection' : undefined
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
 * @param more the note of a dispute, and what is written of the lesson on confirming it
 */
export async function giveWord(
  { tx, workspace }: Desk,
  { id, version }: Seen,
  change: WordChange,
  latest: CalendarDay,
  { note = null, ...words }: LessonWords & { note?: string | null } = {},
): Promise<Outcome<Session, WordRefusal> | undefined> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return undefined
  const problem = wordProblem(stored, latest)
  if (problem) return refused(problem)
  const next = wordAfter(stored.own_says, change)
  const isSaid =
    next === undefined ||
    (next === 'disputed' && stored.own_says === next && stored.own_word_note === note && !stored.is_answered)
  const written = newWords(stored, words)
  if (!isSaid || Object.keys(written).length > 0) {
    // What stands already is not given twice, so a double tap has no version to miss.
    if (version !== undefined && version !== stored.version) return refused('changed')
    const changed = updateSession(tx, workspace, id, {
      ...(!isSaid && {
        own_word: next === 'none' ? null : next,
        own_word_version: next === 'none' ? null : stored.facts_version,
        own_word_note: next === 'disputed' ? note : null,
      }),
      ...written,
    })
    // Read in the same round trip, behind it.
    const [, session] = await Promise.all([changed, existing(readSession(tx, workspace, id))])
    return done(session)
  }
  return done(await existing(readSession(tx, workspace, id)))
}

/** What was written of a lesson that does not stand there yet; what was left out stays as it is. */
export function newWords(
  stored: Pick<LockedSession, 'summary' | 'homework'>,
  words: LessonWords,
): LessonWords {
  return Object.fromEntries(
    Object.entries(given(words)).filter(([field, text]) => text !== stored[field as keyof LessonWords]),
  )
}

function wordProblem(stored: LockedSession, latest: CalendarDay): WordRefusal | undefined {
  if (stored.connection_id === null) return 'not_shared'
  if (stored.is_read_only) return 'other_closed'
  return stored.day > latest ? 'too_early' : undefined
}

/**
 * Deletes a session; undefined where there is none of this id. What the other side took part in is deleted when it asked for
 * that too, and otherwise the other side is asked. What it does not answer in its time goes out of the own log alone.
 */
export async function removeSession(
  { tx, workspace, side, seesAmounts, now }: Desk,
  { id, version }: Seen,
): Promise<Outcome<'deleted' | 'asked', 'changed' | 'other_closed' | 'not_your_entry'> | undefined> {
  const stored = await lockForDeletion(tx, workspace, id)
  if (!stored) return seesAmounts ? undefined : notOwnEntry(tx, workspace, id)
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  const needsConsent =
    stored.connection_id !== null && stored.other_took_part && stored.deletion_by !== 'other'
  if (!needsConsent) {
    await deleteSession(tx, workspace, id)
    return done('deleted')
  }
  if (stored.deletion_by === 'you')
    return done((await leaveSession(tx, stored.key, now)) ? 'deleted' : 'asked')
  await updateSession(tx, workspace, id, { deletion_asked_by: side, deletion_asked_at: now })
  return done('asked')
}

/** Agrees to delete what the other side asked to; undefined where there is no session of this id. */
export async function agreeToDelete(
  { tx, workspace }: Desk,
  { id, version }: Seen,
): Promise<Outcome<'deleted', 'changed' | 'not_asked' | 'other_closed'> | undefined> {
  const stored = await lockForDeletion(tx, workspace, id)
  if (!stored) return undefined
  if (stored.deletion_by !== 'other') return refused('not_asked')
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  await deleteSession(tx, workspace, id)
  return done('deleted')
}

/** Keeps a session that a side asked to delete; undefined where there is none of this id. */
export async function keepSession(
  { tx, workspace }: Desk,
  { id, version }: Seen,
): Promise<Outcome<'kept', 'changed' | 'not_asked' | 'other_closed'> | undefined> {
  const stored = await lockForDeletion(tx, workspace, id)
  if (!stored) return undefined
  if (stored.deletion_by === null) return refused('not_asked')
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  await updateSession(tx, workspace, id, { deletion_asked_by: null, deletion_asked_at: null })
  return done('kept')
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
