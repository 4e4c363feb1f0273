// A tutor's own hourly rate as it is typed, on the dashboard, in the account settings and where a session is logged.
import * as z from 'zod/mini'
import type { InputOf } from '#kernel/endpoint.ts'
import { Rate } from '#kernel/money.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import type { UpdateTutor } from './tutor.ts'

export interface OwnRateFields {
  hourly_rate: string
}

/** A rate is there: the card asks until one is given. */
export const OwnRate = z.strictObject({ hourly_rate: Rate })
/** In the settings it may be taken back. */
export const OwnRateOrNone = z.strictObject({ hourly_rate: z.nullable(Rate) })

/** What is sent: an emptied rate is taken back. */
export function toOwnRate({ hourly_rate: rate }: OwnRateFields) {
  return { hourly_rate: typedNumberOrNull(rate) } satisfies InputOf<typeof UpdateTutor>
}
