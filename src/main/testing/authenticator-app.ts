// An authenticator app, written from RFC 6238 and RFC 4648, so that the library isn't tested with itself.
import { createHmac } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an app with this secret (in base 32) shows at a time. */
export function appCode(secret: string, at: Date): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
  const period = Buffer.alloc(8)
  period.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const digest = createHmac('sha1', key).update(period).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
