// Who the other side of an entry is: which connection it's shared through, and what each side gets.
import {
  type Entry,
  isOpen,
  isPayment,
  isSession,
  type Link,
  type Match,
  monthOf,
  type Payment,
  type Person,
  type Session,
  type Side,
  type Tutor,
  type Workspace,
  type World,
} from './terms.ts'
import { kindOf } from './kinds.ts'
import { currencyOf, entriesOf, isShut } from './world.ts'

export const selfOf = ({ tutors }: World, practice: Workspace) =>
  tutors.find((one) => one.workspace === practice) ?? null
const matchOf = ({ people }: Link, side: Side, person: Person | null): Match | undefined =>
  people.find((match) => person !== null && match[side === 'family' ? 'child' : 'student'] === person)
export const childOf = (link: Link, student: Person | null): Person | null =>
  matchOf(link, 'practice', student)?.child ?? null

/**
 * The connection through which a session is shared: its current one if that's still open, otherwise an
 * accepted one, otherwise the newest. A practice shares a student once the family has matched a child, or in
 * its own request to an address.
 */
export function linkFor(
  { links }: World,
  workspace: Workspace,
  person: Person | null,
  tutor: Tutor | null,
  now: Link | null,
): Link | undefined {
  const open = links.filter((link) => {
    if (!isOpen(link) || link[workspace.side] !== workspace) return false
    if (workspace.side === 'family') return tutor !== null && link.tutor === tutor
    const match = matchOf(link, 'practice', person)
    return match !== undefined && (!link.family || (link.state === 'active' && match.child !== null))
  })
  return open.find((link) => link === now) ?? open.findLast(({ state }) => state === 'active') ?? open.at(-1)
}

/** Whether a workspace has a separate copy of the entry. */
export const hasCopy = (world: World, workspace: Workspace | null, entry: Entry): boolean =>
  workspace !== null && entriesOf(world, workspace).some((other) => other.id === entry.id && other !== entry)

/** Whether the side that an entry was split from, if any, is one of a connection's sides. */
export function isPartedFrom({ links }: World, { partedFrom: from }: Entry, link: Link): boolean {
  if (!from || from === link.family || from === link.practice) return true
  return (
    'askedBy' in from &&
    links.includes(from) &&
    from.askedBy === link.askedBy &&
    from.email === link.email &&
    from[from.askedBy] === link[link.askedBy]
  )
}
/**
 * Whether a connection's other side can join an entry: no one else has been the other side before, and that
 * side doesn't have a copy yet.
 */
const mayJoin = (world: World, entry: Entry, link: Link): boolean =>
  isPartedFrom(world, entry, link) && !hasCopy(world, link[entry.family ? 'practice' : 'family'], entry)

export const isPaired = ({ links }: World, session: Session): boolean =>
  links.some(({ pairs }) => pairs.some((pair) => pair.family === session || pair.practice === session))
export const isMonthClosed = ({ closings }: Link, month: string): boolean =>
  closings.findLast((one) => one.month === month)?.state === 'closed'

/**
 * Whether a session that only one side has may be shared under a connection that was just asked for, accepted
 * or matched. An amount never becomes one in another currency, and a closed month gets nothing new.
 */
export const canShare = (world: World, session: Session, link: Link): boolean =>
  !(link.sharedFrom && session.facts.day < link.sharedFrom) &&
  session.currency === currencyOf(link) &&
  (session.link === link || !isMonthClosed(link, monthOf(session.facts.day))) &&
  mayJoin(world, session, link) &&
  !isPaired(world, session)

/**
 * Adds a child to a connection. If none of the practice's students match, adds a new one, whose id is filled
 * in later.
 */
export function knownChild(world: World, link: Link, child: Person): Match {
  let match = matchOf(link, 'family', child)
  if (!match) {
    match = { firstName: child.firstName, child, student: null }
    link.people.push(match)
  }
  if (link.practice && !match.student) {
    match.student = { id: '', workspace: link.practice, firstName: child.firstName, rate: null }
    world.people.push(match.student)
  }
  return match
}

