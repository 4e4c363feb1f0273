import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { formatMoment } from '#kernel/calendar-day.ts'
import { useIsMaintained } from '#platform/connectivity.web.ts'

/**
 * Shows that the server can't be reached, and how old the data on screen is. Where you log a session, says
 * instead that it's kept. Part of the app's first load, because it can't be loaded once it's needed.
 */
export function OfflineLine() {
  const isLogging = useLocation().pathname === paths.addSession
  const isMaintained = useIsMaintained()
  const queries = useQueryClient().getQueryCache()
  const [loadedAt, setLoadedAt] = useState<number>()
  useEffect(() => {
    const look = () => {
      const instants = queries
        .findAll({ type: 'active' })
        .map(({ state }) => state.dataUpdatedAt)
        .filter((instant) => instant > 0)
      setLoadedAt(instants.length > 0 ? Math.min(...instants) : undefined)
    }
    look()
    return queries.subscribe(look)
  }, [queries])
  return (
    <p
      role="status"
      className="mb-4 flex min-h-16 items-center gap-2.5 rounded-md bg-sunken px-4 py-3 text-small text-ink-2 md:min-h-11"
    >
      <CloudOff className="size-[18px] shrink-0" aria-hidden="true" />
      <span>
        {isMaintained ? 'Tutorlog is being maintained and will be back in a few minutes.' : 'Offline.'}{' '}
        {isLogging
          ? 'What you log is kept on this device.'
          : loadedAt !== undefined && `Showing what was loaded at ${timeOf(loadedAt)}.`}
      </span>
    </p>
  )
}

// Formats an instant as just the time if it's today, or as the date and time otherwise.
function timeOf(instant: number): string {
  const date = new Date(instant)
  const isToday = date.toDateString() === new Date().toDateString()
  const day = isToday ? {} : ({ weekday: 'short', month: 'short', day: 'numeric' } as const)
  return formatMoment(date, { ...day, hour: 'numeric', minute: '2-digit' })
}
