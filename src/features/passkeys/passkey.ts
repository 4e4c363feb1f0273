// Passkeys: what devices are asked, what they answer, and an account's own list. Signing up and in with them is in
// accounts/.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { requiredText } from '#kernel/text.ts'

/** How many passkeys an account can have. */
export const MOST_PASSKEYS = 20
const MAX_NAME_LENGTH = 60

const INVALID = "This isn't a valid passkey"
/** Bytes in base64url, as in the JSON that browsers make of passkeys. */
const bytes = (most: number) =>
  z
    .string({ error: INVALID })
    .check(z.regex(/^[\w-]+$/, INVALID), z.maxLength(Math.ceil((most * 4) / 3), INVALID))

/** A passkey that a device has just made. */
export const MadePasskey = z.strictObject({
  id: bytes(1023),
  client_data: bytes(2000),
  attestation: bytes(16_000),
  /** How browsers reach the device that has it. */
  transports: z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/, INVALID))).check(z.maxLength(10, INVALID)),
})
export type MadePasskey = z.output<typeof MadePasskey>

/** A device's proof that it has a passkey. */
export const UsedPasskey = z.strictObject({
  id: bytes(1023),
  client_data: bytes(2000),
  authenticator_data: bytes(2000),
  signature: bytes(2000),
  user_handle: z.optional(bytes(64)),
})
export type UsedPasskey = z.output<typeof UsedPasskey>

const Known = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** What a browser needs to make a passkey (WebAuthn, PublicKeyCredentialCreationOptionsJSON). */
export const MakingOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Known),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('preferred'),
  }),
})
export type MakingOptions = z.output<typeof MakingOptions>

/** What a browser needs to use one (WebAuthn, PublicKeyCredentialRequestOptionsJSON). */
export const UsingOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('preferred'),
  /** Empty if the person chooses among all their passkeys for this site. */
  allowCredentials: z.array(Known),
})
export type UsingOptions = z.output<typeof UsingOptions>

/**
 * The refusal of a passkey, whatever is wrong with it: not known here, for another site, used before, too late, or
 * without anyone present.
 */
export const PASSKEY_REFUSED = {
  passkey_refused: { status: 422, title: 'This passkey didn’t work. Please try again, or use another way.' },
} as const

const Passkey = z.object({
  id: z.string(),
  /** At first, the browser and system it was made on. */
  name: z.string(),
  created_at: z.string(),
  used_at: z.nullable(z.string()),
})
export type Passkey = z.output<typeof Passkey>

export const ReadWaysIn = endpoint({
  operation: 'ReadWaysIn',
  summary:
    'List the ways to sign in: the passkeys, oldest first, whether there is a password or Google, and the second step',
  method: 'GET',
  path: '/api/v1/me/passkeys',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({
    passkeys: z.array(Passkey),
    has_password: z.boolean(),
    has_google: z.boolean(),
    /** Null if signing in with the password takes nothing else. */
    second_step: z.nullable(z.object({ on_since: z.string(), recovery_codes_left: z.number() })),
  }),
})

export const StartPasskey = endpoint({
  operation: 'StartPasskey',
  summary: 'Get what a browser needs to make another passkey',
  method: 'POST',
  path: '/api/v1/me/passkeys/start',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: MakingOptions,
  limit: { hits: 60, seconds: 600 },
})

export const AddPasskey = endpoint({
  operation: 'AddPasskey',
  summary: 'Add a passkey that a browser has made',
  method: 'POST',
  path: '/api/v1/me/passkeys',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({ passkey: MadePasskey }),
  output: Passkey,
  limit: { hits: 60, seconds: 600 },
  refusals: {
    ...PASSKEY_REFUSED,
    too_many_passkeys: { status: 409, title: `At most ${MOST_PASSKEYS} passkeys. Remove one first.` },
  },
})

export const PasskeyName = z.strictObject({ name: requiredText(MAX_NAME_LENGTH, 'Enter a name') })
export const RenamePasskey = endpoint({
  operation: 'RenamePasskey',
  summary: 'Rename a passkey',
  method: 'PATCH',
  path: '/api/v1/me/passkeys/:id',
  access: 'confirmed',
  isFree: true,
  input: PasskeyName,
  output: Passkey,
})

export const RemovePasskey = endpoint({
  operation: 'RemovePasskey',
  summary: 'Remove a passkey; the last way to sign in stays',
  method: 'DELETE',
  path: '/api/v1/me/passkeys/:id',
  access: 'confirmed',
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: {
    last_way_in: {
      status: 409,
      title: 'This is your only way to sign in. Add another passkey or set a password first.',
    },
  },
})

export const StartPasskeyProof = endpoint({
  operation: 'StartPasskeyProof',
  summary: "Get what a browser needs to use one of the account's passkeys",
  method: 'POST',
  path: '/api/v1/me/proof/start',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: UsingOptions,
  limit: { hits: 60, seconds: 600 },
})

export const StartPasskeySignIn = endpoint({
  operation: 'StartPasskeySignIn',
  summary: 'Get what a browser needs to offer the passkeys it has for this site',
  method: 'POST',
  path: '/api/auth/passkey/start',
  access: 'anyone',
  limit: { hits: 200, seconds: 60 },
  input: z.strictObject({}),
  output: UsingOptions,
})

/** A name that no passkey of the account has yet. */
export function freeName(device: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? device : `${device} ${number}`
    if (!taken.includes(name)) return name
  }
}
