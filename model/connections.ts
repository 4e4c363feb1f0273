// Connections: how one side asks the other, and what's shared from then on.
import { canShare, childOf, knownChild, putInFamily, putInPractice, sharePayment, split } from './places.ts'
import { pairUp } from './pairs.ts'
import {
  done,
  isOpen,
  isPayment,
  isSession,
  type Link,
  type LinkCaller,
  type Match,
  type Member,
  NOT_FOUND,
  OTHER_CLOSED,
  type Outcome,
  type Person,
  refused,
  type Side,
  type Workspace,
  type World,
} from './terms.ts'
import { linkOf, memberOf, membersOf, peopleFor, personOf, sessionsOf, tutorOf } from './world.ts'

const anOpenLink = (askedBy: Side, workspace: Workspace, email: string): Link => ({
  id: '',
  askedBy,
  family: askedBy === 'family' ? workspace : null,
  practice: askedBy === 'practice' ? workspace : null,
  tutor: null,
  email,
  state: 'asked',
  endedBy: null,
  sharedFrom: null,
  people: [],
  pairs: [],
  closings: [],
})

/** A family asks a tutor at the tutor's address, who then sees what the family logged with them. */
export function ask(world: World, who: Member, tutorId: string, sharedFrom: string | null): Outcome {
  const { workspace } = who
  const tutor = tutorOf(world, who, tutorId)
  if (!tutor) return refused(422, 'unknown_tutor')
  if (!tutor.email) return refused(422, 'no_email')
  if (membersOf(world, workspace).some(({ account }) => account.email === tutor.email))
    return refused(422, 'own_address')
  if (world.links.some((link) => link.tutor === tutor && isOpen(link))) return refused(409, 'already_asked')
  const link = { ...anOpenLink('family', workspace, tutor.email), tutor, sharedFrom }
  world.links.push(link)
  shareOld(world, link)
  return { status: 201, link }
}
/** A practice asks the family of some of its students at an address. It can add more students later. */
export function invite(world: World, who: Member, email: string, studentIds: string[]): Outcome {
  const { workspace } = who
  const students = studentIds.map((id) => personOf(world, who, id))
  if (students.includes(undefined)) return refused(422, 'unknown_student')
  let link = world.links.find(
    (one) => one.practice === workspace && one.askedBy === 'practice' && one.email === email && isOpen(one),
  )
  const known = link?.people.map(({ student }) => student) ?? []
  const added = students.filter((one): one is Person => one !== undefined && !known.includes(one))
  if (added.length === 0) return refused(409, 'already_asked')
  if (!link) world.links.push((link = anOpenLink('practice', workspace, email)))
  for (const student of added) link.people.push({ firstName: student.firstName, child: null, student })
  shareOld(world, link)
  return { status: 201, link }
}

