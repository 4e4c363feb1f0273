import { Card } from './Card.tsx'

/** A grey box in the place of something that is loading; give it the size of the real thing. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`sk ${className}`} aria-hidden="true" />
}

const WIDTHS = ['w-[62%]', 'w-[48%]', 'w-[80%]', 'w-[54%]', 'w-[70%]', 'w-[44%]']

export interface LoadingCardsProps {
  count?: number
  /** For example "Loading students". */
  label: string
  className?: string
}

/** Cards in the place of a list that is loading; they stay hidden for the first 150 ms. */
export function LoadingCards({ count = 6, label, className = 'mt-4 md:grid-cols-2 lg:grid-cols-3' }: LoadingCardsProps) {
  return (
    <div className={`late grid gap-3 ${className}`} role="status" aria-busy="true" aria-label={label}>
      {Array.from({ length: count }, (_, place) => (
        <Card key={place} className="p-5">
          <Skeleton className={`h-5 ${WIDTHS[place % WIDTHS.length]}`} />
          <Skeleton className="mt-3 h-5 w-20" />
          <Skeleton className="mt-4 h-4" />
        </Card>
      ))}
    </div>
  )
}
