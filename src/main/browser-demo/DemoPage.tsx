import { StrictMode, useEffect, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { paths } from '#features/site/paths.ts'
import { Logo } from '#platform/ui/Logo.tsx'
import { useWidth } from '#platform/ui/width.web.ts'

const SIDES = [
  { name: 'parent', label: 'Parent', who: 'Dana, parent' },
  { name: 'tutor', label: 'Tutor', who: 'Ingrid, tutor' },
] as const
type SideName = (typeof SIDES)[number]['name']

/** A family's month seen from both sides, with example data that exists only on this page. */
export function DemoPage() {
  const [isReady, setIsReady] = useState(false)
  const [shown, setShown] = useState<SideName>('parent')
  const [opened, setOpened] = useState<ReadonlySet<SideName>>(new Set(['parent']))
  // Shows both sides next to each other instead of one at a time.
  const isWide = useWidth('medium')
  useEffect(() => {
    void import('./host.web.ts').then(({ openHost }) => openHost()).then(() => setIsReady(true))
  }, [])
  const show = (name: SideName) => {
    setShown(name)
    setOpened((before) => new Set([...before, name]))
  }
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-1.5">
        <a
          href={paths.home}
          className="flex min-h-11 items-center gap-2.5 rounded-md"
          aria-label="Tutorlog home"
        >
          <Logo size={30} />
        </a>
        <p className="text-small text-ink-2 max-md:order-last max-md:basis-full max-md:pb-1">
          This is a demo with example data. Nothing is saved.
        </p>
        <a className="btn btn-p btn-sm ml-auto" href={paths.signup}>
          Sign up
        </a>
      </header>
      <main id="main" className="flex min-h-0 flex-1 flex-col">
        <h1 className="sr-only">A family's month, from both sides</h1>
        <fieldset className="px-4 py-2 md:hidden">
          <legend className="sr-only">Side</legend>
          <div className="grid grid-cols-2 gap-1 rounded-lg bg-sunken p-1">
            {SIDES.map(({ name, label }) => (
              <label
                key={name}
                className={
                  'flex min-h-11 items-center justify-center rounded-md text-ink-2 has-checked:bg-raised ' +
                  'has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2'
                }
              >
                <input
                  type="radio"
                  name="side"
                  checked={shown === name}
                  onChange={() => show(name)}
                  className="sr-only"
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="mx-auto grid min-h-0 w-full max-w-[66rem] flex-1 md:grid-cols-2 md:gap-4 md:px-4 md:pb-4">
          {SIDES.map(({ name, who }) => (
            <section
              key={name}
              aria-labelledby={`side-${name}`}
              className={`min-h-0 flex-col md:flex ${shown === name ? 'flex' : 'hidden'}`}
            >
              <h2 id={`side-${name}`} className="hidden py-2 text-body! md:block">
                {who}
              </h2>
              <div className="min-h-0 flex-1 overflow-hidden bg-page md:rounded-xl md:border md:border-line">
                {isReady && (isWide || opened.has(name)) && (
                  <iframe className="size-full" title={who} src={`/demo/${name}${paths.dashboard}`} />
                )}
              </div>
            </section>
          ))}
        </div>
      </main>
    </div>
  )
}

/**
 * Hydrates the prerendered page. If the visitor opened an address inside the demo directly, renders the page
 * from scratch.
 */
export function startPage(): void {
  const place = document.getElementById('root')
  if (!place) throw new Error('the page has no place for the demo')
  const page = (
    <StrictMode>
      <DemoPage />
    </StrictMode>
  )
  if (place.hasChildNodes()) hydrateRoot(place, page)
  else createRoot(place).render(page)
}
