// Emails about members: the invitation and the notice to a new owner. The invitation's token is created when
// the email is written.
import { insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { firstName, plainName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { rightsGiven } from './naming.ts'
import {
  keepInvitationToken,
  nameOfAccount,
  openInvitation,
  ownershipForMail,
  readTimeZone,
} from './queries.server.ts'
import { INVITATION_DAYS, type Kind } from './workspace.ts'

const WHOSE: Record<Kind, { noun: string; nobody: string }> = {
  family: { noun: 'family', nobody: 'A family' },
  practice: { noun: 'practice', nobody: 'A tutor' },
}

export function workspaceMails({
  baseUrl,
  now,
  takesPayments,
}: {
  baseUrl: string
  now: () => Date
  takesPayments: boolean
}): Record<string, MailWriter> {
  return {
    async member_invitation(tx, row) {
      const invitation = await openInvitation(tx, { id: String(row.data.invitation_id) }, now())
      if (!invitation || (await isOptedOut(tx, invitation.email))) return undefined
      const [token, end] = [newToken(), newToken()]
      await keepInvitationToken(tx, invitation.id, tokenHash(token))
      await insertUnsubscribe(tx, end, { address: invitation.email })
      const { noun, nobody } = WHOSE[invitation.kind]
      const who = plainName(invitation.owner_name, nobody)
      return renderMail(invitation.email, {
        subject: `${who} invited you to their ${noun} on Tutorlog`,
        paragraphs: [
          `${who} keeps track of tutoring with Tutorlog and would like you to join their ${noun}. ` +
            rightsGiven(invitation.role, invitation.student_ids === null),
          `The link works once, for ${INVITATION_DAYS} days, and only for this address. If you don't know ${who}, ignore this email.`,
        ],
        // The part of a URL after # is never sent to a server, so the token doesn't end up in logs (promise
        // W5).
        button: { label: `Join the ${noun}`, url: `${baseUrl}${paths.join}#token=${token}` },
        greets: '',
        footer: 'You got this email because a Tutorlog user entered your address.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },

    async ownership(tx, row) {
      const owned = row.userId && (await ownershipForMail(tx, String(row.data.workspace_id), row.userId))
      if (!owned || !row.userId) return undefined
      const { noun } = WHOSE[owned.kind]
      const from = row.data.from ? await nameOfAccount(tx, String(row.data.from)) : undefined
      const why =
        from === undefined
          ? `The owner's account was erased, so the ${noun} you shared is yours now.`
          : `${plainName(from, 'The owner')} made you the owner of the ${noun} you share.`
      const until = !takesPayments
        ? ''
        : owned.writable_until && owned.writable_until > now()
          ? ` You don't need a plan until ${longDay(owned.writable_until, await readTimeZone(tx, row.userId))}. ` +
            'After that, sessions can be logged only while you have a plan.'
          : ' From now on, sessions can be logged and changed only while you have a plan.'
      return renderMail(owned.email, {
        subject: `You are now the owner of your ${noun} on Tutorlog`,
        greets: firstName(await nameOfAccount(tx, row.userId)),
        paragraphs: [
          why,
          `${takesPayments ? 'You choose the plan, and you' : 'You'} can invite and remove people.${until} Nothing was deleted.`,
        ],
        button: { label: 'See the members', url: `${baseUrl}${paths.account}` },
      })
    },
  }
}

const longDay = (moment: Date, timeZone: string | null) =>
  formatDay(dayIn(moment, timeZone ?? 'UTC'), { month: 'long', day: 'numeric', year: 'numeric' })
