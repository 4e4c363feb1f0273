// The mail that asks a tutor. Its link answers without an account; every token is made when the mail is written.
import { displayName } from '#features/accounts/account.ts'
import { insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { TOKEN_DAYS } from './link.ts'
import { insertLinkToken, linkForMail } from './queries.server.ts'

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
      await insertLinkToken(tx, link.owner_id, String(row.data.link_id), tokenHash(token), now())
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
  }
}
