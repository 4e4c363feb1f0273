// Workspace names as shown on screen. A name combines the owner and the kind of workspace (family or
// practice).
import { isolated } from '#kernel/isolate.ts'
import { type GIVEN_ROLES, type Kind, KINDS, type MemberRole, type Workspace } from './workspace.ts'

type Named = Pick<Workspace, 'kind' | 'role' | 'owner_name'>

/**
 * A workspace's name within a sentence, such as "your family" or "Ana Whitfield's family". If the owner gave
 * no name, "a family you joined".
 */
export function nameOf({ kind, role, owner_name: owner }: Named): string {
  if (role === 'owner') return `your ${kind}`
  return owner ? `${isolated(owner)}'s ${kind}` : `a ${kind} you joined`
}

/** A workspace's name at the start of a line. Doesn't change the capitalization of a person's name. */
export function titleOf(workspace: Named): string {
  const name = nameOf(workspace)
  return workspace.role !== 'owner' && workspace.owner_name
    ? name
    : name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * The titles of several workspaces, in the same order. Numbers duplicates, such as two families with the same
 * owner.
 */
export function titlesOf(workspaces: readonly Named[]): string[] {
  const titles = workspaces.map(titleOf)
  return titles.map((title, place) => {
    const earlier = titles.slice(0, place).filter((one) => one === title).length
    return earlier ? `${title} (${earlier + 1})` : title
  })
}

/** The kinds of workspace an account can still create. It can own only one family and one practice. */
export function kindsToStart(workspaces: readonly Pick<Workspace, 'kind' | 'role'>[]): Kind[] {
  return KINDS.filter((kind) => !workspaces.some((one) => one.role === 'owner' && one.kind === kind))
}

export const ROLE_WORDS: Record<MemberRole, string> = {
  owner: 'Owner',
  parent: 'Parent',
  caregiver: 'Caregiver',
  viewer: 'Viewer',
  assistant: 'Assistant',
}

/** Labels for choosing which children (in a family) or students (in a practice) a member sees. */
export const STUDENT_WORDS: Record<Kind, { title: string; all: string; some: string }> = {
  family: { title: 'Children', all: 'All children', some: 'children' },
  practice: { title: 'Students', all: 'All students', some: 'students' },
}

/** The role shown next to a helper's name. Undefined for owners and parents. */
export function helperName(role: MemberRole | undefined): string | undefined {
  return role === 'viewer' || role === 'assistant' || role === 'caregiver' ? ROLE_WORDS[role] : undefined
}

/** What each role can do, in the third person. */
export const ROLE_RIGHTS: Record<(typeof GIVEN_ROLES)[Kind][number], string> = {
  parent: 'Can see and change everything except the list of members.',
  caregiver: 'Can log and see sessions. Rates, amounts and payments stay hidden.',
  viewer: "Can see everything, including amounts, but can't change anything.",
  assistant: 'Can log and confirm sessions and see amounts. You still manage members and connections.',
}

/**
 * Tells invited people what each role allows. The text depends on whether they get all or only some of the
 * children or students.
 */
const RIGHTS_GIVEN: Record<MemberRole, { all: string; some: string }> = {
  owner: {
    all: "You'll be able to see and change everything.",
    some: "You'll be able to see and change everything.",
  },
  parent: {
    all: "You'll be able to see and change everything except the list of members.",
    some: "You'll be able to see and change sessions for some of the children, including amounts.",
  },
  caregiver: {
    all: "You'll be able to log and see sessions. Rates, amounts and payments stay hidden.",
    some: "You'll be able to log and see sessions for some of the children. Rates, amounts and payments stay hidden.",
  },
  viewer: {
    all: "You'll be able to see everything, including amounts, but not change anything.",
    some: "You'll be able to see sessions for some of the children, including amounts, but not change anything.",
  },
  assistant: {
    all: "You'll be able to log and confirm sessions and see amounts. The owner manages members and connections.",
    some: "You'll be able to log and confirm sessions for some of the students and see what those sessions cost.",
  },
}

/** Tells invited people what they'll be able to see and do. */
export function rightsGiven(role: MemberRole, hasAllStudents: boolean): string {
  return RIGHTS_GIVEN[role][hasAllStudents ? 'all' : 'some']
}
