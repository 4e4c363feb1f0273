// The second step of signing in with a password: a code from an authenticator app, or a recovery code. Setting it up,
// and turning it off again.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

/** How many recovery codes an account gets at once. */
export const RECOVERY_CODES = 10

/** Digits and lower-case letters, without those that look like others (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_LENGTH = 10
const LOOKALIKES: Record<string, string> = { i: '1', l: '1', o: '0' }

const ENTER_CODE = 'Enter the code'
/** What someone types: a code of either kind, in any spelling. */
export const Code = z
  .string({ error: ENTER_CODE })
  .check(z.trim(), z.minLength(1, ENTER_CODE), z.maxLength(100, 'This code is too long'))

export const CODE_REFUSED = {
  code_needed: { status: 422, title: 'Enter the code from your authenticator app', field: 'code' },
  wrong_code: {
    status: 422,
    title: 'This code didn’t work. Enter the one your app shows now, or a recovery code you haven’t used.',
    field: 'code',
  },
} as const

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const StartSecondStep = endpoint({
  operation: 'StartSecondStep',
  summary:
    'Get a new secret for an authenticator app. Nobody is asked for its codes until one has been entered',
  method: 'POST',
  path: '/api/v1/me/second-step/start',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.object({
    /** The secret in base 32, to type into an app. */
    key: z.string(),
    /** The same for a QR code. */
    uri: z.string(),
  }),
  limit: { hits: 60, seconds: 600 },
  refusals: {
    already_on: { status: 409, title: 'The second step is already on.' },
    no_password: { status: 409, title: 'Set a password first. Other ways to sign in need no second step.' },
  },
})

export const TurnOnSecondStep = endpoint({
  operation: 'TurnOnSecondStep',
  summary: 'Turn on the second step with a code from the app; the recovery codes are never sent again',
  method: 'POST',
  path: '/api/v1/me/second-step',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({ code: Code }),
  output: RecoveryCodes,
  limit: { hits: 20, seconds: 600 },
  refusals: {
    wrong_code: {
      status: 422,
      title: 'This code didn’t work. Enter the one your app shows now.',
      field: 'code',
    },
  },
})

export const MakeRecoveryCodes = endpoint({
  operation: 'MakeRecoveryCodes',
  summary: 'Get new recovery codes; the earlier ones no longer work',
  method: 'POST',
  path: '/api/v1/me/second-step/recovery-codes',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: RecoveryCodes,
  limit: { hits: 20, seconds: 600 },
  refusals: { not_on: { status: 409, title: 'The second step is off.' } },
})

export const TurnOffSecondStep = endpoint({
  operation: 'TurnOffSecondStep',
  summary: 'Turn off the second step',
  method: 'DELETE',
  path: '/api/v1/me/second-step',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.undefined(),
})

/** A code as its digits or characters alone; undefined if it's neither kind. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; text: string } | undefined {
  const text = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Dash}]/gu, '')
  if (/^\d{6}$/.test(text)) return { kind: 'app', text }
  const plain = text.replace(/[ilo]/g, (letter) => LOOKALIKES[letter] ?? letter)
  const isRecovery = plain.length === RECOVERY_LENGTH && [...plain].every((one) => ALPHABET.includes(one))
  return isRecovery ? { kind: 'recovery', text: plain } : undefined
}

/** A recovery code made of random bytes, 5 bits from each: 50 bits in all. It's shown in two groups. */
export function recoveryCode(random: Uint8Array): string {
  const text = Array.from(random.subarray(0, RECOVERY_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return `${text.slice(0, RECOVERY_LENGTH / 2).join('')}-${text.slice(RECOVERY_LENGTH / 2).join('')}`
}
