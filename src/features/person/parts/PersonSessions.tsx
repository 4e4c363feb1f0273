import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanLog } from '#features/accounts/client.web.ts'
import { usePersonSessions } from '#features/sessions/client.web.ts'
import { LONGEST_SEARCH } from '#features/sessions/session.ts'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import { paths } from '#features/site/paths.ts'
import { monthLabel } from '#kernel/month.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import type { Kind } from '../account.ts'
import type { Who } from '../lesson-days.ts'

/** How long to wait for the next letter before searching. */
const TYPING_MS = 250
/** What's searched for, in the page's URL, so that it's still there after Back and a reload. */
const QUERY = 'q'

interface PersonSessionsProps {
  kind: Kind
  who: Who
  name: string
}

/** All of a person's sessions, newest first, with a search. */
export function PersonSessions({ kind, who, name }: PersonSessionsProps) {
  const { typed, setTyped, search } = useSearch()
  const sessions = usePersonSessions(who, search)
  const canLog = useCanLog()
  const list = sessions.data?.pages.flatMap((page) => page.sessions) ?? []
  if (sessions.isSuccess && list.length === 0 && search === '' && typed === '')
    return (
      <Empty
        title={`No sessions with ${name} yet`}
        line={canLog ? 'What you log shows up here.' : undefined}
        action={canLog && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
      />
    )
  const months = [...Map.groupBy(list, ({ date }) => date.slice(0, 7))]
  return (
    <section aria-label="Sessions">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2>Sessions</h2>
        <label className="relative max-md:w-full md:w-80">
          <span className="sr-only">Search sessions</span>
          <Search
            className="i pointer-events-none absolute inset-y-0 left-3.5 my-auto text-ink-3"
            aria-hidden="true"
          />
          <input
            type="search"
            className="in pl-11!"
            placeholder="Subject, notes or date"
            autoComplete="off"
            maxLength={LONGEST_SEARCH}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      </div>
      <p className="sr-only" role="status">
        {sessions.isSuccess &&
          search !== '' &&
          !sessions.isPlaceholderData &&
          found(list.length, sessions.hasNextPage)}
      </p>
      <div className="mt-3">
        {sessions.isLoading && (
          <LoadingCard label="Loading sessions..." lines={['h-4 w-2/5', 'h-4 w-3/5', 'h-4 w-1/2']} />
        )}
        <ListRetry list={sessions} plural="sessions" />
        {sessions.isSuccess && list.length === 0 && (
          <p className="card px-5 py-6 text-center wrap-anywhere text-ink-2">Nothing found for “{search}”.</p>
        )}
        <div className={`grid gap-4 ${sessions.isPlaceholderData ? 'opacity-60' : ''}`}>
          {months.map(([month, inMonth]) => (
            <div key={month}>
              <h3 className="mb-2 text-small font-medium text-ink-2">{monthLabel(month)}</h3>
              <ul className="card list overflow-hidden" aria-label={`Sessions, ${monthLabel(month)}`}>
                {inMonth.map((session) => (
                  <SessionRow key={session.id} session={session} isFull={kind === 'child'} />
                ))}
              </ul>
            </div>
          ))}
        </div>
        {sessions.hasNextPage && (
          <Button
            tone="secondary"
            className="mt-4 w-full"
            busy={sessions.isFetchingNextPage}
            busyText="Loading..."
            onClick={() => void sessions.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
    </section>
  )
}

function found(count: number, hasMore: boolean): string {
  if (count === 0) return 'No sessions found'
  return `${hasMore ? 'More than ' : ''}${count} ${count === 1 ? 'session' : 'sessions'} found`
}

/** What's typed, and what's searched for a moment later. */
function useSearch() {
  const [query, setQuery] = useSearchParams()
  const search = query.get(QUERY) ?? ''
  const [typed, setTyped] = useState(search)
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === search) return
    const timer = setTimeout(
      () =>
        setQuery(
          (current) => {
            if (wanted) current.set(QUERY, wanted)
            else current.delete(QUERY)
            return current
          },
          { replace: true },
        ),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
  }, [typed, search, setQuery])
  return { typed, setTyped, search }
}
