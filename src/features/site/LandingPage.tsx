import { LogoLink } from '#platform/ui/Logo.tsx'
import { HowItWorks } from './parts/HowItWorks.tsx'
import { MonthSample } from './parts/MonthSample.tsx'
import { Pictures } from './parts/Pictures.tsx'
import { SiteFooter } from './parts/SiteFooter.tsx'
import { TrialBand } from './parts/TrialBand.tsx'
import { TwoSides } from './parts/TwoSides.tsx'
import { paths } from './paths.ts'

/** The landing page: plain HTML, without the app's script. */
export function LandingPage() {
  return (
    <>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <header className="mx-auto flex min-h-16 max-w-site flex-wrap items-center justify-between px-[var(--gutter)] py-1">
        <LogoLink size={34} />
        <nav aria-label="Account" className="flex items-center gap-1">
          <a className="btn btn-q btn-sm text-ink!" href={paths.login}>
            Login
          </a>
          <a className="btn btn-s btn-sm max-[359px]:hidden" href={paths.signup}>
            Get Started
          </a>
        </nav>
      </header>
      <main id="main">
        <section className="mx-auto grid max-w-site gap-10 px-[var(--gutter)] pt-8 pb-16 lg:grid-cols-[1.08fr_1fr] lg:items-center lg:gap-16 lg:pt-14 lg:pb-24">
          <div>
            <h1 className="text-display! tracking-[-.025em]!">
              Every tutoring hour, written down and <span className="hl">agreed</span>
            </h1>
            <p className="mt-5 max-w-[34rem] text-lead text-ink-2">
              You log the session. Your tutor confirms it. At the end of the month, you both see the same
              total.
            </p>
            <div className="mt-7 flex flex-col gap-3 sm:flex-row">
              <a className="btn btn-p sm:px-7" href={paths.signup}>
                Start Free Trial
              </a>
              <a className="btn btn-s" href={paths.login}>
                Sign In
              </a>
            </div>
            <p className="mt-4 text-small text-ink-2">45 days free. No credit card.</p>
            <p className="mt-1">
              <a className="link inline-flex min-h-11 items-center" href={paths.demo}>
                See a family's month
              </a>
            </p>
          </div>
          <MonthSample />
        </section>
        <HowItWorks />
        <TwoSides />
        <Pictures />
        <TrialBand />
      </main>
      <SiteFooter />
    </>
  )
}
