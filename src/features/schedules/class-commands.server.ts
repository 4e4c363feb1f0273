// What people do with one class: log it as planned, say how it ended, move it, and answer where the other side would like it to be.
// The app and emailed links call the same commands. In a shared schedule, an outcome holds at once, and a move once both sides agree.
import type { MemberCaller } from '#features/access/admission.server.ts'
import {
  acceptProposal,
  type AgreedKind,
  dispute,
  giveAnswer,
  type Proposes,
} from '#features/agreements/commands.server.ts'
import { logSession } from '#features/sessions/commands.server.ts'
import { sessionOfClass } from '#features/sessions/queries.server.ts'
import type { Session } from '#features/sessions/session.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { OutputOf, ParsedInputOf, ReasonOf } from '#kernel/endpoint.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { found } from '#platform/http/problem.server.ts'
import type { EndClasses } from './break.ts'
import {
  deleteChange,
  followOutcome,
  lockClasses,
  type LockedChange,
  lockChange,
  lockChangeOf,
  missedClass,
  readChange,
  readConsequence,
  saveChange,
  updateChange,
} from './change-queries.server.ts'
import {
  type AnswerOccurrence,
  type Change,
  type ChangeOccurrence,
  type LogOccurrence,
  occurrencesBetween,
  ZONE_DAYS,
} from './occurrence.ts'
import { saidByTerms } from './missed.server.ts'
import { mayHaveBegun } from './outcome.ts'
import { listChanges, listSchedules, readSchedule } from './queries.server.ts'
import { isDayOfSeries } from './recurrence.ts'
import { recurrenceOf, type Schedule } from './schedule.ts'
import { isAtOnce, spanOf } from './zones.server.ts'

const PLANNED = { outcome: null, outcome_at: null, outcome_by: null }
/** Where the schedule says. */
const USUAL = { moved_to: null, start_time: null }

/** Logs a class as planned. If it's already logged, that's the session. */
export async function logOccurrence(
  caller: MemberCaller,
  id: string,
  input: ParsedInputOf<typeof LogOccurrence>,
): Promise<Outcome<Session, ReasonOf<typeof LogOccurrence>>> {
  const { tx, workspace } = caller
  const schedule = await found(readSchedule(tx, workspace, id))
  const ref = { schedule_id: schedule.id, occurrence_day: input.date }
  const change = await lockChangeOf(tx, workspace, schedule.id, input.date)
  const earlier = await sessionOfClass(tx, workspace, ref)
  if (earlier) return done(earlier)
  const { student_id, tutor_id } = schedule
  if (!student_id || !tutor_id || !isDayOfSeries(recurrenceOf(schedule), input.date))
    return refused('no_such_class')
  // Logging a canceled class says that it took place after all.
  if (change?.outcome) await saveOutcome(caller, { schedule_id: schedule.id, day: input.date }, PLANNED)
  const logged = await logSession(caller, {
    student_id,
    tutor_id,
    day: (change?.holds ? change.moved_to : null) ?? input.date,
    minutes: (schedule.duration * 60) as Minutes,
    subject: schedule.subject,
    connection_id: input.connection_id,
    ofClass: ref,
  })
  if (logged.ok) return logged
  if (
    logged.reason === 'too_far_ahead' ||
    logged.reason === 'same_lesson' ||
    logged.reason === 'unknown_connection'
  )
    return refused(logged.reason)
  if (logged.reason !== 'already_logged') return refused('no_such_class')
  // Either a second tap logged the class at the same time, or the session is for a child this member can't
  // see.
  const other = await sessionOfClass(tx, workspace, ref)
  return other ? done(other) : refused('already_logged')
}

/** How the commands for anything two sides agree on lock, read and write a changed class. */
const CHANGE: AgreedKind<LockedChange, { id: string }> = {
  kind: 'schedule_change',
  lock: lockChange,
  read: readChange,
  update: updateChange,
  remove: deleteChange,
  mayAnswerAlone: () => false,
  proposable: ({ moved_to, start_time }) => ({ moved_to, start_time }),
  changesTo: (_, { moved_to, start_time }) => ({ moved_to, start_time }),
}

/** The class that a command was about. */
interface ClassOf {
  schedule_id: string
  date: CalendarDay
}

/**
 * Says how one class ended, moves it, or puts it back to planned. Saying the same twice changes nothing. Refuses a class that was
 * logged, and one that would be on top of another of the same people.
 * @param mayMove caregivers only say how a class ended, and aren't told what that costs
 */
