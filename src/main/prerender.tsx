// Run once when the app is built: the public pages as HTML.
import { renderToString } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { LandingPage } from '#features/site/LandingPage.tsx'
import { LegalPage } from '#features/site/LegalPage.tsx'
import { PRIVACY, TERMS } from '#features/site/legal-text.ts'
import NotFoundPage from '#features/site/NotFoundPage.tsx'
import { paths } from '#features/site/paths.ts'
import { Root } from './Root.tsx'

interface PublicPage {
  file: string
  title: string
  description: string
  html: string
  /** The source whose script the page needs; without one nothing on it can be pressed but links, so it carries no script at all. */
  source?: string
}

/** Every public page, rendered. */
export async function renderPages(): Promise<PublicPage[]> {
  const still = (file: string, title: string, description: string, element: React.ReactNode): PublicPage => ({ file, title, description, html: renderToString(element) })
  const live = async (path: string, component: string, title: string, description: string): Promise<PublicPage> => ({
    file: `${path.slice(1)}.html`, title: `${title} · Tutorlog`, description, html: await htmlOf(<StaticRouter location={path}><Root /></StaticRouter>), source: `src/features/accounts/${component}.tsx`,
  })
  return Promise.all([
    still('index.html', 'Tutorlog: the record of private tutoring', 'Log tutoring sessions, see what the month comes to, and agree on it with the tutor. 45 days free, no credit card.', <LandingPage />),
    still('terms.html', 'Terms of Service · Tutorlog', 'The terms of Tutorlog.', <LegalPage text={TERMS} />),
    still('privacy.html', 'Privacy Policy · Tutorlog', 'What Tutorlog keeps, for how long, and what you can do about it.', <LegalPage text={PRIVACY} />),
    still('404.html', 'Page not found · Tutorlog', 'This page does not exist.', <NotFoundPage />),
    live(paths.login, 'LoginPage', 'Sign in', 'Sign in to Tutorlog.'),
    live(paths.signup, 'SignupPage', 'Create your account', 'Start the 45-day free trial of Tutorlog. No credit card.'),
    live(paths.forgotPassword, 'ForgotPasswordPage', 'Forgot password', 'Get a link to choose a new password.'),
    live(paths.resetPassword, 'ResetPasswordPage', 'Reset password', 'Choose a new password.'),
  ])
}

// These pages load themselves when they are needed, so the text is complete only once they have.
async function htmlOf(element: React.ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(element)
  let html = ''
  for await (const part of prelude) html += String(part)
  return html
}
