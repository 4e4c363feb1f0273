// A workspace holds the records of one family or one practice; people are its members (docs/decisions/0014).
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'
import { emailAddress } from '#kernel/text.ts'

export const Kind = z.enum(['family', 'practice'])
export type Kind = z.infer<typeof Kind>
export const MemberRole = z.enum(['owner', 'parent', 'caregiver', 'viewer', 'assistant'])
export type MemberRole = z.infer<typeof MemberRole>

/** The roles that the owner of each kind can give away, the first one suggested. */
export const GIVEN_ROLES = {
  family: ['parent', 'caregiver', 'viewer'],
  practice: ['assistant'],
} as const satisfies Record<Kind, readonly MemberRole[]>

/** People of one workspace at most, those who are invited included (design of the workspaces). */
export const MOST_MEMBERS = 6
/** How long an invitation works. */
export const INVITATION_DAYS = 14

/** A workspace as one of its members meets it. */
export const Workspace = z.object({
  id: z.string(),
  kind: Kind,
  role: MemberRole,
  /** Whose it is, by the name that the owner gave; null where there is none. */
  owner_name: z.nullable(z.string()),
  /** Whether this call speaks in it. */
  is_current: z.boolean(),
})
export type Workspace = z.infer<typeof Workspace>

export const ListWorkspaces = endpoint({
  operation: 'ListWorkspaces',
  summary: 'The workspaces of the account, the one it has been in longest first',
  method: 'GET',
  path: '/api/v1/workspaces',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.array(Workspace),
})

export const StartWorkspace = endpoint({
  operation: 'StartWorkspace',
  summary: 'Start a family or a practice of your own; one of each at most',
  method: 'POST',
  path: '/api/v1/workspaces',
  access: 'confirmed',
  creates: true,
  isFree: true,
  input: z.strictObject({ kind: Kind }),
  output: Workspace,
  refusals: {
    already_yours: {
      status: 409,
      title: 'You already have one of your own. Switch to it in the account menu.',
    },
  },
})

/** Somebody who keeps the records of this workspace, or was invited to. */
export const Member = z.object({
  /** The member's account, or the invitation. */
  id: z.string(),
  state: z.enum(['member', 'invited']),
  role: MemberRole,
  name: z.nullable(z.string()),
  /** Shown to the owner, and to everybody their own. */
  email: z.nullable(z.string()),
  is_me: z.boolean(),
  /** The children or students whose records they keep; null for all of them. */
  student_ids: z.nullable(z.array(z.string())),
  /** Since when they are a member, ISO 8601; null while they are invited. */
  joined_at: z.nullable(z.string()),
  /** Until when the invitation works, ISO 8601; null for a member. */
  expires_at: z.nullable(z.string()),
})
export type Member = z.infer<typeof Member>

const OWNER_ONLY = {
  owner_only: { status: 403, title: 'Only the owner can change who is a member.' },
} as const
const WRONG_ROLE = {
  wrong_role: { status: 422, title: 'Choose a role from the list', field: 'role' },
  unknown_student: { status: 422, title: 'Choose somebody from your list', field: 'student_ids' },
} as const
/** Whose records they keep: null for all, those who come later included. */
const StudentIds = z.nullable(
  z
    .array(z.uuid({ error: 'Choose somebody from your list' }))
    .check(z.minLength(1, 'Choose at least one'), z.maxLength(200, 'Choose at most 200')),
)

export const ListMembers = endpoint({
  operation: 'ListMembers',
  summary: 'Who is a member of this workspace, the owner first, and who is invited',
  method: 'GET',
  path: '/api/v1/members',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.array(Member),
})

export const InviteMember = endpoint({
  operation: 'InviteMember',
  summary: 'Invite somebody by email; inviting an address again sends a new link and ends the old one',
  method: 'POST',
  path: '/api/v1/members',
  access: 'confirmed',
  creates: true,
  input: z.strictObject({
    email: emailAddress('Enter an email address'),
    role: MemberRole,
    /** All of them where it is left out. */
    student_ids: z.optional(StudentIds),
  }),
  output: Member,
  refusals: {
    ...OWNER_ONLY,
    ...WRONG_ROLE,
    already_member: { status: 409, title: 'This person is already a member', field: 'email' },
    too_many_members: { status: 409, title: `At most ${MOST_MEMBERS} people, including those you invited` },
    opted_out: { status: 409, title: 'This person wants no emails from Tutorlog', field: 'email' },
    invited_too_often: {
      status: 429,
      title: 'Three invitations went to this address today. Please try again tomorrow.',
      retryAfterSeconds: 86_400,
    },
  },
})

export const ChangeMember = endpoint({
  operation: 'ChangeMember',
  summary:
    'Give a member another role, all or some of the children or students, or hand the ownership over: the former owner takes the role of the new one',
  method: 'PATCH',
  path: '/api/v1/members/:id',
  access: 'confirmed',
  // Whoever cannot pay any more can still hand over to somebody who can.
  isFree: true,
  input: z.strictObject({
    role: MemberRole,
    /** As before where it is left out. */
    student_ids: z.optional(StudentIds),
  }),
  output: Member,
  refusals: {
    ...OWNER_ONLY,
    ...WRONG_ROLE,
    not_an_heir: {
      status: 409,
      title: 'Only a parent or an assistant who sees everybody can become the owner. Change that first.',
    },
    owner_sees_all: { status: 422, title: 'The owner sees everybody', field: 'student_ids' },
    account_closed: { status: 409, title: 'This account is closed or was deleted.' },
  },
})

export const RemoveMember = endpoint({
  operation: 'RemoveMember',
  summary: 'Remove a member, withdraw an invitation, or leave',
  method: 'DELETE',
  path: '/api/v1/members/:id',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: {
    ...OWNER_ONLY,
    owner_stays: { status: 409, title: 'Make somebody else the owner before you leave' },
  },
})

/** The secret of an invitation, as it stands in the emailed link. */
const Token = z.string().check(z.regex(/^[\w-]{43}$/, 'This is no invitation'))
const NOT_OPEN = {
  invitation_over: {
    status: 422,
    title: "This invitation was used or withdrawn, or it's more than 14 days old. Ask for a new one.",
  },
} as const

export const OpenInvitation = endpoint({
  operation: 'OpenInvitation',
  summary: 'What an invitation is for; opening it changes nothing',
  method: 'POST',
  path: '/api/auth/invitation',
  access: 'anyone',
  limit: { hits: 60, seconds: 60 },
  input: z.strictObject({ token: Token }),
  output: z.object({
    kind: Kind,
    role: MemberRole,
    owner_name: z.nullable(z.string()),
    /** False where it is for some of the children or students only. */
    has_all_students: z.boolean(),
    /** The only address that can join. */
    email: z.string(),
    /** Whether that address has an account, which then has to sign in. */
    has_account: z.boolean(),
  }),
  refusals: NOT_OPEN,
})

export const JoinWorkspace = endpoint({
  operation: 'JoinWorkspace',
  summary: 'Take an invitation with the account that it is for',
  method: 'POST',
  path: '/api/v1/workspaces/join',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ token: Token }),
  output: Workspace,
  refusals: {
    ...NOT_OPEN,
    both_sides: {
      status: 409,
      title: 'You are connected with the other side of this invitation. Nobody can be on both.',
    },
    other_address: { status: 403, title: 'This invitation is for another email address.' },
  },
})