export async function changeOccurrence(
  caller: MemberCaller,
  id: string,
  input: ParsedInputOf<typeof ChangeOccurrence>,
  mayMove: boolean,
): Promise<Outcome<OutputOf<typeof ChangeOccurrence>, ReasonOf<typeof ChangeOccurrence>>> {
  const { date, status, outcome = null, was } = input
  const open = await openClass(caller, id, date)
  if (!open.ok) return open
  const { schedule, stored } = open.value
  const isAboutOutcome = status !== 'moved' && (outcome ?? stored?.outcome ?? was ?? null) !== null
  const refusal = isAboutOutcome
    ? await endClass(caller, schedule, date, stored, { outcome, was })
    : await moveClass(caller, schedule, date, stored, input, mayMove)
  if (refusal) return refusal
  const costs =
    caller.seesAmounts && outcome
      ? await readConsequence(caller, { schedule_id: schedule.id, day: date })
      : { because: null, charge: null, is_waived: null }
  return done({ schedule_id: schedule.id, date, outcome, ...costs })
}

/** Locks a class that can still be changed. */
async function openClass(
  { tx, workspace }: MemberCaller,
  id: string,
  date: CalendarDay,
): Promise<
  Outcome<
    { schedule: Schedule; stored: LockedChange | undefined },
    'no_such_class' | 'already_logged' | 'other_closed'
  >
> {
  const schedule = await found(readSchedule(tx, workspace, id))
  if (!isDayOfSeries(recurrenceOf(schedule), date)) return refused('no_such_class')
  const stored = await lockChangeOf(tx, workspace, schedule.id, date)
  if (await sessionOfClass(tx, workspace, { schedule_id: schedule.id, occurrence_day: date }))
    return refused('already_logged')
  return stored?.is_read_only ? refused('other_closed') : done({ schedule, stored })
}

/**
 * Says how several classes ended, or puts them back to planned, each by the rule of a single one. If one can't be, all stay as
 * they are.
 */
export async function endClasses(
  caller: MemberCaller,
  { classes }: ParsedInputOf<typeof EndClasses>,
): Promise<Outcome<OutputOf<typeof EndClasses>, ReasonOf<typeof EndClasses>>> {
  // All locks are taken before the first change, so that two sides who do this at once wait for each other only here.
  await lockClasses(caller.tx, classes)
  for (const { schedule_id: id, date, ...ending } of classes) {
    const open = await openClass(caller, id, date)
    if (!open.ok) return open
    const refusal = await endClass(caller, open.value.schedule, date, open.value.stored, ending)
    if (refusal) return refusal
  }
  return done({ classes: classes.map(({ schedule_id, date, outcome }) => ({ schedule_id, date, outcome })) })
}

type Ending = Change['outcome']

async function endClass(
  caller: MemberCaller,
  schedule: Schedule,
  day: CalendarDay,
  stored: LockedChange | undefined,
  { outcome, was }: { outcome: Ending; was: Ending | undefined },
) {
  const { side, now } = caller
  const before = stored?.outcome ?? null
  if (before === outcome) return undefined
  if (was !== undefined && was !== before) return refused('answered')
  if (outcome === 'no_show' && !hasBegun(schedule, day, stored, now)) return refused('not_begun')
  const to = outcome === null ? PLANNED : { outcome, outcome_at: now, outcome_by: side }
  await saveOutcome(caller, { schedule_id: schedule.id, day }, to)
  return undefined
}

/** Saves how a class ended, and proposes, changes or removes the charge that follows from that under agreed terms. */
async function saveOutcome(
  { tx, workspace }: MemberCaller,
  of: Pick<Change, 'schedule_id' | 'day'>,
  to: Pick<Change, 'outcome' | 'outcome_by' | 'outcome_at'>,
): Promise<void> {
  await saveChange(tx, workspace, of, to)
  await chargeClass(tx, of)
}

async function chargeClass(tx: MemberCaller['tx'], of: Pick<Change, 'schedule_id' | 'day'>): Promise<void> {
  const missed = await missedClass(tx, of)
  if (missed) await followOutcome(tx, of, saidByTerms(missed))
}

function hasBegun(
  schedule: Schedule,
  day: CalendarDay,
  stored: LockedChange | undefined,
  now: Date,
): boolean {
  const at = stored?.holds ? stored : undefined
  const date = at?.moved_to ?? day
  const span = spanOf({ ...schedule, date, start_time: at?.start_time?.slice(0, 5) ?? schedule.start_time })
  return span ? span.start <= now : mayHaveBegun(date, now)
}

