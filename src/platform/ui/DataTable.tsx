import type { ReactNode } from 'react'
import { useFits } from './fits.web.ts'
import { openedBy, type RowLink } from './RowLink.tsx'

export interface Column<Key extends string> {
  key: Key
  header: string
  /** Right-aligned, with tabular figures. */
  numeric?: boolean
  strong?: boolean
  /** Shows the header only to screen readers. Used for the column with the row actions. */
  hideHeader?: boolean
}

interface DataTableProps<Key extends string> {
  /** The table's accessible name. It isn't visible, so the section needs a heading too. */
  label: string
  columns: readonly Column<Key>[]
  /** If a row has a link, pressing anywhere on the row opens it. One of the row's cells must contain the link. */
  rows: readonly { id: string; link?: RowLink | undefined; cells: Record<Key, ReactNode> }[]
  className?: string
}

/**
 * A table whose first column names each row. If the table is too wide, each row becomes a block, with the
 * headers as labels.
 */
export function DataTable<Key extends string>({ label, columns, rows, className = '' }: DataTableProps<Key>) {
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
            {columns.map(({ key, header, numeric, hideHeader }) => (
              <th key={key} scope="col" role={as('columnheader')} className={numeric ? 'r' : undefined}>
                {hideHeader ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={as('rowgroup')}>
          {rows.map(({ id, link, cells }) => (
            <tr key={id} role={as('row')} {...openedBy(link)}>
              {columns.map(({ key, header, numeric, strong, hideHeader }, place) =>
                place === 0 && cells[key] !== '' ? (
                  <th key={key} scope="row" role={as('rowheader')}>
                    {cells[key]}
                  </th>
                ) : (
                  <td
                    key={key}
                    role={as('cell')}
                    data-label={hideHeader || header === 'Actions' ? undefined : header}
                    className={`${numeric ? 'r' : ''} ${strong ? 'font-semibold' : ''}`}
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
