import { Search as SearchIcon, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { useMissed } from '#features/schedules/client.web.ts'
import { MissedList } from '#features/schedules/MissedList.tsx'
import { outcomeInWords } from '#features/schedules/outcome.ts'
import { useFoundSessions } from '#features/sessions/client.web.ts'
import { type FoundSessions as Found, LONGEST_SEARCH, type Session } from '#features/sessions/session.ts'
import { STATE_NAMES, STATES } from '#features/sessions/session-search.ts'
import { useStudents } from '#features/students/client.web.ts'
import { OUTCOMES } from '#features/terms/outcome.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { useIsReachable } from '#platform/connectivity.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { Field } from '#platform/ui/Field.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import {
  askedFor,
  asksForSearch,
  filterCount,
  findsMissed,
  foundInWords,
  isBackwards,
  isEmpty,
  missedDays,
  type Search,
  searchIn,
  withoutSearch,
  withSearch,
} from './search.ts'
import { type Selection, SelectButtons, SelectedSessions, useSelection } from './SelectionSection.tsx'
import { SessionLines } from './SessionLines.tsx'

/** How long to wait for the next letter before searching. */
const TYPING_MS = 250

/** Whose sessions are searched: everyone's, or one person's. */
type Scope = { student_id?: string; tutor_id?: string }

interface SessionSearchSectionProps {
  scope?: Scope
  /** The section's heading, beside the field. A page that is all about sessions has none. */
  heading?: string
  /** Whether rows name the tutor and have amounts of their own. */
  isFull?: boolean
  onEdit?: ((session: Session) => void) | undefined
  /** Downloads sessions as a spreadsheet. */
  onExport: (sessions: readonly Session[]) => Promise<void>
  /** Shown while nothing is searched for. Without it, all sessions are listed. */
  children?: ReactNode
  /** Shown if there's no session at all. */
  none?: ReactNode
}

/** A search over all sessions, or over all of one person's, and what it finds. */
export function SessionSearchSection(props: SessionSearchSectionProps) {
  const { scope = {}, heading, children } = props
  const [query, setQuery] = useSearchParams()
  const isSearching = asksForSearch(query)
  const search = isSearching ? searchIn(query) : searchIn(new URLSearchParams())
  const [isOpen, setIsOpen] = useState(false)
  const show = (next: URLSearchParams) => setQuery(next, { replace: true, preventScrollReset: true })
  const showsFilters = isOpen || (isSearching && filterCount(search) > 0)
  const end = () => {
    setIsOpen(false)
    show(withoutSearch(query))
  }
  const closeFilters = () => {
    setIsOpen(false)
    show(search.q ? withSearch(withoutSearch(query), { q: search.q }) : withoutSearch(query))
  }
  const isIdle = !isSearching || isEmpty(search)
  const Frame = heading ? 'section' : 'div'
  return (
    <Frame aria-label={heading}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {heading && <h2>{heading}</h2>}
        <div className="flex min-w-0 items-center gap-1 max-md:w-full md:w-96" role="search">
          <SearchField
            isOfAll={!('student_id' in scope) && !('tutor_id' in scope)}
            searched={search.q}
            onSearch={(q) => show(q || showsFilters ? withSearch(query, { q }) : withoutSearch(query))}
          />
          <IconButton
            label={showsFilters ? 'Close the filters' : 'Filters'}
            onClick={() => (showsFilters ? closeFilters() : setIsOpen(true))}
          >
            {showsFilters ? (
              <X className="i" aria-hidden="true" />
            ) : (
              <SlidersHorizontal className="i" aria-hidden="true" />
            )}
          </IconButton>
        </div>
      </div>
      {showsFilters && (
        <Filters search={search} scope={scope} onChange={(changes) => show(withSearch(query, changes))} />
      )}
      {isIdle && children ? children : <Results {...props} scope={scope} search={search} onEnd={end} />}
    </Frame>
  )
}

interface SearchFieldProps {
  isOfAll: boolean
  searched: string
  onSearch: (words: string) => void
}

