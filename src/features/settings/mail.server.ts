// Emails sent when a password or email address is changed.
import { accountByEmail } from '#features/accounts/queries.server.ts'
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { firstName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { keepEmailLink } from './queries.server.ts'

/** The recipient's first name; empty if unknown. */
async function greeted(...[tx, row]: Parameters<MailWriter>): Promise<string> {
  return firstName(row.userId && (await nameOfAccount(tx, row.userId)))
}

export function settingsMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async password_changed(tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your Tutorlog password was changed',
        greets: await greeted(tx, row),
        paragraphs: [
          'Your account password was changed, and every other device was signed out.',
          "If this wasn't you, choose a new password right away.",
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
            subject: 'Confirm your email address change',
            greets: await greeted(tx, row),
            paragraphs: [
              `You asked to use ${wished} for your Tutorlog account instead of this address.`,
              'To go ahead, confirm the change here and in the email we sent to the new address.',
              "If this wasn't you, don't confirm it. Change your password instead.",
            ],
            button: { label: 'Confirm the change', url: `${baseUrl}/confirm-email#token=${token}` },
          })
    },
    async email_change_new(tx, row) {
      // Decided here, because neither the response nor the list of own emails may reveal that the address is
      // taken (promise A1).
      const taken = await accountByEmail(tx, row.recipient)
      if (taken) {
        await queueMail(tx, { userId: taken.id, recipient: taken.email, kind: 'already_registered' })
        return undefined
      }
      const token = newToken()
      // A link only goes to the address it confirms, even if the account has asked for another one since.
      const wished =
        row.userId && (await keepEmailLink(tx, row.userId, 'new', tokenHash(token), row.recipient))
      return !wished
        ? undefined
        : renderMail(row.recipient, {
            subject: 'Confirm your new email address',
            greets: await greeted(tx, row),
            paragraphs: [
              'You asked to use this address for your Tutorlog account. Confirm it here and in the email we sent to your current address.',
              "If you didn't ask for this, ignore this email.",
            ],
            button: {
              label: 'Confirm this address',
              url: `${baseUrl}/confirm-email#token=${token}`,
            },
          })
    },
    async email_changed(tx, row) {
      return renderMail(row.recipient, {
        subject: 'Your email address was changed',
        greets: await greeted(tx, row),
        paragraphs: [
          'The change was confirmed from both addresses, so your Tutorlog account now uses a different email address. You can no longer sign in with this one.',
          "If this wasn't you, contact us right away.",
        ],
        button: { label: 'Contact us', url: `${baseUrl}/contact` },
      })
    },
  }
}
