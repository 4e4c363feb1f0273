// Account settings: password, email address and signed-in devices. The profile is changed with PATCH
// /api/v1/me.
import * as z from 'zod/mini'
import { Email, Me, NewPassword } from '#features/accounts/account.ts'
import { OwnPassword, type UpdateMe } from '#features/accounts/profile.ts'
import { endpoint } from '#features/access/endpoint.ts'
import type { InputOf } from '#kernel/endpoint.ts'

/** A login as shown to its user. */
export const Device = z.object({
  id: z.string(),
  /** For example, "Chrome on Windows". */
  name: z.string(),
  signed_in_at: z.string(),
  last_seen_at: z.string(),
  is_this: z.boolean(),
})
export type Device = z.output<typeof Device>

export const ChangePassword = endpoint({
  operation: 'ChangePassword',
  summary: 'Change the password and sign out every other device',
  method: 'POST',
  path: '/api/v1/me/password',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ current_password: OwnPassword, password: NewPassword }),
  output: Me,
  limit: { hits: 20, seconds: 600 },
  proof: 'password',
})

export const EmailChange = z.strictObject({ current_password: OwnPassword, email: Email })
/** Refuses an address that a workspace of this account has asked to be the other side. */
const BOTH_SIDES = {
  status: 409,
  title:
    'A family or practice you belong to asked this address to confirm sessions with it, and nobody can confirm for both. Use another address.',
} as const

export const ChangeEmail = endpoint({
  operation: 'ChangeEmail',
  summary: 'Change the email address; the change takes effect once both addresses are confirmed',
  method: 'POST',
  path: '/api/v1/me/email',
  access: 'confirmed',
  isFree: true,
  input: EmailChange,
  output: z.object({ message: z.string() }),
  limit: { hits: 5, seconds: 3600 },
  proof: 'password',
  refusals: { both_sides: { ...BOTH_SIDES, field: 'email' } },
})

export const ConfirmEmail = endpoint({
  operation: 'ConfirmEmail',
  summary:
    'Confirm an email address change using an emailed link; it takes effect once both addresses are confirmed',
  method: 'POST',
  path: '/api/auth/confirm-email',
  access: 'anyone',
  input: z.strictObject({ token: z.string().check(z.maxLength(200)) }),
  output: z.object({ outcome: z.enum(['half', 'done']) }),
  limit: { hits: 60, seconds: 600 },
  refusals: {
    invalid_link: { status: 422, title: 'This link has already been used or has expired.' },
    both_sides: BOTH_SIDES,
  },
})

export const ReportNotMe = endpoint({
  operation: 'ReportNotMe',
  summary:
    'With the link in an email about the account: sign everyone out, drop the password and the ways to sign in added since, and email a link for a new password. After a change of address, the one before comes back',
  method: 'POST',
  path: '/api/auth/not-me',
  access: 'anyone',
  input: z.strictObject({ token: z.string().check(z.maxLength(200)) }),
  output: z.object({ outcome: z.literal('signed_out') }),
  limit: { hits: 60, seconds: 600 },
  refusals: {
    invalid_link: { status: 422, title: 'This link has already been used or has expired.' },
    address_taken: {
      status: 409,
      title: 'This address can’t be used for your account anymore. Please contact us.',
    },
  },
})

export const ListDevices = endpoint({
  operation: 'ListDevices',
  summary: 'List the signed-in devices',
  method: 'GET',
  path: '/api/v1/devices',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ devices: z.array(Device) }),
})

export const EndDevice = endpoint({
  operation: 'EndDevice',
  summary: 'Sign out one device',
  method: 'DELETE',
  path: '/api/v1/devices/:id',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})

export const EndOtherDevices = endpoint({
  operation: 'EndOtherDevices',
  summary: 'Sign out every other device',
  method: 'DELETE',
  path: '/api/v1/devices',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})

export interface PasswordFields {
  current_password: string
  password: string
  confirmation: string
}

/** The request body for the password form. Leaves out the current password if the account has no password yet. */
export function toPasswordChange(
  fields: PasswordFields,
  hasPassword: boolean,
): InputOf<typeof ChangePassword> {
  const { current_password, password } = fields
  return hasPassword ? { current_password, password } : { password }
}

export interface EmailFields {
  email: string
  current_password: string
}

/** The request body for the email form. Leaves out the password if the account has no password yet. */
export function toEmailChange(fields: EmailFields, hasPassword: boolean): InputOf<typeof ChangeEmail> {
  const { email, current_password } = fields
  return hasPassword ? { email, current_password } : { email }
}

/** The request body for the name form. A blank name clears the stored one. */
export function toNameChange({ full_name }: { full_name: string }): InputOf<typeof UpdateMe> {
  return { full_name }
}
