// Payments, prepaid hours and earlier debts: how they're recorded, changed and shared. Answering and deleting them
// is like for every kind (agreement.ts).
import { answered, drop, restate, say } from './agreement.ts'
import { answerOf, factsOf, isAgreed, KINDS } from './kinds.ts'
import { childOf, hasCopy, selfOf, sharePayment } from './places.ts'
import { noAnswer } from './sessions.ts'
import {
  type Caller,
  dayAfter,
  done,
  isLink,
  isPayment,
  type Link,
  type Member,
  NOT_FOUND,
  OTHER_CLOSED,
  otherSide,
  type Outcome,
  type Payment,
  type PaymentFacts,
  type PaymentType,
  type Person,
  refused,
  type Side,
  sideOf,
  type Tutor,
  type World,
} from './terms.ts'
import {
  currencyOf,
  entriesOf,
  entryFor,
  isReadOnly,
  isShut,
  personOf,
  placeOf,
  seenBy,
  tutorOf,
} from './world.ts'

/** A payment as someone enters it. People are ids. */
export interface Told {
  tutor?: string
  person?: string | null
  /** A practice can name the connection. */
  named?: string
  day: string
  type: PaymentType
  cents: number
  minutes: number | null
  isAnother?: boolean
}

/** Who a payment is for: the tutor that a family paid, and a child or student. */
interface People {
  tutor: Tutor | null
  person: Person | null
}

const NOBODY: People = { tutor: null, person: null }
const isForOther = (place: People | null, { tutor, person }: People) =>
  place !== null && (person !== place.person || tutor !== place.tutor)

export function recordPayment(world: World, caller: Caller, told: Told): Outcome {
  const { day, type, cents, minutes, named } = told
  const side = sideOf(caller)
  if (day > dayAfter(world, KINDS.payment.daysAhead)) return refused(422, 'too_far_ahead')
  const isKnown = isLink(caller) || named !== undefined || side === 'family'
  const missing = missingIn(told, isKnown || told.person != null)
  if (missing) return missing
  const people = isLink(caller) ? NOBODY : peopleOf(world, caller, told)
  if ('status' in people) return people
  const link = isLink(caller) ? caller.link : payable(world, caller, people, day, named)
  if (named && !link) return refused(422, 'not_connected')
  const payment: Payment = {
    kind: 'payment',
    id: '',
    link: null,
    family: null,
    practice: null,
    currency: isLink(caller) ? (currencyOf(caller.link) ?? 'USD') : caller.workspace.currency,
    facts: { day, type, cents, minutes: type === 'hours' ? (minutes ?? 0) : 0 },
    version: 1,
    given: { family: noAnswer(), practice: noAnswer() },
    replies: { family: null, practice: null },
    deletion: null,
    partedFrom: null,
  }
  if (!isLink(caller)) payment[side] = { workspace: caller.workspace, ...people, scheduled: null }
  if (isTwice(world, caller, payment, link) && !told.isAnother) return refused(409, 'same_payment')
  say(world, payment, side, 'confirmed')
  if (link) sharePayment(world, link, payment)
  world.entries.push(payment)
  return { ...answered(caller, payment), status: 201 }
}
function missingIn(
  { type, cents, minutes }: Pick<Told, 'type' | 'cents' | 'minutes'>,
  hasAccount: boolean,
): Outcome | undefined {
  if (!hasAccount) return refused(422, 'no_student')
  if (type === 'hours') return minutes ? undefined : refused(422, 'no_hours')
  return cents === 0 ? refused(422, 'no_amount') : undefined
}
/** Who a payment is for. Whoever isn't named stays as before. */
function peopleOf(
  world: World,
  who: Member,
  told: Partial<Told>,
  before: People | null = null,
): People | Outcome {
  const self = who.workspace.side === 'practice' ? selfOf(world, who.workspace) : null
  const tutor = told.tutor === undefined ? (before?.tutor ?? self) : tutorOf(world, who, told.tutor)
  if (tutor === undefined) return refused(422, 'unknown_tutor')
  const person = told.person === undefined ? (before?.person ?? null) : told.person
  if (typeof person !== 'string') return { tutor, person }
  const named = personOf(world, who, person)
  return named ? { tutor, person: named } : refused(422, 'unknown_student')
}
/** The accepted connection through which a payment is shared, the newest if there are several. */
function payable(
  { links }: World,
  { workspace }: Member,
  { tutor, person }: People,
  day: string,
  named?: string,
): Link | undefined {
  return links.findLast((link) => {
    if (link.state !== 'active' || link[workspace.side] !== workspace || isShut(link)) return false
    if (named ? link.id !== named : link.sharedFrom && day < link.sharedFrom) return false
    if (workspace.side === 'family') return link.tutor === tutor && tutor !== null
    if (!person) return named !== undefined
    const isIn = link.people.some(({ student }) => student === person)
    return isIn && (!link.family || childOf(link, person) !== null)
  })
}
/** Whether the account already has a payment of the same day, type and amount. */
function isTwice(world: World, caller: Caller, payment: Payment, link: Link | undefined): boolean {
  const side = sideOf(caller)
  const { day, type, cents } = payment.facts
  return seenBy(world, caller)
    .filter(isPayment)
    .some(
      (one) =>
        one.facts.day === day &&
        one.facts.type === type &&
        one.facts.cents === cents &&
        one.deletion === null &&
        one.link === (link ?? null) &&
        (link ||
          (one.currency === payment.currency &&
            one[side]?.person === payment[side]?.person &&
            (side === 'practice' || one.family?.tutor === payment.family?.tutor))),
    )
}

