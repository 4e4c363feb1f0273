// Which payments paid for which lessons and charges: the oldest payment pays the oldest line first. A pure function
// over an account's ledger (features/payments/balance.ts).
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Cents, cents, type Currency, partOf } from '#kernel/money.ts'
import type { Entry, Line } from '#features/payments/balance.ts'
import type { Method } from '#features/payments/payment.ts'

/** A part of a payment, of prepaid hours or of a credit that paid for a line. */
export interface Settlement {
  kind: 'payment' | 'prepaid' | 'credit'
  /** The payment's, purchase's or credit's id. */
  from: string
  /** The id of the session, charge or earlier debt that it paid for. */
  to: string
  day: CalendarDay
  method: Method | null
  isConfirmed: boolean
  amount: Cents
}

/** A line of a ledger, as much as settling needs. */
type SettledLine = Line<Entry & { payment: { method: Method | null } | null }>

interface Source {
  settlement: Omit<Settlement, 'to' | 'amount'>
  left: number
}

interface PrepaidHours {
  settlement: Omit<Settlement, 'to' | 'amount'>
  minutesLeft: number
}

/** All settlements of an account, in the order of its lines. */
export function settle(lines: readonly SettledLine[], currency: Currency): Settlement[] {
  return [...settledFromPrepaid(lines, currency), ...settledFromPayments(lines)]
}

function sourceOf(kind: Settlement['kind'], { entry }: SettledLine): Omit<Settlement, 'to' | 'amount'> {
  return {
    kind,
    from: entry.id,
    day: entry.day,
    method: entry.payment?.method ?? null,
    isConfirmed: entry.standing === 'verified',
  }
}

/** Lessons draw on the oldest prepaid hours first. */
function settledFromPrepaid(lines: readonly SettledLine[], currency: Currency): Settlement[] {
  const bought: PrepaidHours[] = []
  return lines.flatMap((line) => {
    const { entry } = line
    if (entry.kind === 'hours' && entry.counts !== false)
      bought.push({ settlement: sourceOf('prepaid', line), minutesLeft: entry.minutes })
    return line.covered > 0 ? takenFrom(bought, line, currency) : []
  })
}

function takenFrom(
  bought: PrepaidHours[],
  { entry, covered, coveredAmount }: SettledLine,
  currency: Currency,
): Settlement[] {
  const taken: Settlement[] = []
  let [minutesOpen, amountOpen] = [covered as number, coveredAmount]
  for (const hours of bought) {
    const minutes = Math.min(hours.minutesLeft, minutesOpen)
    if (minutes === 0) continue
    // The last part takes the rest, so that the parts add up to the cent.
    const amount = minutes === minutesOpen ? amountOpen : partOf(amountOpen, minutes, minutesOpen, currency)
    hours.minutesLeft -= minutes
    minutesOpen -= minutes
    amountOpen = cents(amountOpen - amount)
    taken.push({ ...hours.settlement, to: entry.id, amount })
  }
  return taken
}

/** What prepaid hours didn't cover is paid by payments and credits, the oldest first. */
function settledFromPayments(lines: readonly SettledLine[]): Settlement[] {
  const sources = lines.flatMap((line): Source[] => {
    if (line.charged < 0) return [{ settlement: sourceOf('credit', line), left: -line.charged }]
    // Prepaid hours pay for themselves when they're bought.
    const isPayment = line.entry.kind !== 'hours' && line.paid > 0
    return isPayment ? [{ settlement: sourceOf('payment', line), left: line.paid }] : []
  })
  const owed = lines.filter(({ entry, charged }) => entry.kind !== 'hours' && charged > 0)
  let at = 0
  return owed.flatMap(({ entry, charged }) => {
    const own: Settlement[] = []
    let open: number = charged
    while (open > 0) {
      const source = sources[at]
      if (!source) break
      const amount = Math.min(open, source.left)
      own.push({ ...source.settlement, to: entry.id, amount: cents(amount) })
      open -= amount
      source.left -= amount
      if (source.left === 0) at++
    }
    return own
  })
}
