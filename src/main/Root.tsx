import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { ToastProvider } from '#platform/ui/Toast.tsx'

const App = lazy(() => import('./App.tsx'))
const MailedLinkPage = lazy(() => import('./MailedLink.tsx'))
// No Suspense around the built pages: while one loads, its built HTML or the page before it stays on the screen.
const LoginPage = lazy(() => import('#features/accounts/LoginPage.tsx'))
const SignupPage = lazy(() => import('#features/accounts/SignupPage.tsx'))
const ForgotPasswordPage = lazy(() => import('#features/accounts/ForgotPasswordPage.tsx'))
const ResetPasswordPage = lazy(() => import('#features/accounts/ResetPasswordPage.tsx'))
const VerifyEmailPage = lazy(() => import('#features/accounts/VerifyEmailPage.tsx'))
const ConfirmEmailPage = lazy(() => import('#features/settings/ConfirmEmailPage.tsx'))
const ContactPage = lazy(() => import('#features/site/ContactPage.tsx'))

/** Every page that runs in the browser. */
export function Root() {
  return (
    <ToastProvider>
      <Routes>
        <Route
          path={paths.login}
          element={
            <FormBoundary key="LoginPage">
              <LoginPage />
            </FormBoundary>
          }
        />
        <Route
          path={paths.signup}
          element={
            <FormBoundary key="SignupPage">
              <SignupPage />
            </FormBoundary>
          }
        />
        <Route
          path={paths.forgotPassword}
          element={
            <FormBoundary key="ForgotPasswordPage">
              <ForgotPasswordPage />
            </FormBoundary>
          }
        />
        <Route
          path={paths.resetPassword}
          element={
            <FormBoundary key="ResetPasswordPage">
              <ResetPasswordPage />
            </FormBoundary>
          }
        />
        <Route
          path={paths.verifyEmail}
          element={
            <FormBoundary key="VerifyEmailPage">
              <VerifyEmailPage />
            </FormBoundary>
          }
        />
        <Route
          path={paths.confirmEmail}
          element={
            <FormBoundary key="ConfirmEmailPage">
              <ConfirmEmailPage />
            </FormBoundary>
          }
        />
        <Route path={paths.contact} element={<ContactPage />} />
        <Route
          path={paths.mailedLink}
          element={
            <Suspense fallback={null}>
              <MailedLinkPage />
            </Suspense>
          }
        />
        <Route
          path="*"
          element={
            <Suspense fallback={null}>
              <App />
            </Suspense>
          }
        />
      </Routes>
    </ToastProvider>
  )
}
