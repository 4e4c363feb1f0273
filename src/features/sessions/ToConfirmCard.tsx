import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { type AnswerGroup, AnswerList } from './AnswerList.tsx'
import { useShared } from './client.web.ts'
import { byWeek, type SharedSession } from './confirmation.ts'

/**
 * How many sessions the dashboard lists. This week's come first, but at least one earlier session is listed
 * too. A separate page lists them all.
 */
const SHOWN = 3

interface ToConfirmCardProps {
  /** Whether the reader shares sessions with more than one person. If so, each row names the other side. */
  hasSeveral: boolean
  /** The maximum number to list; set on the dashboard. */
  limit?: number | undefined
}

/**
 * Sessions to confirm on the dashboard: this week's and earlier ones. A session that was just answered stays
 * in place. Renders nothing if no sessions are waiting.
 */
export function ToConfirmCard({ hasSeveral, limit }: ToConfirmCardProps) {
  const reader = useSide()
  const waiting = useShared('waiting')
  const today = dayIn(new Date())
  const sessions = waiting.data?.sessions ?? []
  const { thisWeek, earlier } = byWeek(sessions, today)
  const count = thisWeek.length + earlier.length
  const groups = (listed: SharedSession[]): AnswerGroup[] => {
    const all = byWeek(listed, today)
    const first = all.thisWeek.slice(0, limit ?? SHOWN)
    const room = (limit ?? SHOWN) - first.length
    const rest = all.earlier.slice(0, limit === undefined ? Math.max(1, room) : room)
    const heading = (
      <SectionHeading
        action={
          <Link to={paths.toConfirm} className="link inline-flex min-h-11 items-center text-[.9375rem]">
            {count > first.length + rest.length ? `See all ${count}` : 'See all'}
          </Link>
        }
      >
        Sessions to confirm
      </SectionHeading>
    )
    const isFirst = first.length === 0
    return [
      { key: 'this week', heading, rows: first },
      {
        key: 'earlier',
        heading: (
          <>
            {isFirst && heading}
            <h3 className={`mb-2.5 ${isFirst ? '-mt-2' : 'mt-5'}`}>Earlier</h3>
          </>
        ),
        rows: rest,
      },
    ].filter(({ rows }) => rows.length > 0)
  }
  return (
    <div id="to-confirm" className="mt-6 empty:hidden">
      <ListRetry list={waiting} plural="sessions to confirm" />
      <AnswerList reader={reader} hasSeveral={hasSeveral} sessions={sessions} groups={groups} />
    </div>
  )
}
