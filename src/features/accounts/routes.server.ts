// Sign-up, sign-in and the user's own record.
import type { FastifyInstance } from 'fastify'
import { done, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { forgetLimit, hitLimit } from '#platform/http/rate-limit.server.ts'
import { serve, tooMany } from '#platform/http/serve.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  CheckReset,
  ForgotPassword,
  ReadLogin,
  ReadMe,
  RenewLogin,
  RequestVerification,
  ResendVerification,
  ResetPassword,
  SetRole,
  SignIn,
  SignOut,
  SignUp,
} from './account.ts'
import { UpdateMe } from './profile.ts'
import {
  accessEnd,
  type AccountServices,
  clearCookies,
  confirmAddress,
  endLogin,
  renewFromCookie,
  startLogin,
} from './login.server.ts'
import { hashPassword, isPassword, refuseWeak } from './password.server.ts'
import {
  accountByEmail,
  clearUnconfirmed,
  deleteLoginsOf,
  emailKey,
  insertAcceptances,
  insertAccount,
  insertRole,
  readMe,
  setPassword,
  updateProfile,
  userOfToken,
  useToken,
} from './queries.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'

const MAIL_SENT = { message: 'If this address can receive it, a mail is on its way.' }
/** Failed sign-ins of one address from one place; the owner elsewhere is not locked out (promise A11). */
const GUESSES = { hits: 10, seconds: 900 }
/** Mails to one address. */
const MAILS = { hits: 5, seconds: 3600 }

