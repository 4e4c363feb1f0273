import { lazy } from 'react'
import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import type { Dashboard } from './dashboard.ts'

// Loaded only if there are sessions.
const RecentRows = lazy(() => import('./RecentRows.tsx'))

export function RecentSection({ sessions }: { sessions: Dashboard['recent_sessions'] }) {
  return (
    <section className="mt-7">
      <SectionHeading
        action={
          <Link to={paths.summary} className="link inline-flex min-h-11 items-center text-[.9375rem]">
            All of {formatDay(dayIn(new Date()), { month: 'long' })}
          </Link>
        }
      >
        Recent Sessions
      </SectionHeading>
      {sessions.length > 0 ? (
        <RecentRows sessions={sessions} />
      ) : (
        <div className="card p-6 text-center text-ink-2">No sessions in the last 7 days.</div>
      )}
    </section>
  )
}