/** A practice accepts or declines a family's request, and matches children to students. */
export function answerLink(
  world: World,
  who: Member,
  id: string,
  state: 'active' | 'declined' | undefined,
  chosen: { firstName: string; student: string | null }[] | undefined,
): Outcome {
  const { workspace } = who
  const link = linkOf(world, who, id)
  if (!link) return NOT_FOUND
  if (link.family?.owner.isClosed) return OTHER_CLOSED
  const matches = chosen ?? likelyMatches(world, link, who)
  const problem =
    matchProblem(world, who, matches) ?? stateProblem(world, who, link, state) ?? takenProblem(link, matches)
  if (problem) return problem
  if (state === 'declined') {
    part(world, link, 'practice', 'declined')
    link.practice = workspace
    return done({ link })
  }
  const isTakenOver = link.practice === null
  link.state = 'active'
  link.practice = workspace
  for (const { firstName, student } of matches) {
    const match = link.people.find((one) => one.firstName === firstName)
    if (match) matchChild(world, link, match, personOf(world, who, student ?? undefined) ?? null)
  }
  shareOld(world, link)
  // Payments that the side recorded or answered by email are now in its records.
  if (isTakenOver)
    for (const payment of world.entries.filter(isPayment))
      if (payment.link === link) sharePayment(world, link, payment)
  return done({ link })
}
function matchProblem(
  world: World,
  who: Member,
  matches: { firstName: string; student: string | null }[],
): Outcome | undefined {
  const named = matches.flatMap((match) => match.student ?? [])
  if (named.some((student) => !personOf(world, who, student))) return refused(422, 'unknown_student')
  return new Set(named).size < named.length ? refused(422, 'matched_twice') : undefined
}
function stateProblem(
  world: World,
  { workspace }: Member,
  link: Link,
  state: 'active' | 'declined' | undefined,
): Outcome | undefined {
  const { family } = link
  const isOnBoth =
    family && membersOf(world, workspace).some(({ account }) => memberOf(world, account, family))
  if (state && (link.practice || !isOpen(link))) return refused(409, 'changed')
  if (state === 'active' && isOnBoth) return refused(409, 'own_family')
  // Until an account of the family accepts a practice's request, there's nothing to match.
  const isConnected = link.state === 'active' && link.practice && family
  return state || isConnected ? undefined : refused(409, 'not_connected')
}
/** A student who's already matched with a child that the answer leaves out. */
function takenProblem(
  link: Link,
  matches: { firstName: string; student: string | null }[],
): Outcome | undefined {
  const others = link.people.filter(
    (match) =>
      match.child && match.student && !matches.some(({ firstName }) => firstName === match.firstName),
  )
  const isTaken = matches.some(({ student }) => others.some((other) => other.student?.id === student))
  return isTaken ? refused(422, 'matched_twice') : undefined
}
/** Without a choice, each child is matched with the only free student who has that first name. */
function likelyMatches(world: World, link: Link, who: Member) {
  // A student who's shared with another family is never guessed.
  const taken = world.links
    .filter((one) => one === link || (one.practice === who.workspace && isOpen(one)))
    .flatMap(({ people }) => people.map(({ student }) => student))
  const free = peopleFor(world, who).filter((one) => !taken.includes(one))
  return link.people.map((match) => {
    const named = free.filter((one) => one.firstName === match.firstName)
    const isOnly = link.people.filter((one) => !one.student && one.firstName === match.firstName).length === 1
    const student = match.student ?? (named.length === 1 && isOnly ? named[0] : null)
    return { firstName: match.firstName, student: student?.id ?? null }
  })
}
/** Matches a child to a different student, including in lessons that are already shared. */
function matchChild(world: World, link: Link, match: Match, student: Person | null): void {
  match.student = student
  if (!student) return
  link.people = link.people.filter((one) => one === match || one.child || one.student !== student)
  for (const session of world.entries.filter(isSession))
    if (session.link === link && session.practice && session.family?.person === match.child && match.child)
      session.practice.person = student
}

/** Shares each side's sessions that involve the connection's people, except for possible duplicates. */
function shareOld(world: World, link: Link): void {
  const { family, practice } = link
  if (family) shareFamilys(world, link, family)
  if (!practice) return
  for (const session of sessionsOf(world, practice)) {
    const isInvited =
      !family && link.people.some(({ student }) => student && student === session.practice?.person)
    const child = family && childOf(link, session.practice?.person ?? null)
    if (session.family || session.link || !(child || isInvited) || !canShare(world, session, link)) continue
    session.link = link
    if (child) putInFamily(link, session, child)
  }
  for (const session of world.entries.filter(isSession)) {
    const match =
      session.link === link && link.people.find((one) => one.child && one.child === session.family?.person)
    if (match && session.practice?.person) session.practice.person = match.student
  }
}
function shareFamilys(world: World, link: Link, family: Workspace): void {
  const own = sessionsOf(world, family).filter(
    (session) => !session.practice && session.family?.tutor === link.tutor && session.family?.person,
  )
  for (const session of own) if (session.family?.person) knownChild(world, link, session.family.person)
  if (link.practice) {
    for (const { child } of link.people) if (child) knownChild(world, link, child)
    pairUp(world, link)
  }
  for (const session of own.filter((one) => canShare(world, one, link))) {
    session.link = link
    const match = link.people.find((one) => one.child === session.family?.person)
    putInPractice(world, link, session, match?.student ?? null)
  }
  if (!link.practice) return
  // Only the address saw these. An account compares them with its own, or doesn't know the child any more.
  for (const session of world.entries.filter(isSession))
    if (session.link === link && !session.practice) Object.assign(session, { link: null, deletion: null })
}

export function end(world: World, who: Member, id: string): Outcome {
  const link = linkOf(world, who, id)
  if (!link || !isOpen(link)) return NOT_FOUND
  part(world, link, who.workspace.side, 'ended')
  if (who.workspace.side === 'practice') link.practice = who.workspace
  return { status: 204, link }
}
export function endByMail(world: World, { link, side }: LinkCaller): Outcome {
  if (!isOpen(link)) return NOT_FOUND
  part(world, link, side, 'ended')
  return { status: 204, link }
}
export function part(world: World, link: Link, by: Side, state: Link['state']): void {
  const sessions = link.pairs.flatMap(({ family, practice }) => [family, practice])
  Object.assign(link, { state, endedBy: by, pairs: [] })
  for (const session of sessions) session.isHeld = false
  for (const entry of world.entries.filter((one) => one.link === link)) split(world, entry)
}
