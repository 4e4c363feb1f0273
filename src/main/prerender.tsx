// Runs during the build and renders the public pages to HTML, each with its own head.
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import { SignUpPolicyContext } from '#features/accounts/public-page.ts'
import { BUILT_ORIGIN, type SignUpPolicy } from '#features/site/address.ts'
import { HelpPage } from '#features/site/HelpPage.tsx'
import { LandingPage } from '#features/site/LandingPage.tsx'
import { LegalPage } from '#features/site/LegalPage.tsx'
import { PRIVACY, TERMS } from '#features/site/legal-text.ts'
import NotFoundPage from '#features/site/NotFoundPage.tsx'
import { INDEXED_PAGES, paths } from '#features/site/paths.ts'
import { VerifyPage } from '#features/site/VerifyPage.tsx'
import { DemoPage } from './browser-demo/DemoPage.tsx'
import { Root } from './Root.tsx'

interface PublicPage {
  file: string
  head: string
  html: string
  /** The page's client script. Pages with nothing but links don't have one. */
  source?: string
  /** True if the page runs the demo's script instead of the app's. */
  isDemo?: boolean
}

interface Texts {
  title: string
  description: string
}

const SIGN_UP: Texts = {
  title: 'Create your account · Tutorlog',
  description: 'Start the 45-day free trial of Tutorlog. No credit card.',
}

export async function renderPages(): Promise<PublicPage[]> {
  const still = async (path: string, texts: Texts, element: ReactNode) => page(path, texts, element)
  const live = async (path: string, source: string, texts: Texts) =>
    page(
      path,
      texts,
      <StaticRouter location={path}>
        <Root />
      </StaticRouter>,
      source,
    )
  // The server picks the variant that matches its sign-up policy.
  const signUp = async (policy: SignUpPolicy, texts: Texts) => ({
    ...(await page(
      paths.signup,
      texts,
      <SignUpPolicyContext value={policy}>
        <StaticRouter location={paths.signup}>
          <Root />
        </StaticRouter>
      </SignUpPolicyContext>,
      'src/features/accounts/SignupPage.tsx',
    )),
    ...(policy !== 'open' && { file: `signup-${policy}.html` }),
  })
  return Promise.all([
    still(
      paths.home,
      {
        title: 'Tutorlog: a shared record of private tutoring',
        description:
          'Log tutoring sessions, see what the month costs, and agree on it with the tutor. 45 days free, no credit card.',
      },
      <LandingPage />,
    ),
    still(
      paths.terms,
      {
        title: 'Terms of Service · Tutorlog',
        description:
          'The Tutorlog terms: the 45-day free trial, subscriptions, canceling, referrals, export and deletion.',
      },
      <LegalPage text={TERMS} />,
    ),
    still(
      paths.privacy,
      {
        title: 'Privacy Policy · Tutorlog',
        description: 'What Tutorlog keeps, for how long, and what you can do about it.',
      },
      <LegalPage text={PRIVACY} />,
    ),
    still(
      paths.help,
      {
        title: 'Help · Tutorlog',
        description:
          'How to connect with a tutor or a family, confirm sessions, close a month, track payments, and export or delete your data.',
      },
      <HelpPage />,
    ),
    still(
      paths.verify,
      {
        title: 'Check a statement · Tutorlog',
        description:
          'Type the code from a Tutorlog statement to see whether it is genuine and which figures both sides confirmed.',
      },
      <VerifyPage />,
    ),
    {
      ...(await page(
        paths.demo,
        {
          title: "Demo: a family's month · Tutorlog",
          description:
            'Try Tutorlog without signing up: a parent and a tutor next to each other, with example data. Confirm a session and close a month.',
        },
        <DemoPage />,
        'src/main/browser-demo/DemoPage.tsx',
      )),
      isDemo: true,
    },
    still(
      '/404',
      { title: 'Page not found · Tutorlog', description: 'This page does not exist.' },
      <NotFoundPage />,
    ),
    live(paths.contact, 'src/features/site/ContactPage.tsx', {
      title: 'Contact · Tutorlog',
      description: 'Write to the people behind Tutorlog with questions, ideas, or problems.',
    }),
    live(paths.login, 'src/features/accounts/LoginPage.tsx', {
      title: 'Sign in · Tutorlog',
      description: 'Sign in to Tutorlog, a shared record of private tutoring.',
    }),
    signUp('open', SIGN_UP),
    signUp('invited', SIGN_UP),
    signUp('closed', {
      title: 'Sign-up is closed · Tutorlog',
      description: "This server isn't accepting new accounts.",
    }),
    live(paths.forgotPassword, 'src/features/accounts/ForgotPasswordPage.tsx', {
      title: 'Forgot password · Tutorlog',
      description: 'Get a link to choose a new password.',
    }),
    live(paths.resetPassword, 'src/features/accounts/ResetPasswordPage.tsx', {
      title: 'Reset password · Tutorlog',
      description: 'Choose a new password.',
    }),
    live(paths.verifyEmail, 'src/features/accounts/VerifyEmailPage.tsx', {
      title: 'Verify your email · Tutorlog',
      description: 'Confirm the address you signed up with.',
    }),
    live(paths.confirmEmail, 'src/features/settings/ConfirmEmailPage.tsx', {
      title: 'Confirm your address · Tutorlog',
      description: 'Confirm the new address for your account.',
    }),
    live(paths.notMe, 'src/features/settings/NotMePage.tsx', {
      title: 'This wasn’t you? · Tutorlog',
      description: 'Sign everyone out and choose a new password.',
    }),
  ])
}

async function page(path: string, texts: Texts, element: ReactNode, source?: string): Promise<PublicPage> {
  // prerender() waits for lazy components, so the HTML includes them too.
  const { prelude } = await prerender(element)
  const html = await new Response(prelude).text()
  return {
    file: path === paths.home ? 'index.html' : `${path.slice(1)}.html`,
    head: headOf(path, texts),
    html,
    source,
  }
}

// The server replaces this placeholder with its own URL, both here and in the sitemap.
function headOf(path: string, { title, description }: Texts): string {
  const isIndexed = (INDEXED_PAGES as readonly string[]).includes(path)
  const address = `${BUILT_ORIGIN}${path}`
  return renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {isIndexed ? <link rel="canonical" href={address} /> : <meta name="robots" content="noindex" />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Tutorlog" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={`${BUILT_ORIGIN}/pictures/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Tutorlog: every tutoring hour, written down and agreed" />
      <meta name="twitter:card" content="summary_large_image" />
    </>,
  )
}
