// Every action on sessions is a command in this file or in reprice-commands.server.ts. The form, voice input, one-tap answers, offline devices
// and imports all use these commands, so none of them can skip a rule.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { type Cents, cents } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { holdSharing } from '#features/agreements/queries.server.ts'
import { lockMakeUp } from '#features/terms/makeup-queries.server.ts'
import type { GivenMakeUp } from '#features/terms/make-ups.ts'
import { type CountingPrice, type Price, priceAfterChange, priceThatCounts } from '#features/prices/price.ts'
import { pricesOf } from '#features/prices/queries.server.ts'
import { studentRate } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Caller, MemberCaller } from '#features/access/admission.server.ts'
import type { AnswerChange } from '#features/agreements/answer.ts'
import {
  type AgreedKind,
  type AnswerRefusal,
  askToDelete,
  dispute,
  giveAnswer,
  type Proposes,
  type Seen,
} from '#features/agreements/commands.server.ts'
import {
  type AnsweredSession,
  type ClassRef,
  countAgain,
  deleteSession,
  type LockedSession,
  lockForAnswer,
  lockSession,
  saveNotes,
  type SessionRow,
  type Unrated,
  updateSession,
} from './change-queries.server.ts'
import {
  insertSession,
  insertSessions,
  isClassLogged,
  lessonContext,
  lockSharedDay,
  markPaidMakeUp,
  loggedByOther,
  pairHeld,
  rememberFamily,
  sharedConnection,
  type Theirs,
  unpaired,
} from './logging-queries.server.ts'
import { readSession } from './queries.server.ts'
import { lookAlikes } from './same-lesson.ts'
import {
  canJoinWords,
  eachWords,
  joinedWords,
  type LessonWords,
  type StoredWords,
  type WordsField,
} from './lesson-words.ts'
import { type Session, type SessionDay, sessionDay } from './session.ts'
import { changedPrice, columnsOfPrice, keptPriceOf } from './session-price.ts'

/** A lesson to be logged. */
export interface Lesson extends LessonWords {
  student_id: string
  tutor_id: string
  day: CalendarDay
  minutes: Minutes
  /** The rate override. If omitted, the default rate applies. */
  rate?: Cents | null
  /** What this student pays of a lesson's price that several share, instead of any other price. */
  share?: Price
  subject?: string | null
  /** HH:MM. If undefined, a lesson logged for a class gets the class's planned time. */
  start_time?: string | null
  notes?: string | null
  /** The schedule and class that the lesson is logged for. */
  ofClass?: ClassRef
  /** The missed class that the lesson makes up for. */
  makesUp?: string
  /**
   * True if the user said it's not the same lesson that the other side logged that day; undefined if they
   * weren't asked.
   */
  isAnother?: boolean
  /** Only for a practice whose student is shared by several families: the connection with the lesson's family. */
  connection_id?: string
  /**
   * True if there's no user to ask, because a device sent the lesson late or it was imported from a file. If
   * the other side may have logged it too, it's held as a possible duplicate.
   */
  isLate?: boolean
}

/** The maximum number of sessions per insert statement. PostgreSQL accepts at most 65,535 parameters. */
const BATCH = 1000

/**
 * Logs a lesson. Rejects a day more than a year from now, people not on the lists, and a class that's already
 * logged. If the other side logged a lesson that day, also rejects it, unless the user said it's a different
 * one. There are two exceptions. If both have the same start time, or this is a class and one of them has no
 * time, confirms the other side's lesson instead. If the lesson was sent late, holds it as a possible
 * duplicate that isn't in any total until someone answers. Caregivers can't set a rate; the database fills it
 * in.
 */
