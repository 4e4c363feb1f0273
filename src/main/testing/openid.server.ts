// A local stand-in for Google: an OpenID Connect provider. The test chooses who signs in, and with which
// claims.
import { createPublicKey, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The next ID token's claims, and how to sign it. */
export interface Answer {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  sign?: (input: string) => string
}

export interface OpenIdStandIn {
  issuer: string
  /** Settings that make a server use this provider. */
  settings: Record<string, string>
  publicPem: string
  /** The user who signs in next, "Dana" by default. */
  next: Answer
  stop(): Promise<void>
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Starts the provider on a free port. Its login page redirects back right away. */
export async function startOpenIdStandIn(): Promise<OpenIdStandIn> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const signed = (input: string) => createSign('RSA-SHA256').update(input).sign(keys.privateKey, 'base64url')
  // Each login's nonce, by authorization code.
  const nonces = new Map<string, string | null>()

  const server = createServer((request, response) => {
    const { issuer } = standIn
    const url = new URL(request.url ?? '/', issuer)
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      })
    }
    if (url.pathname === '/keys')
      return json({
        keys: [
          { ...createPublicKey(publicPem).export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' },
        ],
      })
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      nonces.set(code, url.searchParams.get('nonce'))
      return response
        .writeHead(303, {
          location: `${url.searchParams.get('redirect_uri')}?code=${code}&state=${url.searchParams.get('state')}`,
        })
        .end()
    }
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const nonce = nonces.get(new URLSearchParams(body).get('code') ?? '')
      const seconds = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: 'tutorlog',
        sub: 'dana-at-google',
        email: 'dana@gmail.example',
        email_verified: true,
        name: 'Dana Whitfield',
        nonce,
        iat: seconds,
        exp: seconds + 300,
        ...standIn.next.claims,
      }
      const input = `${encode({ alg: 'RS256', kid: 'one', ...standIn.next.header })}.${encode(claims)}`
      json({
        access_token: 'opaque',
        token_type: 'Bearer',
        expires_in: 300,
        id_token: `${input}.${(standIn.next.sign ?? signed)(input)}`,
      })
    })
  })
  const standIn: OpenIdStandIn = {
    issuer: '',
    settings: {},
    publicPem,
    next: {},
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  standIn.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  standIn.settings = {
    GOOGLE_CLIENT_ID: 'tutorlog',
    GOOGLE_CLIENT_SECRET: 'secret',
    OIDC_ISSUER: standIn.issuer,
  }
  return standIn
}
