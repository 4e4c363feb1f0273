/** The screenshots taken by scripts/pictures.mjs, in both themes and at two widths: 390 and 780 pixels. */
const PICTURES = [
  {
    name: 'dashboard',
    caption: 'The dashboard: recent sessions, and one button to log more',
    alt: 'A parent’s dashboard: two children, two tutors, this month’s sessions, and the recent sessions with their amounts.',
  },
  {
    name: 'add-session',
    caption: 'Adding a session: the amount is calculated as you type',
    alt: 'The form for adding a session: child, tutor, date, duration and subject, with the running total above the buttons.',
  },
  {
    name: 'summary',
    caption: 'The month: hours and amounts by tutor and by child',
    alt: 'The monthly summary: total sessions, hours and amount, and the sessions by tutor and by student.',
  },
]
const [WIDTH, HEIGHT] = [390, 780]

/** Screenshots of the app on a phone, in the visitor's theme. */
export function Pictures() {
  return (
    <section className="border-y border-line bg-surface py-16 lg:py-24" aria-labelledby="pictures">
      <div className="mx-auto max-w-site px-[var(--gutter)]">
        <h2 id="pictures" className="max-w-[22ch] text-[2rem]! leading-[1.1]! lg:text-[2.75rem]!">
          Mobile first: made for the phone in your hand
        </h2>
        <p className="mt-3 max-w-[38rem] text-lead text-ink-2">
          Log a session in less time than it takes to say goodbye at the door. On a larger screen, you see
          more at once.
        </p>
      </div>
      {/* On a phone, the pictures scroll sideways. The region takes focus so that the keyboard can scroll them too. */}
      <div
        role="region"
        aria-label="Screenshots of the app"
        tabIndex={0}
        className="mt-9 snap-x overflow-x-auto px-[var(--gutter)] [scroll-padding-inline:var(--gutter)] lg:mx-auto lg:max-w-site"
      >
        <ul className="flex gap-5 lg:grid lg:grid-cols-3 lg:gap-6">
          {PICTURES.map(({ name, caption, alt }) => (
            <li key={name} className="w-[78%] max-w-[340px] shrink-0 snap-start lg:w-auto lg:max-w-none">
              <figure>
                <picture>
                  <source media="(prefers-color-scheme: dark)" srcSet={sources(name, 'dark')} sizes={SIZES} />
                  <img
                    src={`/pictures/${name}-light-390.webp`}
                    srcSet={sources(name, 'light')}
                    sizes={SIZES}
                    width={WIDTH}
                    height={HEIGHT}
                    alt={alt}
                    loading="lazy"
                    decoding="async"
                    className="h-auto w-full max-w-[390px] rounded-lg border border-line"
                  />
                </picture>
                <figcaption className="mt-3 max-w-[390px] text-small text-ink-2">{caption}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Screenshots are never shown wider than a phone. */
const SIZES = '(min-width: 480px) 340px, 75vw'

function sources(name: string, theme: 'light' | 'dark'): string {
  return [WIDTH, 2 * WIDTH].map((width) => `/pictures/${name}-${theme}-${width}.webp ${width}w`).join(', ')
}
