// Getting back in without the password or the passkeys. Kept out of account.ts so that the sign-in pages don't load it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { MakingOptions, PASSKEY_REFUSED } from '#features/passkeys/passkey.ts'
import { Answered, AUTH_LIMIT, Email, Login, NewSecret, onlyOneSecret } from './account.ts'
import { Code, CODE_REFUSED } from './second-step.ts'

export const ForgotPassword = endpoint({
  operation: 'ForgotPassword',
  summary: 'Email a reset link; the response is the same for unknown addresses',
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'anyone',
  input: z.strictObject({ email: Email }),
  output: Answered,
  limit: { hits: 60, seconds: 600 },
})

const ResetPair = {
  access_token: z.string().check(z.maxLength(200)),
  refresh_token: z.string().check(z.maxLength(200)),
}
const INVALID_RESET = {
  invalid_reset: {
    status: 422,
    title: 'This password reset link is invalid or has expired. Please request a new one.',
  },
} as const

export const CheckReset = endpoint({
  operation: 'CheckReset',
  summary: "Check whether a reset link's tokens are valid, without using them up",
  method: 'POST',
  path: '/api/auth/check-reset',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject(ResetPair),
  output: z.object({
    message: z.string(),
    /** Whether setting something new takes a code, too. */
    has_second_step: z.boolean(),
  }),
  refusals: INVALID_RESET,
})

export const StartPasskeyReset = endpoint({
  operation: 'StartPasskeyReset',
  summary: "Get what a browser needs to make a passkey with a reset link's tokens, without using them up",
  method: 'POST',
  path: '/api/auth/passkey/reset',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ ...ResetPair, code: z.optional(Code) }),
  output: MakingOptions,
  refusals: { ...INVALID_RESET, ...CODE_REFUSED },
})

export const ResetPassword = endpoint({
  operation: 'ResetPassword',
  summary:
    'Set a new password, or add a passkey, from a reset link (with the code of the second step, if there is one)',
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ ...ResetPair, ...NewSecret, code: z.optional(Code) }).check(onlyOneSecret),
  output: Login,
  refusals: {
    ...INVALID_RESET,
    ...CODE_REFUSED,
    ...PASSKEY_REFUSED,
    weak_password: { status: 422, title: 'This password is too easy to guess', field: 'password' },
  },
})
