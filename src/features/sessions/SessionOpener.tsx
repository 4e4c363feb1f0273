import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#features/site/paths.ts'
import type { RowLink } from '#platform/ui/RowLink.tsx'
import type { SharedSession } from './confirmation.ts'
import type { Session } from './session.ts'
import { sessionName } from './standing-text.ts'

const SessionDialog = lazy(async () => ({ default: (await import('./SessionDialog.tsx')).SessionDialog }))

/** The query parameter of a link to one session. */
const PARAMETER = 'session'

type Shown = Session | SharedSession | Pick<Session, 'id'>
const Open = createContext<((session: Shown) => void) | undefined>(undefined)

/** Opens sessions on top of whatever page is shown, from their rows and from links with `?session=`. */
export function SessionOpener({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>()
  const [query, setQuery] = useSearchParams()
  const linked = query.get(PARAMETER)
  const [followed, setFollowed] = useState<string | null>(null)
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== null) setShown({ id: linked })
  }
  useEffect(() => {
    if (linked === null) return
    setQuery(
      (current) => {
        current.delete(PARAMETER)
        return current
      },
      { replace: true },
    )
  }, [linked, setQuery])
  return (
    <Open value={setShown}>
      {children}
      {/* The sheet adds its entry to the history only once the link's own has lost its parameter. */}
      {shown && linked === null && (
        <Suspense fallback={null}>
          <SessionDialog key={shown.id} session={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Open>
  )
}

/** The address of one session: its month's page with the session on top. */
export function sessionAddress({ id, date }: Pick<Session, 'id' | 'date'>): string {
  return `${paths.summary}?${new URLSearchParams({ month: date.slice(0, 7), [PARAMETER]: id }).toString()}`
}

/** Makes the link that opens a session from its row; undefined outside the app's frame, as on the emailed page. */
export function useSessionLink(): (session: Session | SharedSession) => RowLink | undefined {
  const open = useContext(Open)
  return (session) =>
    open && {
      href: sessionAddress(session),
      label: sessionName(session),
      onOpen: () => open(session),
    }
}
