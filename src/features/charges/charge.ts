// A charge or credit: what a family owes for anything but a lesson, such as a book or a fee, or what it's let off. It
// counts once both sides have confirmed it, like a payment.
import * as z from 'zod/mini'
import { Day } from '#kernel/calendar-day.ts'
import { amountUpTo, type Cents, cents, Currency, MAX_AMOUNT } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { NOT_PROPOSED, OTHER_CLOSED, SAYS_NOTHING } from '#features/agreements/answer.ts'
import { HistoryEntry } from '#features/agreements/history.ts'
import { REASONS } from '#features/payments/payment.ts'

/** The facts of a charge, as every response has them. */
const facts = {
  date: z.string(),
  /** In the charge's currency. Positive if the family owes more, negative for a credit. */
  amount: z.number(),
  reason: z.enum(REASONS),
  /** What it's for, in words that both sides see. */
  label: z.nullable(z.string()),
  currency: Currency,
}
/** What both sides say about it, and when an answer was asked for, as for payments. */
const agreement = {
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  /** The note on a dispute. If both sides left one, it's the other side's. */
  dispute_note: z.nullable(z.string()),
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  /** True if the other side's account was deleted or disabled. In that case, the charge can't be changed. */
  is_read_only: z.boolean(),
  version: z.number(),
}

export const Charge = z.object({
  id: z.string(),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  ...facts,
  /** The connection that the charge is shared through; null if it's only in your own records. */
  connection_id: z.nullable(z.string()),
  ...agreement,
  /** True if it counts in the balance, which means that both sides confirmed it or it isn't shared. */
  counts: z.boolean(),
  is_shared: z.boolean(),
  /** The planned day of the class that it's for, if agreed terms proposed it. */
  class_date: z.nullable(z.string()),
  /** The month, term or week whose fee it is, if agreed terms proposed it. */
  fee_period: z.nullable(z.string()),
})
export type Charge = z.output<typeof Charge>

/** A charge as the other side may see it: without people who aren't shared. */
export const SharedCharge = z.object({
  id: z.string(),
  connection_id: z.string(),
  /** What the reader calls the other side; null if the tutor was deleted. */
  other_name: z.nullable(z.string()),
  /** What the reader calls the child or student; null if the charge isn't for anyone in particular. */
  student_name: z.nullable(z.string()),
  ...facts,
  ...agreement,
  /** What the open dispute proposes: the day and amount that are right, or that the charge should be deleted. */
  proposal: z.nullable(
    z.object({ by: z.enum(['you', 'other']), is_removal: z.boolean(), date: z.string(), amount: z.number() }),
  ),
  waits_for_you: z.boolean(),
})
export type SharedCharge = z.output<typeof SharedCharge>

/** Limits how much one account can store (promise I17). */
export const MAX_CHARGES = 10_000
export const MAX_LABEL = 80
const NO_AMOUNT = 'Enter an amount other than 0'

const AmountWithoutSign = amountUpTo(MAX_AMOUNT, {
  negative: NO_AMOUNT,
  tooLarge: 'The amount can be at most 20,000,000',
})
const SIGN = /^\s*[-−]\s*/

/** Schema for an amount of a charge: like any other, but a credit has a minus sign. Parses to cents. */
export const ChargeAmount = z.pipe(
  z.union([z.number(), z.string()], { error: 'Enter an amount such as 45 or 45.50' }),
  z.transform((value, context): Cents => {
    const text = String(value)
    const size = AmountWithoutSign.safeParse(SIGN.test(text) ? text.replace(SIGN, '') : value)
    if (size.success && size.data !== 0) return cents(SIGN.test(text) ? -size.data : size.data)
    const message = size.success ? NO_AMOUNT : (size.error.issues[0]?.message ?? NO_AMOUNT)
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  }),
)

