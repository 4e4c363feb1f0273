// People, tutors and members of workspaces, and what happens to what they share when they go.
import { part } from './connections.ts'
import { split } from './places.ts'
import {
  type Account,
  isOpen,
  isSession,
  type Member,
  NOT_FOUND,
  done,
  type Outcome,
  type Person,
  refused,
  type Role,
  type Side,
  type Workspace,
  type World,
} from './terms.ts'
import { memberOf, membersOf, personOf, placeOf, tutorOf } from './world.ts'

/** The role a member must have to become the owner, and the role that the previous owner gets. */
const NEXT: Record<Side, Role> = { family: 'parent', practice: 'assistant' }

/** Deletes a child or a student. Their entries stay, without a name. */
export function removePerson(world: World, who: Member, id: string): Outcome {
  const person = personOf(world, who, id)
  if (!person) return NOT_FOUND
  world.people = world.people.filter((one) => one !== person)
  for (const one of world.schedules) if (one.person === person) one.person = null
  for (const one of world.members) one.students = one.students?.filter((other) => other !== person) ?? null
  for (const { family, practice } of world.entries)
    for (const place of [family, practice]) if (place?.person === person) place.person = null
  for (const match of world.links.flatMap(({ people }) => people)) {
    if (match.child === person) match.child = null
    if (match.student === person) match.student = null
  }
  return { status: 204 }
}
/** Ends the connection with a family's tutor, and then deletes the tutor. */
export function removeTutor(world: World, who: Member, id: string): Outcome {
  const tutor = tutorOf(world, who, id)
  if (!tutor) return NOT_FOUND
  for (const one of world.schedules) if (one.tutor === tutor) one.tutor = null
  for (const link of world.links.filter((one) => one.tutor === tutor)) {
    if (isOpen(link)) part(world, link, 'family', 'ended')
    link.tutor = null
  }
  world.tutors = world.tutors.filter((one) => one !== tutor)
  for (const { family } of world.entries) if (family?.tutor === tutor) family.tutor = null
  return { status: 204 }
}

/**
 * Adds a member. Refuses someone who's on the other side of an open connection, or whose address received the
 * request to connect.
 */
export function join(
  world: World,
  account: Account,
  workspace: Workspace,
  role: Role,
  students: Person[] | null,
): Outcome {
  const isIn = (other: Workspace | null, email: string) =>
    other ? memberOf(world, account, other) !== undefined : email === account.email
  const isAcross = world.links.some(
    ({ family, practice, email, ...link }) =>
      isOpen({ family, practice, email, ...link }) &&
      ((family === workspace && isIn(practice, email)) || (practice === workspace && isIn(family, email))),
  )
  if (isAcross) return refused(409, 'both_sides')
  world.members.push({ account, workspace, role, students })
  return done()
}
export function leave(world: World, member: Member): void {
  world.members = world.members.filter((one) => one !== member)
}
/**
 * Makes a member the owner. The member needs access to all students and has to be a parent or, in a practice,
 * an assistant.
 */
export function handOver(by: Member, heir: Member | undefined): Outcome {
  if (by.role !== 'owner') return refused(403, 'owner_only')
  if (heir?.workspace !== by.workspace) return NOT_FOUND
  if (heir === by) return done()
  if (heir.account.isClosed) return refused(409, 'account_closed')
  if (heir.role !== NEXT[by.workspace.side] || heir.students) return refused(409, 'not_an_heir')
  makeOwner(by, heir)
  return done()
}
function makeOwner(former: Member, heir: Member): void {
  former.role = heir.role
  heir.role = 'owner'
  heir.workspace.owner = heir.account
}

/**
 * Erases an account. Each of its workspaces goes to the parent who has been a member the longest, preferably one
 * whose account isn't deleted. If there's no parent, the workspace is erased too.
 */
export function erase(world: World, account: Account): void {
  for (const own of world.members.filter((one) => one.account === account && one.role === 'owner')) {
    const heirs = membersOf(world, own.workspace).filter(
      ({ role, students }) => role === 'parent' && !students,
    )
    const heir = heirs.find((one) => !one.account.isClosed) ?? heirs[0]
    if (heir) makeOwner(own, heir)
    else eraseWorkspace(world, own.workspace)
  }
  world.members = world.members.filter((one) => one.account !== account)
  for (const entry of world.entries)
    if (isSession(entry) && entry.caregiver === account) entry.caregiver = null
}
/** Before erasing the workspace, splits everything it shared, so that the other side keeps its copies. */
function eraseWorkspace(world: World, workspace: Workspace): void {
  const isElsewhere = (one: { workspace: Workspace }) => one.workspace !== workspace
  const links = world.links.filter(({ family, practice }) => family === workspace || practice === workspace)
  for (const entry of world.entries.filter(({ link }) => link && links.includes(link))) split(world, entry)
  for (const { family, practice } of links.flatMap(({ pairs }) => pairs))
    for (const session of [family, practice]) session.isHeld = false
  world.links = world.links.filter((link) => !links.includes(link))
  world.entries = world.entries.filter((entry) => !placeOf(entry, workspace))
  world.people = world.people.filter(isElsewhere)
  world.tutors = world.tutors.filter(isElsewhere)
  world.schedules = world.schedules.filter(isElsewhere)
  world.members = world.members.filter(isElsewhere)
  world.workspaces = world.workspaces.filter((one) => one !== workspace)
}
