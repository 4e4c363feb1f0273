// The steps with sessions and payments. Each one chooses its input, runs on both the model and the server, and
// compares the results.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { answerOf, rateOf } from '../kinds.ts'
import { commands } from '../commands.ts'
import type { Told } from '../payments.ts'
import type { Lesson } from '../sessions.ts'
import {
  type Answer,
  type Caller,
  type Entry,
  isLink,
  isPayment,
  type Member,
  otherSide,
  type Outcome,
  type Payment,
  type PaymentType,
  type Proposal,
  type Session,
  sideOf,
} from '../terms.ts'
import { dollars } from '../views.ts'
import {
  barred,
  entriesOf,
  entryFor,
  isReadOnly,
  memberOf,
  peopleFor,
  placeOf,
  schedulesFor,
  seenBy,
  sessionsFor,
  takeNote,
  tutorsFor,
} from '../world.ts'
import { aCaller, anEntry, aSeat, aVersion } from './callers.ts'
import {
  compareId,
  compareLog,
  compareOutcome,
  comparePage,
  holders,
  learnIds,
  nameOf,
  readers,
  versions,
} from './compare.ts'
import { day, server, steps, world } from './here.ts'
import { type Operation, send } from './operations.ts'

const { chance, below, pick, oneOf } = steps
/** Records longer than this are shortened before anything is added to them. */
const LONGEST = { session: 40, payment: 25 }

const aDay = () => (chance(0.02) ? day(400) : chance(0.05) ? day(5) : day(-below(8) * 12))
const aKind = () => (chance(0.6) ? 'session' : 'payment')
const isShared = ({ link }: Entry) => link !== null
export const whoIs = (caller: Caller): string =>
  isLink(caller) ? `the ${caller.side}'s page of ${caller.link.id}` : nameOf(caller)

interface OnEntry {
  caller: Caller
  kind: Entry['kind']
  id: string
  operation: Operation
  body?: object
  /** The right that the action requires of a member. */
  right: 'log' | 'answer' | 'payments'
  model: (caller: Caller, id: string, isStale: boolean) => Outcome
}
/** Does something to an entry, and compares what everyone sees of it. */
async function onEntry({ caller, kind, id, operation, body = {}, right, model }: OnEntry): Promise<Outcome> {
  const before = holders(id)
  const entry = entryFor(world, caller, id)
  const { isStale, version } = await aVersion(caller, kind, id)
  const needs = kind === 'payment' ? 'payments' : right
  const outcome = (isLink(caller) ? undefined : barred(caller, needs)) ?? model(caller, id, isStale)
  const reply = await send(caller, operation, { kind, id, body, ...(version !== undefined && { version }) })
  compareOutcome(
    outcome,
    reply,
    `${whoIs(caller)}: ${operation} ${kind} ${JSON.stringify(body)}${isStale ? ' by an old version' : ''}`,
  )
  await learnIds()
  const told = reply.status === 200 && !isLink(caller) ? { seat: caller, entry: reply.body } : undefined
  await compareId(kind, id, before, told)
  const link = entry?.link ?? outcome.entry?.link
  if (link && (isLink(caller) || chance(0.1))) await comparePage(link)
  return outcome
}
/** Records an entry, and compares what everyone sees of it. */
async function record(
  caller: Caller,
  kind: Entry['kind'],
  body: object,
  model: () => Outcome,
): Promise<Entry | undefined> {
  const right = kind === 'payment' ? 'payments' : 'log'
  const outcome = (isLink(caller) ? undefined : barred(caller, right)) ?? model()
  const reply = await send(caller, 'Record', { kind, body })
  compareOutcome(outcome, reply, `${whoIs(caller)} records ${JSON.stringify(body)}`)
  if (!outcome.entry) return undefined
  outcome.entry.id ||= String(reply.body.id)
  return outcome.entry
}

// Sessions.

