// A session's history, as the API returns it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { HistoryEntry } from '#features/agreements/history.ts'

export const SessionHistoryEntry = z.object({
  ...HistoryEntry.shape,
  /**
   * The session's facts after this entry. Amounts are in the family's currency, or in the practice's if the
   * session was never shared.
   */
  date: z.string(),
  duration: z.number(),
  currency: Currency,
  rate: z.nullable(z.number()),
  lesson_price: z.nullable(z.number()),
  lesson_minutes: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  subject: z.nullable(z.string()),
})
export type SessionHistoryEntry = z.output<typeof SessionHistoryEntry>

export const ReadHistory = endpoint({
  operation: 'ReadHistory',
  summary: "Get a session's history, oldest entry first; both sides see the same history",
  method: 'GET',
  path: '/api/v1/sessions/:id/history',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ entries: z.array(SessionHistoryEntry) }),
})