async function moveClass(
  caller: MemberCaller,
  schedule: Schedule,
  day: CalendarDay,
  stored: LockedChange | undefined,
  { moved_to: to = null, start_time: time = null }: Partial<Pick<Change, 'moved_to' | 'start_time'>>,
  mayMove: boolean,
) {
  if (!mayMove) return refused('move_not_yours')
  if (stored?.outcome) return refused('canceled')
  if (to && time && (await isOnAnother(caller, schedule, day, to, time))) return refused('on_another')
  const place = { moved_to: to, start_time: time && `${time}:00` }
  // What the other side took part in moves only with its consent.
  if (stored?.connection_id && stored.other_took_part) return propose(caller, stored, place)
  const isSame =
    place.moved_to === (stored?.moved_to ?? null) && place.start_time === (stored?.start_time ?? null)
  if (!isSame) await saveChange(caller.tx, caller.workspace, { schedule_id: schedule.id, day }, place)
  return undefined
}

async function propose(caller: MemberCaller, stored: LockedChange, proposes: Proposes) {
  const said = await dispute(caller, CHANGE, { id: stored.id }, { note: null, proposes })
  // A proposal of what already is says nothing, and needs nothing.
  return said && !said.ok && said.reason === 'other_closed' ? refused('other_closed') : undefined
}

async function isOnAnother(
  { tx, workspace }: MemberCaller,
  schedule: Schedule,
  date: CalendarDay,
  to: CalendarDay,
  time: string,
): Promise<boolean> {
  // Where another class takes place it may be another day.
  const [from, until] = [addDays(to, -ZONE_DAYS), addDays(to, ZONE_DAYS)]
  const [schedules, changes] = [
    await listSchedules(tx, workspace),
    await listChanges(tx, workspace, from, until),
  ]
  const moved = { ...schedule, date: to, start_time: time }
  return occurrencesBetween(schedules, changes, from, until).some(
    (one) =>
      one.status !== 'canceled' &&
      one.student_id === schedule.student_id &&
      one.tutor_id === schedule.tutor_id &&
      (one.schedule_id !== schedule.id || one.original_date !== date) &&
      isAtOnce(one, moved),
  )
}

/**
 * Accepts where the other side would like a class to be, or keeps it where it is, which also withdraws an own proposal.
 */
export async function answerOccurrence(
  caller: MemberCaller,
  id: string,
  { date, answer }: ParsedInputOf<typeof AnswerOccurrence>,
): Promise<Outcome<ClassOf, ReasonOf<typeof AnswerOccurrence>>> {
  const schedule = await found(readSchedule(caller.tx, caller.workspace, id))
  const answered = await answerClass(caller, schedule, date, answer)
  return answered.ok ? done({ schedule_id: schedule.id, date }) : answered
}

async function answerClass(
  caller: MemberCaller,
  schedule: Schedule,
  date: CalendarDay,
  answer: 'accept' | 'keep',
): Promise<Outcome<undefined, ReasonOf<typeof AnswerOccurrence>>> {
  const { tx, workspace } = caller
  const stored = await lockChangeOf(tx, workspace, schedule.id, date)
  if (!stored?.connection_id) return refused('not_proposed')
  const seen = { id: stored.id }
  const isProposal = stored.other_says === 'disputed' && stored.other_proposal !== null
  if (answer === 'keep') {
    if (stored.waits_for_you && !isProposal) return (await propose(caller, stored, USUAL)) ?? done(undefined)
    if (!stored.holds && !stored.other_took_part) {
      await saveChange(tx, workspace, { schedule_id: schedule.id, day: date }, USUAL)
      return done(undefined)
    }
    return outcomeOf(await giveAnswer(caller, CHANGE, seen, 'confirm'))
  }
  if (await sessionOfClass(tx, workspace, { schedule_id: schedule.id, occurrence_day: date }))
    return refused('already_logged')
  // A second tap finds what the first one did.
  if (!isProposal && !stored.waits_for_you) return stored.holds ? done(undefined) : refused('not_proposed')
  const answered = isProposal
    ? await acceptProposal(caller, CHANGE, seen)
    : await giveAnswer(caller, CHANGE, seen, 'confirm')
  // A class that was canceled meanwhile was canceled for where it is now.
  if (stored.outcome) await chargeClass(tx, { schedule_id: schedule.id, day: date })
  return outcomeOf(answered)
}

function outcomeOf(
  said: Outcome<unknown, string> | undefined,
): Outcome<undefined, 'not_proposed' | 'other_closed'> {
  if (said?.ok) return done(undefined)
  return refused(said?.reason === 'other_closed' ? 'other_closed' : 'not_proposed')
}
