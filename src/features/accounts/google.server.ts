// Signing in with Google: redirects to Google and handles the callback.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { done, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { serve } from '#features/access/operation.server.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import { StartGoogle } from './account.ts'
import {
  type AccountServices,
  claimAddress,
  setFlowCookie,
  startLogin,
  takeFlowCookie,
} from './login.server.ts'
import type { Provider } from './oidc.server.ts'
import { accountByEmail, insertAcceptances } from './queries.server.ts'
import { insertFlow, insertIdentity, consumeFlow, userOfIdentity } from './login-queries.server.ts'
import { secondStepOf } from './step-queries.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'

const CALLBACK = '/api/auth/google/callback'
const FLOW_MINUTES = 10
/** Returned if the address has no account and SIGN_UP doesn't allow creating one. */
const NOT_INVITED = Symbol('not invited')
/** Returned if linking a Google account would get around the second step. */
const HAS_SECOND_STEP = Symbol('has a second step')

/** Adds the Google routes. If no provider is configured, the button leads to a message that says so. */
export function addGoogleRoutes(
  app: FastifyInstance,
  services: AccountServices,
  provider: Provider | undefined,
): void {
  const { now } = services

  serve(app, services, StartGoogle, async ({ tx, input, reply, request }) => {
    if (!provider) return refused('google_not_set_up')
    const url = await begin(tx, provider, { ref: input.ref }, request, reply)
    return url ? done({ url }) : refused('google_away')
  })

  /** The URL of the provider's sign-in page; undefined if the provider can't be reached. */
  async function begin(
    tx: Tx,
    to: Provider,
    wish: { ref?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    // The state is derived from a secret in this browser's cookie, so no other browser can send it back.
    const secret = newToken()
    const begun = await to
      .begin(`${services.baseUrl}${CALLBACK}`, stateOf(secret))
      .catch((error: unknown) => {
        request.log.warn(
          { reason: error instanceof Error ? error.message : 'unknown' },
          'sign-in provider away',
        )
        return undefined
      })
    if (!begun) return undefined
    await insertFlow(tx, {
      stateHash: tokenHash(secret),
      nonce: begun.nonce,
      codeVerifier: begun.codeVerifier,
      expiresAt: new Date(now().getTime() + FLOW_MINUTES * 60_000),
      ...wish,
    })
    setFlowCookie(services, reply, secret)
    return begun.url
  }

  app.get(CALLBACK, async (request, reply) => {
    const landing =
      provider &&
      (await finish(provider).catch((error: unknown) => {
        request.log.warn(
          { reason: error instanceof Error ? error.message : 'unknown' },
          'sign-in with the provider refused',
        )
        return undefined
      }))
    return reply.header('cache-control', 'no-store').redirect(landing ?? '/login?google=failed', 303)

    /** Signs the user in and returns where to go next; undefined if the sign-in failed. */
    async function finish(from: Provider): Promise<string | undefined> {
      const secret = takeFlowCookie(services, request, reply)
      if (!secret) return undefined
      const flow = await services.db.asSystem((tx) => consumeFlow(tx, tokenHash(secret), now()))
      if (!flow) return undefined
      const person = await from.finish(new URL(request.url, services.baseUrl), {
        state: stateOf(secret),
        ...flow,
      })
      return services.db.asSystem(async (tx) => {
        const found = await userFor(tx, request, from.issuer, person, flow.ref)
        if (!found) return undefined
        if (found === NOT_INVITED) return '/login?google=not-invited'
        if (found === HAS_SECOND_STEP) return '/login?google=second-step'
        await startLogin(services, tx, found.id, request, reply, found.how)
        // Whoever proves who they are gets back to where they were: the tab knows (Gate.tsx).
        return '/dashboard'
      })
    }
  })

  // Finds or creates the user for an identity at the provider. Links a new identity only if the provider says
  // its email is verified, and then only to the address's account or the sign-up from this browser. Other
  // sign-ups with the address are never linked, because the people who made them haven't proved that it's
  // theirs (promise A8).
  async function userFor(
    tx: Tx,
    request: FastifyRequest,
    issuer: string,
    person: Awaited<ReturnType<Provider['finish']>>,
    ref: string | undefined,
  ): Promise<
    { id: string; how: 'sign-in' | 'sign-up' } | typeof NOT_INVITED | typeof HAS_SECOND_STEP | undefined
  > {
    const known = await userOfIdentity(tx, issuer, person.subject)
    if (known) return known.isDisabled ? undefined : { id: known.id, how: 'sign-in' }
    if (!person.email || !person.isEmailVerified) return undefined
    const account = await accountByEmail(tx, person.email)
    if (account?.isDisabled) return undefined
    // Whoever reads the mailbox can make a Google account for its address.
    if (account && (await secondStepOf(tx, account.id))) return HAS_SECOND_STEP
    if (!account && !(await services.admission.mayJoin(tx, person.email))) return NOT_INVITED
    const userId =
      account?.id ??
      (await claimAddress(services, tx, request, {
        email: person.email,
        fullName: person.name?.slice(0, 120),
        invitedBy: ref,
      }))
    await insertIdentity(tx, issuer, person.subject, userId)
    await insertAcceptances(tx, userId)
    if (!account) return { id: userId, how: 'sign-up' }
    const { email } = account
    await noteEvent(tx, originOf(request), { userId, kind: 'google_linked', at: now(), email })
    return { id: userId, how: 'sign-in' }
  }
}

function stateOf(secret: string): string {
  return tokenHash(`state:${secret}`).toString('base64url')
}
