// Routes for signing in, password resets, and the user's profile.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  dismissOnboarding,
  insertOwnWorkspace,
  listWorkspaces,
  lockWorkspacesOf,
  ownWorkspaces,
  setCurrency,
  startTrial,
} from '#features/workspaces/queries.server.ts'
import { StartWorkspace } from '#features/workspaces/workspace.ts'
import { done, refused } from '#kernel/outcome.ts'
import { emailKey } from '#kernel/text.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { type CurrentUser, tooMany } from '#features/access/admission.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { keepPasskey, ownerOfUsed, startMaking } from '#features/passkeys/commands.server.ts'
import { ONE_CREDENTIAL } from '#features/passkeys/queries.server.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import { noteEvent, noteFailure, originOf } from '#features/security/commands.server.ts'
import { ReadLogin, RenewLogin, SignIn, SignInWithPasskey, SignOut } from './account.ts'
import { MAIL_RESET_LINK } from './jobs.server.ts'
import { ReadMe, SetRole, UpdateMe } from './profile.ts'
import { Prove } from './proving.ts'
import {
  accessEnd,
  type AccountServices,
  claimAddress,
  endLogin,
  isOwnPassword,
  provePasskey,
  renewFromCookie,
  signUpHash,
  startLogin,
} from './login.server.ts'
import { clearGuesses, countGuess } from './guess.server.ts'
import { hashPassword, withPassword } from './password.server.ts'
import { CheckReset, ForgotPassword, ResetPassword, StartPasskeyReset } from './reset.ts'
import {
  accountByEmail,
  endEmailedLinks,
  insertAcceptances,
  insertRole,
  keepFromBrowser,
  mayStillSignIn,
  readMe,
  rehashPassword,
  setPassword,
  signUpsOf,
  updateProfile,
} from './queries.server.ts'
import { deleteLoginsOf, forgetBrowsers, noteProof, userOfToken, useToken } from './login-queries.server.ts'
import { addSecondStepRoutes, checkCode } from './second-step.server.ts'
import { secondStepOf } from './step-queries.server.ts'
import { addSignUpRoutes, MAIL_SENT, MOST_SIGN_UPS, newSecret } from './sign-up.server.ts'

