import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { Button } from './Button.tsx'
import { Empty, LoadFailed } from './Empty.tsx'
import { PageTitle } from './PageTitle.tsx'
import { LoadingCards } from './Skeleton.tsx'
import { WithArchived } from './WithArchived.tsx'

/** A React Query result for a list. */
interface ListQuery<Row> {
  data: Row[] | undefined
  error: Error | null
  isPending: boolean
  isLoading: boolean
  isFetched: boolean
  isSuccess: boolean
  failureCount: number
  refetch: () => unknown
}

interface ListPageProps<Row> {
  title: string
  subtitle?: string
  /** Plural noun for the list's rows, such as "children". */
  plural: string
  list: ListQuery<Row>
  archived: ListQuery<Row>
  /** True while other data shown in the rows is loading. */
  isAwaited?: boolean
  /** How many placeholders to show while loading. */
  placeholders: number
  addLabel: string
  /** Adds one entry. Undefined if the user isn't allowed to add any. */
  onAdd: (() => void) | undefined
  onAddSeveral: () => void
  /** The open form, if there is one. It's shown above the list, in place of the add buttons. */
  form?: ReactNode
  emptyTitle: string
  emptyLine: string
  rows: (rows: Row[], isArchived: boolean) => ReactNode
  /** Shown above the list. */
  children?: ReactNode
}

/** A page that lists people: title, add buttons, the list, and a filter for archived people. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, subtitle, plural, list, archived, isAwaited = false, form, rows, onAdd } = props
  useFailureToast(list.error, `Failed to fetch ${plural}`)
  // Waits so that the filter and the list appear together, unless the archived entries fail to load.
  const isLoading = !list.error && (isAwaited || list.isPending || isComing(archived))
  const isEmpty = list.isSuccess && list.data?.length === 0
  const add = onAdd && (
    <>
      <Button tone="secondary" onClick={props.onAddSeveral}>
        Add several
      </Button>
      <Button className="max-md:flex-1" onClick={onAdd}>
        <Plus className="i" aria-hidden="true" />
        {props.addLabel}
      </Button>
    </>
  )
  // Hidden instead of removed, so that the button that opened the form gets the focus back.
  const active = isEmpty ? (
    <div hidden={Boolean(form)}>
      <Empty
        title={props.emptyTitle}
        line={add && props.emptyLine}
        action={add && <div className="flex flex-wrap justify-center gap-3">{add}</div>}
      />
    </div>
  ) : (
    rows(list.data ?? [], false)
  )
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PageTitle title={title} {...(subtitle ? { subtitle } : {})} />
        {!isEmpty && add && (
          <div className={form ? 'hidden' : 'flex flex-wrap gap-3 max-md:w-full'}>{add}</div>
        )}
      </div>
      {form}
      {props.children}
      <div key={isEmpty ? 'empty' : 'list'} className="mt-5">
        {isLoading && <LoadingCards count={props.placeholders} label={`Loading ${plural}...`} />}
        {list.error && (
          <LoadFailed title={`Your ${plural} didn’t load`} onRetry={() => void list.refetch()} />
        )}
        {!isLoading && list.isSuccess && (
          <WithArchived
            plural={plural}
            count={archived.data?.length ?? 0}
            active={active}
            archived={rows(archived.data ?? [], true)}
          />
        )}
      </div>
    </>
  )
}