export async function logSession(
  caller: MemberCaller,
  lesson: Lesson,
): Promise<Outcome<Session, LogRefusal>> {
  const { tx, workspace, seesAmounts } = caller
  const checked = await checkedLesson(caller, lesson)
  if (!checked.ok) return checked
  const { student, tutor, shared, theirs: logged, makeUp } = checked.value
  const row = rowOf(caller, lesson, checked.value)
  const theirs = shared
    ? await theSameOf(tx, logged, { ...lesson, connection_id: shared }, row.start_time)
    : undefined
  if (theirs && lesson.ofClass && (await isClassLogged(tx, lesson.ofClass))) return refused('already_logged')
  // Caregivers can't confirm sessions. The other side's session is left for a parent to confirm.
  // A make-up is this side's to say, so it isn't joined with what the other side logged.
  const isTaken = theirs?.isSame && seesAmounts && !makeUp
  if (theirs && !isTaken && !lesson.isLate) return refused('same_lesson')
  if (isTaken && (await confirmAsSame(caller, theirs.id, row)))
    return done(await existing(readSession(tx, workspace, theirs.id)))
  const names = { student_name: student.name, tutor_name: tutor.name }
  if (makeUp?.isPaid && !seesAmounts) await markPaidMakeUp(tx, makeUp.id)
  const held = isTaken ? undefined : theirs
  const added = await insertSession(tx, workspace, { ...row, is_held: held !== undefined }, names)
  if (!added) return refused('already_logged')
  if (!held) return done(added)
  await pairHeld(tx, [{ held: added.id, theirs: held.id }])
  return done(await existing(readSession(tx, workspace, added.id)))
}

export type LogRefusal =
  | 'too_far_ahead'
  | 'unknown_student'
  | 'unknown_tutor'
  | 'unknown_schedule'
  | 'unknown_connection'
  | 'make_up_gone'
  | 'already_logged'
  | 'same_lesson'
  | 'rate_not_yours'

/** What the records say about a lesson's people and class. */
type Context = Awaited<ReturnType<typeof lessonContext>>
interface CheckedLesson extends Context {
  day: SessionDay
  student: NonNullable<Context['student']>
  tutor: NonNullable<Context['tutor']>
  makeUp: GivenMakeUp | undefined
}

/** Checks the lesson's day, people, class and family, and remembers which family the class is with. */
async function checkedLesson(
  { tx, workspace, side, seesAmounts, now }: MemberCaller,
  lesson: Lesson,
): Promise<Outcome<CheckedLesson, LogRefusal>> {
  if (!seesAmounts && lesson.rate) return refused('rate_not_yours')
  const day = sessionDay(lesson.day, now)
  if (!day) return refused('too_far_ahead')
  const context = await lessonContext(tx, { ...lesson, day })
  const { student, tutor, planned, shared } = context
  if (!student) return refused('unknown_student')
  if (!tutor) return refused('unknown_tutor')
  if (lesson.ofClass && !planned) return refused('unknown_schedule')
  const named = lesson.connection_id
  if (named && (side !== 'practice' || shared !== named)) return refused('unknown_connection')
  if (named && lesson.ofClass && named !== planned?.connectionId)
    await rememberFamily(tx, workspace, lesson.ofClass.schedule_id, named)
  const whose = { ...lesson, day, connection_id: shared ?? null }
  const makeUp = lesson.makesUp ? await lockMakeUp(tx, workspace, lesson.makesUp, whose) : undefined
  if (lesson.makesUp && !makeUp) return refused('make_up_gone')
  return done({ ...context, day, student, tutor, makeUp })
}

function rowOf({ side, seesAmounts }: MemberCaller, lesson: Lesson, checked: CheckedLesson) {
  const { day, planned, shared, makeUp } = checked
  const { student_id, tutor_id, minutes, subject, notes, rate, share } = lesson
  return {
    student_id,
    tutor_id,
    day,
    minutes,
    ...(seesAmounts && {
      rate_override_cents: makeUp?.isPaid ? cents(0) : share ? null : (rate ?? null),
      ...columnsOfPrice(share ? { ...share, source: 'shared', since: null } : usualPrice(checked, day)),
    }),
    subject: subject ?? null,
    start_time: lesson.start_time === undefined ? (planned?.start ?? null) : lesson.start_time,
    ...eachWords((field) => lesson[field] ?? null),
    notes: notes ?? null,
    ...lesson.ofClass,
    ...(makeUp ? { makes_up: makeUp.id } : {}),
    ...(side === 'practice' && shared ? { connection_id: shared } : {}),
  }
}

