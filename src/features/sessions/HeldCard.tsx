import { Link } from 'react-router'
import { useCanWrite, useMe, useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { useHeld } from './client.web.ts'

/**
 * Shows how many sessions in one month (yyyy-MM) or overall aren't in any total yet because they may
 * duplicate a lesson the other side logged.
 */
export function HeldCard({ month = '' }: { month?: string }) {
  const { has_all_students: hasAll } = useMe()
  const canWrite = useCanWrite()
  const reader = useSide()
  const count = useHeld().data?.sessions.filter(({ date }) => date.startsWith(month)).length ?? 0
  if (count === 0) return null
  return (
    <div className="mt-4">
      <Notice>
        <p className="font-semibold">
          {count === 1 ? '1 session is' : `${count} sessions are`} not in the totals yet
        </p>
        <p className="text-small text-ink-2">
          {reader === 'parent' ? 'The tutor' : 'The family'} logged a lesson on the same day. Once one of you
          says whether it’s the same lesson, it will count.
        </p>
        {canWrite && hasAll && (
          <Link to={paths.sameLessons} className="link inline-flex min-h-11 items-center">
            Same lessons?
          </Link>
        )}
      </Notice>
    </div>
  )
}
