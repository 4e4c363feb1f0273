// Making and using passkeys: what devices are asked, and whether their answers hold.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { cose, COSEALG, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import type { Services } from '#features/access/admission.server.ts'
import { deviceName } from '#kernel/device-name.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import {
  freeName,
  type MadePasskey,
  type MakingOptions,
  type UsedPasskey,
  type UsingOptions,
} from './passkey.ts'
import {
  type Challenge,
  insertChallenge,
  insertPasskey,
  knownPasskeys,
  listPasskeys,
  type NewPasskey,
  noteUse,
  passkeyForUse,
  takeChallenge,
} from './queries.server.ts'

type PasskeyServices = Pick<Services, 'db' | 'now' | 'baseUrl'>

/** How long a challenge holds. A sign-in page asks for a new one in time (accounts/PasskeyButton.tsx). */
const CHALLENGE_MS = 10 * 60_000
/** How long browsers wait for the person. */
const WAIT_MS = 5 * 60_000
/** What every Node can verify. The library would offer more where it finds more. */
const ALGORITHMS = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256]

/** The domain that passkeys are for, and where browsers may use them. */
function siteOf({ baseUrl }: PasskeyServices): { id: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl)
  return { id: hostname, origin }
}

/**
 * What a browser needs to make a passkey.
 * @param name how the person's device will show the account
 * @param userId the signed-in account; undefined for a sign-up or a reset
 */
export async function startMaking(
  services: PasskeyServices,
  name: string,
  userId?: string,
): Promise<MakingOptions> {
  const { db, now } = services
  const known = userId ? await db.readAsSystem((tx) => knownPasskeys(tx, userId)) : []
  const challenge = newToken()
  // A device that still has a passkey removed here replaces it, because it knows the account by the same handle.
  const userHandle = known[0]?.user_handle ?? (userId ? bytesOfId(userId) : randomBytes(16))
  await db.asSystem((tx) =>
    insertChallenge(
      tx,
      { hash: tokenHash(challenge), userHandle, userId, signs: undefined },
      new Date(now().getTime() + CHALLENGE_MS),
    ),
  )
  const options = await generateRegistrationOptions({
    rpName: 'Tutorlog',
    rpID: siteOf(services).id,
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(userHandle),
    challenge: bytesOf(challenge),
    timeout: WAIT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return options as MakingOptions
}

/** The passkey that a device has made for us; undefined if it hasn't. */
export async function madePasskey(
  services: PasskeyServices,
  { id, client_data, attestation, transports }: MadePasskey,
  userId?: string,
): Promise<NewPasskey | undefined> {
  const challenge = await challengeIn(services, client_data, { makes: true, userId, signs: undefined })
  if (!challenge?.row.userHandle) return undefined
  const { id: expectedRPID, origin: expectedOrigin } = siteOf(services)
  const verified = await unlessInvalid(() =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON: client_data, attestationObject: attestation },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.text,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified?.verified) return undefined
  const { credential } = verified.registrationInfo
  if (credential.id !== id) return undefined
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    userHandle: challenge.row.userHandle,
    signCount: credential.counter,
    transports,
  }
}

/** Gives an account a passkey, named by the device it was made on. */
export async function keepPasskey(
  tx: Tx,
  userId: string,
  made: NewPasskey,
  userAgent: string | undefined,
  now: Date,
) {
  const own = await listPasskeys(tx, userId)
  const name = freeName(
    deviceName(userAgent ?? ''),
    own.map((one) => one.name),
  )
  return insertPasskey(tx, userId, name, made, now)
}

/**
 * What a browser needs to use a passkey.
 * @param userId the signed-in account, to use one of its own; undefined if the person chooses
 */
export async function startUsing(services: PasskeyServices, userId?: string): Promise<UsingOptions> {
  const known = userId ? await services.db.readAsSystem((tx) => knownPasskeys(tx, userId)) : []
  return askedToUse(services, known, { challenge: newToken(), userId, signs: undefined })
}

/**
 * What a browser needs to sign something with one of the account's passkeys; undefined if it has none.
 * @param signs what's signed. Nothing else can be done with the answer
 * @param challenge the hash of it, in base64url
 */
export async function startSigning(
  services: PasskeyServices,
  { userId, signs, challenge }: Signed & { challenge: string },
): Promise<UsingOptions | undefined> {
  const known = await services.db.readAsSystem((tx) => knownPasskeys(tx, userId))
  return known.length > 0 ? askedToUse(services, known, { challenge, userId, signs }) : undefined
}

/** Who signs, and what for. */
interface Signed {
  userId: string
  signs: string
}

async function askedToUse(
  services: PasskeyServices,
  known: Awaited<ReturnType<typeof knownPasskeys>>,
  { challenge, userId, signs }: { challenge: string } & Pick<Challenge, 'userId' | 'signs'>,
): Promise<UsingOptions> {
  const { db, now } = services
  await db.asSystem((tx) =>
    insertChallenge(
      tx,
      { hash: tokenHash(challenge), userHandle: undefined, userId, signs },
      new Date(now().getTime() + CHALLENGE_MS),
    ),
  )
  const options = await generateAuthenticationOptions({
    rpID: siteOf(services).id,
    challenge: bytesOf(challenge),
    timeout: WAIT_MS,
    userVerification: 'preferred',
    allowCredentials: known.map(descriptor),
  })
  return { ...options, allowCredentials: options.allowCredentials ?? [] } as UsingOptions
}

