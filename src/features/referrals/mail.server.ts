// The invitation email. Only the name and the address come from the request (promises I7, I8).
import { readMe } from '#features/accounts/queries.server.ts'
import { insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { INVITED_DAYS } from '#features/site/promise.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { newToken } from '#platform/http/token.server.ts'
import { senderName, writeInvitation } from './invitation.ts'
import { readReferralCode } from './queries.server.ts'
import { referralLink } from './routes.server.ts'

/** Writes the invitation email. Returns undefined if the recipient opted out (promise P9). */
export function referralMails({
  baseUrl,
  trialDays,
  takesPayments,
  referralBonusDays,
}: {
  baseUrl: string
  trialDays: number
  takesPayments: boolean
  referralBonusDays: number
}): Record<string, MailWriter> {
  return {
    async invitation(tx, row) {
      const sender = row.userId ? await readMe(tx, row.userId, { trialDays }) : undefined
      if (!sender || sender.deletion_due_at || (await isOptedOut(tx, row.recipient))) return undefined
      const token = newToken()
      await insertUnsubscribe(tx, token, { address: row.recipient })
      const invitation = writeInvitation(
        senderName(sender),
        row.data.friend_name as string | null,
        takesPayments ? { trialDays, bonusDays: referralBonusDays } : undefined,
      )
      return renderMail(row.recipient, {
        subject: invitation.subject,
        paragraphs: [invitation.greeting, ...invitation.paragraphs],
        button: {
          label: invitation.button,
          url: referralLink(baseUrl, await readReferralCode(tx, sender.id)),
        },
        footer: `You’re getting this email because a Tutorlog user entered your address. We’ll delete it after ${INVITED_DAYS} days.`,
        footerLink: {
          label: 'Stop invitations to this address',
          url: `${baseUrl}/opt-out?token=${token}`,
        },
      })
    },
  }
}