/** Whom a lesson can be with: usually, those whom the member sees, sometimes anyone in the workspace. */
function choicesOf(seat: Member) {
  const own = <One extends { workspace: unknown }>(all: One[]) =>
    all.filter(({ workspace }) => workspace === seat.workspace)
  return chance(0.1)
    ? { people: own(world.people), tutors: own(world.tutors), schedules: own(world.schedules) }
    : {
        people: peopleFor(world, seat),
        tutors: tutorsFor(world, seat),
        schedules: schedulesFor(world, seat),
      }
}
/** Sometimes an id that doesn't exist. */
const idOf = (one: { id: string } | null | undefined) => (!one || chance(0.01) ? randomUUID() : one.id)

function aLesson(seat: Member): Lesson {
  const { workspace } = seat
  const { people, tutors, schedules } = choicesOf(seat)
  // Often, pick a lesson that the other side has logged. The server then asks whether the two are the same
  // lesson. For a class, it confirms the other side's lesson instead.
  const theirs = sessionsFor(world, seat).filter(
    (session) => session.link && answerOf(session, workspace.side) === 'none',
  )
  const same = chance(0.35) ? pick(theirs) : undefined
  const place = same && placeOf(same, workspace)
  const date = same?.facts.day ?? aDay()
  const schedule = chance(0.3) ? pick(schedules) : undefined
  return {
    person: idOf(place?.person ?? pick(people)),
    tutor: idOf(place?.tutor ?? pick(tutors)),
    day: date,
    minutes: oneOf([0, 30, 60, 60, 60, 90]),
    ...(chance(seat.role === 'caregiver' ? 0.03 : 0.3) && { rate: aRate() }),
    ...(chance(0.4) && { subject: oneOf(['Algebra', 'Reading', null]) }),
    ...(chance(0.3) && { notes: oneOf(['a secret', 'bring the book']) }),
    ...(schedule && { scheduled: { schedule: schedule.id, day: date } }),
    ...(chance(0.4) && { isAnother: true }),
  } as Lesson
}
const aRate = () => oneOf([undefined, undefined, null, 4500, 5000])
/** Renames the given fields to their API names. */
export function lessonOnTheWire(lesson: Partial<Lesson>): Record<string, unknown> {
  const { person, tutor, day: date, minutes, rate, scheduled, isAnother, ...rest } = lesson
  return {
    ...rest,
    student_id: person,
    tutor_id: tutor,
    date,
    ...(minutes === undefined ? {} : { duration: minutes / 60 }),
    hourly_rate: rate === undefined ? undefined : dollars(rate),
    ...(scheduled ? { schedule_id: scheduled.schedule, occurrence_date: scheduled.day } : {}),
    is_another: isAnother,
  }
}
export const aLessonOnTheWire = (seat: Member) => lessonOnTheWire(aLesson(seat))

const isLong = (caller: Caller, kind: Entry['kind']) => {
  const own = isLink(caller) ? seenBy(world, caller) : entriesOf(world, caller.workspace)
  return own.filter((one) => one.kind === kind).length > LONGEST[kind]
}
export async function logSession(): Promise<void> {
  const seat = aSeat()
  if (isLong(seat, 'session')) return removeEntry(seat, 'session')
  const lesson = aLesson(seat)
  const session = await record(seat, 'session', lessonOnTheWire(lesson), () =>
    commands.logSession(world, seat, lesson),
  )
  if (!session) return
  if (lesson.notes) takeNote(world, seat.workspace, session, lesson.notes)
  await learnIds()
  await compareId('session', session.id, [])
}
export async function changeSession(): Promise<void> {
  const seat = aSeat()
  const isPaired = (entry: Entry) =>
    world.links.some(({ pairs }) => pairs.some((pair) => pair.family === entry || pair.practice === entry))
  const other = aLesson(seat)
  const kept = (Object.keys(other) as (keyof Lesson)[]).filter(
    (field) =>
      field !== 'scheduled' &&
      field !== 'isAnother' &&
      other[field] !== undefined &&
      chance(field === 'tutor' || field === 'person' ? 0.15 : 0.4),
  )
  const changes = Object.fromEntries(kept.map((field) => [field, other[field]])) as Partial<Lesson>
  await changeBy(seat, anEntry(seat, 'session', chance(0.3) ? isPaired : () => true), changes)
}
export async function takeNotes(): Promise<void> {
  const seat = aSeat()
  const notes = oneOf(['a secret', 'bring the book', null, null])
  await changeBy(seat, anEntry(seat, 'session', isShared), { notes })
}
async function changeBy(seat: Member, id: string, changes: Partial<Lesson>): Promise<void> {
  await onEntry({
    caller: seat,
    kind: 'session',
    id,
    operation: 'Change',
    body: lessonOnTheWire(changes),
    right: 'log',
    model: (_, own, isStale) => commands.changeSession(world, seat, own, isStale, changes),
  })
}

