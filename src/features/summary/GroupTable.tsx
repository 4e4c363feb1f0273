import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { personPage } from '#features/site/paths.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { FoldedSection } from './FoldedSection.tsx'
import type { Group } from './summary.ts'

interface GroupTableProps {
  title: string
  header: string
  groups: Group[]
  /** Whether these are tutors or students. */
  by: People
  /** Whether the card starts out collapsed on a phone. */
  isFolded?: boolean
}

type People = 'by_tutor' | 'by_student'

/** A person's name, linked to their page. People who were deleted have none, and neither has a practice's tutor. */
export function GroupName({ group: { id, name }, by }: { group: Pick<Group, 'id' | 'name'>; by: People }) {
  const isParent = useSide() === 'parent'
  const page = by === 'by_student' ? (isParent ? 'child' : 'student') : isParent ? 'tutor' : undefined
  if (!id || !page) return name
  return (
    <Link className="link inline-flex min-h-11 min-w-11 items-center" to={personPage(page, id)}>
      {name}
    </Link>
  )
}

export function GroupTable({ title, header, groups, by, isFolded = false }: GroupTableProps) {
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
          name: <GroupName group={group} by={by} />,
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
