// Hashes passwords with argon2id at the cost OWASP currently recommends, and checks new ones against the most
// commonly guessed passwords.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { dictionary } from '@zxcvbn-ts/language-common'
import { ProblemError } from '#platform/http/problem.server.ts'

const hashWith = promisify(argon2)
// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const COMMON = new Set(dictionary['passwords-common'])

/** Hashes a password with argon2id. The result includes the salt and the cost. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hashWith('argon2id', { message: password, nonce, ...COST })
  return [
    'argon2id',
    COST.memory,
    COST.passes,
    COST.parallelism,
    nonce.toString('base64url'),
    tag.toString('base64url'),
  ].join('$')
}

// If the address is unknown, the password is compared with this hash, so that the response takes as long as
// for a known address (promise A1).
const NOBODY = hashPassword(randomBytes(16).toString('hex'))

/** Whether the password matches the hash. Takes just as long if there's no hash. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [kind, memory, passes, parallelism, nonce = '', tag = ''] = (hash ?? (await NOBODY)).split('$')
  if (kind !== 'argon2id') throw new Error('unknown kind of password hash')
  const expected = Buffer.from(tag, 'base64url')
  const found = await hashWith('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64url'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(found, expected) && hash != null
}

/** Messages that tell the user why a password is too weak; empty if it isn't. */
function weaknesses(password: string, email: string): string[] {
  const plain = password.toLowerCase()
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const reasons: string[] = []
  if (COMMON.has(plain)) reasons.push('It’s one of the most common passwords.')
  if (
    plain === email.toLowerCase() ||
    plain === domain ||
    (local.length > 2 && (plain.includes(local) || plain === [...local].reverse().join('')))
  ) {
    reasons.push('It’s too similar to your email address.')
  }
  if (new Set(plain).size === 1) reasons.push('It’s the same character repeated.')
  return reasons
}

/** Rejects a weak password with a field error that gives the reasons. */
export function refuseWeak(password: string, email: string): void {
  const reasons = weaknesses(password, email)
  if (reasons.length === 0) return
  const message = `This password is too easy to guess. ${reasons.join(' ')}`
  throw new ProblemError(422, 'weak_password', message, { errors: [{ field: 'password', message }] })
}
