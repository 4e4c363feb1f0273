import { Logo } from '#platform/ui/Logo.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { paths } from './paths.ts'

const HELPS = [
  ['Several students', 'Every child of the family, or every student of a tutor, in one place.'],
  ['Recurring schedules', 'The weekly lesson is set up once, with its day, time and rate.'],
  ['Payment calculation', 'Hours times rate, to the cent. The month adds itself up.'],
  ['Session verification', 'The parent ticks, the tutor ticks. What both ticked is agreed.'],
  ['Mobile first', 'Made for a phone in one hand. Larger screens show more at once.'],
] as const

/** What a visitor reads first; plain HTML that needs no script. */
export function LandingPage() {
  return (
    <>
      <header className="mx-auto flex max-w-site items-center justify-between gap-3 px-5 py-3">
        <a href={paths.home} className="flex min-h-11 items-center gap-2.5 rounded-md" aria-label="Tutorlog home"><Logo /></a>
        <nav aria-label="Account" className="flex items-center gap-1"><a className="btn btn-q btn-sm" href={paths.login}>Login</a><a className="btn btn-s btn-sm" href={paths.signup}>Get Started</a></nav>
      </header>
      <main className="mx-auto max-w-site px-5" id="main">
        <section className="grid gap-10 py-10 lg:grid-cols-2 lg:items-center lg:py-16">
          <div>
            <h1 className="disp text-display">Every tutoring session, <span className="hl">agreed</span> by both sides.</h1>
            <p className="mt-5 max-w-[32rem] text-lead text-ink-2">Tutorlog keeps the record of private tutoring: who, when, how long and for how much. Parents log a session in seconds, and the month adds itself up.</p>
            <div className="mt-7 flex flex-wrap gap-3"><a className="btn btn-p btn-lg" href={paths.signup}>Start Free Trial</a><a className="btn btn-s btn-lg" href={paths.login}>Sign In</a></div>
            <p className="mt-3 text-small text-ink-3">45 days free. No credit card.</p>
          </div>
          <figure>
            <div className="card overflow-hidden shadow-pop">
              <div className="flex items-end justify-between p-5"><p><span className="k">Total Amount</span><span className="disp num text-figure-lg leading-none">$222.50</span></p><p className="text-small text-ink-2">3 sessions, 4.5 hours</p></div>
              <ul className="list border-t border-line">
                <SampleRow day="20" weekday="Fri" name="Maya" what="Chemistry, 2 h" amount="$110.00" isVerified={false} />
                <SampleRow day="19" weekday="Thu" name="Theo" what="Reading, 1 h" amount="$45.00" isVerified />
                <SampleRow day="17" weekday="Tue" name="Maya" what="Algebra II, 1.5 h" amount="$67.50" isVerified />
              </ul>
            </div>
            <figcaption className="mt-3 text-center text-small text-ink-3">A week in the log, with sample data</figcaption>
          </figure>
        </section>
        <section aria-labelledby="helps" className="py-8">
          <h2 id="helps">What it does for you</h2>
          <dl className="mt-5 grid gap-x-8 gap-y-5 md:grid-cols-2 lg:grid-cols-3">{HELPS.map(([name, text]) => <div key={name} className="border-t-[1.5px] border-margin pt-3"><dt className="text-h3 font-semibold">{name}</dt><dd className="mt-1 text-ink-2">{text}</dd></div>)}</dl>
        </section>
        <section aria-label="Parents and tutors" className="grid gap-4 py-8 md:grid-cols-2">
          <div className="rounded-xl bg-parent-soft p-7"><h2>For parents</h2><p className="mt-2 text-ink-2">Track your children's tutoring sessions, see what each tutor is owed, and settle the month without a spreadsheet.</p></div>
          <div className="rounded-xl bg-tutor-soft p-7"><h2>For tutors</h2><p className="mt-2 text-ink-2">Manage your students and schedules, confirm what took place, and have one record that both sides share.</p></div>
        </section>
        <section className="my-8 rounded-xl bg-marker p-8 text-on-marker lg:p-12" aria-labelledby="trial">
          <h2 id="trial">45-day free trial</h2><p className="mt-2">No credit card. After the trial, nothing is ever deleted for not paying.</p>
          <a className="btn btn-s mt-5" href={paths.signup}>Start Free Trial</a>
        </section>
      </main>
      <footer className="mx-auto flex max-w-site flex-wrap gap-x-6 px-5 py-8 text-small text-ink-2">
        <a className="inline-flex min-h-11 items-center" href={paths.contact}>Contact</a><a className="inline-flex min-h-11 items-center" href={paths.terms}>Terms</a><a className="inline-flex min-h-11 items-center" href={paths.privacy}>Privacy</a>
      </footer>
    </>
  )
}

interface SampleRowProps {
  day: string
  weekday: string
  name: string
  what: string
  amount: string
  isVerified: boolean
}

function SampleRow({ day, weekday, name, what, amount, isVerified }: SampleRowProps) {
  return (
    <li className="log">
      <div className="d"><div className="grid justify-items-center"><b>{day}</b><span>{weekday}</span></div></div>
      <div className="m"><div className="t">{name}</div><div className="s">{what}</div><div className="mt-1"><span className="ver"><Ticks isVerified={isVerified} />{isVerified ? 'Verified' : 'Waiting for tutor'}</span></div></div>
      <div className="a"><b>{amount}</b></div>
    </li>
  )
}
