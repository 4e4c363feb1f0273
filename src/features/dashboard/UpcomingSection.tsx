import { LastTimeSection } from '#features/schedules/LastTimeSection.tsx'
import { isOverNow } from '#features/schedules/client.web.ts'
import { timesOf, yourDay } from '#features/schedules/occurrence.ts'
import { weekdayOf } from '#features/schedules/recurrence.ts'
import { GENERAL_TUTORING, WEEKDAYS } from '#features/schedules/schedule.ts'
import { formatDay } from '#kernel/calendar-day.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import type { Dashboard } from './dashboard.ts'

/** The next class on each schedule. */
export function UpcomingSection({ of, tone }: { of: Dashboard['upcoming']; tone: 'parent' | 'tutor' }) {
  // A class may end while the page is open, so leave out classes that are already over.
  const upcoming = of.filter((one) => !isOverNow(one))
  return (
    <section>
      <SectionHeading>Upcoming Sessions</SectionHeading>
      {upcoming.length > 0 ? (
        <ul className="card list">
          {upcoming.map((one) => (
            <li key={one.schedule_id} className="flex min-h-16 items-center gap-3 px-5 py-3">
              <div className="min-w-0 flex-1">
                <p className="line-clamp-2 leading-snug font-semibold" title={one.student_name}>
                  {one.student_name}
                </p>
                <p className="num text-small text-ink-2">
                  {one.subject ?? GENERAL_TUTORING}, {timesOf(one)}
                  <span className="sr-only">, {formatDay(yourDay(one))}</span>
                </p>
                <LastTimeSection last={one.last} />
              </div>
              <Badge tone={tone}>{(WEEKDAYS[weekdayOf(yourDay(one))] ?? '').slice(0, 3)}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <div className="card p-6 text-center text-ink-2">
          No upcoming sessions. Create a schedule to see them here.
        </div>
      )}
    </section>
  )
}
