// A device that keeps passkeys, written from the WebAuthn specification. Unlike a real one, it also lies when told to.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { MadePasskey, MakingOptions, UsedPasskey, UsingOptions } from '#features/passkeys/passkey.ts'

/** What a device gets wrong. */
interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** The flags of the authenticator data; 0x05 for someone who is present and was recognized. */
  flags?: number
  /** Its count of uses, instead of the next one. */
  count?: number
  signature?: string
  userHandle?: string
}

const PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** A device with one passkey at most. */
export function aDevice(origin = 'http://localhost:3000') {
  const id = randomBytes(32)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let count = 0
  let userHandle: string | undefined

  const clientData = (type: string, challenge: string, lies: Lies) =>
    base64url(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (rpId: string, flags: number, lies: Lies, credential = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lies.count ?? count)
    return Buffer.concat([
      sha256(lies.rpId ?? rpId),
      Buffer.from([(lies.flags ?? PRESENT_AND_VERIFIED) | flags]),
      counter,
      credential,
    ])
  }

  return {
    make(options: MakingOptions, lies: Lies = {}): MadePasskey {
      userHandle = options.user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // The key as a CBOR map for ES256 on P-256 (RFC 9053).
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const data = authenticatorData(
        options.rp.id,
        HAS_CREDENTIAL,
        lies,
        Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]),
      )
      // A CBOR map of fmt, attStmt and authData.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id: base64url(id),
        client_data: clientData('webauthn.create', options.challenge, lies),
        attestation: base64url(attestation),
        transports: ['internal'],
      }
    },
    use(options: UsingOptions, lies: Lies = {}): UsedPasskey {
      count += 1
      const client = clientData('webauthn.get', options.challenge, lies)
      const data = authenticatorData(options.rpId, 0, lies)
      const signed = sign(
        'sha256',
        Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]),
        privateKey,
      )
      const handle = lies.userHandle ?? userHandle
      return {
        id: base64url(id),
        client_data: client,
        authenticator_data: base64url(data),
        signature: lies.signature ?? base64url(signed),
        ...(handle && { user_handle: handle }),
      }
    },
  }
}

export type Device = ReturnType<typeof aDevice>
