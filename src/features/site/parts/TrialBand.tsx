import { paths } from '../paths.ts'

/**
 * How far each of the nine tallies is rotated, in degrees, to look hand-drawn. Nine tallies of five make up
 * the trial's 45 days.
 */
const TURNS = [0, -2, 1.5, 1, -1, 2, -1.5, 1, -0.5]

/** The section about the free trial, with the page's only large yellow area. */
export function TrialBand() {
  return (
    <section className="px-[var(--gutter)] py-16 lg:py-24" aria-labelledby="trial">
      <div
        className={
          'mx-auto max-w-[calc(var(--container-site)-2*var(--gutter))] rounded-xl bg-marker px-6 py-10 ' +
          'text-on-marker lg:grid lg:grid-cols-[1fr_auto] lg:items-center lg:gap-14 lg:p-14'
        }
      >
        <div>
          <h2 id="trial" className="text-[2.125rem]! leading-[1.06]! lg:text-[3rem]!">
            45 days to see if it fits your family
          </h2>
          <p className="mt-4 max-w-[34rem] text-lead">
            A free trial with no credit card. When it ends, choose a monthly or yearly plan, or leave and take
            your data with you.
          </p>
          <a href={paths.signup} className="btn mt-7 w-full bg-on-marker text-white sm:w-auto sm:px-7">
            Start Free Trial
          </a>
        </div>
        <div
          className="mt-9 grid grid-cols-[repeat(3,auto)] justify-start gap-x-7 gap-y-6 lg:mt-0 lg:gap-x-10"
          role="img"
          aria-label="Forty-five tally marks, one for each free day"
        >
          {TURNS.map((turn, at) => (
            <svg
              key={at}
              height="64"
              viewBox="-4 0 46 44"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              strokeWidth="3.6"
              strokeLinecap="round"
            >
              <path transform={`rotate(${turn} 19 22)`} d="M5 4v36M14 4v36M23 4v36M32 4v36M0 34L37 10" />
            </svg>
          ))}
        </div>
      </div>
    </section>
  )
}
