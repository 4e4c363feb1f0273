// Signing up and confirming the address. Sign-ups with the same address stay separate until someone proves
// two things: that they can read its mailbox, and that they're the one who signed up (same password or same
// browser).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ONE_SIDE, openInvitation, useInvitation } from '#features/workspaces/queries.server.ts'
import { OpenInvitation } from '#features/workspaces/workspace.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import { keepPasskey, madePasskey, ownerOfUsed, startMaking } from '#features/passkeys/commands.server.ts'
import type { MadePasskey, UsedPasskey } from '#features/passkeys/passkey.ts'
import { type NewPasskey, ONE_CREDENTIAL } from '#features/passkeys/queries.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { emailKey } from '#kernel/text.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { hitLimit, networkOf } from '#platform/http/rate-limit.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { tooMany } from '#features/access/admission.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { SignUp, StartPasskeySignUp } from './account.ts'
import { RequestVerification, ResendVerification, Verify } from './confirmation.ts'
import { MAIL_VERIFY_LINK, type VerifyRequest } from './jobs.server.ts'
import { JoinAsNew } from './joining.ts'
import {
  type AccountServices,
  confirmAddress,
  rememberBrowser,
  signUpHash,
  startLogin,
} from './login.server.ts'
import type { PasswordOwner } from './guessable.ts'
import { isPassword, newPasswordHash } from './password.server.ts'
import {
  accountByEmail,
  insertAcceptances,
  insertAccount,
  insertRole,
  lockAddress,
  type SignUp as PendingSignUp,
  signUpOfLink,
  signUpsOf,
} from './queries.server.ts'
import { useToken } from './login-queries.server.ts'

export const MAIL_SENT = { message: 'If we can send an email to this address, it’s on its way.' }
/**
 * Limits on sign-ups with one address: in total and per network, so that nobody on another network can use up
 * the owner's share.
 */
const SIGN_UPS_OF_NETWORK = { hits: 10, seconds: 3600 }
const SIGN_UPS = { hits: 20, seconds: 86_400 }
/** Limit on emails with a new link, per address and per sign-up. */
const LINKS = { hits: 5, seconds: 3600 }
/** Limit on emails resent to one address, whoever signed up with it. */
const RESENT = { hits: 20, seconds: 86_400 }
/**
 * A password is checked against at most this many of an address's sign-ups: first this browser's, then the
 * newest. They share a salt, so this takes one hash, however many there are.
 */
export const MOST_SIGN_UPS = 20
/** Limit on password attempts per sign-up link. */
const GUESSES = { hits: 10, seconds: 900 }

