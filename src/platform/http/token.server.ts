// Random tokens. The bearer gets the token; the database stores only its hash (promise A18).
import { createHmac, hash, randomBytes } from 'node:crypto'

/** A new token with 256 random bits, encoded in URL- and cookie-safe characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash we store for a token. Random tokens don't need a slow hash. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** A token derived from another one; the same each time. Nobody can derive it without both the token and the salt. */
export function derivedToken(token: string, salt: Buffer, use: string): string {
  return createHmac('sha256', salt).update(`${use}:${token}`).digest('base64url')
}
