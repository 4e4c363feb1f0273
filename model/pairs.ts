// Sessions of two sides that may be the same lesson. Neither is shared until somebody answers.
import { answerOf, rateOf } from './kinds.ts'
import {
  canShare,
  hasCopy,
  isPaired,
  isPartedFrom,
  putInFamily,
  putInPractice,
  shareMatched,
} from './places.ts'
import {
  done,
  isOpen,
  type Link,
  type Member,
  monthOf,
  NOT_FOUND,
  OTHER_CLOSED,
  type Outcome,
  type Pair,
  refused,
  type Session,
  SIDES,
  type World,
} from './terms.ts'
import { isReadOnly, isShut, linkOf, noteOf, sessionsOf, takeNote } from './world.ts'

const DAY_MINUTES = 1440
const isEqual = (one: Session, other: Session) =>
  one.facts.day === other.facts.day &&
  one.facts.minutes === other.facts.minutes &&
  rateOf(one) === rateOf(other)

/** Whether a session can be half of a pair: only one side has it, or it's shared and nobody asks to delete it. */
const mayPair = (world: World, link: Link, session: Session) =>
  session.family && session.practice
    ? session.link === link && !session.deletion
    : (session.link ?? link) === link && isPartedFrom(world, session, link)

/** Whether a family's and a practice's session can be a pair. */
function isAlike(world: World, link: Link, f: Session, p: Session): boolean {
  const match = link.people.find((one) => one.child && one.child === f.family?.person)
  if (f === p || (f.practice && p.family) || f.family?.tutor !== link.tutor) return false
  if (!match?.student || p.practice?.person !== match.student || f.currency !== p.currency) return false
  if (!mayPair(world, link, f) || !mayPair(world, link, p)) return false
  if (f.id === p.id) return true
  if (hasCopy(world, link.practice, f) || hasCopy(world, link.family, p)) return false
  return f.facts.day === p.facts.day && (!link.sharedFrom || f.facts.day >= link.sharedFrom)
}

/** How far a pair is from being the same lesson: copies of one session first, then the same start. */
function distance({ family, practice }: Pair): number {
  if (family.id === practice.id) return -2 * DAY_MINUTES
  const apart = Math.abs(family.facts.minutes - practice.facts.minutes)
  return family.start !== null && family.start === practice.start ? apart - DAY_MINUTES : apart
}

/**
 * Pairs copies of the same session first, and then sessions for the same child on the same day. Among those, the
 * closest durations come first, then the sessions logged earliest. Each session is used only once.
 * @param own if given, only this session is paired
 */
export function pairUp(world: World, link: Link, own?: Session): void {
  const { family, practice } = link
  if (!family || !practice) return
  // The sort is stable, so equally good pairs stay in the order in which they were logged: first by the
  // family's session, then by the practice's.
  const candidates = sessionsOf(world, family)
    .flatMap((f) => sessionsOf(world, practice).map((p): Pair => ({ family: f, practice: p })))
    .filter((pair) => !own || pair.family === own || pair.practice === own)
    .filter((pair) => isAlike(world, link, pair.family, pair.practice))
    .sort((one, other) => distance(one) - distance(other))
  for (const pair of candidates)
    if (!isPaired(world, pair.family) && !isPaired(world, pair.practice)) {
      link.pairs.push(pair)
      const held = pair.family.practice ? pair.practice : pair.practice.family ? pair.family : null
      if (held) held.isHeld = true
    }
}

/** Ends the pairs of a session that's gone or with other people, and releases what's left of them. */
export function unpair(world: World, session: Session): void {
  for (const link of world.links) {
    const gone = link.pairs.filter(({ family, practice }) => family === session || practice === session)
    link.pairs = link.pairs.filter((pair) => !gone.includes(pair))
    for (const { family, practice } of gone)
      for (const left of [family, practice]) if (world.entries.includes(left)) release(world, link, left)
  }
}
/** Shares a session that isn't in a pair any more, unless it looks like another one. */
function release(world: World, link: Link, session: Session): void {
  if (session.family && session.practice) return
  session.isHeld = false
  if (!isOpen(link) || !link.family || !link.practice || isShut(link)) return
  pairUp(world, link, session)
  if (canShare(world, session, link)) shareMatched(world, link, session)
}