/** The price of a lesson without its own rate. */
export function usualPrice(
  { student, tutor, planned }: Pick<CheckedLesson, 'student' | 'tutor' | 'planned'>,
  day: CalendarDay,
): CountingPrice | null {
  const { rate, prices } = student
  return priceThatCounts({ schedule: planned?.rate, prices, student: rate, tutor: tutor.rate }, day)
}

/**
 * Picks an unanswered session from the other side that may be this lesson. It counts as the same lesson
 * (isSame) if what's written about both can be combined and the start times match. For a class, a missing
 * time on either one counts as a match.
 */
async function theSameOf(
  tx: Tx,
  theirs: Theirs[],
  lesson: Lesson & { connection_id: string },
  start: string | null,
): Promise<(Theirs & { isSame: boolean }) | undefined> {
  const { student_id, connection_id, day, minutes, ofClass, isLate } = lesson
  const [nearest] = theirs
  if (nearest && isSameLesson(nearest, lesson, start)) return { ...nearest, isSame: true }
  // A lesson that's sent late is never matched with a session that's already part of a possible duplicate. It
  // counts as an additional lesson instead.
  const other =
    isLate && !ofClass
      ? lookAlikes([{ connection_id, student_id, day, minutes }], await unpaired(tx, theirs))[0]
      : nearest
  return other && { ...other, isSame: false }
}

function isSameLesson(theirs: Theirs, lesson: Lesson, start: string | null): boolean {
  const isClass = lesson.ofClass !== undefined
  const hasSameStart = start === null || theirs.start === null ? isClass : start === theirs.start
  return hasSameStart && canJoinWords(theirs, lesson)
}

/**
 * Confirms the other side's session instead of logging another. If this side's facts differ, they're saved
 * and the other side has to confirm again. False if the other side has just deleted the session.
 */
async function confirmAsSame(
  { tx, workspace }: MemberCaller,
  id: string,
  { notes, student_id: _student, tutor_id: _tutor, ...row }: Unrated & Partial<ClassRef>,
): Promise<boolean> {
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return false
  await updateSession(tx, workspace, id, {
    ...(row.minutes === stored.minutes ? {} : { minutes: row.minutes }),
    ...changedPrice(row, stored),
    ...given({ schedule_id: row.schedule_id, occurrence_day: row.occurrence_day }),
    ...given(addedTo(stored, row)),
    own_answer: 'confirmed',
    own_answer_version: stored.facts_version,
    own_answer_note: null,
  })
  if (notes) await saveNotes(tx, workspace, id, notes)
  return true
}

/** What this side adds to the other side's session, other than facts. Only values that change something. */
function addedTo(stored: LockedSession, row: Pick<Unrated, Added>): Partial<Pick<SessionRow, Added>> {
  const added = {
    subject: stored.subject ?? row.subject,
    start_time: stored.start_time ?? row.start_time,
    ...eachWords((field) => joinedWords(stored[field], row[field])),
  }
  return Object.fromEntries(
    Object.entries(added).filter(([field, value]) => value !== stored[field as keyof typeof added]),
  )
}

type Added = 'subject' | 'start_time' | WordsField

/**
 * Logs lessons that have already been checked, such as those in an import. Returns how many are held as
 * possible duplicates because the other side logged a lesson that day.
 */
