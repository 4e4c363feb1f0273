// The account emails. A link's token isn't created until the email is written.
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { firstName } from '#kernel/plain-name.ts'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Mail } from '#platform/mail/mailer.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import type { Admission } from './login.server.ts'
import { accountByEmail, readMe } from './queries.server.ts'
import { insertToken } from './login-queries.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'

const VERIFY_HOURS = 48
/** How long a reset link works (docs/product-decisions.md, section 1). */
const RESET_MINUTES = 15

export function accountMails(options: {
  baseUrl: string
  now: () => Date
  trialDays: number
  admission: Admission
}): Record<string, MailWriter> {
  const { baseUrl, now } = options
  const later = (minutes: number) => new Date(now().getTime() + minutes * 60_000)
  async function alreadyRegistered(tx: Tx, ownerId: string | null, to: string): Promise<Mail> {
    return renderMail(to, {
      subject: 'You already have a Tutorlog account',
      greets: firstName(ownerId && (await nameOfAccount(tx, ownerId))),
      paragraphs: [
        'Someone, probably you, tried to sign up with this address. You already have an account, so nothing changed.',
        'Sign in as usual. If you forgot your password, you can reset it on the sign-in page.',
      ],
      button: { label: 'Sign in', url: `${baseUrl}/login` },
    })
  }

  return {
    async verify_email(tx, row) {
      const user = row.userId ? await readMe(tx, row.userId, options) : undefined
      if (!user || user.email_confirmed_at) return undefined
      const owner = await accountByEmail(tx, user.email)
      if (owner) return alreadyRegistered(tx, owner.id, owner.email)
      if (!(await options.admission.mayJoin(tx, user.email))) return notInvited(row.recipient)
      const token = newToken()
      await insertToken(tx, {
        userId: user.id,
        purpose: 'verify',
        hash: tokenHash(token),
        expiresAt: later(VERIFY_HOURS * 60),
      })
      return renderMail(row.recipient, {
        subject: 'Verify your email for Tutorlog',
        greets: firstName(user.full_name),
        paragraphs: [
          'Welcome to Tutorlog! Verify your email to start logging sessions.',
          `The link works once and expires in ${VERIFY_HOURS} hours. ` +
            'If you open it in a different browser than the one you signed up in, you’ll need your password.',
          "If you didn't sign up, ignore this email. Nobody can use your address without this link.",
        ],
        button: { label: 'Verify email', url: `${baseUrl}/verify-email#token=${token}` },
      })
    },
    already_registered: (tx, row) => alreadyRegistered(tx, row.userId, row.recipient),
    async reset_password(tx, row) {
      const user = row.userId ? await readMe(tx, row.userId, options) : undefined
      // The link must not go to an address that the account has changed away from.
      if (!user || emailKey(user.email) !== emailKey(row.recipient)) return undefined
      const [access, refresh] = [newToken(), newToken()]
      await insertToken(tx, {
        userId: user.id,
        purpose: 'reset',
        hash: tokenHash(access),
        pairHash: tokenHash(refresh),
        expiresAt: later(RESET_MINUTES),
      })
      return renderMail(row.recipient, {
        subject: 'Reset your Tutorlog password',
        greets: firstName(user.full_name),
        paragraphs: [
          `You can now choose a new password. The link works once and expires in ${RESET_MINUTES} minutes.`,
          "If you didn't ask for this, ignore this email. Your password stays the same.",
        ],
        button: {
          label: 'Choose a new password',
          url: `${baseUrl}/reset-password?access_token=${access}&refresh_token=${refresh}`,
        },
      })
    },
  }
}

function notInvited(to: string): Mail {
  return renderMail(to, {
    subject: 'You need an invitation to sign up for Tutorlog',
    greets: '',
    paragraphs: [
      "Someone, probably you, tried to sign up with this address. Only people with an invitation can sign up here, and this address doesn't have one.",
      "Ask the family or tutor you work with to send an invitation to this address, then sign up again. If it wasn't you, ignore this email.",
    ],
  })
}
