import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import ForgotPasswordPage from '#features/accounts/ForgotPasswordPage.tsx'
import LoginPage from '#features/accounts/LoginPage.tsx'
import ResetPasswordPage from '#features/accounts/ResetPasswordPage.tsx'
import SignupPage from '#features/accounts/SignupPage.tsx'
import { paths } from '#features/site/paths.ts'
import { ToastProvider } from '#platform/ui/Toast.tsx'

const App = lazy(() => import('./App.tsx'))
const MailedLinkPage = lazy(() => import('./MailedLink.tsx'))

/** Every page that runs in the browser. The sign-in pages stand here themselves, so that they can be built to HTML. */
export function Root() {
  return (
    <ToastProvider>
      <Routes>
        <Route path={paths.login} element={<LoginPage />} />
        <Route path={paths.signup} element={<SignupPage />} />
        <Route path={paths.forgotPassword} element={<ForgotPasswordPage />} />
        <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
        <Route path={paths.mailedLink} element={<Suspense fallback={null}><MailedLinkPage /></Suspense>} />
        <Route path="*" element={<Suspense fallback={null}><App /></Suspense>} />
      </Routes>
    </ToastProvider>
  )
}
