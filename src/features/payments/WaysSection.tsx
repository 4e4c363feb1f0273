import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useOwnWays, useSetWays, type WayInput } from './client.web.ts'
import { MAX_WAYS, type OwnWays, type PaymentWay, summaryOf } from './payment-way.ts'

const WayDialog = lazy(() => import('./WayDialog.tsx'))

/**
 * The settings section where a practice enters how families can pay. The owner can edit the list. Other
 * members can read it if they can see payments.
 */
export function WaysSection() {
  const { workspace } = useMe()
  const own = useOwnWays()
  useFailureToast(own.error, 'Failed to fetch your payment options')
  if (own.isPending)
    return (
      <Loading label="Loading payment options...">
        <div className="card grid gap-2 p-5">
          <div className="sk h-4 w-40" />
          <div className="sk h-3 w-56" />
        </div>
      </Loading>
    )
  if (own.isError)
    return <LoadFailed title="Your payment options didn’t load" onRetry={() => void own.refetch()} />
  return <WayList own={own.data} canChange={workspace?.role === 'owner'} />
}

function WayList({ own, canChange }: { own: OwnWays; canChange: boolean }) {
  const { ways, version } = own
  const [edited, setEdited] = useState<PaymentWay | 'new'>()
  const toast = useToast()
  const set = useSetWays()
  useReopen('way', ways, (way) => canChange && setEdited(way))
  const isFull = ways.length >= MAX_WAYS
  const change = async (next: WayInput[], from = version) => {
    if (set.isPending) return undefined
    try {
      return await set.mutateAsync({ ways: next, version: from })
    } catch {
      toast.error('Error', 'Failed to change your payment options')
      return undefined
    }
  }
  const remove = async (way: PaymentWay) => {
    const stored = await change(ways.filter(({ id }) => id !== way.id))
    if (stored)
      toast.success('Payment option removed', undefined, {
        label: 'Undo',
        run: () => void change(ways, stored.version),
      })
  }
  return (
    <section className="card" aria-labelledby="own-ways">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <h2 id="own-ways">Ways to pay</h2>
        {canChange && !isFull && (
          <Button tone="quiet" size="small" className="-mr-3" onClick={() => setEdited('new')}>
            <Plus className="i" aria-hidden="true" />
            Add a payment option
          </Button>
        )}
      </div>
      {ways.length > 0 && (
        <ol className="list border-t border-line">
          {ways.map((way, at) => (
            <li key={way.id}>
              <WayRow
                way={way}
                onMove={(by) => void change(moved(ways, at, by))}
                isFirst={at === 0}
                isLast={at === ways.length - 1}
                canChange={canChange}
                onEdit={() => setEdited(way)}
                onRemove={() => void remove(way)}
              />
            </li>
          ))}
        </ol>
      )}
      <p className="px-5 pb-4 text-small text-ink-2">
        {isFull
          ? `You can list up to ${MAX_WAYS} options.`
          : 'Families you’re connected with see these, with the amount due filled in.'}{' '}
        Money never passes through Tutorlog.
      </p>
      {edited && (
        <Suspense fallback={null}>
          <WayDialog
            way={edited === 'new' ? undefined : edited}
            own={own}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </section>
  )
}

interface RowProps {
  way: PaymentWay
  isFirst: boolean
  isLast: boolean
  canChange: boolean
  /** @param by 1 to move down, -1 to move up */
  onMove: (by: 1 | -1) => void
  onEdit: () => void
  onRemove: () => void
}

function WayRow({ way, isFirst, isLast, canChange, onMove, onEdit, onRemove }: RowProps) {
  const { title, line } = summaryOf(way)
  const name = `${title}, ${line.slice(0, 40)}`
  // The button stays even when its row can't move any further, so that it doesn't lose focus.
  const mover = (by: 1 | -1, isBlocked: boolean) => (
    <IconButton
      label={`Move ${name} ${by === 1 ? 'down' : 'up'}`}
      aria-disabled={isBlocked || undefined}
      className={isBlocked ? 'opacity-40' : ''}
      onClick={() => !isBlocked && onMove(by)}
    >
      {by === 1 ? (
        <ArrowDown className="size-[18px]" aria-hidden="true" />
      ) : (
        <ArrowUp className="size-[18px]" aria-hidden="true" />
      )}
    </IconButton>
  )
  return (
    <SettingRow title={title} line={<bdi className="line-clamp-6 wrap-anywhere">{line}</bdi>}>
      {canChange && (
        <div className="-mr-3 flex justify-end max-sm:basis-full">
          {!(isFirst && isLast) && (
            <>
              {mover(-1, isFirst)}
              {mover(1, isLast)}
            </>
          )}
          <IconButton label={`Edit ${name}`} onClick={onEdit}>
            <Pencil className="size-[18px]" aria-hidden="true" />
          </IconButton>
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <Trash2 className="size-[18px]" aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </SettingRow>
  )
}

/** Returns the list with one item moved up or down. */
function moved(ways: readonly PaymentWay[], at: number, by: 1 | -1): PaymentWay[] {
  const next = [...ways]
  next.splice(at + by, 0, ...next.splice(at, 1))
  return next
}
