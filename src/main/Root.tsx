import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { ToastProvider } from '#platform/ui/Toast.tsx'

const App = lazy(() => import('./App.tsx'))
const MailedLinkPage = lazy(() => import('./MailedLink.tsx'))
const ClassQuestionsPage = lazy(() => import('./ClassQuestions.tsx'))
// There's no Suspense around the prerendered pages. While a script loads, the prerendered HTML or the
// previous page stays visible.
const LoginPage = lazy(() => import('#features/accounts/LoginPage.tsx'))
const SignupPage = lazy(() => import('#features/accounts/SignupPage.tsx'))
const ForgotPasswordPage = lazy(() => import('#features/accounts/ForgotPasswordPage.tsx'))
const ResetPasswordPage = lazy(() => import('#features/accounts/ResetPasswordPage.tsx'))
const VerifyEmailPage = lazy(() => import('#features/accounts/VerifyEmailPage.tsx'))
const ConfirmEmailPage = lazy(() => import('#features/settings/ConfirmEmailPage.tsx'))
const NotMePage = lazy(() => import('#features/settings/NotMePage.tsx'))
const ContactPage = lazy(() => import('#features/site/ContactPage.tsx'))

/** Public pages with a single form. */
const FORM_PAGES = [
  [paths.login, LoginPage],
  [paths.signup, SignupPage],
  [paths.forgotPassword, ForgotPasswordPage],
  [paths.resetPassword, ResetPasswordPage],
  [paths.verifyEmail, VerifyEmailPage],
  [paths.confirmEmail, ConfirmEmailPage],
  [paths.notMe, NotMePage],
] as const

/** Every page that runs in the browser. */
export function Root() {
  return (
    <ToastProvider>
      <Routes>
        {FORM_PAGES.map(([path, Page]) => (
          <Route
            key={path}
            path={path}
            element={
              <FormBoundary key={path}>
                <Page />
              </FormBoundary>
            }
          />
        ))}
        <Route path={paths.contact} element={<ContactPage />} />
        {[paths.mailedLink, paths.handedLink].map((path) => (
          <Route
            key={path}
            path={path}
            element={
              <Suspense fallback={null}>
                <MailedLinkPage />
              </Suspense>
            }
          />
        ))}
        <Route
          path={paths.classQuestions}
          element={
            <Suspense fallback={null}>
              <ClassQuestionsPage />
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
