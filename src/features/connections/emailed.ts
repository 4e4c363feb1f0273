// The emailed page, where a tutor or family without an account reads and answers. Its answers are the same
// operations as with an account. The link's token is in the header Tutorlog-Link, never in a URL (promise W5).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { ClosedMonth } from '#features/months/closing.ts'
import { SharedCharge } from '#features/charges/charge.ts'
import { SharedPayment } from '#features/payments/confirmation.ts'
import { PaymentWay } from '#features/payments/payment-way.ts'
import { Terms } from '#features/terms/terms.ts'
import { SharedSession } from '#features/sessions/confirmation.ts'
import { Day } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { Currency } from '#kernel/money.ts'

/** A session on the emailed page. */
export const EmailedSession = z.extend(SharedSession, {
  /** The facts that this side confirmed, if the other side has changed them since. */
  confirmed_before: z.nullable(
    z.object({
      date: z.string(),
      duration: z.number(),
      rate: z.nullable(z.number()),
      /** The price per lesson, if there was one instead of a rate. */
      lesson_price: z.optional(z.number()),
      lesson_minutes: z.optional(z.number()),
    }),
  ),
})
export type EmailedSession = z.output<typeof EmailedSession>

/** The money between the two sides, as the reader of the page sees it. */
const EmailedMoney = z.object({
  /** Newest first. */
  payments: z.array(SharedPayment),
  charges: z.array(SharedCharge),
  /** What is owed as of the day the page is read; negative if paid ahead. */
  balance: z.number(),
  /** Payments that only one side has reported; not in the balance. */
  on_its_way_amount: z.number(),
  /** The money that's due by the terms: what's still owed of it, by its day, earliest first. */
  due: z.array(z.object({ date: z.string(), amount: z.number() })),
  currency: Currency,
  /** The tutor's payment options; empty if the reader is the tutor. */
  ways: z.array(PaymentWay),
  /** When the payment options last changed; null if never. */
  ways_changed_at: z.nullable(z.string()),
  /** What a payment in this month is recognized by; null without payment options. */
  reference: z.nullable(z.string()),
})
export type EmailedMoney = z.output<typeof EmailedMoney>

export const EmailedPage = z.object({
  /** The reader of the page: the side without an account. */
  side: z.enum(['family', 'practice']),
  /** The name of the side that sent the request, if it gave one. */
  other_name: z.nullable(z.string()),
  /** The same name, if a family sent the request. */
  family_name: z.nullable(z.string()),
  sessions: z.array(EmailedSession),
  /** The first names of the children whose sessions are shared. */
  first_names: z.array(z.string()),
  /** The reader's address, to prefill the sign-up form; null once it has been deleted. */
  email: z.nullable(z.string()),
  /** For a handed-over link: the address that the reader asked to add, if its email hasn't been answered. Else null. */
  handed: z.nullable(z.object({ asked_address: z.nullable(z.string()) })),
  money: EmailedMoney,
  /** All versions of the terms, newest first. */
  terms: z.array(Terms),
  /** The last 12 months with entries, newest first. */
  months: z.array(ClosedMonth),
})
export type EmailedPage = z.output<typeof EmailedPage>

export const OpenLink = endpoint({
  operation: 'OpenLink',
  summary: "List what an emailed link shows. Viewing it doesn't count as an answer",
  method: 'POST',
  path: '/api/link/open',
  access: ['link'],
  input: z.strictObject({ today: z.optional(Day) }),
  output: EmailedPage,
})
export const EndLink = endpoint({
  operation: 'EndLink',
  summary:
    "End the connection using an emailed link; with 'forget', Tutorlog never emails this address again",
  method: 'POST',
  path: '/api/link/end',
  access: ['link'],
  input: z.strictObject({ forget: z.boolean() }),
  output: z.undefined(),
})

/**
 * The label of the confirm button in the email and on the page: "Confirm all 3, $157.50".
 * @param total an amount with its currency
 */
export function confirmLabel(sessions: number, total: string | undefined): string {
  return inOneLine([sessions === 1 ? 'Confirm 1 session' : `Confirm all ${sessions}`, total])
}