// Payments.

/** Money, prepaid hours or a debt. Sometimes the input is invalid. */
function anAmount(): Pick<Told, 'type' | 'cents' | 'minutes'> {
  const type = oneOf<PaymentType>(['payment', 'payment', 'payment', 'hours', 'opening'])
  // Use only a few different amounts, so that two payments on the same day are sometimes equal.
  const cents = chance(0.03) ? 0 : chance(0.5) ? oneOf([4500, 9000]) : below(20_000)
  const minutes = type === 'hours' && chance(0.97) ? 15 * (1 + below(24)) : null
  return { type, cents, minutes }
}
function paymentOnTheWire(told: Partial<Told>): object {
  const { tutor, person, named, day: date, type, cents, minutes, isAnother } = told
  return {
    ...(tutor !== undefined && { tutor_id: tutor }),
    ...(person !== undefined && { student_id: person }),
    ...(named !== undefined && { connection_id: named }),
    ...(date && { date }),
    ...(type && { kind: type }),
    ...(cents !== undefined && { amount: cents / 100 }),
    ...(minutes && { hours: minutes / 60 }),
    ...(isAnother !== undefined && { is_another: isAnother }),
  }
}
/** Sometimes the other side's, or one's own from before, to find what's recorded twice. */
function aPayment(caller: Caller): Told {
  const known = world.entries.filter(isPayment).filter((one) => !isLink(caller) || one.link === caller.link)
  const again = chance(0.3) ? pick(known) : undefined
  const date = chance(0.02) ? day(2) : day(-below(8) * 12)
  const { minutes, ...facts } = again?.facts ?? { day: date, ...anAmount() }
  const told = { ...facts, minutes: minutes || null, isAnother: chance(0.6) }
  return isLink(caller) ? told : { ...told, ...aParty(caller, again) }
}
/** Whom a payment is with: of a practice, a student and sometimes the connection; of a family, a tutor. */
function aParty(seat: Member, again: Payment | undefined): Partial<Told> {
  const own = again && placeOf(again, seat.workspace)
  if (seat.workspace.side === 'practice') {
    const links = world.links.filter((one) => one.practice === seat.workspace)
    const person = own ? own.person : chance(0.9) ? pick(peopleFor(world, seat)) : null
    const named = chance(0.3) ? pick(links) : undefined
    return { person: person?.id ?? null, ...(named && { named: named.id }) }
  }
  const person = own ? own.person : chance(0.5) ? pick(peopleFor(world, seat)) : null
  return {
    person: person?.id ?? null,
    tutor: (own?.tutor ?? pick(tutorsFor(world, seat)))?.id ?? randomUUID(),
  }
}
export async function recordPayment(): Promise<void> {
  const caller = aCaller()
  if (isLong(caller, 'payment')) return removeEntry(caller, 'payment')
  const told = aPayment(caller)
  const note = isLink(caller) || chance(0.5) ? {} : { note: 'from savings' }
  const payment = await record(caller, 'payment', { ...paymentOnTheWire(told), ...note }, () =>
    commands.recordPayment(world, caller, told),
  )
  if (!payment) return
  await compareId('payment', payment.id, [])
  if (isLink(caller)) await comparePage(caller.link)
}
export async function changePayment(): Promise<void> {
  const caller = aCaller()
  const { type, cents, minutes } = anAmount()
  const isMember = !isLink(caller)
  const changes: Partial<Told> = {
    ...(chance(0.4) && { day: day(-below(8) * 12) }),
    ...(chance(0.5) && { cents }),
    ...(isMember && chance(0.25) && { type, ...(minutes && { minutes }) }),
    ...(isMember &&
      chance(0.25) && { person: (chance(0.7) ? pick(peopleFor(world, caller)) : null)?.id ?? null }),
    ...(isMember &&
      caller.workspace.side === 'family' &&
      chance(0.15) && { tutor: pick(tutorsFor(world, caller))?.id ?? randomUUID() }),
  }
  await onEntry({
    caller,
    kind: 'payment',
    id: anEntry(caller, 'payment', () => true),
    operation: 'Change',
    body: { ...paymentOnTheWire(changes), ...(isMember && chance(0.3) && { note: 'as agreed' }) },
    right: 'payments',
    model: (who, id, isStale) => commands.changePayment(world, who, id, isStale, changes),
  })
}
export async function sharePayment(): Promise<void> {
  const seat = aSeat()
  const id = anEntry(seat, 'payment', ({ link }) => link === null || chance(0.02))
  const outcome = barred(seat, 'payments') ?? commands.sharePayment(world, seat, id)
  const before = holders(id)
  const reply = await send(seat, 'SharePayments', { body: { payments: [id] } })
  compareOutcome(outcome, reply, `${nameOf(seat)} shares a payment`)
  const [shared] = reply.status === 200 ? (reply.body.payments as { id: string }[]) : []
  if (outcome.entry && shared) outcome.entry.id ||= shared.id
  await compareId('payment', outcome.entry?.id ?? id, before)
}

