// Signing in with Google or any OpenID Connect provider, using the authorization code flow with PKCE.
import * as oidc from 'openid-client'

/**
 * How long the provider's signing keys and endpoints are cached: ten minutes (docs/product.md, section 9).
 */
const CACHE_MS = 600_000

export interface Provider {
  issuer: string
  /** The URL to redirect the browser to. Keep state, nonce and verifier until the browser returns. */
  begin(redirectUri: string, state: string): Promise<{ url: string; nonce: string; codeVerifier: string }>
  /**
   * Exchanges the returned code and checks the result: signature, issuer, audience, nonce, timestamps and
   * state. Throws if anything is wrong.
   */
  finish(
    currentUrl: URL,
    expected: { state: string; nonce: string; codeVerifier: string },
  ): Promise<{ subject: string; email?: string; isEmailVerified: boolean; name?: string }>
}

/**
 * A provider that fetches its configuration on first use, so that the server starts even if the provider is
 * unreachable.
 */
export function openIdProvider(settings: {
  issuer: string
  clientId: string
  clientSecret: string
}): Provider {
  const server = new URL(settings.issuer)
  // Plain HTTP is allowed only for a provider on this machine, as in tests.
  const isLocal = server.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(server.hostname)
  let cached: { at: number; configuration: oidc.Configuration } | undefined

  async function configuration(): Promise<oidc.Configuration> {
    if (cached && Date.now() - cached.at < CACHE_MS) return cached.configuration
    // Without enableNonRepudiationChecks, the library relies on TLS alone and doesn't check the token's
    // signature (promise A9).
    const checks = isLocal
      ? [oidc.enableNonRepudiationChecks, oidc.allowInsecureRequests]
      : [oidc.enableNonRepudiationChecks]
    const found = await oidc.discovery(server, settings.clientId, settings.clientSecret, undefined, {
      timeout: 5,
      execute: checks,
    })
    cached = { at: Date.now(), configuration: found }
    return found
  }

  return {
    issuer: settings.issuer,
    async begin(redirectUri, state) {
      const codeVerifier = oidc.randomPKCECodeVerifier()
      const nonce = oidc.randomNonce()
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, nonce, codeVerifier }
    },
    async finish(currentUrl, expected) {
      const tokens = await oidc.authorizationCodeGrant(await configuration(), currentUrl, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      return {
        subject: claims.sub,
        email: typeof claims.email === 'string' ? claims.email : undefined,
        isEmailVerified: claims.email_verified === true,
        name: typeof claims.name === 'string' ? claims.name : undefined,
      }
    },
  }
}
