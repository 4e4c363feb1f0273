// How the two sides confirm a payment: one says "I paid", and the other is asked "Received?". A payment
// counts once both have confirmed it.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { Day } from '#kernel/calendar-day.ts'
import { optionalText } from '#kernel/text.ts'
import { NOT_PROPOSED, OTHER_CLOSED, SAYS_NOTHING } from '#features/agreements/answer.ts'
import { Amount, METHODS, Payment, PAYMENT_KINDS } from './payment.ts'

/** A payment as the other side may see it: without private notes, and without people who aren't shared. */
export const SharedPayment = z.object({
  id: z.string(),
  connection_id: z.string(),
  /** What the reader calls the other side; null if the tutor was deleted. */
  other_name: z.nullable(z.string()),
  /** What the reader calls the child or student; null if the payment isn't for anyone in particular. */
  student_name: z.nullable(z.string()),
  date: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  /** In the payment's currency. */
  amount: z.number(),
  hours: z.nullable(z.number()),
  method: z.nullable(z.enum(METHODS)),
  reference: z.nullable(z.string()),
  currency: Currency,
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  dispute_note: z.nullable(z.string()),
  /** What the open dispute proposes: the day and amount that are right, or that the payment should be deleted. */
  proposal: z.nullable(
    z.object({ by: z.enum(['you', 'other']), is_removal: z.boolean(), date: z.string(), amount: z.number() }),
  ),
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  waits_for_you: z.boolean(),
  /**
   * When the missing answer was first requested, how many reminders were sent, and when the last one was.
   * Refers to the reader's answer if the reader hasn't given one; otherwise, to the other side's.
   */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  is_read_only: z.boolean(),
  version: z.number(),
})
export type SharedPayment = z.output<typeof SharedPayment>

const answered = {
  meetsClosedMonths: true,
  method: 'POST',
  access: ['parent', 'tutor', 'admin', 'link'],
  needsAllStudents: true,
  isFree: true,
  output: Payment,
} as const
/** Reasons for rejecting an answer about a payment. */
const PAYMENT_ANSWERED_LATE = {
  changed: { status: 409, title: 'This payment has changed since you opened it. Please check it again.' },
  not_shared: { status: 409, title: "This payment isn't shared with anyone" },
  ...OTHER_CLOSED,
} as const

export const ListWaitingPayments = endpoint({
  operation: 'ListWaitingPayments',
  summary: 'List payments that are waiting for your answer or were sent back by the other side, newest first',
  method: 'GET',
  path: '/api/v1/payments/waiting',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({
    payments: z.array(SharedPayment),
    /** Payments that this side reported and the other side sent back. */
    sent_back: z.array(SharedPayment),
  }),
})
export const ListUnsharedPayments = endpoint({
  operation: 'ListUnsharedPayments',
  summary:
    "List payments that are only in your records but involve someone you're connected with, newest first",
  method: 'GET',
  path: '/api/v1/payments/unshared',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ payments: z.array(Payment) }),
})
export const ConfirmPayment = endpoint({
  ...answered,
  operation: 'ConfirmPayment',
  summary: 'Confirm a payment for your side',
  path: '/api/v1/payments/:id/confirm',
  input: z.strictObject({}),
  refusals: PAYMENT_ANSWERED_LATE,
})
export const WithdrawPaymentConfirmation = endpoint({
  ...answered,
  operation: 'WithdrawPaymentConfirmation',
  summary: "Withdraw your side's confirmation or dispute of a payment",
  method: 'DELETE',
  path: '/api/v1/payments/:id/confirm',
  input: z.strictObject({}),
  refusals: PAYMENT_ANSWERED_LATE,
})
export const DisputePayment = endpoint({
  ...answered,
  operation: 'DisputePayment',
  summary: 'Dispute a payment with a note, a proposal of what would be right, or both',
  path: '/api/v1/payments/:id/dispute',
  input: z.strictObject({
    note: optionalText(500),
    proposal: z.optional(
      z.strictObject({
        date: z.optional(Day),
        amount: z.optional(Amount),
        is_removal: z.optional(z.literal(true)),
      }),
    ),
  }),
  refusals: { ...PAYMENT_ANSWERED_LATE, ...SAYS_NOTHING },
})
export const AcceptPayment = endpoint({
  ...answered,
  operation: 'AcceptPayment',
  summary:
    'Accept what the other side proposed: the payment changes and both have confirmed it, or it is deleted (204)',
  path: '/api/v1/payments/:id/accept',
  input: z.strictObject({}),
  output: z.optional(Payment),
  refusals: { changed: PAYMENT_ANSWERED_LATE.changed, ...NOT_PROPOSED, ...OTHER_CLOSED },
})
export const KeepPayment = endpoint({
  ...answered,
  operation: 'KeepPayment',
  summary:
    'Keep a payment that someone asked to delete: either they withdraw the request or the other person declines it',
  path: '/api/v1/payments/:id/keep',
  input: z.strictObject({}),
  refusals: {
    changed: PAYMENT_ANSWERED_LATE.changed,
    not_asked: { status: 409, title: 'No one has asked to delete this payment' },
    ...OTHER_CLOSED,
  },
})
export const SharePayments = endpoint({
  operation: 'SharePayments',
  meetsClosedMonths: true,
  summary:
    'Share payments from your records. If the other side recorded one with the same day, kind and amount, the two become one',
  method: 'POST',
  path: '/api/v1/payments/share',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  input: z.strictObject({
    payments: z
      .array(z.uuid())
      .check(z.minLength(1, 'Choose at least one payment'), z.maxLength(500, 'Choose at most 500 payments')),
  }),
  output: z.object({ payments: z.array(Payment) }),
  refusals: {
    not_connected: { status: 409, title: "You aren't connected with anyone who could see this payment" },
  },
})