/**
 * Whose passkey a device has just used; undefined if the answer doesn't hold. An unknown passkey takes the same
 * steps as a known one (promise A22).
 * @param userId the account that asked, if it was signed in
 */
export async function ownerOfUsed(
  services: PasskeyServices,
  used: UsedPasskey,
  userId?: string,
): Promise<string | undefined> {
  return (await passkeyUsed(services, used, { userId, signs: undefined }))?.user_id
}

/** What a device has signed, in the names of WebAuthn, and the passkey's public key as a JWK. */
type DeviceSignature = Pick<UsedPasskey, 'client_data' | 'authenticator_data' | 'signature'> & {
  key: Jwk
}
interface Jwk {
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
}

/** What one of the account's passkeys has signed; undefined if the answer doesn't hold. */
export async function signatureOf(
  services: PasskeyServices,
  used: UsedPasskey,
  signed: Signed,
): Promise<DeviceSignature | undefined> {
  const passkey = await passkeyUsed(services, used, signed)
  // Base64url has several texts for some bytes. One of them is kept.
  const plain = (text: string) => bytesOf(text).toString('base64url')
  return (
    passkey && {
      key: jwkOf(passkey.public_key),
      authenticator_data: plain(used.authenticator_data),
      client_data: plain(used.client_data),
      signature: plain(used.signature),
    }
  )
}

/** A COSE key of one of ALGORITHMS as a JWK. */
export function jwkOf(publicKey: Uint8Array): Jwk {
  const key = decodeCredentialPublicKey(new Uint8Array(publicKey))
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url')
  if (cose.isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: text(key.get(cose.COSEKEYS.x)), y: text(key.get(cose.COSEKEYS.y)) }
  if (cose.isCOSEPublicKeyOKP(key)) return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(cose.COSEKEYS.x)) }
  if (cose.isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: text(key.get(cose.COSEKEYS.n)), e: text(key.get(cose.COSEKEYS.e)) }
  throw new Error('a passkey was kept with a key of an unknown kind')
}

async function passkeyUsed(
  services: PasskeyServices,
  used: UsedPasskey,
  { userId, signs }: Pick<Challenge, 'userId' | 'signs'>,
) {
  const { db, now } = services
  const challenge = await challengeIn(services, used.client_data, { makes: false, userId, signs })
  if (!challenge) return undefined
  return db.asSystem(async (tx) => {
    const passkey = await passkeyForUse(tx, Buffer.from(used.id, 'base64url'))
    const count = await countAfterUse(services, used, challenge.text, passkey)
    if (!passkey || count === undefined) return undefined
    if (userId !== undefined && passkey.user_id !== userId) return undefined
    if (used.user_handle !== undefined && !bytesOf(used.user_handle).equals(passkey.user_handle))
      return undefined
    await noteUse(tx, passkey.id, count, now())
    return passkey
  })
}

/** The passkey's count in a valid answer; undefined for any other answer. */
async function countAfterUse(
  services: PasskeyServices,
  used: UsedPasskey,
  expectedChallenge: string,
  passkey: Awaited<ReturnType<typeof passkeyForUse>>,
): Promise<number | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = siteOf(services)
  const verified = await unlessInvalid(() =>
    verifyAuthenticationResponse({
      response: {
        id: used.id,
        rawId: used.id,
        type: 'public-key',
        response: {
          clientDataJSON: used.client_data,
          authenticatorData: used.authenticator_data,
          signature: used.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: {
        id: used.id,
        publicKey: new Uint8Array(passkey?.public_key ?? NOBODYS_KEY),
        counter: Number(passkey?.sign_count ?? 0),
      },
      requireUserVerification: false,
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

/** The challenge that a device says it signed, if it's one of ours. It's used up, whatever comes of it. */
async function challengeIn(
  { db, now }: PasskeyServices,
  clientData: string,
  asked: { makes: boolean } & Pick<Challenge, 'userId' | 'signs'>,
): Promise<{ text: string; row: Challenge } | undefined> {
  const text = challengeText(clientData)
  if (text === undefined) return undefined
  const row = await db.asSystem((tx) => takeChallenge(tx, { hash: tokenHash(text), ...asked }, now()))
  return row && { text, row }
}

/** The challenge that a device says it signed; undefined if it says none. */
export function challengeText(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(bytesOf(clientData).toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

// The library throws an error for each thing that can be wrong with an answer. It doesn't reach the database.
async function unlessInvalid<Verified>(verify: () => Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

const descriptor = (known: { credential_id: Buffer; transports: string[] }) => ({
  id: known.credential_id.toString('base64url'),
  transports: known.transports,
})

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const bytesOfId = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

/** A key that nobody has, to check an unknown passkey against: a COSE key on P-256 for ES256 (RFC 9053). */
const NOBODYS_KEY = ((): Buffer => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    bytesOf(x),
    Buffer.from('225820', 'hex'),
    bytesOf(y),
  ])
})()
