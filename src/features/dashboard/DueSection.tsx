import { DueRow } from '#features/schedules/DueRow.tsx'
import { isOverNow } from '#features/schedules/client.web.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import type { Dashboard } from './dashboard.ts'

/** Past classes that nobody logged: one tap each. */
export default function DueSection({ due }: { due: Dashboard['due'] }) {
  const over = due.filter(isOverNow)
  if (over.length === 0) return null
  return (
    <section id="due" className="mt-6">
      <SectionHeading>Did this class happen?</SectionHeading>
      <ul className="card list overflow-hidden">
        {over.map((one) => (
          <DueRow key={one.schedule_id + one.original_date} occurrence={one} />
        ))}
      </ul>
    </section>
  )
}
