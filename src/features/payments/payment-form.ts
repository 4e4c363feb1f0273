// The payment form. Its fields hold what the user typed: dollars, hours and dates are text.
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { amountInDigits } from '#kernel/money.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import type { KeptWith, Method, Payment, PaymentKind } from './payment.ts'

export interface PaymentFields {
  /**
   * The tutor's id or, on a tutor's form, the student's. For a family with several students, 'account:' plus
   * the connection's id.
   */
  party: string
  date: string
  kind: PaymentKind
  amount: string
  hours: string
  method: '' | Method
  note: string
  /** The reference that came with the ways to pay; empty without one. */
  reference: string
}

/** The draft of a new payment. */
export const NEW_PAYMENT = 'payment:new'

export const KIND_LABELS: Record<PaymentKind, string> = {
  payment: 'Payment',
  hours: 'Prepaid hours',
  opening: 'Already owed',
}
export const METHOD_LABELS: Record<Method, string> = {
  cash: 'Cash',
  transfer: 'Bank transfer',
  card: 'Card',
  check: 'Check',
  app: 'Payment app',
  other: 'Other',
}

/** The form for a new payment on a given day. Anything that isn't known yet is left empty. */
export function emptyPayment(today: string, party = '', reference = ''): PaymentFields {
  return { party, date: today, kind: 'payment', amount: '', hours: '', method: '', note: '', reference }
}

/** A payment as form fields. */
export function fieldsOf(payment: Payment, keptWith: KeptWith): PaymentFields {
  return {
    party:
      (keptWith === 'tutor' ? payment.tutor_id : payment.student_id) ??
      (payment.connection_id === null ? '' : accountParty(payment.connection_id)),
    date: payment.date,
    kind: payment.kind,
    amount: amountInDigits(payment.amount, payment.currency),
    hours: payment.hours === null ? '' : formatHours((payment.hours * 60) as Minutes),
    method: payment.method ?? '',
    note: payment.note ?? '',
    reference: payment.reference ?? '',
  }
}

/** Tells the user how saving affects the other side's confirmation; undefined if it doesn't. */
export function paymentNotice(
  typed: PaymentFields,
  keptWith: KeptWith,
  { payment, isShared, other }: { payment: Payment | undefined; isShared: boolean; other: string },
): string | undefined {
  if (!payment) return isShared ? `It counts once ${other} confirms it.` : undefined
  const before = fieldsOf(payment, keptWith)
  const isSame =
    (['kind', 'date'] as const).every((fact) => typed[fact] === before[fact]) &&
    (['amount', 'hours'] as const).every(
      (fact) => typedNumberOrNull(typed[fact]) === typedNumberOrNull(before[fact]),
    )
  if (isSame || payment.is_read_only) return undefined
  if (isShared) return `${capital(other)} will be asked to confirm the change.`
  return standingOf(payment) === 'verified'
    ? `${capital(other)} confirmed this payment before your change and will be asked to confirm it again.`
    : undefined
}

const ACCOUNT = 'account:'
/** The form's value for a connection's account, used when a payment isn't for anyone in particular. */
export function accountParty(connectionId: string): string {
  return ACCOUNT + connectionId
}

/** True if the form's value stands for a connection's account. */
export function isAccount(party: string): boolean {
  return party.startsWith(ACCOUNT)
}

/** The form as a request. Only prepaid hours include hours, and an earlier debt has no payment method. */
export function toInput(fields: PaymentFields, keptWith: KeptWith) {
  return {
    ...partyOf(fields.party, keptWith),
    date: fields.date,
    kind: fields.kind,
    amount: typedNumber(fields.amount),
    hours: fields.kind === 'hours' ? typedNumberOrNull(fields.hours) : null,
    method: fields.kind === 'opening' ? null : fields.method || null,
    note: fields.note,
    ...(fields.reference && fields.kind !== 'opening' && { reference: fields.reference }),
  }
}

function partyOf(party: string, keptWith: KeptWith) {
  if (isAccount(party)) return { connection_id: party.slice(ACCOUNT.length) }
  return keptWith === 'tutor' ? { tutor_id: party || null } : { student_id: party || null }
}
