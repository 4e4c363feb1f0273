// Proving again that an account is yours, in a browser that's already signed in. What asks for it:
// access/proof.ts.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { PASSKEY_REFUSED, UsedPasskey } from '#features/passkeys/passkey.ts'
import { Password } from './account.ts'
import { Code, CODE_REFUSED } from './second-step.ts'

export const Prove = endpoint({
  operation: 'Prove',
  summary: 'Prove that the account is yours; that counts for ten minutes, like a sign-in',
  method: 'POST',
  path: '/api/v1/me/proof',
  access: 'confirmed',
  isFree: true,
  input: z.union([
    z.strictObject({ password: Password, code: z.optional(Code) }),
    z.strictObject({ passkey: UsedPasskey }),
  ]),
  output: z.undefined(),
  limit: { hits: 20, seconds: 600 },
  refusals: {
    ...CODE_REFUSED,
    ...PASSKEY_REFUSED,
    wrong_password: { status: 422, title: "That's not your password", field: 'password' },
  },
})
