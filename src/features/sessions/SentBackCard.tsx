import { lazy, Suspense, useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useSentBack } from './client.web.ts'
import type { Session } from './session.ts'
import { SessionRow } from './SessionRow.tsx'

const EditSessionDialog = lazy(async () => ({
  default: (await import('./EditSessionDialog.tsx')).EditSessionDialog,
}))

/** How many sessions to list before "Show all". */
const SHOWN = 1

/**
 * Sessions the other side sent back, which the user can correct or reply to. Renders nothing if there aren't
 * any.
 * @param limit the maximum number to list; set on the dashboard
 */
export function SentBackCard({ limit }: { limit?: number | undefined }) {
  const reader = useSide()
  const sentBack = useSentBack()
  const [edited, setEdited] = useState<Session>()
  const [isAll, setIsAll] = useState(false)
  const sessions = sentBack.data?.sessions ?? []
  useReopen('session-edit', sessions, (session) => session !== 'new' && setEdited(session))
  if (sessions.length === 0) return <ListRetry list={sentBack} plural="sessions that aren’t right" />
  const hasMore = limit === undefined && !isAll && sessions.length > SHOWN
  const shown = sessions.slice(0, hasMore ? SHOWN : limit)
  return (
    <section className={shown.length > 0 ? 'mt-6' : 'hidden'}>
      <SectionHeading
        action={
          hasMore && (
            <button type="button" className="link min-h-11 text-[.9375rem]" onClick={() => setIsAll(true)}>
              Show all {sessions.length}
            </button>
          )
        }
      >
        {reader === 'parent' ? 'Marked not right by a tutor' : 'Marked not right by a family'}
      </SectionHeading>
      <ul className="card list overflow-hidden">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} isFull onEdit={setEdited} />
        ))}
      </ul>
      {edited && (
        <Suspense fallback={null}>
          <EditSessionDialog session={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
