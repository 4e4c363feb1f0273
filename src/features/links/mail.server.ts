// The email that asks a tutor, whose link answers without an account, and the emails that say what became of it. Every token is
// made when the email is written.
import { displayName } from '#features/accounts/account.ts'
import { addressFor, insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { type MailContent, renderMail } from '#platform/mail/template.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { TOKEN_DAYS } from './link.ts'
import { insertLinkToken, linkForMail, type LinkNews, partiesForMail } from './queries.server.ts'

/** The writers of the mails about links, by kind. */
export function linkMails({
  baseUrl,
  now,
}: {
  baseUrl: string
  now: () => Date
}): Record<string, MailWriter> {
  return {
    async ask_tutor(tx, row) {
      const link = await linkForMail(tx, String(row.data.link_id))
      if (!link?.email || link.state !== 'asked' || (await isOptedOut(tx, link.email))) return undefined
      const [token, end] = [newToken(), newToken()]
      await insertLinkToken(tx, link.workspace_id, String(row.data.link_id), tokenHash(token), now())
      await insertUnsubscribe(tx, end, { address: link.email })
      const family = plainName(
        displayName({ full_name: link.full_name, email: link.family_email }),
        'A family',
      )
      return renderMail(link.email, {
        subject: `${family} asks you to confirm tutoring sessions`,
        paragraphs: [
          `${family} keeps a record of the lessons with you in Tutorlog and asks you to confirm them: the child's first name, the date, the duration and the amount. You need no account.`,
          `The link is yours alone and works for ${TOKEN_DAYS} days. If you do not know ${family}, ignore this mail or say so on the page.`,
        ],
        // What stands behind # never reaches a server or its log (promise W5).
        button: { label: 'See the sessions', url: `${baseUrl}/confirm#${token}` },
        footer:
          'You get this mail because a family entered your address as their tutor. With a tutor account of this address you can answer in the app.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },
    async connection_changed(tx, row) {
      const news = row.data.news as LinkNews
      const link = await partiesForMail(tx, String(row.data.link_id))
      const recipient = row.userId && (await addressFor(tx, row.userId, 'connection_changes'))
      // Of a connection that was accepted and ended since, only the end is news.
      if (!recipient || !row.userId || !link || (link.state === 'active') !== (news === 'accepted'))
        return undefined
      const end = newToken()
      await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'connection_changes' })
      const isFamily = row.userId === link.workspace_id
      return renderMail(recipient, {
        ...(isFamily
          ? TO_FAMILY[news](plainName(link.tutor_name, 'A tutor'))
          : toTutor(
              plainName(displayName({ full_name: link.full_name, email: link.family_email }), 'A family'),
            )),
        button: isFamily
          ? { label: 'See your tutors', url: `${baseUrl}/tutors` }
          : { label: 'See your families', url: `${baseUrl}/to-confirm` },
        footer: 'You can choose which emails you get in your account settings.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },
  }
}

type Words = Pick<MailContent, 'subject' | 'paragraphs'>

const TO_FAMILY: Record<LinkNews, (tutor: string) => Words> = {
  accepted: (tutor) => ({
    subject: `${tutor} is now connected with you`,
    paragraphs: [
      `${tutor} accepted your request and can confirm the sessions you share. You both see the same history of every session.`,
    ],
  }),
  declined: (tutor) => ({
    subject: `${tutor} declined to connect`,
    paragraphs: [
      `${tutor} will not confirm sessions in Tutorlog. Your own log stays as it is, and no more emails go to ${tutor}.`,
    ],
  }),
  ended: (tutor) => ({
    subject: `${tutor} ended the connection with you`,
    paragraphs: [
      `${tutor} no longer sees your sessions and cannot confirm new ones. What was confirmed stays confirmed, and your own log stays as it is.`,
    ],
  }),
}

function toTutor(family: string): Words {
  return {
    subject: `${family} ended the connection with you`,
    paragraphs: [
      `You no longer see the sessions that ${family} logged. The sessions in your own log stay as they are.`,
    ],
  }
}