/** What's typed, which is searched for a moment later. Back brings earlier words into the field, too. */
function SearchField({ isOfAll, searched, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(searched)
  const [sent, setSent] = useState(searched)
  if (sent !== searched) {
    setSent(searched)
    if (typed.trim() !== searched) setTyped(searched)
  }
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === searched) return
    const timer = setTimeout(() => onSearch(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <label className="relative min-w-0 flex-1">
      <span className="sr-only">Search sessions</span>
      <SearchIcon
        className="i pointer-events-none absolute inset-y-0 left-3.5 my-auto text-ink-3"
        aria-hidden="true"
      />
      <input
        type="search"
        className="in pl-11!"
        placeholder={isOfAll ? 'Search all sessions' : 'Subject, notes or date'}
        autoComplete="off"
        maxLength={LONGEST_SEARCH}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  )
}

interface FiltersProps {
  search: Search
  scope: Scope
  onChange: (changes: Partial<Search>) => void
}

function Filters({ search, scope, onChange }: FiltersProps) {
  const side = useSide()
  const isParent = side === 'parent'
  const students = [useStudents('active'), useStudents('archived')]
  const tutors = [useTutors('active'), useTutors('archived')]
  return (
    <div className="card pair mt-3 p-4" role="group" aria-label="Filters">
      {!('student_id' in scope) && (
        <PersonChoice
          label={isParent ? 'Child' : 'Student'}
          lists={students}
          value={search.child}
          onChange={(child) => onChange({ child })}
        />
      )}
      {isParent && !('tutor_id' in scope) && (
        <PersonChoice
          label="Tutor"
          lists={tutors}
          value={search.tutor}
          onChange={(tutor) => onChange({ tutor })}
        />
      )}
      <SelectField
        label="Outcome"
        value={search.outcome}
        onChange={({ target }) => onChange({ outcome: target.value as Search['outcome'] })}
      >
        <option value="">Took place</option>
        <option value="missed">Missed</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {outcomeInWords(outcome, side)}
          </option>
        ))}
      </SelectField>
      {search.outcome === '' && (
        <SelectField
          label="Status"
          value={search.state}
          onChange={({ target }) => onChange({ state: target.value as Search['state'] })}
        >
          <option value="">Any</option>
          {STATE_NAMES.map((state) => (
            <option key={state} value={state}>
              {STATES[state].label}
            </option>
          ))}
        </SelectField>
      )}
      <DayField label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DayField
        label="To"
        value={search.to}
        error={isBackwards(search) ? 'The last day can’t be before the first' : undefined}
        onChange={(to) => onChange({ to })}
      />
    </div>
  )
}

interface PersonChoiceProps {
  label: string
  lists: { data: { id: string; name: string }[] | undefined }[]
  value: string
  onChange: (id: string) => void
}

function PersonChoice({ label, lists, value, onChange }: PersonChoiceProps) {
  const people = lists.flatMap(({ data }) => data ?? [])
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Everyone</option>
      {value !== '' && !people.some(({ id }) => id === value) && <option value={value}>…</option>}
      {people.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

interface DayFieldProps {
  label: string
  value: string
  error?: string | undefined
  onChange: (day: CalendarDay | '') => void
}

function DayField({ label, value, error, onChange }: DayFieldProps) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          type="date"
          className="in"
          value={value}
          onChange={({ target }) => onChange(target.value as CalendarDay)}
        />
      )}
    </Field>
  )
}

type ResultsProps = SessionSearchSectionProps & { scope: Scope; search: Search; onEnd: () => void }

function Results(props: ResultsProps) {
  const { search, onEnd } = props
  if (isBackwards(search)) return <Nothing words={search.q} onEnd={onEnd} />
  return search.outcome === '' ? <FoundSessions {...props} /> : <FoundMissed {...props} />
}

