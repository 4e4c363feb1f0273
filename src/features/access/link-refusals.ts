// Why a link can't be used, whether it was emailed or handed over.
import type { Refusal } from '#kernel/endpoint.ts'

export const LINK_REFUSALS = {
  link_gone: { status: 404, title: 'This link has expired or been turned off.' },
  /** Says nothing about the link to whoever hasn't claimed it, such as a messenger's preview. */
  link_unclaimed: { status: 403, title: 'Open this link in a browser and continue there.' },
  link_used: { status: 403, title: 'This link was already used on another device.' },
  link_lapsed: { status: 404, title: 'This link wasn’t opened in time. Ask for a new one.' },
  link_ended: { status: 404, title: 'This link was replaced or turned off.' },
  own_link: {
    status: 403,
    title: "You're signed in to the account that sent this link. Only the person it was sent to can answer.",
  },
  /** An emailed link that's about to confirm its address. */
  address_unconfirmed: { status: 403, title: 'Confirm this address first.' },
} as const satisfies Record<string, Refusal>

export type LinkProblem = keyof typeof LINK_REFUSALS
