// Payments and closed months on the emailed page. The responses are the same as with an account, but the
// link's token is in the request body, never in a URL (promise W5).
import * as z from 'zod/mini'
import { ClosedMonth, CloseMonth, MAX_REASON, ReopenMonth, WithdrawMonth } from '#features/months/closing.ts'
import { MonthPage, PageBytes } from '#features/months/month-page.ts'
import { KeepPayment, PaymentDispute, SharedPayment } from '#features/payments/confirmation.ts'
import {
  AddPayment,
  DeletePayment,
  NewPayment,
  PaymentChanges,
  UpdatePayment,
} from '#features/payments/payment.ts'
import { PAYMENT_ANSWERED_LATE } from '#features/payments/confirmation.ts'
import { PaymentWay } from '#features/payments/payment-way.ts'
import { Month } from '#features/sessions/session.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { requiredText } from '#kernel/text.ts'
import { gone, LIMIT, Token } from './emailed.ts'

const Side = z.enum(['family', 'practice'])
const one = { token: Token, id: z.uuid(), version: z.number() }
const ofMonth = { token: Token, month: Month }
const byToken = { method: 'POST', access: 'anyone', limit: LIMIT } as const
const payments = { ...byToken, meetsClosedMonths: true } as const

export const ListPaymentsByMail = endpoint({
  ...byToken,
  operation: 'ListPaymentsByMail',
  summary:
    "List the payments and the amount owed using an emailed link, plus payment options for a family. Viewing them doesn't count as an answer",
  path: '/api/confirm/payments',
  input: z.strictObject({ token: Token }),
  output: z.object({
    /** The reader of the page: the side without an account. */
    side: Side,
    /** Newest first. */
    payments: z.array(SharedPayment),
    /** The amount owed at the end of this month; negative if paid ahead. */
    balance: z.number(),
    /** Payments that only one side has reported; not in the balance. */
    on_its_way_amount: z.number(),
    currency: Currency,
    /** The tutor's payment options; empty if the reader is the tutor. */
    ways: z.array(PaymentWay),
    /** When the payment options last changed; null if never. */
    ways_changed_at: z.nullable(z.string()),
  }),
  refusals: gone,
})
const { date, amount, kind, hours, method } = NewPayment.shape
export const PayByMail = endpoint({
  ...payments,
  operation: 'PayByMail',
  summary: 'Record a payment using an emailed link, either made by the family or received by the tutor',
  path: '/api/confirm/payments/paid',
  creates: true,
  input: z.strictObject({
    token: Token,
    date,
    amount,
    kind,
    hours,
    method,
    /**
     * True to record the payment even though there's one with the same day and amount. If omitted, a
     * duplicate is rejected so that the app can ask the user.
     */
    is_another: NewPayment.shape.is_another,
  }),
  output: SharedPayment,
  refusals: {
    ...gone,
    no_hours: AddPayment.refusals.no_hours,
    no_amount: AddPayment.refusals.no_amount,
    too_far_ahead: AddPayment.refusals.too_far_ahead,
    same_payment: AddPayment.refusals.same_payment,
    too_many_rows: AddPayment.refusals.too_many_rows,
  },
})
const changes = PaymentChanges.shape
export const ChangePaymentByMail = endpoint({
  ...payments,
  operation: 'ChangePaymentByMail',
  summary:
    'Correct a payment using an emailed link; if the amount or day changes, the other side has to confirm it again',
  path: '/api/confirm/payments/change',
  input: z.strictObject({ ...one, date: changes.date, amount: changes.amount, method: changes.method }),
  output: SharedPayment,
  refusals: {
    ...gone,
    no_hours: UpdatePayment.refusals.no_hours,
    no_amount: UpdatePayment.refusals.no_amount,
    too_far_ahead: UpdatePayment.refusals.too_far_ahead,
    changed: UpdatePayment.refusals.changed,
    other_closed: UpdatePayment.refusals.other_closed,
  },
})
const late = {
  ...gone,
  changed: PAYMENT_ANSWERED_LATE.changed,
  other_closed: PAYMENT_ANSWERED_LATE.other_closed,
} as const
export const ConfirmPaymentByMail = endpoint({
  ...payments,
  operation: 'ConfirmPaymentByMail',
  summary: 'Confirm a payment using an emailed link',
  path: '/api/confirm/payments/confirm',
  input: z.strictObject(one),
  output: SharedPayment,
  refusals: late,
})
export const WithdrawPaymentByMail = endpoint({
  ...payments,
  operation: 'WithdrawPaymentByMail',
  summary: 'Withdraw an answer about a payment using an emailed link',
  path: '/api/confirm/payments/withdraw',
  input: z.strictObject(one),
  output: SharedPayment,
  refusals: late,
})
export const DisputePaymentByMail = endpoint({
  ...payments,
  operation: 'DisputePaymentByMail',
  summary: 'Dispute a payment using an emailed link, with a note',
  path: '/api/confirm/payments/dispute',
  input: z.strictObject({ ...one, note: PaymentDispute }),
  output: SharedPayment,
  refusals: late,
})
export const KeepPaymentByMail = endpoint({
  ...payments,
  operation: 'KeepPaymentByMail',
  summary: 'Keep a payment that one side asked to delete, using an emailed link',
  path: '/api/confirm/payments/keep',
  input: z.strictObject(one),
  output: SharedPayment,
  refusals: { ...gone, ...KeepPayment.refusals },
})
export const DeletePaymentByMail = endpoint({
  ...payments,
  operation: 'DeletePaymentByMail',
  summary:
    'Delete a payment using an emailed link, or ask the other side to agree if it ever confirmed the payment',
  path: '/api/confirm/payments/delete',
  input: z.strictObject(one),
  /** The payment, if the other side has to agree to the deletion first; null if it was deleted right away. */
  output: z.object({ payment: z.nullable(SharedPayment) }),
  refusals: { ...gone, ...DeletePayment.refusals },
})

