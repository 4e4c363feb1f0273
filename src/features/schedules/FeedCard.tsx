import { CalendarPlus, Copy } from 'lucide-react'
import { useState } from 'react'
import { formatDay, dayIn } from '#kernel/calendar-day.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useEndFeed, useFeed, useMakeFeed } from './client.web.ts'

/**
 * Creates, replaces or deletes the secret URL that calendar apps use to show the classes. Appears on the
 * schedules and account pages.
 */
export function FeedCard() {
  const toast = useToast()
  const feed = useFeed()
  const make = useMakeFeed()
  const end = useEndFeed()
  const [asks, setAsks] = useState<'new' | 'end'>()
  const url = make.data?.url
  const since = feed.data?.created_at

  const confirm = async () => {
    try {
      if (asks === 'end') {
        await end.mutateAsync()
        make.reset()
      } else await make.mutateAsync()
      setAsks(undefined)
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed && error.problem.status < 500
          ? error.problem.title
          : 'Failed to change the calendar link',
      )
    }
  }
  const copy = async () => {
    await navigator.clipboard.writeText(url ?? '')
    toast.success('Copied!', 'Calendar link copied to clipboard')
  }
  if (!feed.data && feed.isFetched)
    return (
      <div className="card px-5 py-2">
        <ListRetry list={feed} plural="calendar link" />
      </div>
    )
  if (feed.isPending)
    return (
      <LoadingCard label="Loading your calendar link..." lines={['h-5 w-40', 'h-4 w-4/5', 'h-11 w-52']} />
    )
  return (
    <section className="card p-5" aria-labelledby="calendar-feed">
      <h2 id="calendar-feed">Add to your calendar</h2>
      <p className="mt-1 text-ink-2">
        Subscribe once, and your scheduled classes will show up in your phone’s calendar. Anyone with the link
        can see them.
      </p>
      {url && (
        <div className="mt-4 grid gap-3">
          <TextField
            label="Calendar link"
            readOnly
            value={url}
            help="This link is shown only once. Copy it now, or subscribe on this device."
            onFocus={(event) => event.target.select()}
          />
          <div className="flex flex-wrap gap-3">
            <Button tone="secondary" onClick={() => void copy()}>
              <Copy className="i" aria-hidden="true" />
              Copy
            </Button>
            <a className="btn btn-p" href={url.replace(/^https?:/, 'webcal:')}>
              <CalendarPlus className="i" aria-hidden="true" />
              Subscribe
            </a>
          </div>
        </div>
      )}
      {since && !url && (
        <p className="mt-3 text-small text-ink-3">
          Your link was created on {formatDay(dayIn(new Date(since)))}. For your security, it won't be shown
          again.
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {since ? (
          <>
            <Button tone="secondary" onClick={() => setAsks('new')}>
              Create a new link
            </Button>
            <Button tone="danger-outline" onClick={() => setAsks('end')}>
              Delete the link
            </Button>
          </>
        ) : (
          <Button
            tone="secondary"
            busy={make.isPending}
            busyText="Creating the link..."
            onClick={() => void confirm()}
          >
            <CalendarPlus className="i" aria-hidden="true" />
            Get a calendar link
          </Button>
        )}
      </div>
      {asks && (
        <ConfirmDialog
          title={asks === 'new' ? 'Create a new link' : 'Delete the link'}
          text="Calendars that use your current link will stop updating."
          confirmLabel={asks === 'new' ? 'Create a new link' : 'Delete the link'}
          busyText="Working..."
          isBusy={make.isPending || end.isPending}
          onConfirm={() => void confirm()}
          onCancel={() => setAsks(undefined)}
        />
      )}
    </section>
  )
}
