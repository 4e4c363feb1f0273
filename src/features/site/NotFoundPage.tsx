import { useEffect } from 'react'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'

export default function NotFoundPage() {
  // Logs the path, as docs/product.md, section 2 requires, but not the query, which may contain a secret.
  useEffect(() => console.error('Page not found:', location.pathname), [])
  return (
    <PublicShell isCentered>
      <div className="card mb-8 overflow-hidden" aria-hidden="true">
        {['', '404', ''].map((day, at) => (
          <div
            key={at}
            className={`grid min-h-[68px] grid-cols-[4rem_1fr] ${at > 0 ? 'border-t border-line' : ''}`}
          >
            <div className="disp grid place-items-center border-r-[1.5px] border-margin text-[1.5rem]">
              {day}
            </div>
            <div className="self-center px-4">
              {day && <span className="hl font-semibold">Nothing written on this line</span>}
            </div>
          </div>
        ))}
      </div>
      <PageTitle title="Oops! Page not found" />
      <p className="mt-3 text-lead text-ink-2">
        The address may have changed, or the link may be incomplete.
      </p>
      <a href="/" className="btn btn-p mt-7 w-full">
        Return to Home
      </a>
    </PublicShell>
  )
}
