import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { endInterruption, noteInterruption, readInterruption } from '#platform/ui/interruption.web.ts'
import { useLogin } from './client.web.ts'
import { InactivityWatch } from './InactivityWatch.tsx'

/** The invitation someone is signing in for. */
const INVITATION = 'invitation'

/** Keeps an invitation until after the sign-in; it's gone once used, or with the tab. */
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

/** Lets signed-in, confirmed people with a role into the app; the server refuses everyone else too (decisions, section 1). */
export function Gate({ children }: { children: ReactNode }) {
  const login = useLogin()
  const { pathname } = useLocation()
  if (login.status === 'loading') return <Loading />
  if (login.status === 'signed-out') return <ToLogin />
  const isReady =
    login.user.email_confirmed_at !== null && login.user.role !== null && login.user.deletion_due_at === null
  // However someone signed in, they come through the dashboard first.
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
  // Before the redirect to the sign-in page, which is an effect too.
  useLayoutEffect(() => noteInterruption(pathname + search), [pathname, search])
  return <Navigate to={paths.login} replace />
}

/** Leads someone who was signed out while working back to where they were; every sign-in comes through the dashboard first. */
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
