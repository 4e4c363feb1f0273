import { type ReactNode, useEffect } from 'react'

interface PageTitleProps {
  title: string
  /** A small line above, such as the step of a form. */
  kicker?: string
  subtitle?: ReactNode
  /** The title of the browser tab, if it isn't the same. */
  tabTitle?: string
}

/** The heading of a page; it also names the browser tab. */
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
