// Text for the daily email about payments and charges that are waiting for an answer or were sent back. Uses the same
// wording as the screens.
import type { Side } from '#features/access/role.ts'
import type { Method, PaymentKind, Reason } from '#features/payments/payment.ts'
import { questionOf, reportOf, reportOfCharge } from '#features/payments/payment-words.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, type Currency, dollars, formatMoney } from '#kernel/money.ts'
import { plainName, plainText } from '#kernel/plain-name.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { toConfirm } from './session-lines.ts'

/**
 * A payment or charge in an email: one that's waiting for an answer, one the other side asks to delete, or one it sent
 * back.
 */
export interface MailedPayment {
  connection_id: string
  /** The reader's side: the one asked to confirm, or the one whose payment was sent back. */
  side: Side
  /**
   * Who the payment is to or from, by the name the reader uses: the tutor for a family, the student or the
   * family for a practice. Null if the recipient has no account.
   */
  about: string | null
  reported_by: Side
  is_leaving: boolean
  is_sent_back: boolean
  /** The other side's note when it sent the payment back. */
  note: string | null
  /** When an answer was first needed; null if the payment was sent back. */
  asked_at: Date | null
  day: CalendarDay
  kind: PaymentKind | 'charge'
  /** Negative for a credit. */
  amount_cents: Cents
  prepaid_minutes: Minutes | null
  method: Method | null
  /** Only charges have a reason and, some, what they're for. */
  reason: Reason | null
  label: string | null
  currency: Currency
}

/** The maximum number of payments in an email; the button leads to the rest. */
const LISTED = 20
const READER = { family: 'parent', practice: 'tutor' } as const

/**
 * The payments in an email: one paragraph for those waiting, one for those sent back. Neither contains text
 * that email programs would turn into links.
 */
export function askingPayments(payments: readonly MailedPayment[], other = 'Someone'): string[] {
  const waits = payments.filter((one) => !one.is_sent_back)
  const back = payments.filter((one) => one.is_sent_back)
  return [
    ...listOf(
      waits,
      waits.length === 1
        ? `A ${nounOf(kindsOf(waits))} is waiting for your answer:`
        : `${capital(nounOf(kindsOf(waits)))} are waiting for your answer:`,
    ),
    ...listOf(
      back,
      `${other} doesn't agree with ${back.length === 1 ? 'a ' : ''}${nounOf(kindsOf(back))} you recorded. ${
        back.length === 1 ? 'It doesn’t count until you both agree' : 'They don’t count until you both agree'
      }. Correct or delete ${back.length === 1 ? 'it' : 'them'}, or talk it over:`,
    ),
  ]
}

function listOf(payments: readonly MailedPayment[], heading: string): string[] {
  if (payments.length === 0) return []
  const more = payments.length - LISTED
  return [
    [heading, ...payments.slice(0, LISTED).map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  ]
}

/**
 * For example, "Maya: Paid $135.00, bank transfer, Nov 14. Received?" or, if it was sent back, "… Not
 * received: “Nothing came.”"
 */
function lineOf(payment: MailedPayment): string {
  const { side, about, kind, prepaid_minutes: minutes, method, currency } = payment
  const facts = { currency, amount: dollars(payment.amount_cents), date: payment.day }
  const report =
    kind === 'charge'
      ? reportOfCharge({
          ...facts,
          reason: payment.reason ?? 'other',
          label: payment.label && plainText(payment.label),
        })
      : reportOf(
          { ...facts, kind, method, hours: minutes === null ? null : hours(minutes) },
          READER[payment.reported_by],
        )
  const name = plainName(about, '')
  return `${name ? `${name}: ` : ''}${report}. ${saidOf(payment, side)}`
}

function saidOf({ kind, is_leaving, is_sent_back, note }: MailedPayment, side: Side): string {
  if (is_sent_back) return `${noOf(kind, side)}${note ? `: “${plainText(note)}”` : '.'}`
  return is_leaving ? 'Delete it?' : questionOf(kind, READER[side]).ask
}

/** The label for the other side's negative answer. For a reader who paid, that's "Not received". */
function noOf(kind: MailedPayment['kind'], side: Side): string {
  return questionOf(kind, READER[side === 'family' ? 'practice' : 'family']).no
}

type MoneyKind = 'payment' | 'charge'

/** The kind of each, without telling payments apart. */
export function kindsOf(payments: readonly MailedPayment[]): MoneyKind[] {
  return payments.map(({ kind }) => (kind === 'charge' ? 'charge' : 'payment'))
}

/** What to call them: "payment", "charges", or "payments and charges". */
export function nounOf(kinds: readonly MoneyKind[]): string {
  const nouns = [...new Set(kinds)].sort().reverse()
  return kinds.length === 1 ? nouns.join() : nouns.map((noun) => `${noun}s`).join(' and ')
}

/** How many there are of each, such as "2 payments and 1 charge". */
export function countMoney(kinds: readonly MoneyKind[]): string {
  return (['payment', 'charge'] as const)
    .map((kind) => ({ kind, count: kinds.filter((own) => own === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => (count === 1 ? `1 ${kind}` : `${count} ${kind}s`))
    .join(' and ')
}

/**
 * The subject of an email that's only about payments.
 * @param other the other side, as it appears at the start of a sentence
 * @param named the other side's name, if it has one
 */
export function paymentsSubject(
  payments: readonly MailedPayment[],
  other: string,
  named: string | undefined,
): string {
  const all = countMoney(kindsOf(payments))
  const [only, ...more] = payments
  if (payments.every((one) => one.is_sent_back)) {
    if (!only || more.length > 0) return `${other} doesn't agree with ${all}`
    const money = formatMoney(cents(Math.abs(only.amount_cents)), only.currency)
    return `${other} says ${money} was ${noOf(only.kind, only.side).toLowerCase()}`
  }
  if (payments.every((one) => one.is_leaving)) return `${other} asks to delete ${all}`
  return payments.some((one) => one.is_leaving || one.is_sent_back)
    ? `${all}${named ? ` with ${named}` : ''} waiting for you`
    : toConfirm(all, named)
}
