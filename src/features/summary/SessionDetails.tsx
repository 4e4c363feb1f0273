import { Pencil } from 'lucide-react'
import { memo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { standingOf } from '#features/agreements/answer.ts'
import type { Session } from '#features/sessions/session.ts'
import { useSessionLink, useStudentTitles } from '#features/sessions/client.web.ts'
import {
  SessionRow,
  SessionWord,
  SessionWords,
  StudentTitle,
  sessionHours,
  sessionMoney,
  sessionStart,
} from '#features/sessions/SessionRow.tsx'
import { sessionName } from '#features/sessions/standing-text.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { RowOpener } from '#platform/ui/RowLink.tsx'
import { FilterChips } from './FilterChips.tsx'
import {
  afterPress,
  asksForSome,
  choicesOf,
  filterIn,
  matches,
  sumOf,
  withoutFilter,
} from './session-filter.ts'

/** How many rows to show at first, and how many to add with each press. */
const STEP = 30

interface SessionDetailsProps {
  /** The month's sessions loaded so far. */
  sessions: Session[]
  /** The total number of sessions in the month, loaded or not. */
  count: number
  /** Loads the next page; omitted if everything is loaded. */
  onMore?: (() => void) | undefined
  isLoadingMore: boolean
  onEdit: (session: Session) => void
}

/**
 * A month's sessions, either all or filtered: as log rows on a phone and as a table on a desktop. Memoized
 * because it has many rows, and the page around it renders whenever a list starts or finishes loading.
 */
export const SessionDetails = memo(function SessionDetails(props: SessionDetailsProps) {
  const { sessions, count, onMore, isLoadingMore, onEdit } = props
  const [query, setQuery] = useSearchParams()
  const [shown, setShown] = useState(STEP)
  const canWrite = useCanWrite()
  const isPhone = useWidth('phone')
  const choices = choicesOf(sessions, useStudentTitles())
  const filter = filterIn(query, choices)
  const isSome = Object.keys(filter).length > 0
  const listed = isSome ? sessions.filter((session) => matches(session, filter)) : sessions
  const rows = listed.slice(0, shown)
  const hasMore = listed.length > shown || onMore !== undefined
  const show = (next: URLSearchParams) => setQuery(next, { replace: true, preventScrollReset: true })
  const more = () => {
    setShown(shown + STEP)
    if (shown + STEP > listed.length) onMore?.()
  }
  const list = { sessions: rows, onEdit: canWrite ? onEdit : undefined }
  return (
    <section className="mt-4 lg:mt-6">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2>Session Details</h2>
        <span className="num text-small text-ink-2" role="status">
          {isSome ? inWords(listed, count) : `${count} ${count === 1 ? 'session' : 'sessions'}`}
        </span>
      </div>
      <FilterChips choices={choices} filter={filter} onPress={(choice) => show(afterPress(query, choice))} />
      {isSome && listed.length === 0 ? (
        <div className="card px-5 py-6 text-center">
          <p className="text-ink-2">No sessions match these filters.</p>
          <Button className="mt-3" tone="secondary" size="small" onClick={() => show(withoutFilter(query))}>
            Show all
          </Button>
        </div>
      ) : isPhone ? (
        <Lines {...list} />
      ) : (
        <Table {...list} />
      )}
      {hasMore && (
        <div className="mt-4 text-center">
          <Button tone="secondary" busy={isLoadingMore} busyText="Loading..." onClick={more}>
            Show more
          </Button>
        </div>
      )}
    </section>
  )
})

/** Whether the URL contains a filter. If it does, we may need sessions that aren't loaded yet. */
export function useIsFiltered(): boolean {
  return asksForSome(useSearchParams()[0])
}

/** "3 of 11 sessions, 4.5 h, $202.50". */
function inWords(sessions: readonly Session[], count: number): string {
  const { hours, amounts } = sumOf(sessions)
  return inOneLine([
    `${sessions.length} of ${count} sessions`,
    hoursInWords(hours),
    ...(amounts.length > 0 ? amounts.map(({ currency, amount }) => formatAmount(amount, currency)) : ['–']),
  ])
}

interface ListProps {
  sessions: readonly Session[]
  onEdit: ((session: Session) => void) | undefined
}

function Lines({ sessions, onEdit }: ListProps) {
  return (
    <ul className="card list overflow-hidden" aria-label="Session Details">
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} isFull onEdit={onEdit} />
      ))}
    </ul>
  )
}

function Table({ sessions, onEdit }: ListProps) {
  const linkTo = useSessionLink()
  const isShared = sessions.some((session) => standingOf(session) !== 'own')
  return (
    <div className="card overflow-hidden">
      <DataTable
        label="Session Details"
        columns={[
          { key: 'date', header: 'Date' },
          { key: 'student', header: 'Student' },
          { key: 'tutor', header: 'Tutor' },
          { key: 'duration', header: 'Duration', numeric: true },
          { key: 'subject', header: 'Subject' },
          { key: 'rate', header: 'Rate', numeric: true },
          { key: 'amount', header: 'Amount', numeric: true, strong: true },
          ...(isShared ? [{ key: 'state' as const, header: 'Verification', hideHeader: true }] : []),
          ...(onEdit ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
        ]}
        rows={sessions.map((session) => {
          const day = shortDay(session)
          const link = linkTo(session)
          return {
            id: session.id,
            link,
            cells: {
              date: (
                <>
                  {link ? (
                    <RowOpener
                      link={{ ...link, label: `${day}, ${session.student_name ?? UNKNOWN_STUDENT}` }}
                    >
                      <span className="whitespace-nowrap">{day}</span>
                    </RowOpener>
                  ) : (
                    day
                  )}
                  {session.start_time && (
                    <span className="num block text-small font-normal text-ink-2">
                      {sessionStart(session)}
                    </span>
                  )}
                </>
              ),
              student: <StudentTitle session={session} />,
              tutor: session.tutor_name ?? UNKNOWN_TUTOR,
              duration: sessionHours(session),
              subject: (
                <>
                  {session.subject}
                  <SessionWords session={session} className="max-w-xs" />
                </>
              ),
              rate: sessionMoney(session.effective_rate, session.currency),
              amount: sessionMoney(session.total_amount, session.currency),
              state: <SessionWord session={session} isShort />,
              actions: onEdit && (
                <IconButton label={`Edit session, ${sessionName(session)}`} onClick={() => onEdit(session)}>
                  <Pencil className="size-[18px]" aria-hidden="true" />
                </IconButton>
              ),
            },
          }
        })}
      />
    </div>
  )
}

function shortDay({ date }: Session): string {
  return formatDay(date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })
}