export function changePayment(
  world: World,
  caller: Caller,
  id: string,
  isStale: boolean,
  changes: Partial<Told>,
): Outcome {
  const payment = entryFor(world, caller, id)
  if (payment?.kind !== 'payment') return NOT_FOUND
  if (isStale) return refused(409, 'changed')
  const side = sideOf(caller)
  const place = isLink(caller) ? null : placeOf(payment, caller.workspace)
  const after = factsAfter(payment, changes)
  const problem =
    dayProblem(world, payment, after.day) ?? missingIn(after, isForKnown(payment, place, side, changes))
  if (problem) return problem
  const people = isLink(caller) ? NOBODY : peopleOf(world, caller, changes, place)
  if ('status' in people) return people
  const before = factsOf(payment)
  const isChanged = factsOf({ ...payment, facts: after }) !== before || isForOther(place, people)
  if (isReadOnly(payment, side) && isChanged) return OTHER_CLOSED
  const isMoved = !isLink(caller) && movePayment(world, caller, payment, people, after.day)
  if (typeof isMoved === 'object') return isMoved
  const isOtherKind = ofAnotherKind(payment.facts, after)
  payment.facts = after
  if (isMoved || factsOf(payment) !== before) restate(world, payment, side, isMoved || isOtherKind)
  return answered(caller, payment)
}
/** Whether anything differs that a dispute can't propose. */
function ofAnotherKind(before: PaymentFacts, after: PaymentFacts): boolean {
  return before.type !== after.type || before.minutes !== after.minutes
}
/** Whether it's known who a payment of a practice is for. */
function isForKnown({ link }: Payment, place: People | null, side: Side, { person }: Partial<Told>): boolean {
  return side === 'family' || link !== null || !place?.person || person !== null
}
function dayProblem(world: World, { facts }: Payment, day: string): Outcome | undefined {
  const isTooFar = day !== facts.day && day > dayAfter(world, KINDS.payment.daysAhead)
  return isTooFar ? refused(422, 'too_far_ahead') : undefined
}
function factsAfter({ facts }: Payment, changes: Partial<Told>): PaymentFacts {
  const type = changes.type ?? facts.type
  const minutes = changes.minutes === undefined ? facts.minutes : (changes.minutes ?? 0)
  return {
    day: changes.day ?? facts.day,
    type,
    cents: changes.cents ?? facts.cents,
    minutes: type === 'hours' ? minutes : 0,
  }
}
/**
 * Says who a payment is for, and returns whether that's someone else's account. A shared payment stays in its
 * connection. One that only this side has is shared if it's now for someone who's connected.
 */
function movePayment(
  world: World,
  who: Member,
  payment: Payment,
  { tutor, person }: People,
  day: string,
): Outcome | boolean {
  const { side } = who.workspace
  const place = placeOf(payment, who.workspace)
  if (!place) return false
  const isOther = side === 'family' ? tutor !== place.tutor : person !== null && person !== place.person
  const isElsewhere = side === 'family' || !payment.link?.people.some(({ student }) => student === person)
  if (isOther && payment.link && isElsewhere) return refused(409, 'other_connection')
  place.person = person
  if (side === 'family') place.tutor = tutor
  if (!isOther || payment.link) return false
  const link = payment.partedFrom ? undefined : payable(world, who, { tutor, person }, day)
  if (link && payment.currency === currencyOf(link)) sharePayment(world, link, payment)
  return true
}

/**
 * Shares a payment that only one side has. If the other side recorded it too, merges the two into one that
 * both sides have confirmed.
 */
export function share(world: World, who: Member, id: string): Outcome {
  const { side } = who.workspace
  const payment = entryFor(world, who, id)
  const place = payment && placeOf(payment, who.workspace)
  if (payment?.kind !== 'payment' || !place) return NOT_FOUND
  if (payment.link) return done({ entry: payment })
  const link = payable(world, who, place, '9999-12-31')
  if (!link || payment.currency !== currencyOf(link)) return refused(409, 'not_connected')
  const other = otherSide(side)
  const twin = twinOf(world, who, payment, link)
  sharePayment(world, link, payment)
  say(world, payment, side, 'confirmed')
  say(world, payment, other, twin ? 'confirmed' : 'none')
  payment.given[other].tookPart = twin !== undefined
  payment.partedFrom = null
  if (twin) drop(world, twin)
  // The other side's own copy may have changed since. The shared payment then gets an id of its own.
  if (hasCopy(world, link[other], payment)) payment.id = ''
  return done({ entry: payment })
}
/** The same payment, recorded and still confirmed by the other side. */
function twinOf(world: World, { workspace }: Member, payment: Payment, link: Link): Payment | undefined {
  const other = otherSide(workspace.side)
  const theirs = link[other]
  const isTheirs = (one: Payment) => {
    if (one.link) return one.link === link && !isAgreed(one)
    if (!theirs || !entriesOf(world, theirs).includes(one)) return false
    if (one.id === payment.id) return true
    return workspace.side === 'family'
      ? link.people.some(({ student }) => student !== null && student === one.practice?.person)
      : one.family?.tutor === link.tutor && link.tutor !== null
  }
  // A copy comes first, then what only the other side has, then what was recorded earliest.
  const rank = (one: Payment) => (one.id === payment.id ? 0 : 2) + (one.link ? 1 : 0)
  return world.entries
    .filter(isPayment)
    .filter(
      (one) => one !== payment && factsOf(one) === factsOf(payment) && one.currency === payment.currency,
    )
    .filter((one) => one.deletion === null && answerOf(one, other) === 'confirmed' && isTheirs(one))
    .sort((one, two) => rank(one) - rank(two))[0]
}
