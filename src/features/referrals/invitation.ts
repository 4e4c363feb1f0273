// The invitation's text, shared by the email, the preview, and the text to copy.
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'
import { plainName } from '#kernel/plain-name.ts'
import { emailAddress, optionalText } from '#kernel/text.ts'

/** From product.md section 5. */
export const EMAIL_MISSING = "Please enter your friend's email address"
/** What to call the sender if neither a name nor an address is known (product.md section 7). */
const UNKNOWN_SENDER = 'A Tutorlog user'

/** Rate limit per account. */
export const PER_ACCOUNT = { hits: 20, seconds: 86_400 }
/** Rate limit per recipient address, across all accounts. */
export const PER_ADDRESS = { hits: 3, seconds: 604_800 }

export const NewInvitation = z.strictObject({
  friend_name: optionalText(60),
  friend_email: emailAddress(EMAIL_MISSING),
})

export interface InvitationFields {
  friend_name: string
  friend_email: string
}

/** The request the form sends; an empty name is left out. */
export function toInvitation({ friend_name, friend_email }: InvitationFields): z.input<typeof NewInvitation> {
  return { friend_name, friend_email }
}

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
  refusals: { own_address: { status: 422, title: 'This is your own address', field: 'friend_email' } },
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
 * The sender's name: the full name, else the part of the email before the @, else a label (product.md section
 * 7).
 */
export function senderName(user: { full_name: string | null; email: string }): string {
  return plainName(user.full_name?.trim() || user.email.split('@')[0], UNKNOWN_SENDER)
}

/** The pieces that make up an invitation. */
export interface Invitation {
  subject: string
  greeting: string
  paragraphs: string[]
  button: string
}

/** The free trial mentioned in an invitation. */
export interface Offer {
  trialDays: number
  /** Extra days that each of the two friends gets; if 0, the sentence about them is left out. */
  bonusDays: number
}

/**
 * Writes an invitation.
 * @param offer undefined on a server that takes no payments
 */
export function writeInvitation(
  sender: string,
  friendName: string | null | undefined,
  offer: Offer | undefined,
): Invitation {
  const name = plainName(friendName, '')
  return {
    subject: `${sender} invites you to Tutorlog`,
    greeting: name ? `Hey ${name}!` : 'Hey there!',
    paragraphs: [
      `${sender} keeps track of private tutoring with Tutorlog and thinks it could help you too.`,
      'Families and tutors log each session in seconds. Hours and amounts add up by themselves, and both sides confirm what took place.',
      offer ? offerWords(offer) : "It's free to use.",
    ],
    button: 'Try Tutorlog',
  }
}

function offerWords({ trialDays, bonusDays }: Offer): string {
  const trial = `You can try it for ${trialDays} days, without a credit card.`
  return bonusDays > 0 ? `${trial} Sign up with this link, and you both get ${bonusDays} extra days.` : trial
}

/** The invitation as plain text to copy. */
export function invitationText(invitation: Invitation, link: string): string {
  return [invitation.greeting, ...invitation.paragraphs, `${invitation.button}: ${link}`].join('\n\n')
}