export function addSignUpRoutes(app: FastifyInstance, services: AccountServices): void {
  const { db, now } = services

  // Writes and keeps the same rows whether or not the address has an account, so that neither the response nor
  // a later sign-in with this password gives anything away (promises A1, A22). The job that writes the email
  // checks whether there's an account already, and whether there's an invitation if one is required.
  serve(app, services, SignUp, OUTSIDE, async ({ input, request, reply }) => {
    if (services.admission.isClosed) return refused('sign_up_closed')
    // All sign-ups with an address share a salt, so a sign-in takes one hash for all of them.
    const earlier = await db.readAsSystem((tx) => signUpsOf(tx, input.email, undefined, MOST_SIGN_UPS))
    const salted = earlier.find(({ passwordHash }) => passwordHash !== null)?.passwordHash
    const secret = await newSecret(services, { email: input.email }, input, salted)
    if (!secret) return refused('passkey_refused')
    const browser = rememberBrowser(services, request, reply)
    const signUp = async (tx: Tx) => {
      const key = `sign-up:${emailKey(input.email)}`
      const seconds =
        (await hitLimit(tx, `${key}:${networkOf(request.ip)}`, SIGN_UPS_OF_NETWORK)) ??
        (await hitLimit(tx, key, SIGN_UPS))
      if (seconds !== undefined) return done(seconds)
      const { passwordHash } = secret
      const browserHash = signUpHash(services, request, input.email, browser)
      const userId = await insertAccount(tx, { email: input.email, passwordHash, browserHash })
      if (secret.passkey) await keepPasskey(tx, userId, secret.passkey, request.headers['user-agent'], now())
      await insertRole(tx, userId, input.role)
      await insertAcceptances(tx, userId)
      await services.referrals.note(tx, userId, input.ref)
      await queueMail(tx, { userId, recipient: input.email, kind: 'verify_email' })
      return done(undefined)
    }
    const outcome = await refusedBy(ONE_CREDENTIAL, 'passkey_refused', () => db.asSystem(signUp))
    if (!outcome.ok) return outcome
    if (outcome.value !== undefined) throw tooMany(outcome.value)
    return done(MAIL_SENT)
  })

  serve(app, services, StartPasskeySignUp, OUTSIDE, async ({ input }) =>
    done(await startMaking(services, input.email)),
  )

  serve(app, services, Verify, OUTSIDE, async ({ input, request, reply }) => {
    const token = { purpose: 'verify' as const, hash: tokenHash(input.token) }
    const signUp = await db.asSystem((tx) => signUpOfLink(tx, token.hash, { now: now() }))
    if (!signUp) return refused('invalid_link')
    const reason = await whyNotOwn(signUp, input, request)
    if (reason) return refused(reason)
    const login = await db.asSystem(async (tx) => {
      await lockAddress(tx, signUp.email)
      if (await accountByEmail(tx, signUp.email)) return undefined
      const userId = await useToken(tx, token, now())
      if (!userId) return undefined
      await confirmAddress(services, tx, userId)
      return startLogin(services, tx, userId, request, reply, 'sign-up')
    })
    return login ? done(login) : refused('invalid_link')
  })

  // The password or passkey isn't needed in the browser used to sign up, or after signing in with it.
  async function whyNotOwn(
    signUp: PendingSignUp,
    { password, passkey }: { password?: string | undefined; passkey?: UsedPasskey | undefined },
    request: FastifyRequest,
  ): Promise<'password_needed' | 'wrong_password' | 'passkey_needed' | 'passkey_refused' | undefined> {
    const browser = signUpHash(services, request, signUp.email)
    if (browser && signUp.browserHash?.equals(browser)) return undefined
    if ((await services.currentUser(request))?.id === signUp.id) return undefined
    if (passkey) return (await ownerOfUsed(services, passkey)) === signUp.id ? undefined : 'passkey_refused'
    if (signUp.passwordHash === null) return 'passkey_needed'
    if (password === undefined) return 'password_needed'
    const wait = await db.asSystem((tx) => hitLimit(tx, `guess:${signUp.id}`, GUESSES))
    if (wait !== undefined) throw tooMany(wait)
    return (await isPassword(password, signUp.passwordHash)) ? undefined : 'wrong_password'
  }

  serve(app, services, OpenInvitation, async ({ tx, input }) => {
    const invitation = await openInvitation(tx, { tokenHash: tokenHash(input.token) }, now())
    if (!invitation) return refused('invitation_over')
    const { kind, role, owner_name, email } = invitation
    return done({
      kind,
      role,
      owner_name,
      has_all_students: invitation.student_ids === null,
      email,
      has_account: !!(await accountByEmail(tx, email)),
    })
  })

  // The link proves that this person can read the address's mailbox, so the account is confirmed right away.
  serve(app, services, JoinAsNew, OUTSIDE, async ({ input, request, reply }) => {
    if (services.admission.isClosed) return refused('sign_up_closed')
    const invitationNow = (tx: Tx) => openInvitation(tx, { tokenHash: tokenHash(input.token) }, now())
    const asked = await db.asSystem(invitationNow)
    if (!asked) return refused('invitation_over')
    const owner = { email: asked.email, fullName: input.full_name }
    const secret = await newSecret(services, owner, input)
    if (!secret) return refused('passkey_refused')
    const { passwordHash, passkey } = secret
    const join = async (tx: Tx) => {
      await lockAddress(tx, asked.email)
      if (await accountByEmail(tx, asked.email)) return refused('has_account')
      const invitation = await invitationNow(tx)
      if (!invitation) return refused('invitation_over')
      const person = { email: invitation.email, passwordHash, fullName: input.full_name ?? undefined }
      const userId = await insertAccount(tx, person)
      if (passkey) await keepPasskey(tx, userId, passkey, request.headers['user-agent'], now())
      await insertAcceptances(tx, userId)
      await services.referrals.note(tx, userId, undefined)
      await confirmAddress(services, tx, userId)
      await useInvitation(tx, invitation, userId)
      const { email } = invitation
      await noteEvent(tx, originOf(request), { userId, kind: 'member_joined', at: now(), email })
      return done(await startLogin(services, tx, userId, request, reply, 'sign-up'))
    }
    return refusedBy(ONE_CREDENTIAL, 'passkey_refused', () =>
      refusedBy(ONE_SIDE, 'both_sides', () => db.asSystem(join)),
    )
  })

  serve(app, services, ResendVerification, async ({ user }) => {
    if (!user.isConfirmed)
      await db.asSystem(async (tx) => {
        const wait =
          (await hitLimit(tx, `mail:verify_email:${user.id}`, LINKS)) ??
          (await hitLimit(tx, `mail:verify_email:${emailKey(user.email)}`, RESENT))
        if (wait === undefined)
          await queueMail(tx, { userId: user.id, recipient: user.email, kind: 'verify_email' })
      })
    return done(MAIL_SENT)
  })

  // Responds first; a job then checks whether the address has anything to confirm.
  serve(app, services, RequestVerification, async ({ tx, input, request }) => {
    if ((await hitLimit(tx, `mail:verify_link:${emailKey(input.email)}`, LINKS)) === undefined) {
      const wish: VerifyRequest = {
        email: input.email,
        browser: signUpHash(services, request, input.email)?.toString('base64url'),
        link: input.token === undefined ? undefined : tokenHash(input.token).toString('base64url'),
      }
      await queueJob(tx, MAIL_VERIFY_LINK, wish)
    }
    return done(MAIL_SENT)
  })
}

/** What someone signs in with from now on: a password, or a passkey that their browser has just made. */
interface Secret {
  passwordHash: string | null
  passkey: NewPasskey | undefined
}

/**
 * Checks a new password or passkey; undefined if the passkey doesn't hold. A weak password throws.
 * @param salted a hash whose salt to use again (password.server.ts)
 */
export async function newSecret(
  services: AccountServices,
  owner: PasswordOwner,
  input: { password?: string | undefined; passkey?: MadePasskey | undefined },
  salted?: string | null,
): Promise<Secret | undefined> {
  if (input.password !== undefined)
    return { passwordHash: await newPasswordHash(input.password, owner, salted), passkey: undefined }
  const passkey = input.passkey && (await madePasskey(services, input.passkey))
  return passkey && { passwordHash: null, passkey }
}
