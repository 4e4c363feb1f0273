// The mails about a changed password and a change of address.
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { keepEmailLink } from './queries.server.ts'

/** The writers of the settings' mails, by kind. */
export function settingsMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async password_changed(_tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your Tutorlog password was changed',
        paragraphs: [
          'The password of your account was changed, and every other device was signed out.',
          'If this was not you, choose a new password at once.',
        ],
        button: { label: 'Choose a new password', url: `${baseUrl}/forgot-password` },
      })
    },
    async email_change_old(tx, row) {
      const token = newToken()
      const wished = row.userId ? await keepEmailLink(tx, row.userId, 'old', tokenHash(token)) : undefined
      return wished === undefined
        ? undefined
        : renderMail(row.recipient, {
            subject: 'Confirm the change of your Tutorlog address',
            paragraphs: [
              `Your account asked to use the address ${wished} instead of this one.`,
              'Open this link if that is right, and the one we sent to the new address. If it was not you, do nothing and change your password.',
            ],
            button: { label: 'Confirm the change', url: `${baseUrl}/confirm-email#token=${token}` },
          })
    },
    async email_change_new(tx, row) {
      const token = newToken()
      const wished = row.userId ? await keepEmailLink(tx, row.userId, 'new', tokenHash(token)) : undefined
      return wished === undefined
        ? undefined
        : renderMail(row.recipient, {
            subject: 'Confirm your new Tutorlog address',
            paragraphs: [
              'Open this link to use this address for your Tutorlog account. We sent a second link to your present address: both are needed.',
              'If you know nothing about it, ignore this mail.',
            ],
            button: {
              label: 'Confirm this address',
              url: `${baseUrl}/confirm-email#token=${token}`,
            },
          })
    },
    async email_changed(_tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your Tutorlog address was changed',
        paragraphs: [
          'Your account uses another address now, as both addresses confirmed. This one signs in no more.',
          'If this was not you, write to us.',
        ],
        button: { label: 'Contact', url: `${baseUrl}/contact` },
      })
    },
  }
}
