// Tutorlog's users: sign-up, sign-in, role and profile. "Session" means a lesson here, so a signed-in browser
// is called a login.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { MadePasskey, MakingOptions, PASSKEY_REFUSED, UsedPasskey } from '#features/passkeys/passkey.ts'
import { Currency } from '#kernel/currency.ts'
import { emailAddress } from '#kernel/text.ts'
import { Code, CODE_REFUSED } from './second-step.ts'
import { MAX_TYPED_LENGTH, passwordProblem, TOO_LONG, TOO_SHORT } from './password.ts'

/**
 * The roles people can choose for themselves; only an operator can make someone an admin
 * (docs/product-decisions.md, section 1).
 */
export const ChosenRole = z.enum(['parent', 'tutor'], { error: 'Choose Parent or Tutor' })
export const Role = z.enum(['parent', 'tutor', 'admin'])

/** The version of the terms that users accept when they sign up (docs/product.md, section 1). */
export const TERMS_VERSION = '2025-06-01'
/**
 * What users accept by signing up: two documents, and the declaration that they're 18 or have a parent's
 * consent (docs/product.md, section 1).
 */
export const ACCEPTED = ['terms', 'privacy', 'age_or_consent'] as const

export const PASSWORDS_DIFFER = 'Passwords do not match'

export const NO_EMAIL = 'Enter your email address'

export const Email = emailAddress(NO_EMAIL)
/** The password someone types to sign in. Any that was ever accepted has to fit, so only its size is checked. */
export const Password = z
  .string({ error: 'Enter your password' })
  .check(z.minLength(1, 'Enter your password'), z.maxLength(MAX_TYPED_LENGTH, TOO_LONG))
export const NewPassword = z
  .string({ error: TOO_SHORT })
  .check(({ value, issues }) => {
    const message = passwordProblem(value)
    if (message) issues.push({ code: 'custom', message, input: value })
  })
  .register(z.globalRegistry, {
    description: '6 to 256 characters after normalization (RFC 8265), none of them a control character',
  })
const Nothing = z.undefined()
const CODE = /^[\w-]{1,100}$/
/** The invitation code the user arrived with. An unknown code is ignored. */
const InvitedBy = z.optional(z.string().check(z.regex(CODE, "This isn't a valid invitation code")))

/** The signed-in user, as sent to the browser. Never includes tokens; those are only in cookies. */
export const Me = z.object({
  id: z.string(),
  email: z.string(),
  email_confirmed_at: z.nullable(z.string()),
  /** The person's role in this workspace: parent in a family, tutor in a practice, or administrator. */
  role: z.nullable(Role),
  /**
   * The workspace named in the request, otherwise the account's first one; null if the account doesn't have
   * one yet.
   */
  workspace: z.nullable(
    z.object({
      id: z.string(),
      kind: z.enum(['family', 'practice']),
      role: z.enum(['owner', 'parent', 'caregiver', 'viewer', 'assistant']),
      can_write: z.boolean(),
      /** The owner's name; null if they didn't give one. */
      owner_name: z.nullable(z.string()),
      /** Whether this is the person's only workspace. */
      is_only: z.boolean(),
    }),
  ),
  /** False for a caregiver, who gets null for every rate and amount. */
  can_see_amounts: z.boolean(),
  /** False for a limited member, who sees only some children or students. */
  has_all_students: z.boolean(),
  full_name: z.nullable(z.string()),
  avatar_url: z.nullable(z.string()),
  /** An IANA name; null until a browser has told it. */
  time_zone: z.nullable(z.string()),
  /** False while the time zone is the browser's. */
  has_chosen_time_zone: z.boolean(),
  /** How the person writes dates, times and numbers: two letters (ISO 3166); null until a browser has told it. */
  region: z.nullable(z.string()),
  /** False while the region is the browser's. */
  has_chosen_region: z.boolean(),
  currency: Currency,
  /**
   * The end of the trial, in ISO 8601: 45 days after the account was created, unless the server is configured
   * otherwise.
   */
  trial_ends_at: z.string(),
  /** Whether this server takes payments. If not, there's no trial and no plan. */
  takes_payments: z.boolean(),
  /** True if the free trial hasn't started yet. It starts with the first workspace the person owns. */
  is_trial_ahead: z.boolean(),
  /** False if the person has only ever signed in with Google. */
  has_password: z.boolean(),
  /** Set once the account has been deleted: the deadline for its owner to restore it, in ISO 8601. */
  deletion_due_at: z.nullable(z.string()),
  /**
   * The speech engine that transcribes recordings on this server; 'off' if the server only handles typed or
   * dictated text.
   */
  speech_engine: z.enum(['local', 'neural', 'remote', 'off']),
  version: z.number(),
})
export type Me = z.output<typeof Me>

/**
 * A login: its user, and when the current access cookie expires. This is the Auth session of docs/product.md,
 * section 3, without the tokens.
 */