function FoundSessions(props: ResultsProps) {
  const { scope, search, heading, onExport, onEnd, none } = props
  const isReachable = useIsReachable()
  const found = useFoundSessions(askedFor(search, scope))
  const list = found.data?.pages.flatMap((page) => page.sessions) ?? []
  const selection = useSelection(list)
  const isCurrent = found.isSuccess && !found.isPlaceholderData
  if (isCurrent && list.length === 0)
    return isEmpty(search) ? <div className="mt-3">{none}</div> : <Nothing words={search.q} onEnd={onEnd} />
  if (!isReachable && !found.data) return <OfflineNote />
  return (
    <div className="mt-3">
      {!heading && <h2 className="sr-only">Sessions found</h2>}
      {found.isLoading && (
        <LoadingCard label="Loading sessions..." lines={['h-4 w-2/5', 'h-4 w-3/5', 'h-4 w-1/2']} />
      )}
      <ListRetry list={found} plural="sessions" />
      {list.length > 0 && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <InAll found={isCurrent ? found.data?.pages[0]?.found : undefined} isSearch={!isEmpty(search)} />
          <SelectButtons selection={selection} count={list.length} />
        </div>
      )}
      <div className={found.isPlaceholderData ? 'opacity-60' : ''}>
        <ByMonth {...props} list={list} selection={selection} />
      </div>
      {found.hasNextPage && (
        <Button
          tone="secondary"
          className="mt-4 w-full"
          busy={found.isFetchingNextPage}
          busyText="Loading..."
          onClick={() => void found.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      <SelectedSessions selection={selection} onExport={onExport} />
    </div>
  )
}

/** What was found in all, and what the sums include. */
function InAll({ found, isSearch }: { found: Found | undefined; isSearch: boolean }) {
  const words = found && foundInWords(found, isSearch)
  return (
    <div role="status">
      {words && <p className="num text-small font-semibold">{words.total}</p>}
      {words?.note && <p className="num text-small text-ink-2">{words.note}</p>}
    </div>
  )
}

function ByMonth({
  list,
  selection,
  isFull = false,
  onEdit,
}: Pick<ResultsProps, 'isFull' | 'onEdit'> & { list: readonly Session[]; selection: Selection }) {
  return (
    <div className="grid gap-4">
      {[...Map.groupBy(list, ({ date }) => date.slice(0, 7))].map(([month, inMonth]) => (
        <div key={month}>
          <h3 className="mb-2 text-small font-medium text-ink-2">{monthLabel(month)}</h3>
          <SessionLines
            label={`Sessions, ${monthLabel(month)}`}
            sessions={inMonth}
            isFull={isFull}
            onEdit={onEdit}
            selecting={selection.isOn ? selection : undefined}
          />
        </div>
      ))}
    </div>
  )
}

/** Classes that didn't take place aren't sessions. They're listed, and nothing can be done with them here. */
function FoundMissed({ scope, search, onEnd }: ResultsProps) {
  const isReachable = useIsReachable()
  const days = missedDays(search, dayIn(new Date()))
  const missed = useMissed(days.from, days.to)
  const list = missed.data?.filter((one) => findsMissed(one, search, scope))
  if (!isReachable && !list) return <OfflineNote />
  if (list?.length === 0) return <Nothing words={search.q} onEnd={onEnd} />
  return (
    <div className="mt-3">
      {missed.isLoading && (
        <LoadingCard label="Loading missed classes..." lines={['h-4 w-2/5', 'h-4 w-3/5']} />
      )}
      <ListRetry list={missed} plural="missed classes" />
      {list && (
        <div className="card px-4 py-1.5">
          <MissedList missed={list} isOpen />
          <p className="pb-2 text-small text-ink-2">
            From {formatDay(days.from, { month: 'short', day: 'numeric', year: 'numeric' })} on.
          </p>
        </div>
      )}
    </div>
  )
}

function Nothing({ words, onEnd }: { words: string; onEnd: () => void }) {
  return (
    <div className="mt-4">
      <Empty
        title={words ? `Nothing found for “${words}”` : 'Nothing found'}
        action={
          <Button tone="secondary" onClick={onEnd}>
            Clear the search
          </Button>
        }
      />
    </div>
  )
}

function OfflineNote() {
  return (
    <p role="status" className="card mt-4 px-5 py-6 text-center text-ink-2">
      Search needs a connection. Your words stay here until it’s back.
    </p>
  )
}
