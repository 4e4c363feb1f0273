import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Logo } from './Logo.tsx'

export interface PublicShellProps {
  /** The content stands in the middle of the screen: for pages with one thing to say. */
  isCentred?: boolean
  children: ReactNode
}

/** The narrow column of the pages around signing in. */
export function PublicShell({ isCentred = false, children }: PublicShellProps) {
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-[27rem] flex-col px-5 pt-5 pb-8">
      {/* The home page is a document of its own, not a page of this app. */}
      <Link to="/" reloadDocument className="mb-6 flex min-h-11 items-center self-start rounded-md" aria-label="Tutorlog home"><Logo size={34} /></Link>
      {isCentred ? <div className="my-auto pb-10">{children}</div> : children}
    </main>
  )
}