export const Login = z.object({ user: Me, expires_at: z.string(), expires_in: z.number() })
export type Login = z.output<typeof Login>

export const Answered = z.object({ message: z.string() })
/** Per-network rate limit for sign-in and sign-up calls. */
export const AUTH_LIMIT = { hits: 200, seconds: 60 }

/** What someone will sign in with: a password or a passkey. */
export const NewSecret = { password: z.optional(NewPassword), passkey: z.optional(MadePasskey) }
/** Refuses a choice of both or neither. */
export const onlyOneSecret = z.refine<{ password?: string | undefined; passkey?: object | undefined }>(
  ({ password, passkey }) => (password === undefined) !== (passkey === undefined),
  { error: TOO_SHORT, path: ['password'] },
)

export const SIGN_UP_CLOSED = { status: 422, title: "This server isn't accepting new accounts." } as const

export const SignUp = endpoint({
  operation: 'SignUp',
  summary:
    'Sign up and get a confirmation link by email. An unconfirmed address can have several separate sign-ups',
  method: 'POST',
  path: '/api/auth/sign-up',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z
    .strictObject({ email: Email, ...NewSecret, role: ChosenRole, ref: InvitedBy })
    .check(onlyOneSecret),
  output: Answered,
  refusals: {
    ...PASSKEY_REFUSED,
    sign_up_closed: SIGN_UP_CLOSED,
    weak_password: { status: 422, title: 'This password is too easy to guess', field: 'password' },
  },
})

export const SignIn = endpoint({
  operation: 'SignIn',
  summary: 'Sign in with email and password and, if the account has a second step, its code',
  method: 'POST',
  path: '/api/auth/sign-in',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ email: Email, password: Password, code: z.optional(Code) }),
  output: Login,
  refusals: { ...CODE_REFUSED, invalid_credentials: { status: 401, title: 'Invalid login credentials' } },
})

export const StartPasskeySignUp = endpoint({
  operation: 'StartPasskeySignUp',
  summary: 'Get what a browser needs to make the passkey of a sign-up',
  method: 'POST',
  path: '/api/auth/passkey/sign-up',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ email: Email }),
  output: MakingOptions,
})

export const SignInWithPasskey = endpoint({
  operation: 'SignInWithPasskey',
  summary: 'Sign in with a passkey',
  method: 'POST',
  path: '/api/auth/passkey',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ passkey: UsedPasskey }),
  output: Login,
  refusals: PASSKEY_REFUSED,
})

export const SignOut = endpoint({
  operation: 'SignOut',
  summary: 'Sign out',
  method: 'POST',
  path: '/api/auth/sign-out',
  access: 'anyone',
  input: z.strictObject({}),
  output: Nothing,
})

export const ReadLogin = endpoint({
  operation: 'ReadLogin',
  summary: 'Get the current login',
  method: 'GET',
  path: '/api/auth/session',
  access: 'signed-in',
  input: z.strictObject({}),
  output: Login,
})

export const RenewLogin = endpoint({
  operation: 'RenewLogin',
  summary:
    "Renew the current login's cookies; 'active' says whether the user has been active since the last renewal",
  method: 'POST',
  path: '/api/auth/refresh',
  access: 'anyone',
  input: z.strictObject({ active: z.optional(z.boolean()) }),
  output: Login,
  refusals: { session_missing: { status: 401, title: 'Auth session missing!' } },
})

export const StartGoogle = endpoint({
  operation: 'StartGoogle',
  summary: 'Get the URL for signing in with Google',
  method: 'POST',
  path: '/api/auth/google',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ ref: InvitedBy }),
  output: z.object({ url: z.string() }),
  refusals: {
    google_not_set_up: { status: 422, title: 'Google sign-in is not set up on this server.' },
    google_away: {
      status: 422,
      title: "Google can't be reached right now. Please use your email and password.",
    },
  },
})

/**
 * The invitation code in the sign-up page's address. A malformed code is ignored, so that it never blocks the
 * sign-up.
 */
export function invitationIn(query: string): string | undefined {
  const code = new URLSearchParams(query).get('ref')?.trim()
  return code && CODE.test(code) ? code : undefined
}

/**
 * The name to show: the full name, else the part of the email before the @, else "User" (docs/product.md, App
 * shell).
 */
export function displayName(user: Pick<Me, 'full_name' | 'email'>): string {
  return user.full_name || user.email.split('@')[0] || 'User'
}

/**
 * The letters in the avatar: initials of the full name, else the first letter of the email, else "U"
 * (docs/product.md, App shell).
 */
export function initials(user: Pick<Me, 'full_name' | 'email'>): string {
  const words = user.full_name?.trim().split(/\s+/).filter(Boolean) ?? []
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  const text = letters.map((word) => [...(word ?? '')][0] ?? '').join('')
  return (text || [...user.email][0] || 'U').toUpperCase()
}
