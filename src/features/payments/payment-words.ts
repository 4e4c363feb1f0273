// What the screens say of a payment between two sides, in the words of the reader: "Received?" to a tutor, "Paid?" to a family.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { silence } from '#features/sessions/standing-text.ts'
import { paymentStanding } from './confirmation.ts'
import type { Payment } from './payment.ts'
import { KIND_LABELS, METHOD_LABELS } from './payment-form.ts'

type Reader = 'parent' | 'tutor'
type Facts = Pick<Payment, 'kind' | 'amount' | 'currency' | 'date' | 'hours' | 'method'>

/** The question to a side that has not answered, and its two answers. */
export interface Question {
  ask: string
  yes: string
  no: string
}
const ASK: Record<Reader, Question> = {
  parent: { ask: 'Paid?', yes: 'Paid', no: 'Not paid' },
  tutor: { ask: 'Received?', yes: 'Received', no: 'Not received' },
}
/** A debt from before wasn't paid by anybody. */
const ASK_OWED: Question = { ask: 'Is that right?', yes: 'Yes, owed', no: 'Not owed' }

/** What a side is asked about a payment, and how it answers. */
export function questionOf(kind: Payment['kind'], reader: Reader): Question {
  return kind === 'opening' ? ASK_OWED : ASK[reader]
}

/** What a payment says beside its amount: "Prepaid hours, 3 h, bank transfer, Nov 14". */
export function factsOf({ kind, hours, method, date }: Facts): string {
  return inOneLine([
    KIND_LABELS[kind],
    hours === null ? null : `${formatHours(Math.round(hours * 60) as Minutes)} h`,
    method && METHOD_LABELS[method],
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
  ])
}

/** A payment as one side reported it, in a sentence without its end: "Paid $135.00, bank transfer, Nov 14". */
export function reportOf({ kind, amount, currency, hours, method, date }: Facts, by: Reader): string {
  const money = formatAmount(amount, currency)
  const bought = hours === null ? '' : ` for ${formatHours(Math.round(hours * 60) as Minutes)} h`
  return inOneLine([
    kind === 'opening'
      ? `Owed before: ${money}`
      : `${by === 'parent' ? 'Paid' : 'Received'} ${money}${bought}`,
    method && METHOD_LABELS[method].toLowerCase(),
    formatDay(date as CalendarDay, { month: 'short', day: 'numeric' }),
  ])
}

/** "$135.00, Nov 14": what the buttons of a payment are about. */
export function nameOfPayment({ amount, currency, date }: Facts): string {
  return `${formatAmount(amount, currency)}, ${formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })}`
}

/** The note that says what is wrong with a payment: its draft, and what the form asks for. */
export function disputeNote(id: string, reader: Reader) {
  return {
    draft: `payment-dispute:${id}`,
    help:
      reader === 'tutor' ? 'For example: it has not arrived yet' : 'For example: I have not paid this yet',
    maxLength: 500,
    missing: 'Say in a few words what is not right',
  }
}

/**
 * Where a payment stands, in words with a tone; undefined if there is nothing to say: both confirmed it, or nobody else takes part.
 * Once the time to answer is over it says since when no answer came.
 */
export function standingWords(
  payment: Pick<
    Payment,
    | 'kind'
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
  switch (paymentStanding(payment)) {
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
            : 'Asked to be deleted',
        tone: 'warn',
      }
    case 'disputed':
      return own === 'disputed'
        ? { words: `You said: ${questionOf(kind, reader).no.toLowerCase()}`, tone: 'danger' }
        : { words: questionOf(kind, other).no, tone: 'danger' }
    case 'waiting':
      if (own === 'none')
        return { words: silent ? `Waiting for you ${silent}` : questionOf(kind, reader).ask, tone: 'warn' }
      if (silent) return { words: `No answer ${silent}`, tone: 'warn' }
      return { words: kind === 'opening' ? 'Waiting for an answer' : 'On its way', tone: 'plain' }
  }
}
