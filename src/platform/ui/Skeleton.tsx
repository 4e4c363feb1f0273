import type { ReactNode } from 'react'

/**
 * Gray placeholders in the shape of the content. They appear after a short delay, so that nothing flickers
 * when a response is fast.
 */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="late" role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

/** One placeholder card. Each line has the classes for its height and width. */
export function LoadingCard({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <Loading label={label}>
      <div className="card grid gap-3 p-5">
        {lines.map((line) => (
          <div key={line} className={`sk ${line}`} />
        ))}
      </div>
    </Loading>
  )
}

/** A list of placeholder cards, each three lines high. */
export function LoadingCards({ count, label }: { count: number; label: string }) {
  return (
    <Loading label={label}>
      <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className="card grid gap-3 p-5">
            <div className="sk h-4 w-3/5" />
            <div className="sk h-4 w-1/4" />
            <div className="sk h-3 w-full" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

/** In place of the chart of a month's weeks, and as high as it. */
export function LoadingWeeks() {
  return (
    <Loading label="Loading chart...">
      <WeeksPlaceholder />
    </Loading>
  )
}

export function WeeksPlaceholder() {
  return (
    <div className="card h-[318px] p-5">
      <div className="sk h-full w-full" />
    </div>
  )
}
