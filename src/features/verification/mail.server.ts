// The mails about sessions that wait. Addresses are read when the mail is written: who ended a link meanwhile gets none.
import { displayName } from '#features/accounts/account.ts'
import { insertLinkToken, linkForMail } from '#features/links/queries.server.ts'
import { insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { monthLabel } from '#kernel/month.ts'
import { plainName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { addressOf, countSentBack, whatWaits } from './queries.server.ts'

/** The writers of these mails, by kind. */
export function verificationMails({
  baseUrl,
  now,
}: {
  baseUrl: string
  now: () => Date
}): Record<string, MailWriter> {
  const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)
  return {
    async waiting_sessions(tx, row) {
      const month = typeof row.data.month === 'string' ? row.data.month : undefined
      const days = month ? daysOfMonth(month) : { to: addDays(dayIn(now(), 'UTC'), 1) }
      const end = newToken()
      const link = typeof row.data.link_id === 'string' ? await linkForMail(tx, row.data.link_id) : undefined
      const linkId = String(row.data.link_id)
      const recipient = row.userId ? await addressOf(tx, row.userId) : link?.email
      const waiting = row.userId
        ? await whatWaits(tx, { tutorUserId: row.userId }, days)
        : link && (await whatWaits(tx, { linkId }, days))
      if (
        !recipient ||
        !waiting ||
        waiting.sessions === 0 ||
        (!row.userId && (await isOptedOut(tx, recipient)))
      )
        return undefined
      await insertUnsubscribe(tx, end, row.userId ? { userId: row.userId } : { address: recipient })
      const token = newToken()
      if (link) await insertLinkToken(tx, link.owner_id, linkId, tokenHash(token), now())
      const sum = `${count(waiting.sessions)}, ${formatHours(waiting.minutes as Minutes)} hours together`
      return renderMail(recipient, {
        subject: month ? `${monthLabel(month)} is ready to confirm` : `${count(waiting.sessions)} to confirm`,
        paragraphs: [
          link
            ? `${plainName(displayName({ full_name: link.full_name, email: link.family_email }), 'A family')} logged lessons with you that wait for your confirmation: ${sum}.`
            : `Families logged lessons with you that wait for your confirmation: ${sum}.`,
          month
            ? 'Once everything is confirmed, both of you can get the signed-off statement of the month.'
            : 'Confirm what took place, and send back what is not right.',
        ],
        button: {
          label: 'See the sessions',
          url: link ? `${baseUrl}/confirm#${token}` : `${baseUrl}/to-confirm`,
        },
        footer: 'There is one such mail a day at the most, and only when there is something new.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },
    async sent_back(tx, row) {
      const recipient = row.userId ? await addressOf(tx, row.userId) : undefined
      const sessions = row.userId ? await countSentBack(tx, row.userId) : 0
      if (!recipient || !row.userId || sessions === 0) return undefined
      const end = newToken()
      await insertUnsubscribe(tx, end, { userId: row.userId })
      return renderMail(recipient, {
        subject: `A tutor sent ${count(sessions)} back`,
        paragraphs: [
          `${sessions === 1 ? 'One session does' : `${sessions} sessions do`} not look right to your tutor. The note says why. Correct it, or answer.`,
        ],
        button: { label: 'See what came back', url: `${baseUrl}/dashboard` },
        footer: 'There is one such mail a day at the most, and only when there is something new.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },
  }
}
