import { lazy, type ReactNode, Suspense } from 'react'
import { Navigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { useLogin } from './client.web.ts'
import { InactivityWatch } from './InactivityWatch.tsx'

const NotReady = lazy(() => import('./NotReady.tsx'))

/** Lets signed-in, confirmed people with a role into the app; the server refuses the others too (decisions, section 1). */
export function Gate({ children }: { children: ReactNode }) {
  const login = useLogin()
  if (login.status === 'loading') return <Loading />
  if (login.status === 'signed-out') return <Navigate to={paths.login} replace />
  const isReady =
    login.user.email_confirmed_at !== null && login.user.role !== null && login.user.deletion_due_at === null
  return (
    <>
      {isReady ? (
        children
      ) : (
        <Suspense fallback={<Loading />}>
          <NotReady user={login.user} />
        </Suspense>
      )}
      <InactivityWatch />
    </>
  )
}

function Loading() {
  return (
    <div className="grid min-h-dvh place-items-center" role="status" aria-busy="true">
      <span className="sr-only">Loading</span>
      <span className="sk h-2 w-40" />
    </div>
  )
}
