import { Link } from 'react-router'
import { SessionRow } from '#features/sessions/SessionRow.tsx'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import type { Dashboard } from './dashboard.ts'

/** The latest sessions as a page of the exercise book, and the way to the whole month. */
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
        <ul className="card list overflow-hidden">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <div className="card p-6 text-center text-ink-2">No sessions in the last 7 days.</div>
      )}
    </section>
  )
}
