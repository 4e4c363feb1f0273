// Text about payments between two sides, worded for the reader: "Received?" for a tutor, "Paid?" for a
// family.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { isToConfirm, standingOf } from '#features/agreements/answer.ts'
import { silence } from '#features/sessions/standing-text.ts'
import type { Payment, Reason } from './payment.ts'
import { KIND_LABELS, METHOD_LABELS } from './payment-form.ts'

type Reader = 'parent' | 'tutor'
/** What the texts name of a payment. */
export type Facts = Pick<Payment, 'kind' | 'amount' | 'currency' | 'date' | 'hours' | 'method'> &
  Partial<Pick<Payment, 'reference'>>

/** The question for a side that hasn't answered yet, and its two possible answers. */
interface Question {
  ask: string
  yes: string
  no: string
}
const ASK: Record<Reader, Question> = {
  parent: { ask: 'Paid?', yes: 'Paid', no: 'Not paid' },
  tutor: { ask: 'Received?', yes: 'Received', no: 'Not received' },
}
/** Neither an earlier debt nor a charge is a payment, so they need different questions. */
const ASK_OWED: Question = { ask: 'Is that right?', yes: 'Yes, owed', no: 'Not owed' }

const ASK_CHARGED: Question = { ask: 'Is that right?', yes: 'Confirm', no: 'Not right' }

/** The question about a payment or charge, worded for the reader. */
export function questionOf(kind: Payment['kind'] | 'charge', reader: Reader): Question {
  if (kind === 'charge') return ASK_CHARGED
  return kind === 'opening' ? ASK_OWED : ASK[reader]
}

export const REASON_LABELS: Record<Reason, string> = {
  missed_lesson: 'Missed lesson',
  fee: 'Fee',
  materials: 'Materials',
  travel: 'Travel',
  discount: 'Discount',
  refund: 'Refund',
  other: 'Other',
}
/** What the texts name of a charge. */
interface Charged {
  amount: number
  currency: Currency
  reason: Reason
  label: string | null
}
const chargeOrCredit = ({ amount }: Pick<Charged, 'amount'>) => (amount < 0 ? 'Credit' : 'Charge')

/** What was charged: "Reading book", or else its reason. */
export function chargeTitle(charge: Charged): string {
  return charge.label ?? (charge.reason === 'other' ? chargeOrCredit(charge) : REASON_LABELS[charge.reason])
}

/** What stands below a charge's title, such as "Charge, materials". */
export function chargeDetail(charge: Charged): string {
  const { reason, label } = charge
  if (reason === 'other' && label === null) return ''
  return inOneLine([
    chargeOrCredit(charge),
    label === null || reason === 'other' ? null : REASON_LABELS[reason].toLowerCase(),
  ])
}

/** The details shown next to a payment's amount, such as "Prepaid hours, 3 h, bank transfer, Nov 14". */
export function factsOf({ kind, hours, method, reference, date }: Facts): string {
  return inOneLine([
    KIND_LABELS[kind],
    hours === null ? null : `${formatHours(Math.round(hours * 60) as Minutes)} h`,
    method && METHOD_LABELS[method].toLowerCase(),
    reference,
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
  ])
}

/** A payment as one side reported it, such as "Paid $135.00, bank transfer, Nov 14". No period at the end. */
export function reportOf({ kind, amount, currency, hours, method, date }: Facts, by: Reader): string {
  const money = formatAmount(amount, currency)
  const bought = hours === null ? '' : ` for ${formatHours(Math.round(hours * 60) as Minutes)} h`
  return inOneLine([
    kind === 'opening'
      ? `Already owed: ${money}`
      : `${by === 'parent' ? 'Paid' : 'Received'} ${money}${bought}`,
    method && METHOD_LABELS[method].toLowerCase(),
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
  ])
}

/** A charge as one side recorded it, such as "Charge: Reading book, $12.50, Nov 14". No period at the end. */
export function reportOfCharge(charge: Charged & { date: string }): string {
  const { amount, currency, date } = charge
  const title = chargeTitle(charge)
  return inOneLine([
    title === chargeOrCredit(charge) ? title : `${chargeOrCredit(charge)}: ${title}`,
    formatAmount(Math.abs(amount), currency),
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
  ])
}

/** What identifies a payment or charge among others. */
type Named = Pick<Facts, 'amount' | 'currency' | 'date'>

/** What a payment or charge is called in its button labels, such as "$135.00, Nov 14". */
export function nameOfPayment({ amount, currency, date }: Named): string {
  return `${formatAmount(amount, currency)}, ${formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })}`
}

/** What a proposal about a payment changes, such as "$90.00 instead of $135.00". Goes on a sentence. */
export function proposedPayment(
  payment: Named,
  proposal: { is_removal: boolean; date: string; amount: number },
): string {
  if (proposal.is_removal) return 'it wasn’t paid'
  const day = ({ date }: { date: string }) =>
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })
  const money = ({ amount }: { amount: number }) => formatAmount(amount, payment.currency)
  return inOneLine([
    proposal.amount === payment.amount ? null : `${money(proposal)} instead of ${money(payment)}`,
    proposal.date === payment.date ? null : `${day(proposal)} instead of ${day(payment)}`,
  ])
}

/** The draft key and form labels for the dispute note. */
export function disputeNote(id: string, reader: Reader) {
  return {
    draft: `payment-dispute:${id}`,
    help: reader === 'tutor' ? "For example: it hasn't arrived yet" : "For example: I haven't paid this yet",
    maxLength: 500,
    missing: "Briefly say what isn't right",
  }
}

/**
 * A payment's status as text, with a tone. Undefined if no text is needed because both sides confirmed the
 * payment or it isn't shared. Once the deadline has passed, the text includes the date the wait for an answer
 * began.
 */
export function standingWords(
  payment: { kind: Payment['kind'] | 'charge' } & Pick<
    Payment,
    | 'is_shared'
    | 'own_confirmation'
    | 'other_confirmation'
    | 'deletion_asked_by'
    | 'counts'
    | 'date'
    | 'asked_at'
    | 'reminders'
    | 'reminded_at'
  >,
  reader: Reader,
  now = new Date(),
): { words: string; tone: 'plain' | 'warn' | 'danger' } | undefined {
  const { kind, own_confirmation: own } = payment
  const other = reader === 'parent' ? 'tutor' : 'parent'
  const silent = silence(payment, now)
  // After the end of a connection, a payment is just one in your own records.
  switch (payment.is_shared ? standingOf(payment) : 'own') {
    case 'verified':
      return undefined
    case 'own':
      return payment.counts ? undefined : { words: 'Not confirmed by you', tone: 'warn' }
    case 'leaving':
      return {
        words:
          payment.deletion_asked_by === 'you'
            ? silent
              ? `No answer ${silent}`
              : 'You asked to delete it'
            : 'They asked to delete it',
        tone: 'warn',
      }
    case 'disputed':
      return own === 'disputed'
        ? { words: `You said: ${questionOf(kind, reader).no.toLowerCase()}`, tone: 'danger' }
        : { words: questionOf(kind, other).no, tone: 'danger' }
    case 'waiting':
      if (isToConfirm(payment))
        return { words: silent ? `Waiting for you ${silent}` : questionOf(kind, reader).ask, tone: 'warn' }
      if (silent) return { words: `No answer ${silent}`, tone: 'warn' }
      return {
        words: kind === 'opening' || kind === 'charge' ? 'Waiting for an answer' : 'On its way',
        tone: 'plain',
      }
  }
}
