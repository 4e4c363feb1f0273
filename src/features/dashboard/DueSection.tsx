import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { DueRow } from '#features/schedules/DueRow.tsx'
import { isOverNow } from '#features/schedules/client.web.ts'
import type { Occurrence } from '#features/schedules/occurrence.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { late } from '#platform/ui/late.tsx'
import type { Dashboard } from './dashboard.ts'

const PushCard = late(async () => (await import('#features/push/PushCard.tsx')).PushCard)

/** How many classes to list before "Show all". */
const SHOWN = 3

/**
 * Past classes that nobody logged, with one-tap answers.
 * @param limit how many to list, if the dashboard sets a limit
 */
export default function DueSection({ due, limit }: { due: Dashboard['due']; limit?: number | undefined }) {
  const { rows, keep, hasAnswered } = useRows(due.filter(isOverNow))
  const { role } = useMe()
  const [isAll, setIsAll] = useState(false)
  const hasMore = limit === undefined && !isAll && rows.length > SHOWN
  const shown = rows.slice(0, hasMore ? SHOWN : limit)
  if (shown.length === 0) return null
  return (
    <section id="due" className="mt-6">
      <SectionHeading
        action={
          hasMore && (
            <button type="button" className="link min-h-11 text-[.9375rem]" onClick={() => setIsAll(true)}>
              Show all {rows.length}
            </button>
          )
        }
      >
        Did this class happen?
      </SectionHeading>
      <ul className="card list overflow-hidden">
        {shown.map((one) => (
          <DueRow key={keyOf(one)} occurrence={one} onKeep={(isKept) => keep(one, isKept)} />
        ))}
      </ul>
      {hasAnswered && role === 'parent' && <PushCard />}
    </section>
  )
}

const keyOf = (one: Occurrence) => one.schedule_id + one.original_date

/**
 * Keeps the rows in a stable order. An answered row stays in place until you leave the page, so a second tap
 * never hits the next class.
 */
function useRows(due: Occurrence[]) {
  const [order, setOrder] = useState<Occurrence[]>([])
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const open = new Map(due.map((one) => [keyOf(one), one]))
  const placed = new Set(order.map(keyOf))
  const rows = [
    ...order
      .filter((one) => open.has(keyOf(one)) || kept.has(keyOf(one)))
      .map((one) => open.get(keyOf(one)) ?? one),
    ...due.filter((one) => !placed.has(keyOf(one))),
  ]
  const keep = (one: Occurrence, isKept: boolean) => {
    if (isKept) setOrder(rows)
    setKept((now) => {
      const next = new Set(now)
      if (isKept) next.add(keyOf(one))
      else next.delete(keyOf(one))
      return next
    })
  }
  return { rows, keep, hasAnswered: order.length > 0 }
}
