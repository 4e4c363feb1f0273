// Sessions: how they're logged and changed. Answering and deleting them is like for every kind (agreement.ts).
import { restate, say, takeOver } from './agreement.ts'
import { answerOf, factsOf, KINDS, rateOf } from './kinds.ts'
import { unpair } from './pairs.ts'
import { linkFor, shareSession } from './places.ts'
import {
  dayAfter,
  type Given,
  done,
  type Link,
  type Member,
  NOT_FOUND,
  OTHER_CLOSED,
  type Outcome,
  type Person,
  type Place,
  refused,
  type Session,
  type SessionFacts,
  type Tutor,
  type World,
} from './terms.ts'
import {
  entryFor,
  isForeign,
  isReadOnly,
  personOf,
  placeOf,
  schedulesFor,
  sessionsOf,
  takeNote,
  tutorOf,
} from './world.ts'

/** A session as someone enters it. People are ids. */
export interface Lesson {
  person: string
  tutor: string
  day: string
  minutes: number
  rate?: number | null
  subject?: string | null
  notes?: string | null
  scheduled?: { schedule: string; day: string }
  /** Whether it's another lesson than the one that the other side logged. */
  isAnother?: boolean
}
/** The time at which all classes start. */
export const CLASS_START = '16:00'

export const noAnswer = (): Given => ({
  answer: 'none',
  version: 1,
  note: null,
  proposal: null,
  at: 0,
  tookPart: false,
})

export function logSession(world: World, who: Member, lesson: Lesson): Outcome {
  const { workspace, role } = who
  if (role === 'caregiver' && lesson.rate) return refused(422, 'rate_not_yours')
  if (lesson.day > dayAfter(world, KINDS.session.daysAhead)) return refused(422, 'too_far_ahead')
  const people = toldIn(world, who, lesson)
  if ('status' in people) return people
  const { person, tutor, scheduled } = people
  const start = scheduled ? CLASS_START : null
  const link = linkFor(world, workspace, person, tutor, null)
  const theirs = link && !lesson.isAnother ? loggedByOther(world, who, link, lesson, start) : undefined
  const problem = sameLesson(world, who, theirs, scheduled)
  if (problem) return problem
  const facts: SessionFacts = {
    day: lesson.day,
    minutes: lesson.minutes,
    override: lesson.rate ?? null,
    usual: scheduled?.schedule.rate ?? person.rate ?? tutor.rate,
  }
  if (theirs) return takeAsClass(world, who, theirs, facts, scheduled, lesson.subject ?? null)
  const session: Session = {
    kind: 'session',
    id: '',
    order: (world.logged += 1),
    link: null,
    family: null,
    practice: null,
    currency: workspace.currency,
    facts,
    version: 1,
    subject: lesson.subject ?? null,
    start,
    given: { family: noAnswer(), practice: noAnswer() },
    replies: { family: null, practice: null },
    deletion: null,
    isHeld: false,
    caregiver: role === 'caregiver' ? who.account : null,
    partedFrom: null,
  }
  session[workspace.side] = { workspace, person, tutor, scheduled }
  say(world, session, workspace.side, 'confirmed')
  world.entries.push(session)
  shareSession(world, session, workspace.side, true)
  return { status: 201, entry: session }
}

/** The people and the class that a lesson names. */
function toldIn(
  world: World,
  who: Member,
  lesson: Lesson,
): { person: Person; tutor: Tutor; scheduled: Place['scheduled'] } | Outcome {
  const person = personOf(world, who, lesson.person)
  if (!person) return refused(422, 'unknown_student')
  const tutor = tutorOf(world, who, lesson.tutor)
  if (!tutor) return refused(422, 'unknown_tutor')
  if (!lesson.scheduled) return { person, tutor, scheduled: null }
  const schedule = schedulesFor(world, who).find((one) => one.id === lesson.scheduled?.schedule)
  if (!schedule) return refused(422, 'unknown_schedule')
  return { person, tutor, scheduled: { schedule, day: lesson.scheduled.day } }
}
/**
 * Refuses a class that's already logged, and a lesson that the other side may have logged. A class confirms
 * that lesson instead, but not for a caregiver.
 */
function sameLesson(
  world: World,
  { workspace, role }: Member,
  theirs: Session | undefined,
  scheduled: Place['scheduled'],
): Outcome | undefined {
  const isLogged =
    scheduled !== null &&
    sessionsOf(world, workspace).some((session) => {
      const own = placeOf(session, workspace)?.scheduled
      return own && own.schedule === scheduled.schedule && own.day === scheduled.day
    })
  if (theirs && !scheduled) return refused(409, 'same_lesson')
  if (isLogged) return refused(409, 'already_logged')
  return theirs && role === 'caregiver' ? refused(409, 'same_lesson') : undefined
}
/**
 * The first lesson on that day that the other side logged and this side hasn't answered. For a class, skips
 * lessons that are already of a class.
 */
