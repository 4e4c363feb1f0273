// The email that confirms an account's deletion and explains how to undo it.
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { firstName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'

export function privacyMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async account_deleted(tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your Tutorlog account was deleted',
        greets: firstName(row.userId && (await nameOfAccount(tx, row.userId))),
        paragraphs: [
          'Your account was deleted, and you were signed out on every device. Everything in it will be erased for good within 30 days.',
          "If you change your mind, or if this wasn't you, sign in before then to keep your account.",
        ],
        button: { label: 'Sign in', url: `${baseUrl}/login` },
      })
    },
  }
}