/** Gives the practice its side of a session. */
export function putInPractice(world: World, link: Link, session: Session, person: Person | null): void {
  const { practice: workspace } = link
  const scheduled = session.practice?.scheduled ?? null
  if (workspace) session.practice = { workspace, person, tutor: selfOf(world, workspace), scheduled }
}
/** Gives the family its side of a session. */
export function putInFamily(link: Link, session: Session, person: Person | null): void {
  const { family: workspace, tutor } = link
  const scheduled = session.family?.scheduled ?? null
  if (workspace) session.family = { workspace, person, tutor, scheduled }
}

/** Adds the other side to a new session, or to one whose people have changed. */
export function shareSession(world: World, session: Session, side: Side, isNew = false): void {
  const place = session[side]
  if (!place?.person) return
  const link = linkFor(world, place.workspace, place.person, place.tutor, session.link)
  if (!link) return
  if (session.link !== link) {
    if (isShut(link) || (link.sharedFrom && session.facts.day < link.sharedFrom)) return
    if (!mayJoin(world, session, link)) return
    if (!isNew && session.currency !== currencyOf(link)) return
  }
  session.link = link
  session.currency = currencyOf(link) ?? session.currency
  if (side === 'family') putInPractice(world, link, session, knownChild(world, link, place.person).student)
  else putInFamily(link, session, childOf(link, place.person))
}
/** Shares a session that isn't compared with another one any more. */
export function shareMatched(world: World, link: Link, session: Session): void {
  const match = link.people.find(
    (one) =>
      one.child &&
      one.student &&
      (one.child === session.family?.person || one.student === session.practice?.person),
  )
  if (!match || (session.family && session.family.tutor !== link.tutor)) return
  session.link = link
  if (session.family) putInPractice(world, link, session, match.student)
  else putInFamily(link, session, match.child)
}

/**
 * Gives both sides a payment. It's for the whole family, but if a side names someone, the other side sees whom
 * the connection matches with that person. If there's only one student, it's for that one.
 */
export function sharePayment(world: World, link: Link, payment: Payment): void {
  const { family, practice } = link
  let child = payment.family?.person ?? null
  let student = payment.practice?.person ?? null
  if (student) child = childOf(link, student) ?? child
  else {
    const likely = link.people.filter((match) => !child || match.child === child)
    if (likely.length === 1) student = likely[0]?.student ?? null
  }
  payment.link = link
  payment.currency = currencyOf(link) ?? payment.currency
  payment.family = family && { workspace: family, tutor: link.tutor, person: child, scheduled: null }
  payment.practice = practice && {
    workspace: practice,
    tutor: selfOf(world, practice),
    person: student,
    scheduled: null,
  }
}

/**
 * Each side keeps a copy of the entry, and the copies are independent from then on (rule 5). A practice keeps
 * its accounts by student, so a payment for no one in particular is then for the family's first one.
 */
export function split(world: World, entry: Entry): void {
  const { link, family, practice } = entry
  entry.link = null
  entry.deletion = null
  if (!family || !practice) {
    const absent = family ? 'practice' : 'family'
    if (isPayment(entry)) entry.partedFrom = null
    if (kindOf(entry).remembersAddress && entry.given[absent].tookPart) entry.partedFrom = link
    return
  }
  const first = link?.people
    .filter(({ student }) => student)
    .sort((one, other) => (one.firstName < other.firstName ? -1 : 1))[0]
  const copy: Entry = {
    ...entry,
    facts: { ...entry.facts },
    given: { ...entry.given },
    replies: { ...entry.replies },
    family: null,
    practice: {
      ...practice,
      person: practice.person ?? (isPayment(entry) ? (first?.student ?? null) : null),
    },
    partedFrom: family.workspace,
  } as Entry
  if (isSession(copy)) copy.caregiver = null
  world.entries.push(copy)
  Object.assign(entry, { practice: null, partedFrom: practice.workspace })
}
