// What the daily email says of payments that wait for an answer, in the words of the screens.
import type { Method, PaymentKind } from '#features/payments/payment.ts'
import { questionOf, reportOf } from '#features/payments/payment-words.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'

type Side = 'family' | 'practice'

/** A payment in an email: one that waits for an answer, or one that the other side asks to delete. */
export interface MailedPayment {
  /** Who is asked. */
  side: Side
  /** Whose money it is, or whose pay, by a name of the reader's; null at an address without an account. */
  about: string | null
  reported_by: Side
  is_leaving: boolean
  day: CalendarDay
  kind: PaymentKind
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
  currency: Currency
}

/** Payments that an email lists at most; the rest are where its button leads. */
const LISTED = 20
const READER = { family: 'parent', practice: 'tutor' } as const

/** The payments that an email asks about, as one paragraph in which nothing becomes a link; none without any. */
export function askingPayments(payments: readonly MailedPayment[]): string[] {
  if (payments.length === 0) return []
  const more = payments.length - LISTED
  const isOne = payments.length === 1
  return [
    [
      `${isOne ? 'A payment waits' : 'Payments wait'} for your answer:`,
      ...payments.slice(0, LISTED).map(lineOf),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n'),
  ]
}

/** "Maya: Paid $135.00, bank transfer, Nov 14. Received?" */
function lineOf(payment: MailedPayment): string {
  const { side, about, kind, prepaid_minutes: minutes, method, currency } = payment
  const report = reportOf(
    {
      kind,
      method,
      currency,
      amount: dollars(payment.amount_cents),
      date: payment.day,
      hours: minutes === null ? null : hours(minutes),
    },
    READER[payment.reported_by],
  )
  const name = plainName(about, '')
  const ask = payment.is_leaving ? 'Delete it?' : `${questionOf(kind, READER[side]).yes}?`
  return `${name ? `${name}: ` : ''}${report}. ${ask}`
}

/**
 * The subject of an email about sessions and payments.
 * @param sessions what it is without payments, and how many sessions that are; null where none wait
 */
export function withPayments(
  sessions: { subject: string; count: string } | null,
  payments: readonly MailedPayment[],
  other: string,
): string {
  const count = payments.length === 1 ? '1 payment' : `${payments.length} payments`
  const leaving = payments.filter((one) => one.is_leaving).length
  if (sessions)
    return payments.length === 0 ? sessions.subject : `${sessions.count} and ${count} waiting for you`
  if (leaving === 0) return `${count} to confirm`
  return leaving === payments.length ? `${other} asks to delete ${count}` : `${count} waiting for you`
}
