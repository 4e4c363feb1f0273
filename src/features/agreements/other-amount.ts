// "What would be right?": what someone types about an entry with an amount that isn't right, and what that proposes.
import { amountAsTyped, amountInDigits, type Currency } from '#kernel/money.ts'
import { typedNumber } from '#kernel/typed-number.ts'

/** An entry's day and amount, in its currency. A credit's amount is negative, and typed without the sign. */
export interface WithAmount {
  date: string
  amount: number
  currency: Currency
}

export interface OtherAmountFields {
  amount: string
  date: string
  note: string
}

/** A note, what would be right, or both. */
export interface SaidOfAmount {
  note?: string
  proposal?: { date?: string; amount?: number | string }
}

export function otherAmountFields({ date, amount, currency }: WithAmount): OtherAmountFields {
  return { amount: amountInDigits(Math.abs(amount), currency), date, note: '' }
}

/** What's sent: only what differs, or why the amount can't be in its currency. Undefined if nothing was said. */
export function saidOfAmount(
  fields: OtherAmountFields,
  entry: WithAmount,
): SaidOfAmount | { problem: string } | undefined {
  const note = fields.note.trim()
  const read = amountAsTyped(fields.amount, entry.currency)
  if ('problem' in read) return read
  const size = typedNumber(read.amount)
  const isCredit = entry.amount < 0
  // What isn't one number goes as it was typed, so that the answer says what's wrong with it.
  const amount = typeof size === 'string' ? (isCredit ? `-${size}` : size) : isCredit ? -size : size
  const proposal = {
    ...(fields.date === entry.date ? {} : { date: fields.date }),
    ...(amount === entry.amount ? {} : { amount }),
  }
  const said = { ...(note ? { note } : {}), ...(Object.keys(proposal).length > 0 ? { proposal } : {}) }
  return Object.keys(said).length > 0 ? said : undefined
}
