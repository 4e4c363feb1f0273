import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { whenClear } from '#platform/ui/back-gesture.web.ts'
import { endInterruption, noteInterruption, readInterruption } from '#platform/ui/interruption.web.ts'
import { useLogin } from './client.web.ts'
import { InactivityWatch } from './InactivityWatch.tsx'

/** sessionStorage key for the invitation that the person is signing in to accept. */
const INVITATION = 'invitation'

/** Keeps an invitation while the person signs in. It's deleted once it's used or the tab is closed. */
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

/**
 * Lets people into the app only if they're signed in, have confirmed their address, and have a role. The
 * server rejects everyone else too (docs/product-decisions.md, section 1).
 */
export function Gate({ children }: { children: ReactNode }) {
  const login = useLogin()
  const { pathname } = useLocation()
  if (login.status === 'loading') return <Loading />
  if (login.status === 'signed-out') return <ToLogin />
  const isReady =
    login.user.email_confirmed_at !== null && login.user.role !== null && login.user.deletion_due_at === null
  // Every sign-in lands on the dashboard first, so this is where a saved invitation is picked up.
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
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // A layout effect, so that it runs before the effect that redirects to the sign-in page.
  useLayoutEffect(() => noteInterruption(pathname + search), [pathname, search])
  useEffect(() => {
    // The menu or dialog that was open may still be removing its history entry.
    void whenClear().then(() => navigate(paths.login, { replace: true }))
  }, [navigate])
  return null
}

/**
 * Sends someone who was signed out mid-task back to the page they were on. Every sign-in lands on the
 * dashboard first.
 */
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