export const ListMonthsByMail = endpoint({
  ...byToken,
  operation: 'ListMonthsByMail',
  summary: 'List the last 12 months with entries, and their status, using an emailed link',
  path: '/api/confirm/months',
  input: z.strictObject({ token: Token }),
  output: z.object({ side: Side, months: z.array(ClosedMonth) }),
  refusals: gone,
})
export const CloseMonthByMail = endpoint({
  ...byToken,
  operation: 'CloseMonthByMail',
  summary: 'Ask to close a month using an emailed link, or close it if the other side asked',
  path: '/api/confirm/months/close',
  input: z.strictObject({ ...ofMonth, version: z.optional(z.number().check(z.int(), z.nonnegative())) }),
  output: ClosedMonth,
  refusals: { ...gone, ...CloseMonth.refusals },
})
export const WithdrawMonthByMail = endpoint({
  ...byToken,
  operation: 'WithdrawMonthByMail',
  summary: 'Withdraw your request to close a month using an emailed link',
  path: '/api/confirm/months/withdraw',
  input: z.strictObject(ofMonth),
  output: ClosedMonth,
  refusals: { ...gone, ...WithdrawMonth.refusals },
})
export const ReopenMonthByMail = endpoint({
  ...byToken,
  operation: 'ReopenMonthByMail',
  summary:
    'Reopen a closed month for both sides using an emailed link; its code then shows that the month has changed',
  path: '/api/confirm/months/reopen',
  input: z.strictObject({
    ...ofMonth,
    reason: requiredText(MAX_REASON, "Briefly say why you're reopening the month"),
  }),
  output: ClosedMonth,
  refusals: { ...gone, ...ReopenMonth.refusals },
})
const notClosed = { not_closed: { status: 404, title: "This month isn't closed" } } as const
export const ReadMonthPageByMail = endpoint({
  ...byToken,
  operation: 'ReadMonthPageByMail',
  summary: "Get a closed month's page using an emailed link",
  path: '/api/confirm/months/page',
  input: z.strictObject(ofMonth),
  output: MonthPage,
  refusals: { ...gone, ...notClosed },
})
export const DownloadMonthPageByMail = endpoint({
  ...byToken,
  operation: 'DownloadMonthPageByMail',
  summary: "Download a closed month's page as a PDF using an emailed link (same file as with an account)",
  path: '/api/confirm/months/page.pdf',
  input: z.strictObject(ofMonth),
  output: PageBytes,
  produces: 'application/pdf',
  refusals: { ...gone, ...notClosed },
})
