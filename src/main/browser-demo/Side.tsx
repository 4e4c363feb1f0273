import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, useLocation } from 'react-router'
import { type Login, ReadLogin } from '#features/accounts/account.ts'
import { acceptLogin } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { queryClient } from '#platform/query.web.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'
import { ToastProvider } from '#platform/ui/Toast.tsx'
import App from '../App.tsx'

/** The pages that work in the demo; all others ask you to sign up. */
const PAGES: ReadonlySet<string> = new Set([
  paths.dashboard,
  paths.tutorDashboard,
  paths.addSession,
  paths.summary,
  paths.year,
  paths.months,
  paths.payments,
  paths.toConfirm,
  paths.sameLessons,
  paths.tutors,
  paths.children,
  paths.students,
])

/** Starts the app for one side, signed in as the person on that side. */
export function startSide({ host, side, basename }: NonNullable<Window['demoSide']>): void {
  const { method, path } = ReadLogin
  acceptLogin(host.answer(side, { method, url: path, body: undefined, version: undefined }).body as Login)
  host.watch(side, () => void queryClient.invalidateQueries())
  // Links to pages outside the app open in a new tab, so that the visitor doesn't lose the demo.
  const base = document.createElement('base')
  base.target = '_blank'
  document.head.append(base)
  const place = document.getElementById('root')
  if (!place) throw new Error('the page has no #root element for the app')
  createRoot(place).render(
    <StrictMode>
      <BrowserRouter basename={basename}>
        <ToastProvider>
          <Page />
        </ToastProvider>
      </BrowserRouter>
    </StrictMode>,
  )
}

function Page() {
  const { pathname } = useLocation()
  return PAGES.has(pathname) ? (
    <Suspense fallback={null}>
      <App />
    </Suspense>
  ) : (
    <SignUpFirst />
  )
}

function SignUpFirst() {
  return (
    <main id="main" className="px-5">
      <Empty
        isPage
        title="Sign up to use this"
        line="The demo includes sessions, confirmations, payments and months. You need an account for everything else."
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <a className="btn btn-p" href={paths.signup} target="_top">
              Sign up
            </a>
            <ButtonLink to={paths.dashboard} tone="secondary">
              Back to Dashboard
            </ButtonLink>
          </div>
        }
      />
    </main>
  )
}