// Every kind.

const OPERATION = { confirmed: 'Confirm', disputed: 'Dispute', none: 'Withdraw' } as const
export async function giveAnswer(): Promise<void> {
  const caller = aCaller()
  const kind = aKind()
  const answer = oneOf<Answer>(['confirmed', 'confirmed', 'confirmed', 'none', 'disputed', 'disputed'])
  const note = answer === 'disputed' ? oneOf(['It was an hour and a half', 'Nobody came']) : null
  const isOpen = (entry: Entry) =>
    entry.link !== null && (answerOf(entry, sideOf(caller)) !== 'confirmed' || chance(0.3))
  const id = anEntry(caller, kind, isOpen)
  const entry = entryFor(world, caller, id)
  const proposed = answer === 'disputed' && entry && chance(0.6) ? aProposal(entry) : undefined
  await onEntry({
    caller,
    kind,
    id,
    operation: OPERATION[answer],
    body: { ...(note && { note }), ...(proposed && { proposal: proposed.onTheWire }) },
    right: 'answer',
    model: (who, own, isStale) =>
      commands.giveAnswer(world, who, own, isStale, answer, note, proposed?.proposal),
  })
}
/** What would be right instead: another fact than the entry has, or that it should go. */
function aProposal(entry: Entry): { proposal: Proposal; onTheWire: object } {
  if (chance(0.2)) return { proposal: 'removal', onTheWire: { is_removal: true } }
  const date = chance(0.3) ? day(-below(8) * 12) : entry.facts.day
  if (isPayment(entry)) {
    const cents = entry.facts.cents + 100 * (1 + below(3))
    return { proposal: { day: date, cents }, onTheWire: { date, amount: cents / 100 } }
  }
  const [{ minutes }, rate] = [entry.facts, rateOf(entry)]
  if (chance(0.4)) {
    const right = (rate ?? 0) + 100 * (1 + below(3))
    return { proposal: { day: date, minutes, rate: right }, onTheWire: { date, rate: dollars(right) } }
  }
  const longer = minutes + 15 * (1 + below(2))
  return { proposal: { day: date, minutes: longer, rate }, onTheWire: { date, duration: longer / 60 } }
}
export async function acceptProposal(): Promise<void> {
  const caller = aCaller()
  const kind = aKind()
  const isProposed = (entry: Entry) => entry.given[otherSide(sideOf(caller))].proposal !== null
  await onEntry({
    caller,
    kind,
    id: anEntry(caller, kind, isProposed),
    operation: 'Accept',
    right: 'answer',
    model: (who, id, isStale) => commands.accept(world, who, id, isStale),
  })
}
/** Confirms or keeps an entry without comparing what everyone sees of it. Whoever does many at once compares later. */
export async function agreeTo(
  caller: Caller,
  { kind, id }: Entry,
  operation: 'Confirm' | 'Keep',
): Promise<void> {
  const outcome =
    operation === 'Keep'
      ? commands.keep(world, caller, id, false)
      : commands.giveAnswer(world, caller, id, false, 'confirmed')
  const reply = await send(caller, operation, { kind, id })
  compareOutcome(outcome, reply, `${whoIs(caller)}: ${operation} ${kind}`)
}
export async function replyTo(): Promise<void> {
  const seat = aSeat()
  const note = oneOf(['It was an hour and a half', 'Nobody came', 'I looked at the clock'])
  const isDisputed = (entry: Entry) => answerOf(entry, otherSide(seat.workspace.side)) === 'disputed'
  await onEntry({
    caller: seat,
    kind: 'session',
    id: anEntry(seat, 'session', isDisputed),
    operation: 'Reply',
    body: { note },
    right: 'answer',
    model: (who, id, isStale) => commands.reply(world, who, id, isStale, note),
  })
}
export async function remove(): Promise<void> {
  await removeEntry(aCaller(), aKind())
}
export async function removeEntry(
  caller: Caller,
  kind: Entry['kind'],
  where: (entry: Entry) => boolean = (entry) => entry.deletion !== null || chance(0.5),
): Promise<void> {
  await onEntry({
    caller,
    kind,
    id: anEntry(caller, kind, where),
    operation: 'Delete',
    right: 'log',
    model: (who, own, isStale) => commands.remove(world, who, own, isStale),
  })
}
export async function keep(): Promise<void> {
  const caller = aCaller()
  const kind = aKind()
  await onEntry({
    caller,
    kind,
    id: anEntry(caller, kind, ({ deletion }) => deletion !== null),
    operation: 'Keep',
    right: 'answer',
    model: (who, own, isStale) => commands.keep(world, who, own, isStale),
  })
}
/**
 * If a request to delete an entry goes four weeks without an answer and no reminders were sent, whoever asked can
 * delete it from their own records.
 */
