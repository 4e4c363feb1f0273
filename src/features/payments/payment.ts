// A payment: money that a family paid a tutor, prepaid hours, or a debt from before the first entry.
import * as z from 'zod/mini'
import { addDays, type CalendarDay, Day, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { durationInHours, type Minutes } from '#kernel/duration.ts'
import { endpoint } from '#features/access/endpoint.ts'
import type { Role } from '#features/access/role.ts'
import { amountUpTo, type Cents, Currency, MAX_AMOUNT } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { OTHER_CLOSED } from '#features/agreements/answer.ts'
import { REFERENCE } from './reference.ts'

/** 'hours' pays for lessons in advance; 'opening' is a debt from before the first entry. */
export const PAYMENT_KINDS = ['payment', 'hours', 'opening'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export const METHODS = ['cash', 'transfer', 'card', 'check', 'app', 'other'] as const
export type Method = (typeof METHODS)[number]

/** Why something other than a lesson is charged or credited. */
export const REASONS = ['missed_lesson', 'fee', 'materials', 'travel', 'discount', 'refund', 'other'] as const
export type Reason = (typeof REASONS)[number]

/** Whether balances are kept per tutor or per student. */
export type KeptWith = 'tutor' | 'student'

/** Families keep one balance per tutor; tutors keep one per student. */
export function keptWithOf(role: Role | null): KeptWith {
  return role === 'parent' ? 'tutor' : 'student'
}

export const Payment = z.object({
  id: z.string(),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  date: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  /** Dollars. */
  amount: z.number(),
  /** Hours bought; null for a payment that doesn't buy any. */
  hours: z.nullable(z.number()),
  method: z.nullable(z.enum(METHODS)),
  /** The reference that the payer added to it, such as "TL-7K3Q". */
  reference: z.nullable(z.string()),
  /** The reader's private note, which is never sent to the other side. */
  note: z.nullable(z.string()),
  /** The connection that the payment is shared through; null if it's only in your own records. */
  connection_id: z.nullable(z.string()),
  currency: Currency,
  own_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  other_confirmation: z.enum(['none', 'confirmed', 'disputed']),
  /** The note on a dispute. If both sides left one, it's the other side's. */
  dispute_note: z.nullable(z.string()),
  deletion_asked_by: z.nullable(z.enum(['you', 'other'])),
  /** True if it counts in the balance, which means that both sides confirmed it or it isn't shared. */
  counts: z.boolean(),
  is_shared: z.boolean(),
  /**
   * Same as for sessions: when the answer was first requested, how many reminders were sent, and when the
   * last one was.
   */
  asked_at: z.nullable(z.string()),
  reminders: z.number(),
  reminded_at: z.nullable(z.string()),
  /** True if the other side's account was deleted or disabled. In that case, the payment can't be changed. */
  is_read_only: z.boolean(),
  version: z.number(),
})
export type Payment = z.output<typeof Payment>

/** More payments than a family makes in a lifetime. Limits how much one account can store (promise I17). */
export const MAX_PAYMENTS = 10_000
/** The most hours that one payment can buy. */
const MAX_PREPAID_HOURS = 1000

const NO_AMOUNT = 'Enter an amount above 0'
export const Amount = amountUpTo(MAX_AMOUNT, {
  negative: NO_AMOUNT,
  tooLarge: 'The amount can be at most 20,000,000',
})

const fields = {
  tutor_id: z.optional(z.nullable(z.uuid({ error: 'Please select a tutor' }))),
  student_id: z.optional(z.nullable(z.uuid({ error: 'Please select a student' }))),
  date: Day,
  kind: z._default(z.enum(PAYMENT_KINDS, { error: 'Choose a type' }), 'payment'),
  amount: Amount,
  hours: z.optional(z.nullable(durationInHours(0.25, 0.25, 'Enter the hours paid for', MAX_PREPAID_HOURS))),
  method: z.optional(z.nullable(z.enum(METHODS, { error: 'Choose how it was paid' }))),
  note: optionalText(500),
}
const Reference = z.string().check(z.regex(REFERENCE, 'This is not a payment reference'))
export const NewPayment = z.strictObject({
  ...fields,
  /**
   * The id of the payment's connection. Required if the student has several connections, or if the payment
   * doesn't name anyone.
   */
  connection_id: z.optional(z.uuid()),
  /** If given, it has to match the account's currency. */
  currency: z.optional(Currency),
  /**
   * True if the user said that this isn't the existing payment with the same day and amount. Otherwise, a
   * duplicate is rejected, so that the app can ask the user.
   */
  is_another: z.optional(z.boolean()),
  /** The reference that came with the ways to pay. */
  reference: z.optional(z.nullable(Reference)),
})
export type NewPayment = z.output<typeof NewPayment>
const PaymentChanges = z.strictObject({
  ...fields,
  date: z.optional(fields.date),
  kind: z.optional(z.enum(PAYMENT_KINDS)),
  amount: z.optional(fields.amount),
})

const refusals = {
  unknown_student: { status: 422, title: 'This student is no longer on your list', field: 'student_id' },
  unknown_tutor: { status: 422, title: 'This tutor is no longer on your list', field: 'tutor_id' },
  no_tutor: { status: 422, title: 'Please select a tutor', field: 'tutor_id' },
  no_student: { status: 422, title: 'Please select a student', field: 'student_id' },
  no_hours: { status: 422, title: 'Enter the hours paid for', field: 'hours' },
  no_amount: { status: 422, title: NO_AMOUNT, field: 'amount' },
  too_far_ahead: { status: 422, title: "A payment can't be dated later than tomorrow", field: 'date' },
} as const
const changed = {
  changed: { status: 409, title: 'This payment was changed somewhere else. Please check it and try again.' },
  ...OTHER_CLOSED,
} as const
const callers = ['parent', 'tutor', 'admin', 'link'] as const

export const ListPayments = endpoint({
  operation: 'ListPayments',
  summary:
    "List the payments in a date range, newest first; without one, the current month's, and with a reference, those that have it. 'today' is the caller's local date",
  method: 'GET',
  path: '/api/v1/payments',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({
    from: z.optional(Day),
    to: z.optional(Day),
    today: z.optional(Day),
    /** Of any day, those with this reference. */
    reference: z.optional(Reference),
  }),
  output: z.array(Payment),
})
/** The days of a list: those asked for. A missing end is that of the other's month, or of the current month. */
export function listedDays(
  { from, to }: { from?: CalendarDay | undefined; to?: CalendarDay | undefined },
  today: CalendarDay,
): { from: CalendarDay; to: CalendarDay } {
  const month = daysOfMonth(monthOf(from ?? to ?? today))
  return { from: from ?? month.from, to: to ?? month.to }
}

export const ReadPayment = endpoint({
  operation: 'ReadPayment',
  summary: 'Get a payment',
  method: 'GET',
  path: '/api/v1/payments/:id',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: Payment,
})
export const AddPayment = endpoint({
  operation: 'AddPayment',
  summary: 'Record a payment, prepaid hours or an earlier debt',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/payments',
  access: callers,
  needsAllStudents: true,
  creates: true,
  input: NewPayment,
  output: Payment,
  refusals: {
    ...refusals,
    too_many_rows: { status: 422, title: 'You have reached the limit of 10,000 payments' },
    same_payment: { status: 409, title: 'The same payment is already recorded' },
    not_connected: {
      status: 422,
      title: 'This connection has ended, or this student is not part of it',
      field: 'connection_id',
    },
    other_currency: {
      status: 422,
      title: 'These records are in another currency',
      field: 'currency',
    },
  },
})
export const UpdatePayment = endpoint({
  operation: 'UpdatePayment',
  summary: 'Change a payment',
  method: 'PATCH',
  meetsClosedMonths: true,
  path: '/api/v1/payments/:id',
  access: callers,
  needsAllStudents: true,
  input: PaymentChanges,
  output: Payment,
  refusals: {
    ...refusals,
    ...changed,
    other_connection: {
      status: 409,
      title: 'This payment is shared. Record a new one, and delete this one.',
    },
  },
})
export const DeletePayment = endpoint({
  operation: 'DeletePayment',
  summary:
    'Delete a payment. If the other side ever confirmed it and has to agree first, the response is 202 with code deletion_requested',
  method: 'DELETE',
  meetsClosedMonths: true,
  path: '/api/v1/payments/:id',
  access: callers,
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.optional(z.object({ code: z.literal('deletion_requested'), version: z.number() })),
  refusals: changed,
})

/**
 * The first required field, in form order, that a payment is missing; undefined if it's complete. If the
 * account is known, the payment doesn't have to name a person.
 */
export function whatIsMissing(
  payment: {
    kind: PaymentKind
    amount: Cents
    hours: Minutes | null
    tutorId: string | null
    studentId: string | null
  },
  keptWith: KeptWith,
  hasAccount = false,
): 'no_tutor' | 'no_student' | 'no_hours' | 'no_amount' | undefined {
  if (!payment.tutorId && keptWith === 'tutor' && !hasAccount) return 'no_tutor'
  if (!payment.studentId && keptWith === 'student' && !hasAccount) return 'no_student'
  if (payment.kind === 'hours' && !payment.hours) return 'no_hours'
  return payment.kind !== 'hours' && payment.amount === 0 ? 'no_amount' : undefined
}

/** The days whose payments and charges can be found by their words: a year, up to tomorrow. */
export function searchedDays(today: CalendarDay): { from: CalendarDay; to: CalendarDay } {
  return { from: addDays(today, -366), to: addDays(today, 1) }
}

/** Allows one day after the server's date, because it may already be tomorrow where the user is. */
export function isTooFarAhead(day: CalendarDay, now: Date): boolean {
  return day > addDays(dayIn(now, 'UTC'), 1)
}
