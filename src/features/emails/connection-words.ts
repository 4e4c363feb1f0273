// Text for emails about a connection: the request, and whether it was accepted, declined or ended. Also the
// names that these emails use for the two sides.
import type { Side } from '#features/access/role.ts'
import type { ConnectionNews } from '#features/connections/connection.ts'
import { familyOf, tutorOf } from '#features/workspaces/sides.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import type { Words } from './waiting-words.ts'

/** Text for the request email. Tutors and families get different versions. */
export const ASKING = {
  practice: {
    subject: (family: string) => `${family} asks you to confirm tutoring sessions`,
    text: (family: string) =>
      `${family} uses Tutorlog to keep track of lessons with you and would like you to confirm them. You don't need an account.`,
    footer:
      'You’re getting this email because a family entered your address as their tutor’s. ' +
      'If you create a tutor account with this address, you can answer in the app.',
  },
  family: {
    subject: (tutor: string, children: string) =>
      `${tutor} asks you to confirm ${children ? `${children}'s sessions` : 'tutoring sessions'}`,
    text: (tutor: string, children: string) =>
      `${tutor} uses Tutorlog to keep track of ${children ? `${children}'s` : 'your'} lessons and would like ` +
      "you to confirm them. You don't need an account.",
    footer:
      'You’re getting this email because a tutor entered your address as the contact for a student’s family. If you create a parent ' +
      'account with this address, you can answer in the app.',
  },
} as const

/** Text for the email that confirms the address of a side that was handed a link. */
export const ADDING = (other: string) => ({
  subject: `Use this address for the lessons you share with ${other}?`,
  paragraphs: [
    `Someone who opened a link from ${other} wants to get emails about those lessons at this address.`,
    'If that was you, use the button. Until then, nothing is sent here.',
  ],
  footer: 'If you don’t know who this is, ignore this email. Nothing happens then.',
})

/** Names for an email to a side without an account: the sender's, and the children's. */
interface Asker {
  /** The recipient's side. */
  side: Side
  other_name: string | null
  first_names: string[]
}

/** What to call the side that sent the request, whether or not it gave a name. */
export function whoAsks({ side, other_name: name, first_names: firstNames }: Asker): string {
  return side === 'practice' ? familyOf(name, firstNames) : tutorOf(name, firstNames)
}

/**
 * How to greet a recipient without an account. A family gets the children's first names. A tutor gets no name,
 * because what the family calls them is the family's own.
 */
export function calledByAsker({ side, first_names: firstNames }: Asker): string {
  return side === 'family' && firstNames.length > 0 ? familyOf(null, firstNames) : ''
}

export const NEWS: Record<ConnectionNews, (other: string) => Words> = {
  accepted: (other) => ({
    subject: `You're now connected with ${other}`,
    paragraphs: [
      `${other} accepted your request. From now on, you can both see and confirm the sessions you share.`,
    ],
  }),
  declined: (other) => ({
    subject: `${other} declined to connect`,
    paragraphs: [
      `${other} won't be confirming sessions on Tutorlog. Your own log won't change, and we won't email ${other} again.`,
    ],
  }),
  ended: (other) => ({
    subject: `${other} ended the connection with you`,
    paragraphs: [
      `Every session you shared stays in your log, along with what you both confirmed. From now on, anything either of you logs or changes won't be shared.`,
    ],
  }),
}

/**
 * Text for the email about changed payment options. Someone other than the tutor may have changed them, so
 * the email asks the reader to check with the tutor.
 */
export function wordsOfWays(tutor: string, day: CalendarDay): Words & { footer: string } {
  const date = formatDay(day, { month: 'long', day: 'numeric' })
  return {
    subject: `${tutor} updated their payment options`,
    paragraphs: [
      `On ${date}, ${tutor} updated the payment details you see on Tutorlog. Check them before your next payment.`,
      `If you didn't expect this, ask ${tutor} in person or by phone before you send any money.`,
    ],
    footer: 'For your security, you get this email whenever payment details are updated, at most once a day.',
  }
}
