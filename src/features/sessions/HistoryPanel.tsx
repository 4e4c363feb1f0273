import { useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { useHistory } from './client.web.ts'
import type { Action } from '#features/agreements/history.ts'
import type { SessionHistoryEntry } from './history.ts'

const DONE: Record<Action, string> = {
  recorded: 'added it from earlier records',
  logged: 'logged it',
  changed: 'changed it',
  confirmed: 'confirmed it',
  withdrawn: 'withdrew the confirmation',
  disputed: 'sent it back',
  answered: 'answered',
  accepted: 'accepted it',
  'deletion asked': 'asked to delete it',
  kept: 'kept it',
  merged: 'merged two entries into this one',
  deleted: 'deleted it',
}

const money = (amount: number | null, currency: Currency) =>
  amount === null ? 'no rate' : formatAmount(amount, currency)

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
        : `${money((before ?? entry).rate, entry.currency)} to ${money(entry.rate, entry.currency)} an hour`,
    currency: () => `${(before ?? entry).currency} to ${entry.currency}, with the same numbers`,
    subject: () => (entry.subject ? `subject ${entry.subject}` : 'no subject'),
    student: () => 'the student',
    tutor: () => 'the tutor',
    notes: () => 'notes',
    'start time': () => 'the start time',
    summary: () => 'the summary',
    homework: () => 'the homework',
  }
  return entry.changed.map((field) => words[field]?.() ?? field).join(', ')
}

const nameOf = ({ by, member_name: name }: SessionHistoryEntry, other: string) =>
  ({ you: 'You', member: name ?? 'Another member', other, tutorlog: 'Tutorlog' })[by]

/** A session's history, which is the same for both sides. */
export function HistoryPanel({ sessionId, other }: { sessionId: string; other: string }) {
  const history = useHistory(sessionId)
  const isTutor = useSide() === 'tutor'
  const seesAmounts = useSeesAmounts()
  if (history.isError)
    return (
      <p className="help">
        The history didn’t load.{' '}
        <button type="button" className="link min-h-11" onClick={() => void history.refetch()}>
          Try again
        </button>
      </p>
    )
  if (!history.isSuccess)
    return (
      <div className="late" role="status">
        <span className="sr-only">Loading history...</span>
        <div className="sk h-12" />
      </div>
    )
  const { entries } = history.data
  const before = ({ chain, seq }: SessionHistoryEntry) =>
    entries.find((earlier) => earlier.chain === chain && earlier.seq === seq - 1)
  return (
    <ol className="grid grid-cols-1 gap-3 border-l-[1.5px] border-margin pl-4">
      {entries.map((entry) => (
        <li key={`${entry.chain} ${entry.seq}`} className="min-w-0 text-small leading-snug wrap-anywhere">
          <p>
            <b
              className={
                entry.by === 'tutorlog'
                  ? ''
                  : (entry.by === 'other') === isTutor
                    ? 'text-parent'
                    : 'text-tutor'
              }
            >
              {nameOf(entry, other)}
            </b>{' '}
            {DONE[entry.action]}
            {entry.changed.length > 0 && `: ${changesOf(entry, before(entry), seesAmounts)}`}
          </p>
          {entry.note && <p className="mt-0.5 text-ink-2">“{entry.note}”</p>}
          <p className="text-ink-3">
            {new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
              new Date(entry.at),
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}
