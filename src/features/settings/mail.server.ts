// Emails about changing the address, and those that tell the owner what happened to the account.
import { accountByEmail } from '#features/accounts/queries.server.ts'
import { type Emailed, EMAILED } from '#features/security/event.ts'
import { makeNotMeLink } from '#features/security/commands.server.ts'
import { paths } from '#features/site/paths.ts'
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { firstName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import type { Mail } from '#platform/mail/mailer.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { keepEmailLink } from './queries.server.ts'

/** The recipient's first name; empty if unknown. */
async function greeted(...[tx, row]: Parameters<MailWriter>): Promise<string> {
  return firstName(row.userId && (await nameOfAccount(tx, row.userId)))
}

export function settingsMails({
  baseUrl,
  now,
}: {
  baseUrl: string
  now: () => Date
}): Record<string, MailWriter> {
  return {
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
    ...Object.fromEntries(EMAILED.map((kind) => [kind, (tx, row) => ownerMail(kind, tx, row)] as const)),
  }

  async function ownerMail(kind: Emailed, ...[tx, row]: Parameters<MailWriter>): Promise<Mail | undefined> {
    if (!row.userId) return undefined
    // An earlier version queued emails without these.
    const { at, device } = row.data as { at?: string; device?: string | null }
    const happenedAt = at === undefined ? now() : new Date(at)
    const greets = await greeted(tx, row)
    const formerEmail = kind === 'email_changed' ? row.recipient : undefined
    const link = await makeNotMeLink(tx, { userId: row.userId, happenedAt, formerEmail })
    const { subject, text } = OWNER_MAILS[kind](device ?? 'Unknown device')
    const also = formerEmail === undefined ? '' : ' Your account uses this address again.'
    return renderMail(row.recipient, {
      subject,
      greets,
      paragraphs: [
        text,
        `If it was you, there’s nothing to do. If it wasn’t, press the button: everyone is signed out, and you choose a new password.${also}`,
      ],
      button: { label: 'This wasn’t me', url: `${baseUrl}${paths.notMe}#token=${link.token}` },
      after: [`The button works once, for ${link.days} days.`],
    })
  }
}

/** What the owner is told, by kind. A device's name comes from our own list, so it can't be a link. */
const OWNER_MAILS: Record<Emailed, (device: string) => { subject: string; text: string }> = {
  new_browser: (device) => ({
    subject: 'New sign-in to your Tutorlog account',
    text: `Someone signed in to your account (${device}). We haven’t seen this browser before, or not since your password was last changed.`,
  }),
  password_changed: (device) => ({
    subject: 'Your Tutorlog password was changed',
    text: `Your account password was changed (${device}), and every other device was signed out.`,
  }),
  email_changed: (device) => ({
    subject: 'Your email address was changed',
    text: `The change was confirmed from both addresses (last: ${device}), so your Tutorlog account now uses a different email address. You can no longer sign in with this one.`,
  }),
  google_linked: (device) => ({
    subject: 'Google was linked to your Tutorlog account',
    text: `From now on, the Google account with your address signs in to your Tutorlog account, too (${device}).`,
  }),
  passkey_added: (device) => ({
    subject: 'A passkey was added to your Tutorlog account',
    text: `A new passkey can sign in to your account (${device}).`,
  }),
  passkey_removed: (device) => ({
    subject: 'A passkey was removed from your Tutorlog account',
    text: `One of your passkeys no longer signs in to your account (${device}).`,
  }),
  second_step_on: (device) => ({
    subject: 'A second step was turned on for your Tutorlog account',
    text: `Signing in with your password now takes a code from an authenticator app, too (${device}).`,
  }),
  second_step_off: (device) => ({
    subject: 'The second step was turned off for your Tutorlog account',
    text: `Signing in with your password no longer takes a code from an authenticator app (${device}).`,
  }),
  recovery_codes_made: (device) => ({
    subject: 'New recovery codes for your Tutorlog account',
    text: `New recovery codes were made, and the earlier ones no longer work (${device}).`,
  }),
}
