// A workspace contains the records of one family or one practice. People are its members
// (docs/decisions/0014-workspaces.md).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { emailAddress } from '#kernel/text.ts'

export const KINDS = ['family', 'practice'] as const
export const Kind = z.enum(KINDS)
export type Kind = z.infer<typeof Kind>
export const MemberRole = z.enum(['owner', 'parent', 'caregiver', 'viewer', 'assistant'])
export type MemberRole = z.infer<typeof MemberRole>

/** The roles an owner can assign in each kind of workspace. The first one is the default. */
export const GIVEN_ROLES = {
  family: ['parent', 'caregiver', 'viewer'],
  practice: ['assistant'],
} as const satisfies Record<Kind, readonly MemberRole[]>

/**
 * The maximum number of people in a workspace. Includes people who have only been invited
 * (docs/design/shared-sessions.md, Workspaces).
 */
export const MOST_MEMBERS = 6
export const INVITATION_DAYS = 14

/** A workspace as seen by one of its members. */
export const Workspace = z.object({
  id: z.string(),
  kind: Kind,
  role: MemberRole,
  /** The owner's name. Null if they didn't give one. */
  owner_name: z.nullable(z.string()),
  /** Whether the call applies to this workspace. */
  is_current: z.boolean(),
})
export type Workspace = z.infer<typeof Workspace>

export const ListWorkspaces = endpoint({
  operation: 'ListWorkspaces',
  summary: "List the account's workspaces, oldest membership first",
  method: 'GET',
  path: '/api/v1/workspaces',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.array(Workspace),
})

export const StartWorkspace = endpoint({
  operation: 'StartWorkspace',
  summary: 'Create your own family or practice workspace, at most one of each',
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
      title: 'You already have one. Switch to it in the account menu.',
    },
  },
})

/** A member of this workspace, or someone invited to it. */
export const Member = z.object({
  /** The id of the member's account, or the id of the invitation. */
  id: z.string(),
  state: z.enum(['member', 'invited']),
  role: MemberRole,
  name: z.nullable(z.string()),
  /** The member's address. The owner sees everyone's; other members see only their own. */
  email: z.nullable(z.string()),
  is_me: z.boolean(),
  /** The children or students this member sees. Null means all of them. */
  student_ids: z.nullable(z.array(z.string())),
  /** When the member joined, ISO 8601. Null for someone who's only been invited. */
  joined_at: z.nullable(z.string()),
  /** When the invitation expires, ISO 8601. Null for a member. */
  expires_at: z.nullable(z.string()),
})
export type Member = z.infer<typeof Member>

const OWNER_ONLY = {
  owner_only: { status: 403, title: 'Only the owner can manage members.' },
} as const
const WRONG_ROLE = {
  wrong_role: { status: 422, title: 'Choose a role from the list', field: 'role' },
  unknown_student: { status: 422, title: 'Choose someone from your list', field: 'student_ids' },
} as const
/** The children or students this member sees. Null means all of them, including those added later. */
const StudentIds = z.nullable(
  z
    .array(z.uuid({ error: 'Choose someone from your list' }))
    .check(z.minLength(1, 'Choose at least one'), z.maxLength(200, 'Choose at most 200')),
)

export const ListMembers = endpoint({
  operation: 'ListMembers',
  summary: "List this workspace's members, owner first, and the people invited to it",
  method: 'GET',
  path: '/api/v1/members',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.array(Member),
})

export const NewInvitation = z.strictObject({
  email: emailAddress('Enter an email address'),
  role: MemberRole,
  /** If omitted, all children or students. */
  student_ids: z.optional(StudentIds),
})
export const InviteMember = endpoint({
  operation: 'InviteMember',
  summary: 'Invite someone by email; inviting an address again sends a new link and invalidates the old one',
  method: 'POST',
  path: '/api/v1/members',
  access: 'confirmed',
  creates: true,
  proof: 'recent',
  input: NewInvitation,
  output: Member,
  refusals: {
    ...OWNER_ONLY,
    ...WRONG_ROLE,
    already_member: { status: 409, title: 'This person is already a member', field: 'email' },
    too_many_members: { status: 409, title: `At most ${MOST_MEMBERS} people, including those you invited` },
    opted_out: { status: 409, title: 'This person has opted out of emails from Tutorlog', field: 'email' },
    invited_too_often: {
      status: 429,
      title: 'This address has received three invitations today. Please try again tomorrow.',
      retryAfterSeconds: 86_400,
    },
  },
})

export const ChangeMember = endpoint({
  operation: 'ChangeMember',
  summary:
    "Change a role, choose which children or students someone sees, or hand over ownership; the former owner gets the new owner's old role",
  method: 'PATCH',
  path: '/api/v1/members/:id',
  access: 'confirmed',
  // Doesn't require a plan, so that an owner who can no longer pay can hand over to someone who can.
  isFree: true,
  proof: 'recent',
  needsProof: ({ role }) => role === 'owner',
  input: z.strictObject({
    role: MemberRole,
    /** If omitted, the member's students don't change. */
    student_ids: z.optional(StudentIds),
  }),
  output: Member,
  refusals: {
    ...OWNER_ONLY,
    ...WRONG_ROLE,
    not_an_heir: {
      status: 409,
      title:
        'Only a parent or an assistant who can see everyone can become the owner. Let them see everyone first.',
    },
    owner_sees_all: { status: 422, title: 'The owner always sees everyone', field: 'student_ids' },
    account_closed: { status: 409, title: 'This account was disabled or deleted.' },
  },
})

export const RemoveMember = endpoint({
  operation: 'RemoveMember',
  summary: 'Remove a member, withdraw an invitation, or leave the workspace',
  method: 'DELETE',
  path: '/api/v1/members/:id',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: {
    ...OWNER_ONLY,
    owner_stays: { status: 409, title: 'Make someone else the owner before you leave' },
  },
})

export const InvitationToken = z.string().check(z.regex(/^[\w-]{43}$/, "This isn't a valid invitation"))
export const NOT_OPEN = {
  invitation_over: {
    status: 422,
    title: "This invitation has been used or withdrawn, or it's more than 14 days old. Ask for a new one.",
  },
} as const

export const OpenInvitation = endpoint({
  operation: 'OpenInvitation',
  summary: "Get an invitation's details without accepting it",
  method: 'POST',
  path: '/api/auth/invitation',
  access: 'anyone',
  limit: { hits: 60, seconds: 60 },
  input: z.strictObject({ token: InvitationToken }),
  output: z.object({
    kind: Kind,
    role: MemberRole,
    owner_name: z.nullable(z.string()),
    /** False if the invitation is limited to some of the children or students. */
    has_all_students: z.boolean(),
    /** The only address that can use this invitation to join. */
    email: z.string(),
    /** Whether that address already has an account. If it does, the invited person has to sign in. */
    has_account: z.boolean(),
  }),
  refusals: NOT_OPEN,
})

/** Refuses whoever the workspace is connected with, or has asked, to join it. */
export const BOTH_SIDES = {
  status: 409,
  title:
    'You can’t join: you already confirm sessions with this family or practice, or are asked to. Nobody can confirm for both.',
} as const

export const JoinWorkspace = endpoint({
  operation: 'JoinWorkspace',
  summary: 'Accept an invitation while signed in with the invited address',
  method: 'POST',
  path: '/api/v1/workspaces/join',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ token: InvitationToken }),
  output: Workspace,
  refusals: {
    ...NOT_OPEN,
    both_sides: BOTH_SIDES,
    other_address: { status: 403, title: 'This invitation is for another email address.' },
  },
})
