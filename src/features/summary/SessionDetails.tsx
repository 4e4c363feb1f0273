import { memo, useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanWrite } from '#features/accounts/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { useStudentTitles } from '#features/sessions/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useBeforePrint } from '#platform/ui/print.web.ts'
import { useWidth } from '#platform/ui/width.web.ts'
import { FilterChips } from './FilterChips.tsx'
import { SelectButtons, SelectedSessions, useSelection } from './SelectionSection.tsx'
import {
  afterPress,
  asksForSome,
  choicesOf,
  filterIn,
  inWords,
  matches,
  withoutFilter,
} from './session-filter.ts'
import { afterSort, asksForOrder, orderIn, sorted } from './session-order.ts'
import { SessionLines } from './SessionLines.tsx'
import { SessionTable } from './SessionTable.tsx'

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
  /** Downloads sessions as a spreadsheet. */
  onExport: (sessions: readonly Session[]) => Promise<void>
}

/**
 * A month's sessions, either all or filtered: as log rows on a phone and as a table on a desktop. Memoized
 * because it has many rows, and the page around it renders whenever a list starts or finishes loading.
 */
export const SessionDetails = memo(function SessionDetails(props: SessionDetailsProps) {
  const { sessions, count, onMore, isLoadingMore, onEdit, onExport } = props
  const [query, setQuery] = useSearchParams()
  const [shown, setShown] = useState(STEP)
  const showAll = useCallback(() => setShown(Infinity), [])
  useBeforePrint(showAll)
  const canWrite = useCanWrite()
  const isPhone = useWidth('phone')
  const titleOf = useStudentTitles()
  const choices = choicesOf(sessions, titleOf)
  const filter = filterIn(query, choices)
  const isSome = Object.keys(filter).length > 0
  const listed = isSome ? sessions.filter((session) => matches(session, filter)) : sessions
  const order = orderIn(query)
  const rows = (isPhone ? listed : sorted(listed, order, titleOf)).slice(0, shown)
  const selection = useSelection(rows)
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
        {isPhone && <SelectButtons selection={selection} count={rows.length} />}
        <span className="num text-small text-ink-2" role="status">
          {isSome
            ? inWords(`${listed.length} of ${count} sessions`, listed)
            : `${count} ${count === 1 ? 'session' : 'sessions'}`}
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
        <SessionLines
          {...list}
          label="Session Details"
          isFull
          selecting={selection.isOn ? selection : undefined}
        />
      ) : (
        <SessionTable
          {...list}
          order={order}
          onSort={(column) => show(afterSort(query, column))}
          ticked={selection.ids}
          onTick={selection.onTick}
          onTickAll={selection.onTickAll}
        />
      )}
      {hasMore && (
        <div className="mt-4 text-center">
          <Button tone="secondary" busy={isLoadingMore} busyText="Loading..." onClick={more}>
            Show more
          </Button>
        </div>
      )}
      <SelectedSessions selection={selection} onExport={onExport} />
    </section>
  )
})

/**
 * Whether the URL contains a filter or an order. Both apply to all of the month's sessions, also to those that
 * aren't loaded yet.
 */
export function useNeedsAll(): boolean {
  const [query] = useSearchParams()
  return asksForSome(query) || asksForOrder(query)
}
