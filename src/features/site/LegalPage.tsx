import { ArrowLeft } from 'lucide-react'
import { Logo } from '#platform/ui/Logo.tsx'
import { LAST_UPDATED, type LegalText } from './legal-text.ts'
import { SiteFooter } from './parts/SiteFooter.tsx'
import { paths } from './paths.ts'

/** A legal text as a page to be read. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <header className="mx-auto flex min-h-16 max-w-[44rem] items-center justify-between gap-3 px-5">
        <a
          href={paths.home}
          className="flex min-h-11 items-center gap-2.5 rounded-md"
          aria-label="Tutorlog home"
        >
          <Logo />
        </a>
        <a href={paths.home} className="btn btn-s btn-sm">
          <ArrowLeft className="i" aria-hidden="true" />
          Back
        </a>
      </header>
      <main className="mx-auto max-w-[44rem] px-5 pt-5 pb-16" id="main">
        <h1>{text.title}</h1>
        <p className="mt-1 text-ink-2">Last updated: {LAST_UPDATED}</p>
        <p className="mt-5 text-lead">{text.summary}</p>
        <nav aria-label="Contents" className="card mt-6 p-5">
          <ol className="grid list-decimal gap-x-8 pl-5 sm:grid-cols-2">
            {text.sections.map(([heading]) => (
              <li key={heading} className="text-ink-3">
                <a
                  className="link inline-flex min-h-11 min-w-11 items-center py-1.5 leading-snug"
                  href={`#${anchor(heading)}`}
                >
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        {text.sections.map(([heading, ...paragraphs], at) => (
          <section key={heading} className="mt-9" aria-labelledby={anchor(heading)}>
            <h2 id={anchor(heading)}>
              {at + 1}. {heading}
            </h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-2.5 text-ink-2">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <p className="mt-4">
          <a className="btn btn-s btn-sm" href={paths.contact}>
            Contact
          </a>
        </p>
      </main>
      <SiteFooter />
    </>
  )
}

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/\W+/g, '-')
}
