import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { SelectField } from './EntryField.tsx'

/** The parts of a list query that this field uses. */
export interface FetchedList<Row> {
  data?: Row[]
  isPending: boolean
  isError: boolean
  isFetching: boolean
  /** Whether it has loaded or failed before. */
  isFetched: boolean
  refetch: () => unknown
}

interface ListFieldProps<Row> extends Omit<ComponentProps<typeof SelectField>, 'children' | 'list'> {
  list: FetchedList<Row>
  /** Plural noun for the list's rows, such as "children". */
  plural: string
  /** Text shown while nothing is selected. */
  prompt: string
  /** Text shown if there's nothing to choose from. Default: "No children added yet". */
  none?: string
  /** Returns whether to offer a row. By default, all are offered. */
  offers?: (row: Row) => boolean
  /** The current choice. Its name is shown until the list has loaded. */
  chosen?: { id: string; name: string }
  nameOf?: (row: Row) => string
}

/**
 * A select whose options come from the server. Tells the user when they're still loading, when they failed to
 * load, and when there are none.
 */
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
      ? 'Not loaded'
      : `Loading ${plural}...`
  const { value } = select
  // What's chosen before the list has loaded, such as a draft's, has an option too. Otherwise, leaving the select
  // would empty it.
  const early = !list.data && typeof value === 'string' && value !== '' ? [{ id: value, name: words }] : []
  const others = [...early, ...rows.map((row) => ({ id: row.id, name: nameOf(row) }))]
  return (
    <div className="grid gap-1">
      <SelectField {...select}>
        <option value="">{words}</option>
        {/* Keep the same element before and after loading, because a select loses its value if the option disappears. */}
        {chosen && <option value={chosen.id}>{known ? nameOf(known) : chosen.name}</option>}
        {others.map(
          ({ id, name }) =>
            id !== chosen?.id && (
              <option key={id} value={id}>
                {name}
              </option>
            ),
        )}
      </SelectField>
      <ListRetry list={list} plural={plural} />
    </div>
  )
}

/**
 * Says that a list didn't load and offers to try again. Stays visible during the retry. Otherwise renders
 * nothing.
 */
export function ListRetry({
  list,
  plural,
}: {
  list: Omit<FetchedList<unknown>, 'data'> & { data?: unknown }
  plural: string
}) {
  if (list.data || !list.isFetched) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-danger">
      <span>The {plural} didn’t load.</span>
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
