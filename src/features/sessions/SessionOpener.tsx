import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { late } from '#platform/ui/late.tsx'
import { AskDeletion, OpenSession, SESSION_PARAMETER, type ShownSession } from './client.web.ts'
import type { Session } from './session.ts'

const SessionDialog = lazy(async () => ({ default: (await import('./SessionDialog.tsx')).SessionDialog }))
const AskDeletionDialog = late(async () => (await import('./AskDeletionDialog.tsx')).AskDeletionDialog)

/** Opens a session on top of any page, either from a row or from a link with `?session=`. */
export function SessionOpener({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownSession>()
  const [asked, setAsked] = useState<Session>()
  const [query, setQuery] = useSearchParams()
  const linked = query.get(SESSION_PARAMETER)
  const [followed, setFollowed] = useState<string | null>(null)
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== null) setShown({ id: linked })
  }
  useEffect(() => {
    if (linked === null) return
    setQuery(
      (current) => {
        current.delete(SESSION_PARAMETER)
        return current
      },
      { replace: true },
    )
  }, [linked, setQuery])
  return (
    <OpenSession value={setShown}>
      <AskDeletion value={setAsked}>{children}</AskDeletion>
      {asked && <AskDeletionDialog session={asked} onClose={() => setAsked(undefined)} />}
      {/* The sheet's history entry would copy the parameter, so this waits until the parameter is gone. */}
      {shown && linked === null && (
        <Suspense fallback={null}>
          <SessionDialog key={shown.id} session={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </OpenSession>
  )
}
