// Who has, sees and may do what.
import {
  type Account,
  type Caller,
  type Entry,
  isLink,
  isOpen,
  isSession,
  type Link,
  type Member,
  type Outcome,
  type Person,
  type Place,
  refused,
  type Schedule,
  type Session,
  type Side,
  type Tutor,
  type Workspace,
  type World,
} from './terms.ts'

// Members.

export const memberOf = ({ members }: World, account: Account, workspace: Workspace): Member | undefined =>
  members.find((one) => one.account === account && one.workspace === workspace)
export const membersOf = ({ members }: World, workspace: Workspace): Member[] =>
  members.filter((one) => one.workspace === workspace)
/** Whether the member can't see everything in the workspace. */
export const isNarrow = ({ role, students }: Member): boolean => role === 'caregiver' || students !== null

export const NO_PART: Outcome = refused(403, 'role')
/**
 * The refusal for a member who isn't allowed to do something; undefined if the member is allowed. This is
 * checked before anything else.
 */
export function barred(
  { account, role, students }: Member,
  what: 'log' | 'answer' | 'people' | 'payments' | 'connections',
): Outcome | undefined {
  if (account.isClosed) return { status: 401 }
  if (role === 'none') return refused(404, 'no_such_workspace')
  if (role === 'viewer') return refused(403, 'read_only')
  if (role === 'caregiver') return what === 'log' ? undefined : NO_PART
  if (role === 'assistant' && what === 'connections') return NO_PART
  return students && what !== 'log' && what !== 'answer' ? refused(403, 'limited') : undefined
}

// Entries.

export const placeOf = (entry: Entry, workspace: Workspace): Place | null =>
  entry[workspace.side]?.workspace === workspace ? entry[workspace.side] : null
/** Everything that a workspace has, whoever of its members may see it. */
export const entriesOf = ({ entries }: World, workspace: Workspace): Entry[] =>
  entries.filter((entry) => placeOf(entry, workspace))
export const sessionsOf = (world: World, workspace: Workspace): Session[] =>
  entriesOf(world, workspace).filter(isSession)
const keeps = ({ students }: Member, person: Person | null) =>
  students === null || (person !== null && students.includes(person))
/** The entries that a caller sees. Payments are for those who see everything. */
export function seenBy(world: World, caller: Caller): Entry[] {
  if (isLink(caller)) return world.entries.filter(({ link }) => link === caller.link)
  return entriesOf(world, caller.workspace).filter((entry) =>
    isSession(entry) ? keeps(caller, placeOf(entry, caller.workspace)?.person ?? null) : !isNarrow(caller),
  )
}
export const sessionsFor = (world: World, caller: Caller): Session[] =>
  seenBy(world, caller).filter(isSession)
export const entryFor = (world: World, caller: Caller, id: string): Entry | undefined =>
  seenBy(world, caller).find((entry) => entry.id === id)
/** Whether a side has read-only access because the other side's account is closed (rule 6). */
export const isReadOnly = ({ link }: Pick<Entry, 'link'>, side: Side): boolean =>
  (side === 'family' ? link?.practice : link?.family)?.owner.isClosed ?? false
/** Whether the caller is a caregiver, and the session isn't their own entry. */
export const isForeign = (caller: Caller, entry: Entry): boolean =>
  !isLink(caller) && caller.role === 'caregiver' && !(isSession(entry) && entry.caregiver === caller.account)

export const noteOf = ({ notes }: World, workspace: Workspace, { id }: Entry): string | null =>
  notes.get(`${workspace.id} ${id}`) ?? null
export function takeNote({ notes }: World, workspace: Workspace, { id }: Entry, text: string | null): void {
  if (text) notes.set(`${workspace.id} ${id}`, text)
  else notes.delete(`${workspace.id} ${id}`)
}

// People, tutors and schedules.

export const peopleFor = (world: World, who: Member): Person[] =>
  world.people.filter((one) => one.workspace === who.workspace && keeps(who, one))
export const schedulesFor = (world: World, who: Member): Schedule[] =>
  world.schedules.filter((one) => one.workspace === who.workspace && keeps(who, one.person))
/**
 * A limited member sees the tutors of the students they're limited to, plus tutors who haven't taught anyone
 * yet.
 */
export const tutorsFor = (world: World, who: Member): Tutor[] =>
  world.tutors.filter((tutor) => {
    if (tutor.workspace !== who.workspace) return false
    if (!who.students || who.workspace.side === 'practice') return true
    const taught = [
      ...world.entries
        .filter(isSession)
        .flatMap(({ family }) => (family?.tutor === tutor ? [family.person] : [])),
      ...world.schedules.flatMap((one) => (one.tutor === tutor ? [one.person] : [])),
    ]
    return taught.length === 0 || taught.some((person) => keeps(who, person))
  })
export const personOf = (world: World, who: Member, id: string | undefined): Person | undefined =>
  peopleFor(world, who).find((one) => one.id === id)
export const tutorOf = (world: World, who: Member, id: string | undefined): Tutor | undefined =>
  tutorsFor(world, who).find((one) => one.id === id)

// Connections.

/** A request that was sent to an address is visible to everyone who owns a practice with that address. */
export const seesLink = ({ account, workspace, role }: Member, link: Link): boolean =>
  workspace.side === 'family'
    ? link.family === workspace
    : link.practice === workspace ||
      (link.practice === null &&
        role === 'owner' &&
        isOpen(link) &&
        link.family?.owner.isClosed === false &&
        link.email === account.email)
export const linkOf = (world: World, who: Member, id: string): Link | undefined =>
  world.links.find((link) => link.id === id && seesLink(who, link))
/**
 * The connections that a member's list shows. A practice sees the open ones, and the newest with each address
 * that it asked; a family sees the newest one with each tutor.
 */
export function listedLinks(world: World, who: Member): Link[] {
  const seen = world.links.filter((link) => seesLink(who, link)).reverse()
  const isNewest = (link: Link, key: 'tutor' | 'email', among: Link[]) =>
    among.find((other) => other[key] === link[key]) === link
  if (who.workspace.side === 'family') return seen.filter((link) => isNewest(link, 'tutor', seen))
  const asked = seen.filter(({ askedBy }) => askedBy === 'practice')
  return seen.filter((link) => isOpen(link) || (asked.includes(link) && isNewest(link, 'email', asked)))
}
/** Amounts that two sides share are in the family's currency. */
export const currencyOf = ({ family, practice }: Link): Workspace['currency'] | undefined =>
  (family ?? practice)?.currency
/** Whether either side's account is closed. Nothing more is shared in that case. */
export const isShut = ({ family, practice }: Link): boolean =>
  (family?.owner.isClosed ?? false) || (practice?.owner.isClosed ?? false)
