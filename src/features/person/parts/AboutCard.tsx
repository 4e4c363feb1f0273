import type { ReactNode } from 'react'
import { useCanWrite, useSeesAmounts } from '#features/accounts/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useMoney } from '#platform/ui/money.web.ts'

/** What's known about a person: rate, contact, notes and connection. */
export function AboutCard({ children }: { children: ReactNode }) {
  return (
    <section className="card px-5 py-4" aria-label="About">
      {children}
    </section>
  )
}

/** A line with a label. Renders nothing if there's nothing to say. */
export function TextRow({ label, children }: { label: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className="mb-2.5 last:mb-0">
      <p className="k">{label}</p>
      <div className="wrap-anywhere whitespace-pre-line">{children}</div>
    </div>
  )
}

interface RateRowProps {
  /** Dollars per hour. */
  rate: number | null
  note?: string | undefined
  onChange: () => void
}

/** The hourly rate and the button that changes it; nothing for people who can't see amounts. */
export function RateRow({ rate, note, onChange }: RateRowProps) {
  const money = useMoney()
  const canWrite = useCanWrite()
  if (!useSeesAmounts()) return null
  return (
    <div className="mb-2.5 flex flex-wrap items-center justify-between gap-x-3">
      <div>
        <p className="k">Rate</p>
        <p className="num">
          {rate === null ? (
            'Not set'
          ) : (
            <>
              <b className="font-semibold">{money(rate)}</b>/hour
              {note && <span className="block text-small text-ink-2">{note}</span>}
            </>
          )}
        </p>
      </div>
      {canWrite && (
        <Button tone="quiet" size="small" className="-mr-3" aria-label="Change the rate" onClick={onChange}>
          Change
        </Button>
      )}
    </div>
  )
}
