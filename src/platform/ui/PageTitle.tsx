import { type ReactNode, useEffect } from 'react'

interface PageTitleProps {
  title: string
  /** A short line above the title, such as the form's current step. */
  kicker?: string
  subtitle?: ReactNode
  /** The browser tab's title, if it differs from the heading. */
  tabTitle?: string
}

/** The page heading. It also sets the browser tab's title. */
export function PageTitle({ title, kicker, subtitle, tabTitle = title }: PageTitleProps) {
  useEffect(() => {
    document.title = `${tabTitle} · Tutorlog`
  }, [tabTitle])
  return (
    <div>
      {kicker && <p className="text-small font-medium text-ink-3">{kicker}</p>}
      <h1 className="mt-2" tabIndex={-1}>
        {title}
      </h1>
      {subtitle && <p className="mt-0.5 text-ink-2">{subtitle}</p>}
    </div>
  )
}
