// The mails of the public half: a message to the operator, and the notice of new terms.
import { plainName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { formatLongDay } from './announcement.ts'
import type { Message } from './contact.ts'
import type * as z from 'zod/mini'

/** The writers of these mails, by kind. What somebody typed is text, never HTML (promise I8). */
export function siteMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async contact(_tx, row) {
      const message = row.data as z.output<typeof Message>
      return renderMail(row.recipient, {
        subject: `Contact Form: ${message.subject}`,
        paragraphs: [`${plainName(message.name, 'Somebody')} (${message.email}) wrote:`, message.message],
        footer: 'Sent with the contact form. An answer to this mail goes to the sender.',
        replyTo: message.email,
      })
    },
    async terms_notice(_tx, row) {
      const { version, effective_day: day } = row.data as { version: string; effective_day: string }
      return renderMail(row.recipient, {
        subject: `New terms of Tutorlog from ${formatLongDay(day)}`,
        paragraphs: [
          `We change our Terms of Service and our Privacy Policy. The new version (${version}) holds from ${formatLongDay(day)}.`,
          'You need not do anything. If you do not agree with the new version, you can export your data and delete your account before that day.',
        ],
        button: { label: 'Read the terms', url: `${baseUrl}/terms` },
      })
    },
  }
}
