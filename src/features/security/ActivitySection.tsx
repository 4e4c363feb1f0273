import { useState } from 'react'
import { formatMoment } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useActivity } from './client.web.ts'
import type { Event, EventKind } from './event.ts'

const WORDS: Record<EventKind, string> = {
  signed_in: 'Signed in',
  new_browser: 'Signed in from a new browser',
  sign_in_failed: 'Failed sign-in',
  proof_failed: 'Failed to confirm it’s you',
  reset_asked: 'Link to reset the password requested',
  recovered: 'Signed in with an emailed link',
  reported: '“This wasn’t me” used: everyone was signed out',
  password_changed: 'Password changed',
  email_change_asked: 'New email address requested',
  email_changed: 'Email address changed',
  google_linked: 'Google linked',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  second_step_on: 'Second step turned on',
  second_step_off: 'Second step turned off',
  second_step_failed: 'Wrong code at the second step',
  recovery_code_used: 'Recovery code used',
  recovery_codes_made: 'New recovery codes made',
  role_changed: 'Role changed',
  member_invited: 'Member invited',
  member_joined: 'Joined as a member',
  member_changed: 'Member’s role or students changed',
  member_removed: 'Member removed',
  member_left: 'Left as a member',
  handed_over: 'Records handed over',
  exported: 'Data exported',
  deletion_asked: 'Account deleted',
  deletion_undone: 'Account kept',
  restore_asked: 'Restore of a backup requested',
  restore_undo_asked: 'Way back from a restore requested',
  refused: 'Not allowed for this role',
}

/** What happened to the account's security. It's long and seldom needed, so it loads when it's asked for. */
export function ActivitySection() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className="card list" aria-labelledby="activity">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <div className="min-w-32 flex-1">
          <h2 id="activity">Recent activity</h2>
          <p className="text-small leading-snug text-ink-2">Sign-ins and changes of the last 12 months</p>
        </div>
        <Button
          tone="secondary"
          size="small"
          aria-label={isOpen ? 'Hide recent activity' : 'Show recent activity'}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen && <Activity />}
    </section>
  )
}

/** Newest first. */
function Activity() {
  const toast = useToast()
  const activity = useActivity()
  useFailureToast(activity.data ? null : activity.error, 'Failed to fetch your recent activity')
  if (activity.isPending)
    return (
      <Loading label="Loading your recent activity...">
        <div className="grid gap-2 p-5">
          <div className="sk h-4 w-40" />
          <div className="sk h-3 w-56" />
        </div>
      </Loading>
    )
  if (!activity.data)
    return <LoadFailed title="Your recent activity didn’t load" onRetry={() => void activity.refetch()} />
  const events = activity.data.pages.flatMap((page) => page.events)
  const showMore = async () => {
    const { error } = await activity.fetchNextPage()
    if (error) toast.error('Error', problemTitle(error, 'Failed to fetch more'))
  }
  return (
    <>
      {events.length === 0 && <p className="px-5 py-3 text-ink-2">Nothing yet</p>}
      {events.map((event) => (
        <SettingRow key={event.id} title={titleOf(event)} line={lineOf(event)} />
      ))}
      {activity.hasNextPage && (
        <div className="px-5 py-3">
          <Button
            tone="secondary"
            size="small"
            busy={activity.isFetchingNextPage}
            busyText="Loading..."
            onClick={() => void showMore()}
          >
            Show more
          </Button>
        </div>
      )}
      <p className="px-5 py-3 text-small text-ink-2">If one of these wasn’t you, change your password.</p>
    </>
  )
}

function titleOf({ kind, times }: Event): string {
  return times > 1 ? `${WORDS[kind]}, ${times} times` : WORDS[kind]
}

function lineOf({ happened_at: at, device, network }: Event): string {
  const when = formatMoment(at, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const where = device ?? 'By the operator of this server'
  return [when, where, ...(network ? [`network ${network}`] : [])].join(' · ')
}