function loggedByOther(
  world: World,
  { workspace }: Member,
  link: Link,
  lesson: Lesson,
  start: string | null,
): Session | undefined {
  const { side } = workspace
  // Lessons with the same start time first, then lessons without one.
  const closeness = (one: Session) => (start !== null && one.start === start ? 2 : one.start === null ? 1 : 0)
  return sessionsOf(world, workspace)
    .sort((one, other) => closeness(other) - closeness(one) || one.order - other.order)
    .find((session) => {
      const place = placeOf(session, workspace)
      return (
        session.link === link &&
        session.facts.day === lesson.day &&
        place?.person?.id === lesson.person &&
        answerOf(session, side) === 'none' &&
        !session.deletion &&
        !isReadOnly(session, side) &&
        !(lesson.scheduled && place.scheduled)
      )
    })
}
/**
 * Logging a class confirms the lesson that the other side logged that day. If the facts differ, this side's
 * replace them.
 */
function takeAsClass(
  world: World,
  { workspace }: Member,
  session: Session,
  { minutes, override, usual }: SessionFacts,
  scheduled: Place['scheduled'],
  subject: string | null,
): Outcome {
  const { side } = workspace
  const before = factsOf(session)
  const rate = override ?? usual
  if (rate !== null && rate !== rateOf(session)) Object.assign(session.facts, { override, usual })
  session.facts.minutes = minutes
  if (factsOf(session) === before) say(world, session, side, 'confirmed')
  else restate(world, session, side)
  const place = placeOf(session, workspace)
  if (place) place.scheduled = scheduled
  session.subject ??= subject
  session.start ??= CLASS_START
  session.caregiver = null
  return { status: 201, entry: session }
}

export function changeSession(
  world: World,
  who: Member,
  id: string,
  isStale: boolean,
  changes: Partial<Lesson>,
): Outcome {
  const { workspace, role } = who
  if (role === 'caregiver' && changes.rate) return refused(422, 'rate_not_yours')
  const session = entryFor(world, who, id)
  const place = session && placeOf(session, workspace)
  if (session?.kind !== 'session' || !place) return NOT_FOUND
  if (isForeign(who, session)) return refused(403, 'not_your_entry')
  if (isStale) return refused(409, 'changed')
  if (changes.day && changes.day > dayAfter(world, KINDS.session.daysAhead))
    return refused(422, 'too_far_ahead')
  const { notes, rate, ...others } = changes
  const facts = role === 'caregiver' || rate === undefined ? others : { ...others, rate }
  const isNone = Object.keys(facts).length === 0
  if (isReadOnly(session, workspace.side) && !isNone) return OTHER_CLOSED
  if (session.isHeld && !isNone) return refused(409, 'held')
  const problem = move(world, who, session, place, facts)
  if (problem) return problem
  if (!isNone) takeOver(session, who)
  if (notes !== undefined) takeNote(world, workspace, session, notes)
  return done({ entry: session })
}
function move(
  world: World,
  who: Member,
  session: Session,
  place: Place,
  changes: Omit<Partial<Lesson>, 'notes'>,
): Outcome | undefined {
  const { side } = who.workspace
  const person = changes.person === undefined ? place.person : personOf(world, who, changes.person)
  const tutor = changes.tutor === undefined ? place.tutor : tutorOf(world, who, changes.tutor)
  const isMoved = person !== place.person || tutor !== place.tutor
  if (person === undefined) return refused(422, 'unknown_student')
  if (tutor === undefined) return refused(422, 'unknown_tutor')
  const problem = isMoved ? moveTo(world, who, session, place, person, tutor) : undefined
  if (problem) return problem
  const before = factsOf(session)
  session.facts.day = changes.day ?? session.facts.day
  session.facts.minutes = changes.minutes ?? session.facts.minutes
  if (changes.rate !== undefined) session.facts.override = changes.rate
  if (changes.subject !== undefined) session.subject = changes.subject
  if (isMoved || factsOf(session) !== before) restate(world, session, side, isMoved)
  if (isMoved) {
    Object.assign(place, { person, tutor })
    shareSession(world, session, side)
    unpair(world, session)
  }
  return undefined
}
/** Checks that a shared session stays in its connection, and sets the usual rate of its new people. */
function moveTo(
  world: World,
  { workspace }: Member,
  { link, facts }: Session,
  place: Place,
  person: Person | null,
  tutor: Tutor | null,
): Outcome | undefined {
  if (link && (!person || !tutor || linkFor(world, workspace, person, tutor, link) !== link))
    return refused(422, 'other_connection')
  const hasOwnRate = [person, place.person].some((one) => one !== null && one.rate !== null)
  if (tutor !== place.tutor || (person !== place.person && hasOwnRate))
    facts.usual = person?.rate ?? tutor?.rate ?? null
  return undefined
}
