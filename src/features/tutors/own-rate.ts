// A tutor's hourly rate as entered on the dashboard, in the account settings or in the session form.
import * as z from 'zod/mini'
import type { InputOf } from '#kernel/endpoint.ts'
import { Rate } from '#kernel/money.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import type { UpdateTutor } from './tutor.ts'

export interface OwnRateFields {
  hourly_rate: string
}

/** Requires a rate, because the card keeps asking until there is one. */
export const OwnRate = z.strictObject({ hourly_rate: Rate })
/** In the settings, the rate can be cleared. */
export const OwnRateOrNone = z.strictObject({ hourly_rate: z.nullable(Rate) })

/** The request body. If the rate was cleared, it's removed. */
export function toOwnRate({ hourly_rate: rate }: OwnRateFields) {
  return { hourly_rate: typedNumberOrNull(rate) } satisfies InputOf<typeof UpdateTutor>
}
