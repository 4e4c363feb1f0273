// Random tokens: the bearer has the text, the database only its hash (promise A18).
import { hash, randomBytes } from 'node:crypto'

/** A new token of 256 random bits, in characters that are safe in URLs and cookies. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash a token is stored as. A random token needs no slow hash. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
