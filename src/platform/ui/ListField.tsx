import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { SelectField } from './EntryField.tsx'

/** The parts we need of a list's query. */
export interface FetchedList<Row> {
  data?: Row[]
  isPending: boolean
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
}

interface ListFieldProps<Row> extends Omit<ComponentProps<typeof SelectField>, 'children' | 'list'> {
  list: FetchedList<Row>
  /** What's in the list, as in "children". */
  plural: string
  /** The text while nothing is chosen. */
  prompt: string
  /** The text if there's nothing to choose; "No children added yet" unless set. */
  none?: string
  /** Which rows to offer; all unless set. */
  offers?: (row: Row) => boolean
  /** What's already chosen, shown by name until the list has loaded. */
  chosen?: { id: string; name: string }
  nameOf?: (row: Row) => string
}

/** A select with rows from the server. It distinguishes loading, failed and empty. */
export function ListField<Row extends { id: string; name: string }>({
  list,
  plural,
  prompt,
  none = `No ${plural} added yet`,
  offers = () => true,
  chosen,
  nameOf = ({ name }) => name,
  ...select
}: ListFieldProps<Row>) {
  const rows = (list.data ?? []).filter(offers)
  const known = rows.find(({ id }) => id === chosen?.id)
  const words = list.data
    ? rows.length > 0
      ? prompt
      : none
    : list.isError
      ? `The ${plural} did not load`
      : `Loading ${plural}...`
  return (
    <div className="grid gap-1">
      <SelectField {...select}>
        <option value="">{words}</option>
        {/* The same element before and after loading: a select loses its value if the option disappears. */}
        {chosen && <option value={chosen.id}>{known ? nameOf(known) : chosen.name}</option>}
        {rows.map(
          (row) =>
            row.id !== chosen?.id && (
              <option key={row.id} value={row.id}>
                {nameOf(row)}
              </option>
            ),
        )}
      </SelectField>
      <ListRetry list={list} plural={plural} />
    </div>
  )
}

/** Says that a list didn't load and offers to try again; nothing otherwise. */
export function ListRetry({
  list,
  plural,
}: {
  list: Omit<FetchedList<unknown>, 'data'> & { data?: unknown }
  plural: string
}) {
  if (list.data || !list.isError) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-danger">
      <span>The {plural} did not load.</span>
      <Button
        tone="quiet"
        size="small"
        aria-label={`Try again to load the ${plural}`}
        busy={list.isFetching}
        busyText="Loading..."
        onClick={() => void list.refetch()}
      >
        Try again
      </Button>
    </div>
  )
}
