// The invitation's text, shared by the email, the preview, and the text to copy.
import * as z from 'zod/mini'
import { nameInAddress } from '#kernel/address-name.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { plainName } from '#kernel/plain-name.ts'
import { emailAddress, optionalText } from '#kernel/text.ts'

/** From docs/product.md, section 5. */
export const EMAIL_MISSING = "Please enter your friend's email address"
/** Shown as the sender when we know neither a name nor an address (docs/product.md, section 7). */
const UNKNOWN_SENDER = 'A Tutorlog user'

/** Rate limit per account. */
export const PER_ACCOUNT = { hits: 20, seconds: 86_400 }
/** Rate limit per recipient address, across all accounts. */
export const PER_ADDRESS = { hits: 3, seconds: 604_800 }

export const NewInvitation = z.strictObject({
  friend_name: optionalText(60),
  friend_email: emailAddress(EMAIL_MISSING),
})

export type InvitationFields = z.input<typeof NewInvitation>

export const InviteFriend = endpoint({
  operation: 'InviteFriend',
  summary: 'Email an invitation to a friend',
  method: 'POST',
  path: '/api/v1/invitations',
  access: 'confirmed',
  creates: true,
  limit: { hits: 120, seconds: 600 },
  input: NewInvitation,
  output: z.object({ message: z.string() }),
  refusals: {
    invitations_off: { status: 422, title: "Friends can't sign up on this server, so nothing was sent." },
    own_address: { status: 422, title: 'This is your own address', field: 'friend_email' },
  },
})

export const OptOut = endpoint({
  operation: 'OptOut',
  summary: 'Stop all invitations to the address that received the link',
  method: 'POST',
  path: '/api/v1/invitations/opt-out',
  access: 'anyone',
  limit: { hits: 60, seconds: 600 },
  input: z.strictObject({
    token: z
      .string({ error: 'The link is incomplete' })
      .check(z.minLength(1, 'The link is incomplete'), z.maxLength(200)),
  }),
  output: z.object({ message: z.string() }),
  refusals: { unknown_link: { status: 422, title: 'This link is incomplete or has expired.' } },
})

/**
 * The sender's full name; otherwise the part of the email address before the @, or a fallback label
 * (docs/product.md, section 7).
 */
export function senderName(user: { full_name: string | null; email: string }): string {
  return plainName(user.full_name, '') || nameInAddress(user.email, UNKNOWN_SENDER)
}

export interface Invitation {
  subject: string
  greeting: string
  paragraphs: string[]
  button: string
}

/** The offer mentioned in an invitation: a free trial and possibly extra days. */
interface Offer {
  trialDays: number
  /** Extra days for each of the two friends. If 0, the invitation doesn't mention them. */
  bonusDays: number
}

/** @param offer undefined if the server doesn't take payments */
export function writeInvitation(
  sender: string,
  friendName: string | null | undefined,
  offer: Offer | undefined,
): Invitation {
  const name = plainName(friendName, '')
  return {
    subject: `${sender} invited you to Tutorlog`,
    greeting: name ? `Hey ${name}!` : 'Hey there!',
    paragraphs: [
      `${sender} uses Tutorlog to keep track of private tutoring and thinks it could help you, too.`,
      'Families and tutors log each session in seconds. Hours and amounts are added up automatically, and both sides confirm what took place.',
      offer ? offerWords(offer) : "It's free to use.",
    ],
    button: 'Try Tutorlog',
  }
}

function offerWords({ trialDays, bonusDays }: Offer): string {
  const trial = `You can try it free for ${trialDays} days, no credit card needed.`
  return bonusDays > 0
    ? `${trial} Sign up with this link, and you’ll both get ${bonusDays} extra free days.`
    : trial
}

export function invitationText(invitation: Invitation, link: string): string {
  return [invitation.greeting, ...invitation.paragraphs, `${invitation.button}: ${link}`].join('\n\n')
}