/** Limits on wrong passwords for one address: from one network or known browser, and across all networks. */
const GUESSES = { hits: 10, seconds: 900 }
const ALL_GUESSES = { hits: 30, seconds: 3600 }
/** Limit on reset emails to one address. */
const RESETS = { hits: 5, seconds: 3600 }
/** An id that doesn't belong to any account. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Adds the routes under /api/auth/ and /api/v1/me. */
export function addAccountRoutes(app: FastifyInstance, services: AccountServices): void {
  const { db, now } = services
  addSignUpRoutes(app, services)
  addResetRoutes(app, services)
  addSecondStepRoutes(app, services)

  serve(app, services, SignIn, OUTSIDE, async ({ input, request, reply }) => {
    const { account, signUps, guess } = await db.asSystem((tx) => beginSignIn(tx, input.email, request))
    if (guess.wait !== undefined) throw tooMany(guess.wait)
    // Both are always checked, so that the time doesn't reveal whether there's an account (promise A22).
    const [own, waiting] = await Promise.all([
      withPassword(input.password, account ? [account] : []),
      withPassword(input.password, signUps),
    ])
    const { holder: found, isOldForm } = own ?? waiting ?? {}
    if (!found || found.isDisabled) {
      await noteFailed(request, account?.id)
      return refused('invalid_credentials')
    }
    const { code } = input
    const step = await checkCode(services, request, { userId: found.id, code, purpose: 'sign-in' })
    if (!step.ok) return step
    const normalized = isOldForm ? await hashPassword(input.password, found.passwordHash) : undefined
    return db.asSystem(async (tx) => {
      // The password may have changed while we were comparing it.
      if (!(await mayStillSignIn(tx, found))) return refused('invalid_credentials')
      if (!(await step.value.use(tx))) return refused('wrong_code')
      if (normalized) await rehashPassword(tx, found, normalized)
      await clearGuesses(tx, guess.keys, own !== undefined)
      return done(await startLogin(services, tx, found.id, request, reply))
    })
  })

  serve(app, services, SignInWithPasskey, OUTSIDE, async ({ input, request, reply }) => {
    const userId = await ownerOfUsed(services, input.passkey)
    if (userId === undefined) {
      await noteFailed(request)
      return refused('passkey_refused')
    }
    return done(await db.asSystem((tx) => startLogin(services, tx, userId, request, reply)))
  })

  const noteFailed = (request: FastifyRequest, userId?: string) =>
    db.asSystem((tx) => noteFailure(tx, request, { userId, kind: 'sign_in_failed', at: now() }))

  /**
   * Counts the attempt and finds what the password could belong to: the address's account and its sign-ups.
   * The database gets the same queries for known and unknown addresses (promise A1).
   */
  async function beginSignIn(tx: Tx, email: string, request: FastifyRequest) {
    const account = await accountByEmail(tx, email)
    const signUps = await signUpsOf(tx, email, signUpHash(services, request, email), MOST_SIGN_UPS)
    const guess = await countGuess(services, tx, request, {
      key: `guess:${emailKey(email)}`,
      userId: account?.id ?? NOBODY,
      each: GUESSES,
      all: ALL_GUESSES,
    })
    return { account, signUps, guess }
  }

  serve(app, services, SignOut, async ({ tx, request, reply }) => {
    await endLogin(services, tx, request, reply)
    // Also clears pages cached for the Back button (promise W9). 'storage' isn't listed because it would
    // delete sessions still waiting in the queue.
    reply.header('clear-site-data', '"cache"')
    return done(undefined)
  })

  serve(app, services, ReadLogin, async ({ tx, user, request }) => {
    const me = await meOf(tx, user)
    const end = await db.asSystem((system) => accessEnd(services, system, request))
    const endsAt = end ?? now()
    return done({
      user: me,
      expires_at: endsAt.toISOString(),
      expires_in: Math.round((endsAt.getTime() - now().getTime()) / 1000),
    })
  })

  serve(app, services, RenewLogin, async ({ tx, input, request, reply }) => {
    const login = await renewFromCookie(services, tx, input.active ?? false, request, reply)
    // The cookies stay, because this browser may have signed in again in the meantime.
    return login ? done(login) : refused('session_missing')
  })

  serve(app, services, ReadMe, async ({ tx, user }) => done(await meOf(tx, user)))

  serve(app, services, UpdateMe, async ({ tx, user, input, expectedVersion }) => {
    const { browser_time_zone: timeZone, browser_region: region, ...chosen } = input
    await keepFromBrowser(tx, user.id, { timeZone, region })
    if (Object.keys(input).length > 0 && Object.keys(chosen).length === 0) return done(await meOf(tx, user))
    const changes = {
      ...(chosen.full_name !== undefined && { full_name: chosen.full_name }),
      ...(chosen.time_zone !== undefined && { time_zone: chosen.time_zone, has_chosen_time_zone: true }),
      ...(chosen.region !== undefined && { region: chosen.region, has_chosen_region: true }),
    }
    if ((await updateProfile(tx, user.id, changes, expectedVersion)) === undefined) return refused('changed')
    const { workspace } = user
    if (input.currency) {
      if (!workspace) return refused('currency_not_yours')
      const problem = await setCurrency(tx, workspace.id, input.currency, input.relabel ?? false)
      if (problem) return refused(problem)
    }
    if (input.onboarding_dismissed && workspace)
      await db.asSystem((system) => dismissOnboarding(system, workspace.id, user.id, now()))
    return done(await meOf(tx, user))
  })

  serve(app, services, Prove, OUTSIDE, async ({ user, input, request }) => {
    if ('passkey' in input)
      return (await provePasskey(services, request, user, input.passkey))
        ? done(undefined)
        : refused('passkey_refused')
    if (!(await isOwnPassword(services, request, user, input.password))) return refused('wrong_password')
    const { code } = input
    const step = await checkCode(services, request, { userId: user.id, code, purpose: 'proof' })
    if (!step.ok) return step
    return db.asSystem(async (tx) => {
      if (!(await step.value.use(tx))) return refused('wrong_code')
      await noteProof(tx, user.loginId, now())
      return done(undefined)
    })
  })

  serve(app, services, SetRole, async ({ tx, user, input, request }) => {
    // Runs as the system role because it also adds the tutor's own row to the list of tutors. Choosing a role
    // also accepts the terms, as the screen says.
    const isSet = await db.asSystem(async (system) => {
      await insertAcceptances(system, user.id)
      await startTrial(system, user.id, now())
      const isNew = await insertRole(system, user.id, input.role)
      const { id: userId, email } = user
      if (isNew)
        await noteEvent(system, originOf(request), { userId, kind: 'role_changed', at: now(), email })
      return isNew
    })
    return isSet ? done(await meOf(tx, user)) : refused('role_set')
  })

  serve(app, services, StartWorkspace, async ({ user, input }) =>
    db.asSystem(async (tx) => {
      await lockWorkspacesOf(tx, user.id)
      if ((await ownWorkspaces(tx, user.id)).some(({ kind }) => kind === input.kind))
        return refused('already_yours')
      await insertAcceptances(tx, user.id)
      await startTrial(tx, user.id, now())
      const id = await insertOwnWorkspace(tx, user.id, input.kind)
      const started = (await listWorkspaces(tx, user.id)).find((one) => one.id === id)
      if (!started) throw new Error('a workspace that was just started is listed')
      return done({ ...started, is_current: false })
    }),
  )

  async function meOf(tx: Tx, { id, workspace }: CurrentUser) {
    const me = await readMe(tx, id, services, workspace?.id)
    if (!me) throw new ProblemError(401, 'signed_out', 'Please sign in')
    return me
  }
}