const fields = {
  tutor_id: z.optional(z.nullable(z.uuid({ error: 'Please select a tutor' }))),
  student_id: z.optional(z.nullable(z.uuid({ error: 'Please select a student' }))),
  date: Day,
  amount: ChargeAmount,
  reason: z._default(z.enum(REASONS, { error: 'Choose a reason' }), 'other'),
  label: optionalText(MAX_LABEL),
}
export const NewCharge = z.strictObject({
  ...fields,
  /**
   * The id of the charge's connection. Required if the student has several connections, or if the charge doesn't
   * name anyone.
   */
  connection_id: z.optional(z.uuid()),
  /** If given, it has to match the account's currency. */
  currency: z.optional(Currency),
  /** True if the user said that this isn't the existing charge with the same facts. */
  is_another: z.optional(z.boolean()),
})
export type NewCharge = z.output<typeof NewCharge>
const ChargeChanges = z.strictObject({
  ...fields,
  date: z.optional(fields.date),
  amount: z.optional(fields.amount),
  reason: z.optional(z.enum(REASONS)),
})

const refusals = {
  unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'student_id' },
  unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
  no_tutor: { status: 422, title: 'Please select a tutor', field: 'tutor_id' },
  no_student: { status: 422, title: 'Please select a student', field: 'student_id' },
  too_far_ahead: { status: 422, title: "A charge can't be dated later than tomorrow", field: 'date' },
} as const
const changed = {
  changed: { status: 409, title: 'This charge was changed somewhere else. Please check it and try again.' },
  ...OTHER_CLOSED,
} as const
const callers = ['parent', 'tutor', 'admin', 'link'] as const
const writes = { meetsClosedMonths: true, access: callers, needsAllStudents: true } as const
const reads = {
  method: 'GET',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
} as const

export const ListCharges = endpoint({
  ...reads,
  operation: 'ListCharges',
  summary:
    "List the charges and credits in a date range, newest first; without one, the current month's. 'today' is the caller's local date",
  path: '/api/v1/charges',
  input: z.strictObject({ from: z.optional(Day), to: z.optional(Day), today: z.optional(Day) }),
  output: z.array(Charge),
})
export const ReadCharge = endpoint({
  ...reads,
  operation: 'ReadCharge',
  summary: 'Get a charge or credit',
  path: '/api/v1/charges/:id',
  input: z.strictObject({}),
  output: Charge,
})
export const AddCharge = endpoint({
  ...writes,
  operation: 'AddCharge',
  summary: 'Record a charge, or a credit with a negative amount',
  method: 'POST',
  path: '/api/v1/charges',
  creates: true,
  input: NewCharge,
  output: Charge,
  refusals: {
    ...refusals,
    too_many_rows: { status: 422, title: 'You have reached the limit of 10,000 charges' },
    same_charge: { status: 409, title: 'The same charge is already recorded' },
    not_connected: {
      status: 422,
      title: 'This connection has ended, or this student is not part of it',
      field: 'connection_id',
    },
    other_currency: { status: 422, title: 'These records are in another currency', field: 'currency' },
  },
})
export const UpdateCharge = endpoint({
  ...writes,
  operation: 'UpdateCharge',
  summary: 'Change a charge or credit',
  method: 'PATCH',
  path: '/api/v1/charges/:id',
  input: ChargeChanges,
  output: Charge,
  refusals: {
    ...refusals,
    ...changed,
    other_connection: {
      status: 409,
      title: 'This charge is shared. Record a new one, and delete this one.',
    },
  },
})
export const DeleteCharge = endpoint({
  ...writes,
  operation: 'DeleteCharge',
  summary:
    'Delete a charge. If the other side ever confirmed it and has to agree first, the response is 202 with code deletion_requested',
  method: 'DELETE',
  path: '/api/v1/charges/:id',
  input: z.strictObject({}),
  output: z.optional(z.object({ code: z.literal('deletion_requested'), version: z.number() })),
  refusals: changed,
})
export const WaiveCharge = endpoint({
  method: 'POST',
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
  isFree: true,
  meetsClosedMonths: true,
  operation: 'WaiveCharge',
  summary:
    'Waive a charge or credit that agreed terms proposed and that you would be paid. How its class ended stays recorded',
  path: '/api/v1/charges/:id/waive',
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: {
    ...changed,
    not_waivable: {
      status: 409,
      title: 'Only whoever would be paid by your terms can waive it, until the other side confirms it',
    },
  },
})

