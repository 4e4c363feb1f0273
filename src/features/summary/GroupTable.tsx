import { useMoney } from '#platform/ui/money.web.ts'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { FoldedSection } from './FoldedSection.tsx'
import type { Group } from './summary.ts'

interface GroupTableProps {
  title: string
  header: string
  groups: Group[]
  /** Whether the card starts out collapsed on a phone. */
  isFolded?: boolean
}

export function GroupTable({ title, header, groups, isFolded = false }: GroupTableProps) {
  const money = useMoney()
  const table = (
    <DataTable
      label={title}
      columns={[
        { key: 'name', header },
        { key: 'sessions', header: 'Sessions', numeric: true },
        { key: 'hours', header: 'Hours', numeric: true },
        { key: 'amount', header: 'Amount', numeric: true, strong: true },
      ]}
      rows={groups.map((group) => ({
        id: group.id ?? 'unknown',
        cells: {
          name: group.name,
          sessions: group.sessions,
          hours: group.hours.toFixed(1),
          amount: money(group.amount),
        },
      }))}
    />
  )
  if (isFolded) return <FoldedSection title={title}>{table}</FoldedSection>
  return (
    <section className="card overflow-hidden">
      <h2 className="px-4 pt-4 pb-1">{title}</h2>
      {table}
    </section>
  )
}