/** Adds the routes for someone who can't sign in anymore. */
function addResetRoutes(app: FastifyInstance, services: AccountServices): void {
  const { db, now } = services

  // Responds first; a job then finds out whether the address is known.
  serve(app, services, ForgotPassword, async ({ tx, input, request }) => {
    if ((await hitLimit(tx, `mail:reset_password:${emailKey(input.email)}`, RESETS)) === undefined)
      await queueJob(tx, MAIL_RESET_LINK, { email: input.email, origin: originOf(request) })
    return done(MAIL_SENT)
  })

  serve(app, services, CheckReset, async ({ tx, input }) => {
    const owner = await userOfToken(tx, resetPair(input), now())
    if (!owner) return refused('invalid_reset')
    const step = await secondStepOf(tx, owner)
    return done({ message: 'This link is valid.', has_second_step: step !== undefined })
  })

  serve(app, services, StartPasskeyReset, OUTSIDE, async ({ input, request }) => {
    const me = await db.asSystem((tx) => ownerOfReset(tx, input))
    if (!me) return refused('invalid_reset')
    // The code is used up later. Checked only then, a typo would leave a passkey on the device that's good for nothing.
    const step = await checkCode(services, request, { userId: me.id, code: input.code, purpose: 'reset' })
    return step.ok ? done(await startMaking(services, me.email)) : step
  })

  async function ownerOfReset(tx: Tx, input: { access_token: string; refresh_token: string }) {
    const owner = await userOfToken(tx, resetPair(input), now())
    return owner && readMe(tx, owner, services)
  }

  serve(app, services, ResetPassword, OUTSIDE, async ({ input, request, reply }) => {
    const me = await db.asSystem((tx) => ownerOfReset(tx, input))
    if (!me) return refused('invalid_reset')
    const step = await checkCode(services, request, { userId: me.id, code: input.code, purpose: 'reset' })
    if (!step.ok) return step
    const secret = await newSecret(services, { email: me.email, fullName: me.full_name }, input)
    if (!secret) return refused('passkey_refused')
    const reset = async (tx: Tx) => {
      if (!(await step.value.use(tx))) return refused('wrong_code')
      const holder = await useToken(tx, resetPair(input), now())
      if (!holder) return refused('invalid_reset')
      // The link was emailed, so the address belongs to this user. The unconfirmed sign-up may have been
      // someone else's.
      const userId = me.email_confirmed_at
        ? holder
        : await claimAddress(services, tx, request, { email: me.email })
      if (secret.passwordHash) await setPassword(tx, userId, secret.passwordHash)
      else await endEmailedLinks(tx, userId)
      if (secret.passkey) await keepPasskey(tx, userId, secret.passkey, request.headers['user-agent'], now())
      await deleteLoginsOf(tx, userId)
      await forgetBrowsers(tx, userId)
      await noteEvent(tx, originOf(request), {
        userId,
        kind: secret.passkey ? 'passkey_added' : 'password_changed',
        at: now(),
        email: me.email,
      })
      return done(await startLogin(services, tx, userId, request, reply, 'reset'))
    }
    return refusedBy(ONE_CREDENTIAL, 'passkey_refused', () => db.asSystem(reset))
  })
}

function resetPair(input: { access_token: string; refresh_token: string }) {
  return {
    purpose: 'reset' as const,
    hash: tokenHash(input.access_token),
    pairHash: tokenHash(input.refresh_token),
  }
}
