// The account settings a signed-in user can change. Kept out of account.ts so that the sign-in pages don't
// load them.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { optionalText } from '#kernel/text.ts'
import { Region } from '#kernel/reader.ts'
import { TimeZone } from '#kernel/time-zone.ts'
import { ChosenRole, Me } from './account.ts'
import { MAX_TYPED_LENGTH, TOO_LONG } from './password.ts'

/** The currencies an account can use. All of them have two decimals or none. */
export const CURRENCIES = [
  'USD',
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'ILS',
  'INR',
  'JPY',
  'KRW',
  'MXN',
  'MYR',
  'NOK',
  'NZD',
  'PHP',
  'PLN',
  'RON',
  'SEK',
  'SGD',
  'THB',
  'TRY',
  'ZAR',
] as const

const AccountCurrency = z.enum(CURRENCIES, { error: 'Choose a currency from the list' }).brand<'Currency'>()

/** The current password; omitted if the account has none. */
export const OwnPassword = z.optional(z.string().check(z.maxLength(MAX_TYPED_LENGTH, TOO_LONG)))

export const ReadMe = endpoint({
  operation: 'ReadMe',
  summary: "Get the signed-in user's profile, role and trial",
  method: 'GET',
  path: '/api/v1/me',
  access: 'confirmed',
  input: z.strictObject({}),
  output: Me,
})

export const SetRole = endpoint({
  operation: 'SetRole',
  summary: 'Choose your role; you can do this only once',
  method: 'PUT',
  path: '/api/v1/me/role',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ role: ChosenRole }),
  output: Me,
  refusals: { role_set: { status: 409, title: 'Your role is already set' } },
})

export const MeChanges = z.strictObject({
  full_name: optionalText(120),
  currency: z.optional(AccountCurrency),
  /** Agrees that existing amounts keep their numbers in the new currency. Nothing is converted. */
  relabel: z.optional(z.boolean()),
  time_zone: z.optional(TimeZone),
  /** Changes the time zone only if the person hasn't chosen one. */
  browser_time_zone: z.optional(TimeZone),
  region: z.optional(Region),
  /** Changes the region only if the person hasn't chosen one. */
  browser_region: z.optional(Region),
  onboarding_dismissed: z.optional(z.literal(true)),
})
export const UpdateMe = endpoint({
  operation: 'UpdateMe',
  summary: 'Update the profile',
  method: 'PATCH',
  path: '/api/v1/me',
  access: 'confirmed',
  isFree: true,
  input: MeChanges,
  output: Me,
  refusals: {
    changed: {
      status: 409,
      title: 'Your profile was changed somewhere else. Please check it and try again.',
    },
    currency_not_yours: {
      status: 403,
      title: 'Only the owner can change the currency.',
      field: 'currency',
    },
    other_currency: {
      status: 409,
      title: 'You share sessions or payments with someone. What you share stays in its currency.',
      field: 'currency',
    },
    decimals_exist: {
      status: 409,
      title:
        'Some of your rates or amounts have decimals. Change those first, because the new currency has none.',
      field: 'currency',
    },
    amounts_exist: {
      status: 409,
      title: 'Your amounts would keep their numbers in the new currency. Nothing is converted.',
      field: 'currency',
    },
  },
})

/**
 * How long the owner of a deleted account has to change their mind. The purge follows within a day, so
 * erasure is complete within 30 days (docs/product-decisions.md, section 7).
 */
export const KEEP_DAYS = 29

export const KeepAccount = endpoint({
  operation: 'KeepAccount',
  summary: "Cancel the account's deletion before the account is erased",
  method: 'POST',
  path: '/api/auth/keep-account',
  access: 'signed-in',
  input: z.strictObject({}),
  output: Me,
})
