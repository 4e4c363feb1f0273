import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { WithArchived } from '#platform/ui/WithArchived.tsx'
import { type Noun, PLURALS } from './person.ts'

/** A React Query result for a list. */
export interface ListQuery<Row> {
  data: Row[] | undefined
  error: Error | null
  isPending: boolean
  isLoading: boolean
  isFetched: boolean
  isSuccess: boolean
  failureCount: number
  refetch: () => unknown
}

export interface ListWords {
  noun: Noun
  title: string
  subtitle?: string
  emptyTitle: string
  emptyLine: string
}

interface PeopleListProps<Row> extends ListWords {
  list: ListQuery<Row>
  archived: ListQuery<Row>
  /** True while other data shown in the rows is loading. */
  isAwaited?: boolean
  /** How many placeholders to show while loading. */
  placeholders: number
  /** Adds one person. Undefined if the user isn't allowed to add any. */
  onAdd: (() => void) | undefined
  onAddSeveral: () => void
  /** The open form, if it's in the page: above the list, in place of the add buttons. */
  form?: ReactNode
  rows: (rows: Row[], isArchived: boolean) => ReactNode
  /** Shown above the list. */
  children?: ReactNode
}

/** The visible page of a list of people: title, add buttons, the list, and a filter for archived people. */
export function PeopleList<Row>(props: PeopleListProps<Row>) {
  const { title, subtitle, list, form } = props
  const isEmpty = list.isSuccess && list.data?.length === 0
  const add = props.onAdd && <AddButtons {...props} onAdd={props.onAdd} />
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PageTitle title={title} subtitle={subtitle} />
        {!isEmpty && add && (
          <div className={form ? 'hidden' : 'flex flex-wrap gap-3 max-md:w-full'}>{add}</div>
        )}
      </div>
      {form}
      {props.children}
      <div key={isEmpty ? 'empty' : 'list'} className="mt-5">
        <Rows {...props}>
          {isEmpty ? (
            // Hidden instead of removed, so that the button that opened the form gets the focus back.
            <div hidden={Boolean(form)}>
              <Empty
                title={props.emptyTitle}
                line={add && props.emptyLine}
                action={add && <div className="flex flex-wrap justify-center gap-3">{add}</div>}
              />
            </div>
          ) : (
            props.rows(list.data ?? [], false)
          )}
        </Rows>
      </div>
    </>
  )
}

function AddButtons({
  noun,
  onAdd,
  onAddSeveral,
}: Pick<PeopleListProps<unknown>, 'noun' | 'onAddSeveral'> & { onAdd: () => void }) {
  return (
    <>
      <Button tone="secondary" onClick={onAddSeveral}>
        Add several
      </Button>
      <Button className="max-md:flex-1" onClick={onAdd}>
        <Plus className="i" aria-hidden="true" />
        {`Add ${noun}`}
      </Button>
    </>
  )
}

/** The active people, given as children, and the archived ones; or that they're loading, or didn't load. */
function Rows<Row>({
  noun,
  list,
  archived,
  isAwaited = false,
  placeholders,
  rows,
  children,
}: PeopleListProps<Row>) {
  const plural = PLURALS[noun]
  useFailureToast(list.error, `Failed to fetch ${plural}`)
  // Waits so that the filter and the list appear together, unless the archived entries fail to load.
  const isLoading = !list.error && (isAwaited || list.isPending || isComing(archived))
  return (
    <>
      {isLoading && <LoadingCards count={placeholders} label={`Loading ${plural}...`} />}
      {list.error && <LoadFailed title={`Your ${plural} didn’t load`} onRetry={() => void list.refetch()} />}
      {!isLoading && list.isSuccess && (
        <WithArchived
          plural={plural}
          count={archived.data?.length ?? 0}
          active={children}
          archived={rows(archived.data ?? [], true)}
        />
      )}
    </>
  )
}
