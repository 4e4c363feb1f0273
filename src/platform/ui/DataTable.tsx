import type { ReactNode } from 'react'

export interface Column<Key extends string> {
  key: Key
  header: string
  /** Right-aligned with figures of equal width. */
  numeric?: boolean
  /** Bold, for the amount. */
  strong?: boolean
  /** The header is for screen readers only, for the column of row actions. */
  hideHeader?: boolean
}

export interface DataTableProps<Key extends string> {
  /** Names the table; shown nowhere, so give the section its own heading. */
  label: string
  columns: readonly Column<Key>[]
  rows: readonly { id: string; cells: Record<Key, ReactNode> }[]
  className?: string
}

/** A table whose first column names each row; it scrolls sideways on its own when it must. */
export function DataTable<Key extends string>({ label, columns, rows, className = '' }: DataTableProps<Key>) {
  return (
    // A keyboard can scroll only what it can focus.
    <div className={`overflow-x-auto ${className}`} role="region" aria-label={label} tabIndex={0}>
      <table className="tb">
        <thead>
          <tr>
            {columns.map(({ key, header, numeric, hideHeader }) => (
              <th key={key} scope="col" className={numeric ? 'r' : undefined}>
                {hideHeader ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              {columns.map(({ key, numeric, strong }, place) =>
                place === 0 ? (
                  <th key={key} scope="row">
                    {cells[key]}
                  </th>
                ) : (
                  <td key={key} className={`${numeric ? 'r' : ''} ${strong ? 'font-semibold' : ''}`}>
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