export async function logSessions(caller: MemberCaller, rows: SessionRow[]): Promise<number> {
  const { tx, workspace } = caller
  await holdSharing(tx)
  const theirs = await lookAlikesOf(caller, rows)
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

/** For each lesson, the other side's session that looks like the same lesson, if there is one. */
async function lookAlikesOf({ tx }: MemberCaller, rows: SessionRow[]): Promise<(Theirs | undefined)[]> {
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
 * Changes a session. Undefined if there isn't one with this id. Rejects an outdated version, a day more than
 * a year from now, and people who aren't on the lists.
 */
export async function changeSession(
  caller: MemberCaller,
  seen: Seen,
  changes: Partial<Lesson>,
): Promise<Outcome<Session, ChangeRefusal> | undefined> {
  const { tx, workspace, side } = caller
  const { id } = seen
  const changeable = await lockedToChange(caller, seen, changes)
  if (!changeable?.ok) return changeable
  const { stored, row } = changeable.value
  const day = row.day ?? stored.day
  const people = {
    studentId: changes.student_id ?? stored.student_id,
    tutorId: changes.tutor_id ?? stored.tutor_id,
  }
  const price = await priceAfter(caller, stored, people, day)
  if (!price.ok) return price
  const named = changes.connection_id
  if (named) {
    const problem = await familyProblem(tx, { named, side, ...people, day }, stored.connection_id)
    if (problem) return refused(problem)
  }
  await updateSession(tx, workspace, id, {
    ...row,
    ...price.value,
    ...(named ? { connection_id: named } : {}),
  })
  if (changes.notes !== undefined) await saveNotes(tx, workspace, id, changes.notes)
  return done(await existing(readSession(tx, workspace, id)))
}

/** Locks a session and checks whether the caller may make these changes. */
async function lockedToChange(
  { tx, workspace, seesAmounts, now }: MemberCaller,
  { id, version }: Seen,
  changes: Partial<Lesson>,
): Promise<
  Outcome<{ stored: LockedSession; row: Partial<Omit<SessionRow, 'notes'>> }, ChangeRefusal> | undefined
> {
  if (!seesAmounts && changes.rate) return refused('rate_not_yours')
  const stored = await lockSession(tx, workspace, id)
  if (!stored) return notOwnEntry(tx, workspace, id)
  if (version !== undefined && version !== stored.version) return refused('changed')
  const day = changes.day && sessionDay(changes.day, now)
  if (changes.day && !day) return refused('too_far_ahead')
  const row = changedColumns(changes, day, seesAmounts)
  if (stored.is_read_only && Object.keys(row).length > 0) return refused('other_closed')
  if (stored.is_held && Object.keys(row).length > 0) return refused('held')
  return done({ stored, row })
}

type ChangeRefusal =
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

function changedColumns(
  changes: Partial<Lesson>,
  day: SessionDay | undefined,
  seesAmounts: boolean,
): Partial<Omit<SessionRow, 'notes'>> {
  const { student_id, tutor_id, minutes, subject, start_time } = changes
  return given({
    student_id,
    tutor_id,
    day,
    minutes,
    rate_override_cents: seesAmounts ? changes.rate : undefined,
    subject,
    start_time,
    ...eachWords((field) => changes[field]),
  })
}

/**
 * The default price if a session is now with other people or on a day with another price; nothing if it stays. Rejects
 * people who aren't on the lists, and those of another connection than the one that shares the session.
 */
async function priceAfter(
  { tx, workspace, seesAmounts }: MemberCaller,
  stored: LockedSession,
  { studentId, tutorId }: { studentId: string | null; tutorId: string | null },
  day: CalendarDay,
): Promise<Outcome<Partial<SessionRow>, 'unknown_student' | 'unknown_tutor' | 'other_connection'>> {
  const isSamePeople = studentId === stored.student_id && tutorId === stored.tutor_id
  if (isSamePeople && (day === stored.day || !seesAmounts || !studentId || !tutorId)) return done({})
  const [student, tutor] = await ratesOf(tx, workspace, studentId, tutorId)
  if (student === undefined) return refused('unknown_student')
  if (tutor === undefined) return refused('unknown_tutor')
  const under = stored.connection_id
  if (!isSamePeople && under && (await connectionOf(tx, studentId, tutorId, day, under)) !== under)
    return refused('other_connection')
  if (!seesAmounts) return done({})
  const [before] = await ratesOf(tx, workspace, stored.student_id, null)
  const [pricesBefore, prices] = [
    await pricesOf(tx, workspace, stored.student_id, stored.tutor_id),
    await pricesOf(tx, workspace, studentId, tutorId),
  ]
  const kept = keptPriceOf(stored)
  const was = { studentId: stored.student_id, tutorId: stored.tutor_id, day: stored.day }
  const price = priceAfterChange(
    kept,
    { ...was, student: before ?? null, prices: pricesBefore },
    { studentId, tutorId, day, student, tutor, prices },
  )
  return done(price === kept ? {} : columnsOfPrice(price as CountingPrice | null))
}

/** Why the session can't be with the family the practice chose. Undefined if it can. */
async function familyProblem(
  tx: Tx,
  asked: {
    named: string
    side: MemberCaller['side']
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

/**
 * Replies to a session the other side sent back, without changing it. Undefined if there isn't one with this
 * id.
 */
export async function answerDispute(
  { tx, workspace }: MemberCaller,
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

/** How the commands for anything two sides agree on lock, read and write a session. */
export const SESSION: AgreedKind<AnsweredSession, Session> = {
  kind: 'session',
  lock: lockForAnswer,
  read: readSession,
  update: updateSession,
  remove: deleteSession,
  // After a connection has ended, confirming a session that was sent back counts it again.
  mayAnswerAlone: (locked, change) =>
    change === 'confirm' && (locked.own_says === 'disputed' || locked.other_says === 'disputed'),
  answerAlone: (tx, { key }) => countAgain(tx, key),
  proposable: (locked) => ({
    day: locked.day,
    minutes: locked.minutes,
    rate_cents: locked.rate_override_cents ?? locked.tutor_rate_cents,
  }),
  changesTo: (locked, { day, minutes, rate_cents: rate }) => ({
    day,
    minutes,
    ...(rate !== (locked.rate_override_cents ?? locked.tutor_rate_cents) && { rate_override_cents: rate }),
  }),
}

/**
 * Sets or withdraws this side's answer to a session. Undefined if there isn't one with this id. Rejects what
 * giveAnswer rejects, and a session in the future.
 * @param latest today's date in the time zone that's furthest ahead
 * @param words what's written about the lesson, saved with a confirmation
 */
export function answerSession(
  caller: Caller,
  seen: Seen,
  change: Exclude<AnswerChange, 'dispute'>,
  latest: CalendarDay,
  words: LessonWords = {},
): Promise<Outcome<Session, AnswerRefusal | 'too_early'> | undefined> {
  return giveAnswer(caller, SESSION, seen, change, {
    changesFor: (locked) => newWords(locked, words),
    problemOf: ({ day }) => (day > latest ? ('too_early' as const) : undefined),
  })
}

/** Says that a session isn't right. Rejects what dispute rejects, and a session that was, or should be, in the future. */
export function disputeSession(
  caller: Caller,
  seen: Seen,
  latest: CalendarDay,
  said: { note: string | null; proposes: Proposes | undefined },
): Promise<Outcome<Session, AnswerRefusal | 'too_early' | 'says_nothing'> | undefined> {
  const proposed = typeof said.proposes === 'object' ? said.proposes.day : undefined
  return dispute(caller, SESSION, seen, {
    ...said,
    problemOf: ({ day }) =>
      day > latest || (proposed && proposed > latest) ? ('too_early' as const) : undefined,
  })
}

/** The texts that differ from the stored ones. Omitted ones stay unchanged. */
function newWords(stored: StoredWords, words: LessonWords): LessonWords {
  return given(eachWords((field) => (words[field] === stored[field] ? undefined : words[field])))
}

/**
 * Deletes a session, or asks the other side to agree. Undefined if there isn't one with this id. A caregiver can
 * delete only their own entries.
 */
export async function removeSession(
  caller: MemberCaller,
  seen: Seen,
): Promise<Outcome<'deleted' | 'asked', 'changed' | 'other_closed' | 'not_your_entry'> | undefined> {
  const outcome = await askToDelete(caller, SESSION, seen)
  return outcome || caller.seesAmounts ? outcome : notOwnEntry(caller.tx, caller.workspace, seen.id)
}

/**
 * Why a caregiver can't change a session. Caregivers can read every session, but can change only those that
 * they logged and that nobody else has confirmed.
 */
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

/**
 * The current rates of a student and a tutor. Undefined for a person who isn't on the list; null if there's
 * no person or no rate.
 */
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
  if (!found) throw new Error('the session that was just written is missing')
  return found
}
