import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFits } from './fits.web.ts'
import { openedBy, type RowLink } from './RowLink.tsx'

/** The header of the column with the row's buttons. */
const ACTIONS = 'Actions'

export interface Column<Key extends string> {
  key: Key
  header: string
  /** Right-aligned, with tabular figures. */
  numeric?: boolean
  strong?: boolean
  /** Shows the header only to screen readers. Used for the column with the row actions. */
  hideHeader?: boolean
  /** Makes the header a button that sorts by this column. `order` is undefined if another column sorts. */
  sort?: { order: 'ascending' | 'descending' | undefined; onSort: () => void }
}

interface DataTableProps<Key extends string> {
  /** The table's accessible name. It isn't visible, so the section needs a heading too. */
  label: string
  columns: readonly Column<Key>[]
  /** If a row has a link, pressing anywhere on the row opens it. One of the row's cells must contain the link. */
  rows: readonly {
    id: string
    link?: RowLink | undefined
    cells: Record<Key, ReactNode>
    isTicked?: boolean
    /** The checkbox that selects the row, in a column of its own in front. */
    tick?: ReactNode
  }[]
  /** The checkbox that selects all rows. */
  tickAll?: ReactNode
  className?: string
}

/**
 * A table whose first column names each row. If the table is too wide, each row becomes a block, with the
 * headers as labels.
 */
export function DataTable<Key extends string>(props: DataTableProps<Key>) {
  const { label, columns, rows, tickAll, className = '' } = props
  const [box, fits] = useFits<HTMLDivElement>(rows)
  // Some browsers drop table semantics in block layout, so the roles are set explicitly.
  const as = (role: string) => (fits ? undefined : role)
  return (
    // Focusable, so that keyboard users can scroll it.
    <div
      ref={box}
      className={`overflow-x-auto ${className}`}
      role="region"
      aria-label={label}
      tabIndex={fits ? 0 : undefined}
    >
      <table className={fits ? 'tb' : 'tb tb-stack'} role={as('table')}>
        <thead role={as('rowgroup')}>
          <tr role={as('row')}>
            {tickAll && <td role={as('cell')}>{tickAll}</td>}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role={as('columnheader')}
                aria-sort={column.sort?.order}
                className={`${column.numeric ? 'r' : ''} ${column.header === ACTIONS ? 'actions' : ''}`}
              >
                <Header {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={as('rowgroup')}>
          {rows.map(({ id, link, cells, tick, isTicked }) => (
            <tr key={id} role={as('row')} className={isTicked ? 'ticked' : undefined} {...openedBy(link)}>
              {tick && <td role={as('cell')}>{tick}</td>}
              {columns.map(({ key, header, numeric, strong, hideHeader }, place) =>
                place === 0 && cells[key] !== '' ? (
                  <th key={key} scope="row" role={as('rowheader')}>
                    {cells[key]}
                  </th>
                ) : (
                  <td
                    key={key}
                    role={as('cell')}
                    data-label={hideHeader || header === ACTIONS ? undefined : header}
                    className={`${numeric ? 'r' : ''} ${strong ? 'font-semibold' : ''} ${header === ACTIONS ? 'actions' : ''}`}
                  >
                    {cells[key]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Header<Key extends string>({ header, hideHeader, sort }: Column<Key>) {
  if (hideHeader) return <span className="sr-only">{header}</span>
  if (!sort) return header
  const Arrow = sort.order === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button type="button" className="sort" onClick={sort.onSort}>
      {header}
      {sort.order && <Arrow aria-hidden="true" />}
    </button>
  )
}
