import { Logo } from '#platform/ui/Logo.tsx'
import { paths } from './paths.ts'

export interface LegalText {
  title: string
  sections: readonly (readonly [heading: string, ...paragraphs: string[]])[]
}

/** product.md section 1. */
const LAST_UPDATED = 'June 1, 2025'

/** A legal text as a page to be read. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <main className="mx-auto max-w-[44rem] px-5 pt-5 pb-16" id="main">
      <a href={paths.home} className="flex min-h-11 w-fit items-center gap-2.5 rounded-md" aria-label="Tutorlog home"><Logo /></a>
      <a href={paths.home} className="link mt-6 inline-flex min-h-11 items-center">Back</a>
      <h1 className="mt-2">{text.title}</h1>
      <p className="mt-1 text-ink-2">Last updated: {LAST_UPDATED}</p>
      {text.sections.map(([heading, ...paragraphs]) => (
        <section key={heading} className="mt-8"><h2>{heading}</h2>{paragraphs.map((paragraph) => <p key={paragraph} className="mt-2 text-ink-2">{paragraph}</p>)}</section>
      ))}
    </main>
  )
}
