// Run once when the app is built: the public pages as HTML.
import { renderToString } from 'react-dom/server'
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
  /** Nothing on it can be pressed but links, so it carries no script. */
  isStatic: boolean
}

/** Every public page, rendered. */
export async function renderPages(): Promise<PublicPage[]> {
  const still = (file: string, title: string, description: string, element: React.ReactNode): PublicPage => ({ file, title, description, html: renderToString(element), isStatic: true })
  const live = (path: string, title: string, description: string): PublicPage => ({
    file: `${path.slice(1)}.html`, title: `${title} · Tutorlog`, description, html: renderToString(<StaticRouter location={path}><Root /></StaticRouter>), isStatic: false,
  })
  return [
    still('index.html', 'Tutorlog: the record of private tutoring', 'Log tutoring sessions, see what the month comes to, and agree on it with the tutor. 45 days free, no credit card.', <LandingPage />),
    still('terms.html', 'Terms of Service · Tutorlog', 'The terms of Tutorlog.', <LegalPage text={TERMS} />),
    still('privacy.html', 'Privacy Policy · Tutorlog', 'What Tutorlog keeps, for how long, and what you can do about it.', <LegalPage text={PRIVACY} />),
    still('404.html', 'Page not found · Tutorlog', 'This page does not exist.', <NotFoundPage />),
    live(paths.login, 'Sign in', 'Sign in to Tutorlog.'),
    live(paths.signup, 'Create your account', 'Start the 45-day free trial of Tutorlog. No credit card.'),
    live(paths.forgotPassword, 'Forgot password', 'Get a link to choose a new password.'),
    live(paths.resetPassword, 'Reset password', 'Choose a new password.'),
  ]
}
