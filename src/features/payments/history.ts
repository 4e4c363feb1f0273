// A payment's history, as the API returns it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { HistoryEntry } from '#features/agreements/history.ts'
import { METHODS, PAYMENT_KINDS } from './payment.ts'

export const PaymentHistoryEntry = z.object({
  ...HistoryEntry.shape,
  /** The payment's facts after this entry. */
  date: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  /** In the payment's currency. */
  amount: z.number(),
  hours: z.nullable(z.number()),
  method: z.nullable(z.enum(METHODS)),
  currency: Currency,
})
export type PaymentHistoryEntry = z.output<typeof PaymentHistoryEntry>

export const ReadPaymentHistory = endpoint({
  operation: 'ReadPaymentHistory',
  summary: "Get a payment's history, oldest entry first; both sides see the same history",
  method: 'GET',
  path: '/api/v1/payments/:id/history',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ entries: z.array(PaymentHistoryEntry) }),
})
