// Random tokens: the bearer holds the text, the database only its hash (promise A18).
import { createHash, randomBytes } from 'node:crypto'

/** A new token of 256 random bits, in characters that a URL and a cookie take. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash under which a token is kept. A random token needs no slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
