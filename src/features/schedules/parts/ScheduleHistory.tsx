import { HistoryPanel } from '#features/agreements/HistoryPanel.tsx'
import { formatAmount } from '#kernel/money.ts'
import { useScheduleHistory } from '../client.web.ts'
import { ruleText } from '../proposal-text.ts'
import type { ScheduleHistoryEntry } from '../schedule.ts'

/** Describes what an entry changed. */
function changesOf(entry: ScheduleHistoryEntry, before: ScheduleHistoryEntry = entry): string {
  const words: Record<string, () => string> = {
    rule: () => ruleText(before.rule, entry.rule, (amount) => formatAmount(amount, entry.currency)),
    subject: () => (entry.subject === null ? 'no subject' : `“${entry.subject}”`),
    student: () => 'the student',
    tutor: () => 'the tutor',
  }
  return entry.changed.map((field) => words[field]?.() || field).join(', ')
}

/** A schedule's history. */
export function ScheduleHistory({ scheduleId, other }: { scheduleId: string; other: string }) {
  return <HistoryPanel history={useScheduleHistory(scheduleId)} other={other} changesOf={changesOf} />
}
