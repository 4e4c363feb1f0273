// The second step of signing in with a password: checking codes (RFC 6238, by a library), and setting it up.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { tooMany } from '#features/access/admission.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { noteEvent, noteFailure, originOf } from '#features/security/commands.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { clearGuesses, countGuess } from './guess.server.ts'
import type { AccountServices } from './login.server.ts'
import { hashPassword, withPassword } from './password.server.ts'
import { passwordHashOf } from './queries.server.ts'
import {
  MakeRecoveryCodes,
  readCode,
  RECOVERY_CODES,
  recoveryCode,
  StartSecondStep,
  TurnOffSecondStep,
  TurnOnSecondStep,
} from './second-step.ts'
import {
  deleteSecondStep,
  keepSecret,
  newSecretOf,
  replaceRecoveryCodes,
  type SecondStep,
  secondStepOf,
  turnOn,
  usePeriod,
  useRecoveryCode,
} from './step-queries.server.ts'

/** What RFC 4226 recommends for the shared secret: 160 bits. */
const SECRET_BYTES = 20
/** Codes for the 30 seconds before and after count, too, because phones' clocks are off and people type slowly. */
const WINDOW = 1
/** Limits on wrong codes of an account, for each thing that asks for one. */
const TRIES = { hits: 5, seconds: 900 }
const ALL_TRIES = { hits: 20, seconds: 86_400 }

interface Asked {
  userId: string
  /** What was typed; undefined if nobody has been asked yet. */
  code: string | undefined
  /** What it's for. Whoever guesses at a reset must not keep the owner from signing in. */
  purpose: 'sign-in' | 'proof' | 'reset'
}

/** A code that holds, or none if the account has no second step. */
interface CheckedCode {
  /** Uses it up, with whatever it's for. False if that has happened in the meantime. */
  use(tx: Tx): Promise<boolean>
}

/** Checks the code of an account's second step. Call it only once the password or the reset link is known to hold. */
export async function checkCode(
  services: AccountServices,
  request: FastifyRequest,
  { userId, code, purpose }: Asked,
): Promise<Outcome<CheckedCode, 'code_needed' | 'wrong_code'>> {
  const { db, now } = services
  const step = await db.readAsSystem((tx) => secondStepOf(tx, userId))
  if (!step) return done({ use: async () => true })
  if (code === undefined) return refused('code_needed')
  const key = `code:${purpose}:${userId}`
  const { keys, wait } = await db.asSystem((tx) =>
    countGuess(services, tx, request, { key, userId, each: TRIES, all: ALL_TRIES }),
  )
  if (wait !== undefined) throw tooMany(wait)
  const noteWrong = (tx: Tx) => noteFailure(tx, request, { userId, kind: 'second_step_failed', at: now() })
  const held = await whatHolds(userId, step, code, now())
  if (!held) {
    await db.asSystem(noteWrong)
    return refused('wrong_code')
  }
  return done({
    async use(tx) {
      if (!(await held.use(tx))) {
        await noteWrong(tx)
        return false
      }
      if (held.kind === 'recovery')
        await noteEvent(tx, originOf(request), { userId, kind: 'recovery_code_used', at: now() })
      await clearGuesses(tx, keys, true)
      return true
    },
  })
}

async function whatHolds(
  userId: string,
  { secret, recoveryHashes }: SecondStep,
  typed: string,
  now: Date,
): Promise<(CheckedCode & { kind: 'app' | 'recovery' }) | undefined> {
  const code = readCode(typed)
  if (code?.kind === 'app') {
    const period = periodOf(secret, code.text, now)
    if (period === undefined) return undefined
    return { kind: 'app', use: (tx) => usePeriod(tx, userId, secret, period) }
  }
  // They share a salt, so this takes one hash.
  const held =
    code &&
    (await withPassword(
      code.text,
      recoveryHashes.map((hash) => ({ passwordHash: hash })),
    ))
  if (!held) return undefined
  return { kind: 'recovery', use: (tx) => useRecoveryCode(tx, userId, held.holder.passwordHash) }
}

/** Which 30 seconds an app's code is for, counted from 1970; undefined if it's for none around now. */
function periodOf(secret: Buffer, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = codesOf(secret).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ timestamp }) + delta
}

// The values that every authenticator app knows (SHA-1, 6 digits, 30 seconds). Some ignore any others.
function codesOf(secret: Buffer, label = ''): TOTP {
  return new TOTP({
    issuer: 'Tutorlog',
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })
}

/** New recovery codes, and what's kept of them. */
async function newRecoveryCodes(): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(16)))
  const hashes: string[] = []
  for (const code of codes) hashes.push(await hashPassword(readCode(code)?.text ?? code, hashes[0]))
  return { codes, hashes }
}

/** Adds the routes for an account's own second step. */
export function addSecondStepRoutes(app: FastifyInstance, services: AccountServices): void {
  const { db, now } = services

  /** Changes the second step and, if that changed anything, notes it. */
  async function change(
    request: FastifyRequest,
    { id: userId, email }: { id: string; email: string },
    kind: EventKind,
    run: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    return db.asSystem(async (tx) => {
      const isChanged = await run(tx)
      if (isChanged) await noteEvent(tx, originOf(request), { userId, kind, at: now(), email })
      return isChanged
    })
  }

  serve(app, services, StartSecondStep, OUTSIDE, async ({ user }) => {
    const secret = randomBytes(SECRET_BYTES)
    const problem = await db.asSystem(async (tx) => {
      if ((await passwordHashOf(tx, user.id)) === null) return 'no_password'
      return (await keepSecret(tx, user.id, secret, now())) ? undefined : 'already_on'
    })
    if (problem) return refused(problem)
    const codes = codesOf(secret, user.email)
    return done({ key: codes.secret.base32, uri: codes.toString() })
  })

  serve(app, services, TurnOnSecondStep, OUTSIDE, async ({ user, input, request }) => {
    const secret = await db.readAsSystem((tx) => newSecretOf(tx, user.id))
    const code = readCode(input.code)
    const period = secret && code?.kind === 'app' ? periodOf(secret, code.text, now()) : undefined
    if (!secret || period === undefined) return refused('wrong_code')
    const { codes, hashes } = await newRecoveryCodes()
    const isOn = await change(request, user, 'second_step_on', (tx) =>
      turnOn(tx, user.id, { secret, period, recoveryHashes: hashes }, now()),
    )
    return isOn ? done({ recovery_codes: codes }) : refused('wrong_code')
  })

  serve(app, services, MakeRecoveryCodes, OUTSIDE, async ({ user, request }) => {
    const { codes, hashes } = await newRecoveryCodes()
    const isOn = await change(request, user, 'recovery_codes_made', (tx) =>
      replaceRecoveryCodes(tx, user.id, hashes, now()),
    )
    return isOn ? done({ recovery_codes: codes }) : refused('not_on')
  })

  serve(app, services, TurnOffSecondStep, OUTSIDE, async ({ user, request }) => {
    await change(request, user, 'second_step_off', (tx) => deleteSecondStep(tx, user.id))
    return done(undefined)
  })
}
