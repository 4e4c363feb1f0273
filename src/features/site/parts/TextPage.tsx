import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { LogoLink } from '#platform/ui/Logo.tsx'
import { paths } from '../paths.ts'
import { SiteFooter } from './SiteFooter.tsx'

interface TextPageProps {
  title: string
  /** A line below the title, such as the date of the last change. */
  note?: string
  summary: string
  contents: readonly { id: string; heading: string }[]
  isNumbered: boolean
  children: ReactNode
}

export function TextPage({ title, note, summary, contents, isNumbered, children }: TextPageProps) {
  const List = isNumbered ? 'ol' : 'ul'
  return (
    <>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <header className="mx-auto flex min-h-16 max-w-[44rem] items-center justify-between gap-3 px-5">
        <LogoLink />
        <a href={paths.home} className="btn btn-s btn-sm">
          <ArrowLeft className="i" aria-hidden="true" />
          Back
        </a>
      </header>
      <main className="mx-auto max-w-[44rem] px-5 pt-5 pb-16" id="main">
        <h1>{title}</h1>
        {note && <p className="mt-1 text-ink-2">{note}</p>}
        <p className="mt-5 text-lead">{summary}</p>
        <nav aria-label="Contents" className="card mt-6 p-5">
          <List className={`grid gap-x-8 sm:grid-cols-2 ${isNumbered ? 'list-decimal pl-[1.25rem]' : ''}`}>
            {contents.map(({ id, heading }) => (
              <li key={id} className="text-ink-3">
                <a
                  className="link inline-flex min-h-11 min-w-11 items-center py-1.5 leading-snug"
                  href={`#${id}`}
                >
                  {heading}
                </a>
              </li>
            ))}
          </List>
        </nav>
        {children}
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