/** Adds the routes under /api/auth/ and /api/v1/me. */
export function addAccountRoutes(app: FastifyInstance, services: AccountServices): void {
  const { now, trialDays, speechEngine } = services

  serve(app, services, SignUp, async ({ tx, input }) => {
    refuseWeak(input.password, input.email)
    const passwordHash = await hashPassword(input.password)
    const existing = await accountByEmail(tx, input.email)
    if (existing?.isConfirmed) {
      await mailWithinLimit(tx, 'already_registered', existing.id, existing.email)
      return done(MAIL_SENT)
    }
    // An address that nobody confirmed belongs to nobody: the newest sign-up counts (promise A8).
    if (existing) {
      await clearUnconfirmed(tx, existing.id)
      await setPassword(tx, existing.id, passwordHash)
    }
    const userId = existing?.id ?? (await insertAccount(tx, { email: input.email, passwordHash }))
    if (!userId) return done(MAIL_SENT)
    await insertRole(tx, userId, input.role)
    await insertAcceptances(tx, userId)
    await services.referrals.note(tx, userId, input.ref)
    await mailWithinLimit(tx, 'verify_email', userId, existing?.email ?? input.email)
    return done(MAIL_SENT)
  })

  serve(app, services, SignIn, async ({ tx, input, request, reply }) => {
    const guesses = `guess:${emailKey(input.email)}:${request.ip}`
    const wait = await hitLimit(tx, guesses, GUESSES)
    if (wait !== undefined) throw tooMany(wait)
    const account = await accountByEmail(tx, input.email)
    const isRight = await isPassword(input.password, account?.passwordHash)
    if (!account || !isRight || account.isDisabled) {
      return refused('invalid_credentials')
    }
    await forgetLimit(tx, guesses)
    return done(await startLogin(services, tx, account.id, request, reply))
  })

  serve(app, services, SignOut, async ({ tx, request, reply }) => {
    await endLogin(services, tx, request, reply)
    // Pages kept for the back button go too (promise W9). Not 'storage': sessions that wait for their user would go with it.
    reply.header('clear-site-data', '"cache"')
    return done(undefined)
  })

  serve(app, services, ReadLogin, async ({ tx, user, request }) => {
    const me = await meOf(tx, user.id)
    const end = await services.db.asSystem((system) => accessEnd(services, system, request))
    const endsAt = end ?? now()
    return done({
      user: me,
      expires_at: endsAt.toISOString(),
      expires_in: Math.round((endsAt.getTime() - now().getTime()) / 1000),
    })
  })

  serve(app, services, RenewLogin, async ({ tx, input, request, reply }) => {
    const login = await renewFromCookie(services, tx, input.active ?? false, request, reply)
    if (login) return done(login)
    clearCookies(services, reply)
    return refused('session_missing')
  })

  serve(app, services, ResendVerification, async ({ user }) => {
    if (!user.isConfirmed)
      await services.db.asSystem((tx) => mailWithinLimit(tx, 'verify_email', user.id, user.email))
    return done(MAIL_SENT)
  })

  serve(app, services, RequestVerification, async ({ tx, input }) => {
    const account = await accountByEmail(tx, input.email)
    if (account && !account.isConfirmed && !account.isDisabled)
      await mailWithinLimit(tx, 'verify_email', account.id, account.email)
    return done(MAIL_SENT)
  })

  serve(app, services, ForgotPassword, async ({ tx, input }) => {
    const account = await accountByEmail(tx, input.email)
    if (account && !account.isDisabled) await mailWithinLimit(tx, 'reset_password', account.id, account.email)
    return done(MAIL_SENT)
  })

  serve(app, services, CheckReset, async ({ tx, input }) =>
    (await userOfToken(tx, resetPair(input), now()))
      ? done({ message: 'This link holds.' })
      : refused('invalid_reset'),
  )

  serve(app, services, ResetPassword, async ({ tx, input, request, reply }) => {
    const owner = await userOfToken(tx, resetPair(input), now())
    const me = owner && (await readMe(tx, owner, trialDays))
    if (!me) return refused('invalid_reset')
    refuseWeak(input.password, me.email)
    const passwordHash = await hashPassword(input.password)
    const userId = await useToken(tx, resetPair(input), now())
    if (!userId) return refused('invalid_reset')
    await setPassword(tx, userId, passwordHash)
    // The link came by mail, so the address is the user's own.
    await confirmAddress(services, tx, userId)
    await deleteLoginsOf(tx, userId)
    return done(await startLogin(services, tx, userId, request, reply))
  })

  app.get<{ Querystring: { token?: string } }>('/api/auth/verify', async (request, reply) => {
    const token = typeof request.query.token === 'string' ? request.query.token : ''
    const isSignedIn = await services.db.asSystem(async (tx) => {
      const userId = token && (await useToken(tx, { purpose: 'verify', hash: tokenHash(token) }, now()))
      if (!userId) return false
      await confirmAddress(services, tx, userId)
      // A login from before the address was confirmed may be somebody else's.
      await deleteLoginsOf(tx, userId)
      await startLogin(services, tx, userId, request, reply)
      return true
    })
    return reply
      .header('cache-control', 'no-store')
      .redirect(isSignedIn ? '/dashboard' : '/login?link=expired', 303)
  })

  serve(app, services, ReadMe, async ({ tx, user }) => done(await meOf(tx, user.id)))

  serve(app, services, UpdateMe, async ({ tx, user, input, expectedVersion }) => {
    const changes = {
      ...(input.full_name === undefined ? {} : { full_name: input.full_name }),
      ...(input.currency === undefined ? {} : { currency: input.currency }),
      ...(input.onboarding_dismissed ? { onboarding_dismissed_at: now() } : {}),
    }
    if ((await updateProfile(tx, user.id, changes, expectedVersion)) === undefined) return refused('changed')
    return done(await meOf(tx, user.id))
  })

  serve(app, services, SetRole, async ({ tx, user, input }) => {
    // The system role writes it: a tutor's own row in the list of tutors comes with it.
    const isSet = await services.db.asSystem((system) => insertRole(system, user.id, input.role))
    return isSet ? done(await meOf(tx, user.id)) : refused('role_set')
  })

  async function meOf(tx: Tx, userId: string) {
    const me = await readMe(tx, userId, trialDays, speechEngine)
    if (!me) throw new ProblemError(401, 'signed_out', 'Please sign in')
    return me
  }
}

function resetPair(input: { access_token: string; refresh_token: string }) {
  return {
    purpose: 'reset' as const,
    hash: tokenHash(input.access_token),
    pairHash: tokenHash(input.refresh_token),
  }
}

// The answer is the same beyond the limit: it must not tell whether the address is known (promise A1).
async function mailWithinLimit(tx: Tx, kind: string, userId: string, recipient: string): Promise<void> {
  if ((await hitLimit(tx, `mail:${kind}:${userId}`, MAILS)) === undefined)
    await queueMail(tx, { userId, recipient, kind })
}
