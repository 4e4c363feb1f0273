// The mail that says that an account was deleted, and how to keep it after all.
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'

/** The writers of the privacy mails, by kind. */
export function privacyMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async account_deleted(_tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your Tutorlog account was deleted',
        paragraphs: [
          'You were signed out on every device. Everything in your account is erased for good within 30 days.',
          'If you change your mind, or if it was not you, sign in before that and keep your account.',
        ],
        button: { label: 'Sign in', url: `${baseUrl}/login` },
      })
    },
  }
}
