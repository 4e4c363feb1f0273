// A link handed over in person or in any messenger, for a side without an email address
// (docs/decisions/0038-a-handed-over-link.md).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { LINK_REFUSALS } from '#features/access/link-refusals.ts'
import { emailAddress } from '#kernel/text.ts'

/** How long a handed-over link can be claimed. */
export const CLAIM_DAYS = 14

const LINK_STATES = ['missing', 'unclaimed', 'claimed', 'lapsed'] as const

/** What became of the link for a connection, as shown to the side that handed it over. */
export const HandedLink = z.object({
  /** 'missing' if no link was made yet. */
  state: z.enum(LINK_STATES),
  claimed_at: z.nullable(z.string()),
  /** When it lapses, or lapsed, if nobody claims it. */
  lapses_at: z.nullable(z.string()),
})
export type HandedLink = z.output<typeof HandedLink>

/** @param link when the link was claimed and lapses; undefined if there's none */
export function handedLink(
  link: { claimed_at: Date | null; lapses_at: Date } | undefined,
  now: Date,
): HandedLink {
  if (!link) return { state: 'missing', claimed_at: null, lapses_at: null }
  const hasLapsed = link.lapses_at <= now
  return {
    state: link.claimed_at ? 'claimed' : hasLapsed ? 'lapsed' : 'unclaimed',
    claimed_at: link.claimed_at?.toISOString() ?? null,
    lapses_at: link.claimed_at ? null : link.lapses_at.toISOString(),
  }
}

// Not an operation that creates: its answer has the link, which isn't stored anywhere. A retry makes another one.
export const MakeLink = endpoint({
  operation: 'MakeLink',
  summary: 'Make the link to hand over for a connection, shown only once; the previous one stops working',
  method: 'POST',
  path: '/api/v1/connections/:id/link',
  access: ['parent', 'tutor'],
  closedTo: ['assistant'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ url: z.string(), lapses_at: z.string() }),
  limit: { hits: 60, seconds: 3600 },
  refusals: {
    not_by_link: {
      status: 409,
      title: 'The other person has an email address or an account here, so they no longer need a link.',
    },
  },
})

export const ClaimLink = endpoint({
  operation: 'ClaimLink',
  summary:
    'Claim a handed-over link for this device. The first call sets the cookie, the second claims the link with it',
  method: 'POST',
  path: '/api/link/claim',
  access: 'anyone',
  input: z.strictObject({}),
  output: z.object({ is_claimed: z.boolean() }),
  limit: { hits: 60, seconds: 60 },
  refusals: {
    link_gone: LINK_REFUSALS.link_gone,
    link_used: LINK_REFUSALS.link_used,
    link_lapsed: LINK_REFUSALS.link_lapsed,
    link_ended: LINK_REFUSALS.link_ended,
    own_link: LINK_REFUSALS.own_link,
    address_unconfirmed: LINK_REFUSALS.address_unconfirmed,
  },
})

export const GiveAddress = endpoint({
  operation: 'GiveAddress',
  summary:
    'Add an email address to the side that was handed a link; the email there has to be answered first',
  method: 'POST',
  path: '/api/link/address',
  access: ['link'],
  input: z.strictObject({ email: emailAddress('Enter your email address') }),
  /** Whether the address counts already, because the browser is signed in to its account. */
  output: z.object({ is_confirmed: z.boolean() }),
  limit: { hits: 20, seconds: 3600 },
  isAnswer: () => false,
  refusals: {
    has_address: { status: 409, title: 'This page already has an email address.' },
    own_address: {
      status: 422,
      title: 'This address belongs to the person who gave you the link. Enter your own.',
      field: 'email',
    },
    already_asked: {
      status: 409,
      title: 'This person has already asked that address. Open the link in the email there.',
      field: 'email',
    },
    asked_too_often: {
      status: 429,
      title: 'This address has received several emails today. Please wait a day.',
      field: 'email',
    },
    opted_out: {
      status: 422,
      title: 'This address has opted out of emails from Tutorlog.',
      field: 'email',
    },
  },
})

export const ConfirmAddress = endpoint({
  operation: 'ConfirmAddress',
  summary: 'Confirm the address of a side that was handed a link, with the link in the email there',
  method: 'POST',
  path: '/api/link/address/confirm',
  access: 'anyone',
  input: z.strictObject({}),
  output: z.undefined(),
  limit: { hits: 60, seconds: 60 },
  refusals: {
    link_gone: LINK_REFUSALS.link_gone,
    own_link: LINK_REFUSALS.own_link,
    own_address: GiveAddress.refusals.own_address,
    already_asked: GiveAddress.refusals.already_asked,
  },
})
