import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

export interface PageTitleProps {
  title: string
  subtitle?: ReactNode
  /** A small line above, for example "Step 1 of 2". */
  kicker?: string
  /** The label names the place, for example "Back to dashboard". */
  back?: { to: string; label: string }
  /** The page's main button: under the title on phones (give it className="w-full md:w-auto"), at its right from 768 px. */
  action?: ReactNode
  /** The name of the browser tab where it differs from the title. */
  tabTitle?: string
}

/** The page's only h1; it names the browser tab too. */
export function PageTitle({ title, subtitle, kicker, back, action, tabTitle = title }: PageTitleProps) {
  useEffect(() => { document.title = `${tabTitle} · Tutorlog` }, [tabTitle])
  return (
    <div className="md:flex md:items-end md:justify-between md:gap-4">
      <div className="mt-2 min-w-0">
        {kicker && <p className="mb-1 text-small font-medium text-ink-3">{kicker}</p>}
        {back ? (
          <div className="-mt-1 -ml-3 flex items-center gap-1">
            <Link to={back.to} className="ib" aria-label={back.label}><ArrowLeft aria-hidden="true" /></Link>
            <h1 tabIndex={-1}>{title}</h1>
          </div>
        ) : (
          <h1 tabIndex={-1}>{title}</h1>
        )}
        {subtitle && <p className={`text-ink-2 ${kicker ? 'mt-1.5' : 'mt-0.5'}`}>{subtitle}</p>}
      </div>
      {action && <div className="mt-4 flex-none">{action}</div>}
    </div>
  )
}
