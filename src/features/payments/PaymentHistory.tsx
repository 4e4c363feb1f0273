import { HistoryPanel } from '#features/agreements/HistoryPanel.tsx'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatAmount } from '#kernel/money.ts'
import { usePaymentHistory } from './client.web.ts'
import type { PaymentHistoryEntry } from './history.ts'
import { KIND_LABELS, METHOD_LABELS } from './payment-form.ts'

const shortDay = (date: string) => formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })

/** Describes what an entry changed, with old and new values. */
function changesOf(entry: PaymentHistoryEntry, before: PaymentHistoryEntry = entry): string {
  const words: Record<string, () => string> = {
    date: () => `${shortDay(before.date)} to ${shortDay(entry.date)}`,
    amount: () =>
      `${formatAmount(before.amount, before.currency)} to ${formatAmount(entry.amount, entry.currency)}`,
    currency: () => `${before.currency} to ${entry.currency}, with the same numbers`,
    hours: () => (entry.hours === null ? 'no prepaid hours' : hoursInWords(entry.hours)),
    kind: () => KIND_LABELS[entry.kind],
    method: () => (entry.method === null ? 'no method' : METHOD_LABELS[entry.method]),
    student: () => 'the student',
    tutor: () => 'the tutor',
  }
  return entry.changed.map((field) => words[field]?.() ?? field).join(', ')
}

/** A payment's history. */
export function PaymentHistory({ paymentId, other }: { paymentId: string; other: string }) {
  return <HistoryPanel history={usePaymentHistory(paymentId)} other={other} changesOf={changesOf} />
}
