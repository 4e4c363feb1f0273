import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { endInterruption, noteInterruption, readInterruption } from '#platform/ui/interruption.web.ts'
import { useLogin } from './client.web.ts'
import { InactivityWatch } from './InactivityWatch.tsx'

/** The invitation that somebody signs in for. */
const INVITATION = 'invitation'

/** Keeps an invitation for after the sign-in; it goes with the tab, and with its use. */
export function keepInvitation(token: string): void {
  sessionStorage.setItem(INVITATION, token)
}

export function keptInvitation(): string | null {
  return sessionStorage.getItem(INVITATION)
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(INVITATION)
}

const NotReady = lazy(() => import('./NotReady.tsx'))

/** Lets signed-in, confirmed people with a role into the app; the server refuses the others too (decisions, section 1). */
export function Gate({ children }: { children: ReactNode }) {
  const login = useLogin()
  const { pathname } = useLocation()
  if (login.status === 'loading') return <Loading />
  if (login.status === 'signed-out') return <ToLogin />
  const isReady =
    login.user.email_confirmed_at !== null && login.user.role !== null && login.user.deletion_due_at === null
  // By whatever way somebody signed in, they come by the dashboard first.
  if (pathname === paths.dashboard && keptInvitation() !== null) return <Navigate to={paths.join} replace />
  return (
    <>
      {isReady ? (
        <WhereTheyWere>{children}</WhereTheyWere>
      ) : (
        <Suspense fallback={<Loading />}>
          <NotReady user={login.user} />
        </Suspense>
      )}
      <InactivityWatch />
    </>
  )
}

function ToLogin() {
  const { pathname, search } = useLocation()
  // Before the way to the sign-in page, which is an effect too.
  useLayoutEffect(() => noteInterruption(pathname + search), [pathname, search])
  return <Navigate to={paths.login} replace />
}

/** Leads somebody who was signed out at work back to it; by whatever way they signed in, they come by the dashboard first. */
function WhereTheyWere({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  const place = readInterruption()?.path
  const isAway = pathname === paths.dashboard && place !== undefined && place !== pathname + search
  useEffect(() => {
    if (!isAway) endInterruption()
  }, [isAway])
  return isAway ? <Navigate to={place} replace /> : children
}

function Loading() {
  return (
    <div className="grid min-h-dvh place-items-center" role="status" aria-busy="true">
      <span className="sr-only">Loading</span>
      <span className="sk h-2 w-40" />
    </div>
  )
}