/** Records whether two sessions are the same lesson. If so, the lesson gets the family's facts. */
export function answerPairs(world: World, who: Member, id: string, pairs: Pair[], isSame: boolean): Outcome {
  const link = linkOf(world, who, id)
  if (!link) return NOT_FOUND
  if (isReadOnly({ link }, who.workspace.side)) return OTHER_CLOSED
  const open = pairs.filter((pair) => link.pairs.includes(pair) && link.state === 'active')
  if (!isSame && open.some((pair) => pair.family.id === pair.practice.id)) return refused(409, 'copies')
  for (const pair of open) {
    link.pairs = link.pairs.filter((other) => other !== pair)
    if (pair.family.isHeld || pair.practice.isHeld) answerHeld(world, link, pair, isSame)
    else if (isSame) merge(world, link, pair)
    else shareBoth(world, link, pair)
  }
  return done()
}
function shareBoth(world: World, link: Link, { family: f, practice: p }: Pair): void {
  f.link = link
  p.link = link
  const [child, student] = [f.family?.person ?? null, p.practice?.person ?? null]
  putInPractice(world, link, f, student)
  putInFamily(link, p, child)
}
/** If a held session is the same lesson as a shared one, the shared one stays, with the family's facts. */
function answerHeld(world: World, link: Link, { family, practice }: Pair, isSame: boolean): void {
  const side = family.isHeld ? 'family' : 'practice'
  const [held, shared] = side === 'family' ? [family, practice] : [practice, family]
  held.isHeld = false
  if (!isSame) return shareMatched(world, link, held)
  const wasEqual = isEqual(held, shared)
  if (side === 'family' && !wasEqual) {
    shared.facts = { ...held.facts }
    shared.version += 1
  }
  if (side === 'family' || wasEqual)
    shared.given[side] = {
      answer: 'confirmed',
      version: shared.version,
      note: null,
      proposal: null,
      at: (world.answers += 1),
      tookPart: true,
    }
  shared.subject ??= held.subject
  shared.start ??= held.start
  shared.caregiver = null
  const [own, place] = [held[side], shared[side]]
  if (!own || !place) return
  place.scheduled ??= own.scheduled
  const notes = [noteOf(world, own.workspace, shared), noteOf(world, own.workspace, held)]
  world.entries = world.entries.filter((entry) => entry !== held)
  takeNote(world, own.workspace, held, null)
  takeNote(world, own.workspace, shared, notes.filter(Boolean).join('\n') || null)
}
/** Makes one session of two. Each side keeps its answer, but the practice's lapses if the facts differ. */
function merge(world: World, link: Link, { family: f, practice: p }: Pair): void {
  const own = p.given.practice
  f.given.practice = {
    ...own,
    answer: isEqual(f, p) ? answerOf(p, 'practice') : 'none',
    version: f.version,
    tookPart: own.tookPart || f.given.practice.tookPart,
  }
  f.replies.practice = p.replies.practice
  f.link = link
  f.practice = p.practice
  f.subject ??= p.subject
  f.start ??= p.start
  f.caregiver = null
  const place = p.practice
  const notes = place && noteOf(world, place.workspace, p)
  world.entries = world.entries.filter((entry) => entry !== p)
  if (place && f.id !== p.id) {
    takeNote(world, place.workspace, p, null)
    takeNote(world, place.workspace, f, notes)
  }
}

export const pairsIn = ({ pairs }: Link, month: string): number =>
  pairs.filter((pair) => SIDES.some((side) => monthOf(pair[side].facts.day) === month)).length
