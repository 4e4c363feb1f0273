// Names of workspaces on screens. They consist of the owner and whether it's a family or a practice.
import { isolated } from '#kernel/isolate.ts'
import { type GIVEN_ROLES, type Kind, KINDS, type MemberRole, type Workspace } from './workspace.ts'

type Named = Pick<Workspace, 'kind' | 'role' | 'owner_name'>

/**
 * A workspace's name within a sentence: "your family", "Ana Whitfield's family", or, if the owner didn't give
 * a name, "a family you joined".
 */
export function nameOf({ kind, role, owner_name: owner }: Named): string {
  if (role === 'owner') return `your ${kind}`
  return owner ? `${isolated(owner)}'s ${kind}` : `a ${kind} you joined`
}

/** A workspace's name at the start of a line. A person's name keeps its capitalization. */
export function titleOf(workspace: Named): string {
  const name = nameOf(workspace)
  return workspace.role !== 'owner' && workspace.owner_name
    ? name
    : name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * The titles of several workspaces, in the same order. Duplicates, such as two families with the same owner,
 * are numbered.
 */
export function titlesOf(workspaces: readonly Named[]): string[] {
  const titles = workspaces.map(titleOf)
  return titles.map((title, place) => {
    const earlier = titles.slice(0, place).filter((one) => one === title).length
    return earlier ? `${title} (${earlier + 1})` : title
  })
}

/** The kinds of workspace that an account can still create. It can own at most one family and one practice. */
export function kindsToStart(workspaces: readonly Pick<Workspace, 'kind' | 'role'>[]): Kind[] {
  return KINDS.filter((kind) => !workspaces.some((one) => one.role === 'owner' && one.kind === kind))
}

/** The name of each role. */
export const ROLE_WORDS: Record<MemberRole, string> = {
  owner: 'Owner',
  parent: 'Parent',
  caregiver: 'Caregiver',
  viewer: 'Viewer',
  assistant: 'Assistant',
}

/** Labels for choosing the children of a family or the students of a practice that a member sees. */
export const STUDENT_WORDS: Record<Kind, { title: string; all: string; some: string }> = {
  family: { title: 'Children', all: 'All children', some: 'children' },
  practice: { title: 'Students', all: 'All students', some: 'students' },
}

/** The role shown next to a helper's name; undefined for owners and parents. */
export function helperName(role: MemberRole | undefined): string | undefined {
  return role === 'viewer' || role === 'assistant' || role === 'caregiver' ? ROLE_WORDS[role] : undefined
}

/** Describes what each role may do, in the third person. */
export const ROLE_RIGHTS: Record<(typeof GIVEN_ROLES)[Kind][number], string> = {
  parent: 'Can see and change everything except the list of members.',
  caregiver: 'Can log and see sessions. Rates, amounts and payments stay hidden.',
  viewer: "Can see everything, including amounts, but can't change anything.",
  assistant: 'Can log and confirm sessions and see amounts. You still manage members and connections.',
}

/** Explains to the invited person what the role allows, both for all children or students and for only some. */
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
    some: "You'll be able to log and confirm sessions for some of the students and see their amounts.",
  },
}

/** Explains to the invited person what they'll be able to see and do. */
export function rightsGiven(role: MemberRole, hasAllStudents: boolean): string {
  return RIGHTS_GIVEN[role][hasAllStudents ? 'all' : 'some']
}