/** Reasons for rejecting an answer about a charge. */
const answeredLate = {
  changed: { status: 409, title: 'This charge has changed since you opened it. Please check it again.' },
  not_shared: { status: 409, title: "This charge isn't shared with anyone" },
  ...OTHER_CLOSED,
} as const
const answered = { ...writes, method: 'POST', isFree: true, output: Charge } as const

export const ListWaitingCharges = endpoint({
  ...reads,
  operation: 'ListWaitingCharges',
  summary: 'List charges that are waiting for your answer or were sent back by the other side, newest first',
  path: '/api/v1/charges/waiting',
  input: z.strictObject({}),
  output: z.object({
    charges: z.array(SharedCharge),
    /** Charges that this side recorded and the other side sent back. */
    sent_back: z.array(SharedCharge),
  }),
})
export const ConfirmCharge = endpoint({
  ...answered,
  operation: 'ConfirmCharge',
  summary: 'Confirm a charge for your side',
  path: '/api/v1/charges/:id/confirm',
  input: z.strictObject({}),
  refusals: answeredLate,
})
export const WithdrawChargeConfirmation = endpoint({
  ...answered,
  operation: 'WithdrawChargeConfirmation',
  summary: "Withdraw your side's confirmation or dispute of a charge",
  method: 'DELETE',
  path: '/api/v1/charges/:id/confirm',
  input: z.strictObject({}),
  refusals: answeredLate,
})
export const DisputeCharge = endpoint({
  ...answered,
  operation: 'DisputeCharge',
  summary: 'Dispute a charge with a note, a proposal of what would be right, or both',
  path: '/api/v1/charges/:id/dispute',
  input: z.strictObject({
    note: optionalText(500),
    proposal: z.optional(
      z.strictObject({
        date: z.optional(Day),
        amount: z.optional(ChargeAmount),
        is_removal: z.optional(z.literal(true)),
      }),
    ),
  }),
  refusals: { ...answeredLate, ...SAYS_NOTHING, too_far_ahead: refusals.too_far_ahead },
})
export const AcceptCharge = endpoint({
  ...answered,
  operation: 'AcceptCharge',
  summary:
    'Accept what the other side proposed: the charge changes and both have confirmed it, or it is deleted (204)',
  path: '/api/v1/charges/:id/accept',
  input: z.strictObject({}),
  output: z.optional(Charge),
  refusals: { changed: answeredLate.changed, ...NOT_PROPOSED, ...OTHER_CLOSED },
})
export const KeepCharge = endpoint({
  ...answered,
  operation: 'KeepCharge',
  summary:
    'Keep a charge that someone asked to delete: either they withdraw the request or the other person declines it',
  path: '/api/v1/charges/:id/keep',
  input: z.strictObject({}),
  refusals: {
    changed: answeredLate.changed,
    not_asked: { status: 409, title: 'No one has asked to delete this charge' },
    ...OTHER_CLOSED,
  },
})
export const ShareCharges = endpoint({
  ...writes,
  operation: 'ShareCharges',
  summary:
    'Share charges from your records. If the other side recorded one with the same facts, the two become one',
  method: 'POST',
  path: '/api/v1/charges/share',
  access: ['parent', 'tutor', 'admin'],
  input: z.strictObject({
    charges: z
      .array(z.uuid())
      .check(z.minLength(1, 'Choose at least one charge'), z.maxLength(500, 'Choose at most 500 charges')),
  }),
  output: z.object({ charges: z.array(Charge) }),
  refusals: {
    not_connected: { status: 409, title: "You aren't connected with anyone who could see this charge" },
  },
})

export const ChargeHistoryEntry = z.object({
  ...HistoryEntry.shape,
  /** The charge's facts after this entry. */
  ...facts,
})
export type ChargeHistoryEntry = z.output<typeof ChargeHistoryEntry>
export const ReadChargeHistory = endpoint({
  ...reads,
  operation: 'ReadChargeHistory',
  summary: "Get a charge's history, oldest entry first; both sides see the same history",
  path: '/api/v1/charges/:id/history',
  input: z.strictObject({}),
  output: z.object({ entries: z.array(ChargeHistoryEntry) }),
})
