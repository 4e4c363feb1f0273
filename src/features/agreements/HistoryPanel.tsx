import type { UseQueryResult } from '@tanstack/react-query'
import { useSide } from '#features/accounts/client.web.ts'
import { formatMoment } from '#kernel/calendar-day.ts'
import type { Action, HistoryEntry } from './history.ts'

const DONE: Record<Action, string> = {
  recorded: 'added it from earlier records',
  logged: 'logged it',
  changed: 'changed it',
  confirmed: 'confirmed it',
  withdrawn: 'withdrew the confirmation',
  disputed: 'said not right',
  answered: 'answered',
  accepted: 'accepted it',
  'deletion asked': 'asked to delete it',
  kept: 'kept it',
  merged: 'merged two entries into this one',
  deleted: 'deleted it',
  'by terms': 'said how the class went, which costs this by your terms',
  waived: 'waived it',
}

const nameOf = ({ by, member_name: name }: HistoryEntry, other: string) =>
  ({ you: 'You', member: name ?? 'Another member', other, tutorlog: 'Tutorlog' })[by]

interface HistoryPanelProps<Entry extends HistoryEntry> {
  history: UseQueryResult<{ entries: Entry[] }>
  other: string
  /** Describes what an entry changed, with old and new values. */
  changesOf: (entry: Entry, before: Entry | undefined) => string
}

/** The history of a session or payment, which is the same for both sides. */
export function HistoryPanel<Entry extends HistoryEntry>({
  history,
  other,
  changesOf,
}: HistoryPanelProps<Entry>) {
  const isTutor = useSide() === 'tutor'
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
  const before = ({ chain, seq }: Entry) =>
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
            {entry.is_by_handed_link && ' by handed-over link'}
            {entry.changed.length > 0 && `: ${changesOf(entry, before(entry))}`}
          </p>
          {entry.note && <p className="mt-0.5 text-ink-2">“{entry.note}”</p>}
          <p className="text-ink-3">{formatMoment(entry.at, { dateStyle: 'medium', timeStyle: 'short' })}</p>
        </li>
      ))}
    </ol>
  )
}
