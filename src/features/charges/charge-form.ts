// The charge form. Its fields hold what the user typed.
import * as z from 'zod/mini'
import { type Reason, REASONS } from '#features/payments/payment.ts'
import { chargeTitle } from '#features/payments/payment-words.ts'
import { amountInDigits, type Currency, formatAmount } from '#kernel/money.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import type { Charge } from './charge.ts'

export interface ChargeFields {
  /** A credit's amount is typed without a sign. */
  kind: 'charge' | 'credit'
  amount: string
  date: string
  reason: Reason
  label: string
  student: string
}

/** The draft of a new charge. */
export const NEW_CHARGE = 'charge:new'

/** The reasons offered for each kind, the most common first. */
export const REASONS_OF: Record<ChargeFields['kind'], readonly Reason[]> = {
  charge: ['materials', 'fee', 'travel', 'missed_lesson', 'other'],
  credit: ['discount', 'refund', 'other'],
}

export function emptyCharge(today: string): ChargeFields {
  return { kind: 'charge', amount: '', date: today, reason: 'materials', label: '', student: '' }
}

/** A charge as form fields. */
export function fieldsOf({
  amount,
  date,
  reason,
  label,
  student_id,
  currency,
}: Pick<Charge, 'amount' | 'currency' | 'date' | 'reason' | 'label'> & {
  student_id?: string | null
}): ChargeFields {
  return {
    kind: amount < 0 ? 'credit' : 'charge',
    amount: amountInDigits(Math.abs(amount), currency),
    date,
    reason,
    label: label ?? '',
    student: student_id ?? '',
  }
}

/** The facts that both sides see, as a request has them. */
export function factsToSend({ kind, amount, date, reason, label }: ChargeFields) {
  const size = typedNumber(amount)
  // What isn't one number goes as it was typed, so that the answer says what's wrong with it. The choice above is the
  // only sign: with two, it's no amount.
  const sign = kind === 'credit' || /^\s*[-−]/.test(amount) ? '-' : ''
  const signed = typeof size === 'string' ? sign + size : kind === 'credit' ? -size : size
  // It's one line, also if several were pasted.
  return { amount: signed, date, reason, label: label.replaceAll(/\s+/g, ' ').trim() || null }
}

/** Whether saving would change what the other side confirmed. */
export function changesFacts(typed: ChargeFields, before: ChargeFields): boolean {
  return (
    typedNumberOrNull(typed.amount) !== typedNumberOrNull(before.amount) ||
    (['kind', 'date', 'reason'] as const).some((fact) => typed[fact] !== before[fact]) ||
    typed.label.trim() !== before.label
  )
}

/** A charge or a payment that's saved along with a session, for its child, tutor and day. */
const ChargeBeside = z.object({
  /** The key that makes saving it repeatable. */
  key: z.string(),
  amount: z.number(),
  /** Null for a payment. */
  reason: z.nullable(z.enum(REASONS)),
  label: z.nullable(z.string()),
})
export type ChargeBeside = z.output<typeof ChargeBeside>

/** The charges kept on this device; none if there are no valid ones. */
export function chargesBeside(kept: string | null): ChargeBeside[] {
  try {
    return z.array(ChargeBeside).parse(JSON.parse(kept ?? '[]'))
  } catch {
    return []
  }
}

/** For example, "Book $12.00", or "$30.00 paid". */
export function besideInWords({ amount, reason, label }: ChargeBeside, currency: Currency): string {
  const sum = formatAmount(amount, currency)
  return reason === null ? `${sum} paid` : `${chargeTitle({ amount, reason, label, currency })} ${sum}`
}
