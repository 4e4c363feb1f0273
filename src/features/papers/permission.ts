// Whether a family may make receipts in its tutor's name: the tutor allows it, with an account or on the emailed page.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { ProviderDetails, ProviderInput } from './provider.ts'

const Permission = z.object({
  connection_id: z.string(),
  /** For a family, its tutor; null for the tutor's side. */
  tutor_id: z.nullable(z.string()),
  /** What to call the other side. */
  other_name: z.string(),
  is_allowed: z.boolean(),
})
export type Permission = z.output<typeof Permission>

export const ListPaperPermissions = endpoint({
  operation: 'ListPaperPermissions',
  summary: 'List the connections with what their tutors allow: receipts that the family makes in their name',
  method: 'GET',
  path: '/api/v1/paper-permissions',
  access: ['parent', 'tutor', 'admin', 'link'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({
    permissions: z.array(Permission),
    /** What a tutor without an account typed for these receipts; null for everyone else. */
    details: z.nullable(ProviderDetails),
  }),
})

export const AllowPapers = endpoint({
  operation: 'AllowPapers',
  summary: 'Allow a connected family to make receipts in your name, or no longer (owner only)',
  method: 'PUT',
  path: '/api/v1/connections/:id/papers',
  access: ['tutor', 'admin', 'link'],
  closedTo: ['assistant'],
  needsAllStudents: true,
  // A tutor can withdraw it without a plan, too.
  isFree: true,
  // Turning something off is no answer to the family's request.
  isAnswer: ({ is_allowed: isAllowed }) => isAllowed,
  input: z.strictObject({
    is_allowed: z.boolean({ error: 'Say whether you allow it' }),
    /** For a tutor without an account, what the receipts say about them. With an account, these are the practice's. */
    details: z.optional(ProviderInput),
  }),
  output: z.object({ is_allowed: z.boolean() }),
  refusals: {
    details_missing: { status: 422, title: 'Receipts need your legal name and address' },
  },
})
