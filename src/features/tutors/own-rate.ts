// A tutor's own hourly rate, as entered on the dashboard, in the account settings or in the session form.
import * as z from 'zod/mini'
import type { InputOf } from '#kernel/endpoint.ts'
import { Rate } from '#kernel/money.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import type { UpdateTutor } from './tutor.ts'

export interface OwnRateFields {
  hourly_rate: string
}

/** A rate is required, because the card keeps asking until there is one. */
export const OwnRate = z.strictObject({ hourly_rate: Rate })
/** In the settings, the rate can be removed. */
export const OwnRateOrNone = z.strictObject({ hourly_rate: z.nullable(Rate) })

/** The request body. If the rate was cleared, the stored rate is removed. */
export function toOwnRate({ hourly_rate: rate }: OwnRateFields) {
  return { hourly_rate: typedNumberOrNull(rate) } satisfies InputOf<typeof UpdateTutor>
}
