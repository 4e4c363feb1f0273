// "What's not right?": what someone picks and types about a session, and what that proposes.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { amountAsTyped, amountInField, amountProblem, type Currency, formatAmount } from '#kernel/money.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import { SaidOfSession } from './confirmation.ts'
import { priceInShort } from '#features/prices/price.ts'

/** The facts of a session that a proposal is about, in the API's units. */
export interface Proposable {
  date: string
  duration: number
  rate: number | null
  /** The price per lesson that applies without a rate. A proposal never changes it. */
  lesson_price?: number | null
  lesson_minutes?: number | null
  total_amount: number | null
}

type PricedSession = Proposable & { currency: Currency }

/** What isn't right about a session. Nothing is picked at first, and a note alone is enough. */
export interface NotRightFields {
  what: '' | 'time' | 'rate' | 'removal'
  date: string
  duration: string
  rate: string
  note: string
}

export const notRightDraft = (sessionId: string) => `dispute:${sessionId}`

/** The longest note. */
export const MAX_NOTE = 500

export function notRightFields({ date, duration, rate, currency }: PricedSession): NotRightFields {
  return { what: '', date, duration: String(duration), rate: amountInField(rate, currency), note: '' }
}

/** What's sent, or what has to be corrected first, by field. */
export function saidOf(
  typed: NotRightFields,
  session: PricedSession,
): { said: SaidOfSession } | { errors: Partial<Record<keyof NotRightFields, string>> } {
  const note = typed.note.trim()
  const read = amountAsTyped(typed.rate, session.currency)
  if (typed.what === 'rate' && 'problem' in read) return { errors: { rate: read.problem } }
  const fields = 'amount' in read ? { ...typed, rate: read.amount } : typed
  const said = { ...(note ? { note } : {}), ...proposalOf(fields) }
  if (Object.keys(said).length === 0) return { errors: { note: 'Pick what isn’t right, or write a note' } }
  const parsed = SaidOfSession.safeParse(said)
  if (!parsed.success)
    return {
      errors: Object.fromEntries(
        parsed.error.issues.map(({ path, message }) => [
          path.at(-1),
          amountProblem(message, session.currency),
        ]),
      ),
    }
  if (fields.what === 'time' && fields.date === session.date && hoursOf(fields) === session.duration)
    return { errors: { duration: 'Enter how long it took, or change the day' } }
  if (fields.what === 'rate' && Number(typedNumber(fields.rate)) === session.rate)
    return { errors: { rate: 'Enter the rate that’s right' } }
  return { said }
}

const hoursOf = ({ duration }: NotRightFields) => Number(typedNumber(duration))

function proposalOf({ what, date, duration, rate }: NotRightFields): SaidOfSession {
  if (what === 'time') return { proposal: { date, duration: typedNumber(duration) } }
  if (what === 'rate') return { proposal: { rate: typedNumber(rate) } }
  return what === 'removal' ? { proposal: { is_removal: true } } : {}
}

/**
 * What a proposal changes, such as "45 minutes instead of 60, $39.00 instead of $52.00". Goes on a sentence that
 * begins with who says so.
 */
export function proposalInWords(
  session: PricedSession,
  proposal: Proposable & { is_removal: boolean },
): string {
  if (proposal.is_removal) return 'it didn’t happen'
  const money = (amount: number | null) =>
    amount === null ? 'no rate' : formatAmount(amount, session.currency)
  const day = (date: string) => formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })
  const minutes = ({ duration }: Proposable) => Math.round(duration * 60)
  return inOneLine([
    proposal.date === session.date ? null : `${day(proposal.date)} instead of ${day(session.date)}`,
    proposal.duration === session.duration
      ? null
      : `${minutes(proposal)} minutes instead of ${minutes(session)}`,
    proposal.rate === session.rate
      ? null
      : `${priceInShort(proposal, session.currency)} instead of ${priceInShort(session, session.currency)}`,
    proposal.total_amount === session.total_amount
      ? null
      : `${money(proposal.total_amount)} instead of ${money(session.total_amount)}`,
  ])
}
