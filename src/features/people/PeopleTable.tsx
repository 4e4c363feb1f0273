import type { ReactNode } from 'react'
import { type Column, DataTable } from '#platform/ui/DataTable.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import type { Person } from './person.ts'
import { PersonLink } from './PersonLink.tsx'

interface PeopleTableProps<Row, Key extends string> {
  people: readonly Row[]
  /** The table's accessible name. */
  label: string
  /** The columns between the name and the buttons. */
  columns: readonly Column<Key>[]
  cells: (person: Row) => Record<Key, ReactNode>
  /** Shown below the name in the table. */
  belowName?: (person: Row) => ReactNode
  /** Shown below the name on a phone, where there are no columns. */
  details: (person: Row) => ReactNode
  /** The person's page. */
  pageOf: (person: Row) => string
  /** On a phone, a person's balance and lessons, below everything else. */
  lines: (person: Row) => ReactNode
  /** A person's buttons; undefined if the user may not change anyone. */
  buttons: ((person: Row) => ReactNode) | undefined
}

/** People as a table, and on a phone as a list. */
export function PeopleTable<Row extends Person, Key extends string>({
  people,
  label,
  columns,
  cells,
  belowName,
  details,
  pageOf,
  lines,
  buttons,
}: PeopleTableProps<Row, Key>) {
  const isPhone = useWidth('phone')
  const buttonsOf = (person: Row) => buttons && <span className="flex justify-end">{buttons(person)}</span>
  if (isPhone)
    return (
      <ul className="card list">
        {people.map((person) => (
          <li key={person.id} className="py-3 pr-2 pl-5">
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1 py-1.5">
                <h2 className="row-title" title={person.name}>
                  <PersonLink to={pageOf(person)} name={person.name} />
                </h2>
                {details(person)}
              </div>
              {buttonsOf(person)}
            </div>
            <div className="pr-3 pb-1">{lines(person)}</div>
          </li>
        ))}
      </ul>
    )
  return (
    <div className="card">
      <DataTable<Key | 'name' | 'actions'>
        label={label}
        columns={[
          { key: 'name', header: 'Name' },
          ...columns,
          ...(buttons ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
        ]}
        rows={people.map((person) => ({
          id: person.id,
          cells: {
            ...cells(person),
            name: (
              <>
                <PersonLink to={pageOf(person)} name={person.name} />
                {belowName?.(person)}
              </>
            ),
            actions: buttonsOf(person),
          },
        }))}
      />
    </div>
  )
}
