import { useSeesAmounts } from '#features/accounts/client.web.ts'
import { HistoryPanel } from '#features/agreements/HistoryPanel.tsx'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { useHistory } from './client.web.ts'
import type { SessionHistoryEntry } from './history.ts'
import { eachWords, LESSON_WORDS } from './lesson-words.ts'
import { priceInShort } from '#features/prices/price.ts'

const shortDay = (date: string) => formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })

/** Describes what an entry changed, with old and new values. */
function changesOf(
  entry: SessionHistoryEntry,
  before: SessionHistoryEntry | undefined,
  seesAmounts: boolean,
): string {
  const words: Record<string, () => string> = {
    date: () => `${shortDay((before ?? entry).date)} to ${shortDay(entry.date)}`,
    duration: () => `${hoursInWords((before ?? entry).duration)} to ${hoursInWords(entry.duration)}`,
    rate: () =>
      !seesAmounts
        ? 'the rate'
        : `${priceInShort(before ?? entry, entry.currency)} to ${priceInShort(entry, entry.currency)}`,
    currency: () => `${(before ?? entry).currency} to ${entry.currency}, with the same numbers`,
    subject: () => (entry.subject ? `subject ${entry.subject}` : 'no subject'),
    student: () => 'the student',
    tutor: () => 'the tutor',
    notes: () => 'notes',
    'start time': () => 'the start time',
    ...eachWords((field) => () => `the ${LESSON_WORDS[field].label.toLowerCase()}`),
  }
  return entry.changed.map((field) => words[field]?.() ?? field).join(', ')
}

/** A session's history. */
export function SessionHistory({ sessionId, other }: { sessionId: string; other: string }) {
  const seesAmounts = useSeesAmounts()
  return (
    <HistoryPanel
      history={useHistory(sessionId)}
      other={other}
      changesOf={(entry, before) => changesOf(entry, before, seesAmounts)}
    />
  )
}
