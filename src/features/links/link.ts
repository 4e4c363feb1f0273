// A link: a family asks a tutor to confirm sessions, and the tutor says yes. Either side may end it.
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'

export const LINK_STATES = ['asked', 'active', 'declined', 'ended'] as const

/** A family's link with one of its tutors: the newest, whatever became of it. */
export const Link = z.object({
  id: z.string(),
  tutor_id: z.string(),
  state: z.enum(LINK_STATES),
  email: z.nullable(z.string()),
  asked_at: z.string(),
  ended_by: z.nullable(z.enum(['family', 'tutor'])),
  version: z.number(),
})
export type Link = z.output<typeof Link>

/** A link as the tutor sees it: whose family, and no more of it than a name. */
export const Family = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  state: z.enum(LINK_STATES),
  asked_at: z.string(),
  /** The tutor's own students who belong to this family: their sessions are proposed to it. */
  student_ids: z.array(z.string()),
  /** The family's account was deleted or disabled: what was shared can be read, and nothing more. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type Family = z.output<typeof Family>

/** Answers to a family whose account is closed, until it is erased or opened again. */
export const FAMILY_CLOSED = {
  family_closed: {
    status: 409,
    title: 'This family closed its account. You can still read what it shared, but nothing can be changed.',
  },
} as const

/** How long a mailed link answers, and how long an address is kept that never answered (promise P9). */
export const TOKEN_DAYS = 45
export const UNANSWERED_DAYS = 30

export const AskTutor = endpoint({
  operation: 'AskTutor',
  summary: "Ask a tutor, by the email on the tutor's record, to confirm sessions",
  method: 'POST',
  path: '/api/v1/tutors/:id/link',
  access: ['parent'],
  creates: true,
  input: z.strictObject({}),
  output: Link,
  limit: { hits: 60, seconds: 3600 },
  refusals: {
    no_email: { status: 422, title: 'Add an email address to this tutor first', field: 'email' },
    own_address: { status: 422, title: 'This is your own address. Ask the tutor at theirs.', field: 'email' },
    already_asked: { status: 409, title: 'This tutor was asked already' },
    asked_too_often: { status: 429, title: 'This tutor was asked several times lately. Please wait a day.' },
    opted_out: {
      status: 422,
      title: 'This address does not want mails from Tutorlog. Talk to the tutor in person.',
    },
  },
})
export const ListLinks = endpoint({
  operation: 'ListLinks',
  summary: "A family's links with its tutors, the newest of each",
  method: 'GET',
  path: '/api/v1/links',
  access: ['parent'],
  input: z.strictObject({}),
  output: z.array(Link),
})
export const EndLink = endpoint({
  operation: 'EndLink',
  summary: 'End a link; what was confirmed stays',
  method: 'DELETE',
  path: '/api/v1/links/:id',
  access: ['parent'],
  input: z.strictObject({}),
  output: z.undefined(),
})

export const ListFamilies = endpoint({
  operation: 'ListFamilies',
  summary: 'The families that asked this tutor or are linked',
  method: 'GET',
  path: '/api/v1/families',
  access: ['tutor', 'admin'],
  side: 'tutor',
  input: z.strictObject({}),
  output: z.array(Family),
})
export const AnswerFamily = endpoint({
  operation: 'AnswerFamily',
  summary: 'Accept or decline what a family asked',
  method: 'PATCH',
  path: '/api/v1/families/:id',
  access: ['tutor'],
  closedTo: ['assistant'],
  side: 'tutor',
  input: z.strictObject({
    state: z.enum(['active', 'declined'], { error: 'Accept with active, decline with declined' }),
  }),
  output: Family,
  refusals: {
    changed: { status: 409, title: 'This was answered already. Please look again.' },
    own_family: {
      status: 409,
      title: 'You are a member of this family, so you cannot confirm for its tutor.',
    },
  },
})
export const SetFamilyStudents = endpoint({
  operation: 'SetFamilyStudents',
  summary: "Say which of the tutor's own students belong to a family; their sessions are proposed to it",
  method: 'PUT',
  path: '/api/v1/families/:id/students',
  access: ['tutor'],
  closedTo: ['assistant'],
  side: 'tutor',
  input: z.strictObject({
    student_ids: z.array(z.uuid()).check(z.maxLength(20, 'Name at most 20 students')),
  }),
  output: Family,
  refusals: {
    unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'student_ids' },
    not_linked: { status: 409, title: 'Accept what the family asked first' },
    ...FAMILY_CLOSED,
  },
})
export const LeaveFamily = endpoint({
  operation: 'LeaveFamily',
  summary: 'End the link with a family; what was confirmed stays',
  method: 'DELETE',
  path: '/api/v1/families/:id',
  access: ['tutor', 'admin'],
  closedTo: ['assistant'],
  side: 'tutor',
  input: z.strictObject({}),
  output: z.undefined(),
})
