// Confirming an address with an emailed link. Kept out of account.ts so that the sign-in pages don't load it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { PASSKEY_REFUSED, UsedPasskey } from '#features/passkeys/passkey.ts'
import { Answered, AUTH_LIMIT, Email, Login, Password } from './account.ts'

export const ResendVerification = endpoint({
  operation: 'ResendVerification',
  summary: 'Email a new confirmation link',
  method: 'POST',
  path: '/api/auth/resend',
  access: 'signed-in',
  input: z.strictObject({}),
  output: Answered,
  limit: { hits: 5, seconds: 600 },
})

const LinkToken = z.string().check(z.maxLength(200))

export const RequestVerification = endpoint({
  operation: 'RequestVerification',
  summary:
    'Email a new confirmation link to an unconfirmed address; the token from an old link identifies the sign-up',
  method: 'POST',
  path: '/api/auth/request-verification',
  access: 'anyone',
  input: z.strictObject({ email: Email, token: z.optional(LinkToken) }),
  output: Answered,
  limit: { hits: 60, seconds: 600 },
})

export const Verify = endpoint({
  operation: 'Verify',
  summary:
    'Confirm the address with the emailed link and sign in; from another browser, this also requires the password or passkey of that sign-up',
  method: 'POST',
  path: '/api/auth/verify',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({
    token: LinkToken,
    password: z.optional(Password),
    passkey: z.optional(UsedPasskey),
  }),
  output: Login,
  refusals: {
    ...PASSKEY_REFUSED,
    invalid_link: { status: 422, title: 'This confirmation link has already been used or has expired.' },
    password_needed: {
      status: 422,
      title: 'Enter the password you chose when you signed up',
      field: 'password',
    },
    passkey_needed: { status: 422, title: 'Use the passkey you signed up with' },
    wrong_password: {
      status: 422,
      title: "That's not the password you signed up with",
      field: 'password',
    },
  },
})