export async function leave(): Promise<void> {
  const waiting = world.entries.find(({ deletion }) => deletion)
  const workspace = waiting?.deletion && waiting[waiting.deletion.by]?.workspace
  const owner = workspace && memberOf(world, workspace.owner, workspace)
  if (!owner || owner.account.isClosed) return keep()
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 29 * 86_400_000)
  world.now = server.clock.now.getTime()
  await removeEntry(owner, waiting.kind, (entry) => entry === waiting)
  server.clock.now = now
  world.now = now.getTime()
}

export async function confirmMany(): Promise<void> {
  const seat = aSeat()
  const { side, id: workspace } = seat.workspace
  const named = sessionsFor(world, seat)
    .filter((session) => session.link && chance(0.3))
    .slice(0, 5)
    .map((session: Session) => {
      const known = [...(versions.get(`${workspace} ${session.id}`)?.keys() ?? [])]
      const version = (chance(0.1) ? pick(known) : known.at(-1)) ?? 0
      return { session, version, isStale: version !== known.at(-1) }
    })
  if (named.length === 0) return giveAnswer()
  const isClosed = named.some(({ session }) => isReadOnly(session, side))
  const refusal = barred(seat, 'answer') ?? (isClosed ? { status: 409, code: 'other_closed' } : undefined)
  const expected = { confirmed: [] as string[], changed: [] as string[] }
  if (!refusal)
    for (const { session, isStale } of named) {
      const { status } = commands.giveAnswer(world, seat, session.id, isStale, 'confirmed')
      expected[status === 200 ? 'confirmed' : 'changed'].push(session.id)
    }
  const sessions = named.map(({ session: { id }, version }) => ({ id, version }))
  const reply = await send(seat, 'ConfirmSessions', { body: { sessions } })
  compareOutcome(refusal ?? { status: 200 }, reply, `${nameOf(seat)} confirms several`)
  if (!refusal) {
    const { confirmed, changed } = reply.body as typeof expected
    assert.deepEqual([confirmed.sort(), changed.sort()], [expected.confirmed.sort(), expected.changed.sort()])
  }
  const sides = new Set(named.flatMap(({ session: { id } }) => holders(id)))
  await Promise.all([...sides].flatMap((one) => readers(one)).map(compareLog))
}
