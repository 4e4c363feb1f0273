// A push service for tests, with the browsers that subscribe to it. It checks what arrives by the standards, with code
// of its own: RFC 8030 (the request), RFC 8291 (the encryption) and RFC 8292 (the signature).
import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushMessage } from '#platform/push/push-message.ts'

/** A browser's half of a subscription. */
interface Receiver {
  curve: ECDH
  auth: Buffer
}

interface Subscribed {
  endpoint: string
  p256dh: string
  auth: string
}

/** Decrypts a message as a browser does (RFC 8291, section 3.4, and RFC 8188). It's one record. */
export function decrypted(body: Buffer, { curve, auth }: Receiver): Buffer {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
  assert.ok(body.readUInt32BE(16) >= body.length - 21 - keyLength, 'one record')
  const sender = body.subarray(21, 21 + keyLength)
  const shared = curve.computeSecret(sender)
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const secret = derive(shared, auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const sealed = body.subarray(21 + keyLength)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  assert.equal(padded[end], 2, 'the last record ends with 2')
  return padded.subarray(0, end)
}

/** Checks a request's signature, and returns what it claims. */
function verifiedClaims(authorization: string | undefined): { aud: string; exp: number; sub: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  assert.equal(read(header).alg, 'ES256')
  const point = Buffer.from(key, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isSigned, 'the signature holds')
  return read(claims)
}

export class PushService {
  origin = ''
  /** The status of the next answers, one each; 201 once there are none left. */
  answers: number[] = []
  /** Sent with answers that aren't 201. */
  headers: Record<string, string> = {}
  /** Everything that was asked, whether or not it was accepted. */
  asked: { path: string; key: string; ttl: number; body: Buffer }[] = []
  /** The accepted messages, decrypted. */
  messages: { endpoint: string; message: PushMessage }[] = []
  private receivers = new Map<string, Receiver>()
  private failures: unknown[] = []
  private server = createServer((request, response) => void this.take(request, response))

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  /** A browser that subscribes. */
  subscribe(): Subscribed {
    const curve = createECDH('prime256v1')
    const p256dh = curve.generateKeys().toString('base64url')
    const auth = randomBytes(16)
    const path = `/push/${randomBytes(16).toString('hex')}`
    this.receivers.set(path, { curve, auth })
    return { endpoint: this.origin + path, p256dh, auth: auth.toString('base64url') }
  }

  /** Fails if anything that arrived broke a standard. */
  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
    assert.deepEqual(this.failures, [])
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = this.answers.shift() ?? 201
    try {
      this.check(request, Buffer.concat(chunks), status)
    } catch (error) {
      this.failures.push(error)
    }
    response.writeHead(status, status === 201 ? { location: `${this.origin}/message/1` } : this.headers).end()
  }

  private check({ method, url = '', headers }: IncomingMessage, body: Buffer, status: number): void {
    const key = /k=([\w-]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
    this.asked.push({ path: url, key, ttl: Number(headers['ttl']), body })
    assert.deepEqual([method, headers['content-encoding']], ['POST', 'aes128gcm'])
    assert.match(String(headers['ttl']), /^\d+$/)
    const { aud, exp, sub } = verifiedClaims(headers.authorization)
    assert.equal(aud, this.origin)
    assert.ok(exp * 1000 > Date.now() && exp * 1000 < Date.now() + 86_400_000, 'at most 24 hours')
    assert.match(sub, /^mailto:[^\s@]+@[^\s@]+$/)
    const receiver = this.receivers.get(url)
    assert.ok(receiver && body.length <= 4096)
    const message = JSON.parse(decrypted(body, receiver).toString()) as PushMessage
    if (status === 201) this.messages.push({ endpoint: this.origin + url, message })
  }
}
