// The contact form's message to the operator, and the email that announces new terms.
import { firstName, plainName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { formatLongDay } from './announcement.ts'
import type { Message } from './contact.ts'
import type * as z from 'zod/mini'

/**
 * The functions that write the emails, keyed by email type. User input is escaped (promise I8).
 * @param nameOf looks up an account's name
 */
export function siteMails({
  baseUrl,
  nameOf,
}: {
  baseUrl: string
  nameOf: (tx: Parameters<MailWriter>[0], accountId: string) => Promise<string | null>
}): Record<string, MailWriter> {
  return {
    async contact(_tx, row) {
      const message = row.data as z.output<typeof Message>
      return renderMail(row.recipient, {
        subject: `Contact Form: ${message.subject}`,
        paragraphs: [`${plainName(message.name, 'Somebody')} (${message.email}) wrote:`, message.message],
        footer: 'Sent from the contact form. Replies to this email go to the sender.',
        replyTo: message.email,
      })
    },
    async terms_notice(tx, row) {
      const { version, effective_day: day } = row.data as { version: string; effective_day: string }
      return renderMail(row.recipient, {
        subject: `New Tutorlog terms take effect on ${formatLongDay(day)}`,
        greets: firstName(row.userId && (await nameOf(tx, row.userId))),
        paragraphs: [
          `We are updating our Terms of Service and our Privacy Policy. The new version (${version}) takes effect on ${formatLongDay(day)}.`,
          "You don't need to do anything. If you don't agree with the new version, you can export your data and delete your account before then.",
        ],
        button: { label: 'Read the terms', url: `${baseUrl}/terms` },
      })
    },
  }
}
