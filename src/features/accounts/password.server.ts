// Hashes passwords with argon2id at the cost OWASP currently recommends, and checks new ones against the most
// common passwords and the person's own words. All hashing normalizes the password first (password.ts).
import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { ProblemError } from '#platform/http/problem.server.ts'
import { guessableReasons, type PasswordOwner } from './guessable.ts'
import { opaqueString } from './password.ts'

const argon2id = promisify(argon2)
// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const TAG_BYTES = 32

/**
 * The 100,000 most common passwords in lowercase, as the sorted beginnings of their hashes. With 48 bits of each,
 * one of three billion other passwords is refused by mistake. scripts/common-passwords.ts makes the file.
 */
export const LIST_FILE = new URL('common-passwords.bin', import.meta.url)
export const RECORD_BYTES = 6
const COMMON = readFileSync(LIST_FILE)

/** How the list of common passwords has a password. */
export function recordOf(lowercase: string): Buffer {
  return hash('sha256', lowercase, 'buffer').subarray(0, RECORD_BYTES)
}

/** Whether a password is on the list, in whatever case. */
export function isCommon(password: string): boolean {
  const record = recordOf(opaqueString(password).toLowerCase())
  let [low, high] = [0, COMMON.length / RECORD_BYTES]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = COMMON.compare(record, 0, RECORD_BYTES, middle * RECORD_BYTES, (middle + 1) * RECORD_BYTES)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

/**
 * Checks a new password and hashes it: the only way to a password that someone chose. Rejects a weak one with a
 * field error that gives the reasons.
 * @param salted see hashPassword
 */
export async function newPasswordHash(
  password: string,
  owner: PasswordOwner,
  salted?: string | null,
): Promise<string> {
  const reasons = weaknesses(password, owner)
  if (reasons.length > 0) {
    const message = `This password is too easy to guess. ${reasons.join(' ')}`
    throw new ProblemError(422, 'weak_password', message, { errors: [{ field: 'password', message }] })
  }
  return hashPassword(password, salted)
}

/** Messages that tell the user why a password is too weak; empty if it isn't. */
function weaknesses(password: string, owner: PasswordOwner): string[] {
  const reasons = isCommon(password) ? ['It’s one of the most common passwords.'] : []
  reasons.push(...guessableReasons(password, owner))
  if (new Set(opaqueString(password).toLowerCase()).size === 1)
    reasons.push('It’s the same character repeated.')
  return reasons
}

/**
 * Hashes a password that was accepted before, with argon2id. The result includes the salt and the cost.
 * @param salted a hash whose salt to use again, so that one computation checks a password against both. Never
 * one of another address
 */
export async function hashPassword(password: string, salted?: string | null): Promise<string> {
  const salt = salted ? partsOf(salted).salt : randomBytes(16).toString('base64url')
  return hashWith(recipeOf({ ...COST, salt }), opaqueString(password))
}

/** Everything in a hash except its tag: what it takes to compute the tag again. */
function recipeOf(parts: { memory: number; passes: number; parallelism: number; salt: string }): string {
  return ['argon2id', parts.memory, parts.passes, parts.parallelism, parts.salt].join('$')
}

function partsOf(hash: string) {
  const [kind, memory, passes, parallelism, salt = ''] = hash.split('$')
  if (kind !== 'argon2id') throw new Error('unknown kind of password hash')
  return { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), salt }
}

async function hashWith(recipe: string, text: string): Promise<string> {
  const { salt, ...cost } = partsOf(recipe)
  const tag = await argon2id('argon2id', {
    message: text,
    nonce: Buffer.from(salt, 'base64url'),
    ...cost,
    tagLength: TAG_BYTES,
  })
  return [recipe, tag.toString('base64url')].join('$')
}

// If there's nothing to compare with, the password is hashed with this recipe, so that the response takes as
// long as for a known address (promise A1).
const NOBODY = recipeOf({ ...COST, salt: randomBytes(16).toString('base64url') })

/**
 * The first of these that has this password. `isOldForm` is true if the stored hash is of the text as typed,
 * from before passwords were normalized. Hashes once per salt, and once if there's nothing to compare with;
 * twice as often if normalization changes the text. It never stops early, so the time it takes tells nothing.
 */
export async function withPassword<Holder extends { passwordHash: string | null }>(
  password: string,
  holders: readonly Holder[],
): Promise<{ holder: Holder; isOldForm: boolean } | undefined> {
  const recipes = new Set(
    holders.flatMap(({ passwordHash }) => (passwordHash ? [recipeOf(partsOf(passwordHash))] : [])),
  )
  const matches = []
  for (const text of new Set([opaqueString(password), password]))
    for (const recipe of recipes.size > 0 ? recipes : [NOBODY]) {
      const hash = await hashWith(recipe, text)
      const holder = holders.find(({ passwordHash }) => passwordHash && isSame(passwordHash, hash))
      if (holder) matches.push({ holder, isOldForm: text !== opaqueString(password) })
    }
  return matches[0]
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether the password matches the hash. Takes just as long if there's no hash. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  return (await withPassword(password, [{ passwordHash: hash ?? null }])) !== undefined
}
