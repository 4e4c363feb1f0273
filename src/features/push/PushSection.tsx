import { formatMoment } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useIsReachable } from '#platform/connectivity.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { type ThisDevice, usePush, useTestPush, useTurnOff, useTurnOn, useUpdatePush } from './client.web.ts'
import type { DeviceState } from './push.ts'

const BADGES: Record<DeviceState, { tone: 'plain' | 'ok' | 'warn'; text: string }> = {
  unsupported: { tone: 'plain', text: 'Not available' },
  'home-screen': { tone: 'plain', text: 'Off' },
  denied: { tone: 'warn', text: 'Blocked' },
  off: { tone: 'plain', text: 'Off' },
  on: { tone: 'ok', text: 'On' },
  failing: { tone: 'warn', text: 'Not arriving' },
}

/** Messages on this device, instead of emails: whether they reach it, and why not. */
export function PushSection() {
  const push = usePush()
  if (push.isError)
    return (
      <div className="card px-5 py-2">
        <ListRetry list={push} plural="settings of this device" />
      </div>
    )
  if (!push.isSuccess)
    return (
      <LoadingCard
        label="Loading the settings of this device..."
        lines={['h-5 w-32', 'h-4 w-4/5', 'h-11 w-44']}
      />
    )
  const badge = BADGES[push.data.state]
  return (
    <section className="card p-5" aria-labelledby="this-device">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id="this-device">This device</h2>
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </div>
      <div role="status">
        <Explanation {...push.data} />
      </div>
      <Controls {...push.data} />
    </section>
  )
}

const TEXTS: Record<DeviceState, string> = {
  unsupported: 'This browser can’t show messages when Tutorlog is closed. You get emails instead.',
  'home-screen':
    'On an iPhone or iPad, messages need Tutorlog on your home screen: tap Share, choose Add to Home Screen, ' +
    'open Tutorlog from there, and come back to this page.',
  denied:
    'This browser blocks messages from Tutorlog, so you get emails. To change that, open the browser’s settings for ' +
    'this site (the icon next to the address), allow notifications, and come back.',
  off: 'Get a message here right after a class, and answer it with one tap. It replaces the email.',
  on: 'You get messages here instead of emails, and answer with one tap.',
  failing:
    'The last message didn’t arrive. You get emails until one does. Send yourself one, or turn messages off and on again.',
}

function Explanation({ state, device }: ThisDevice) {
  const text =
    state === 'failing' && !device.is_subscribed
      ? 'This browser ended its messages, so you get emails. Turn messages on again to get them here.'
      : TEXTS[state]
  return (
    <>
      <p className="mt-1 text-ink-2">{text}</p>
      {device.delivered_at && (state === 'on' || state === 'failing') && (
        <p className="mt-1 text-small text-ink-3">Last delivered {moment(device.delivered_at)}</p>
      )}
    </>
  )
}

function moment(instant: string): string {
  return formatMoment(instant, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
}

function Controls({ state, device }: ThisDevice) {
  const toast = useToast()
  const [on, off, test, update] = [useTurnOn(), useTurnOff(), useTestPush(), useUpdatePush()]
  const isReachable = useIsReachable()
  const isBusy = on.isPending || off.isPending || test.isPending
  if (state === 'unsupported' || state === 'home-screen' || state === 'denied') return null
  const blockedReason = isReachable ? undefined : 'You’re offline. Try again once you’re connected.'
  const failed = (error: unknown) =>
    toast.error('Error', problemTitle(error, 'That didn’t work. Please try again.'))
  const turnOn = () =>
    on.mutate(device, {
      onSuccess: (found) => {
        if (found) toast.success('Messages are on')
        else toast.error('Messages stay off', 'Your browser didn’t allow them.')
      },
      onError: failed,
    })
  if (state === 'off' || !device.is_subscribed)
    return (
      <div className="mt-4 flex flex-wrap gap-3">
        <Button busy={on.isPending} busyText="Turning on..." blockedReason={blockedReason} onClick={turnOn}>
          {state === 'off' ? 'Turn on messages' : 'Turn on again'}
        </Button>
      </div>
    )
  const blockedUnless = (isOwn: boolean) => (isBusy && !isOwn ? '' : blockedReason)
  return (
    <>
      <div className="mt-3 flex min-h-[52px] items-start gap-3">
        <input
          id="shows-names"
          type="checkbox"
          aria-describedby="shows-names-help"
          className="mt-3 size-5 shrink-0 accent-accent"
          checked={update.isPending ? update.variables.shows_names : device.shows_names}
          onChange={({ target }) => update.mutate({ shows_names: target.checked }, { onError: failed })}
        />
        <div>
          <label htmlFor="shows-names" className="flex min-h-11 cursor-pointer items-center font-medium">
            Show names on the lock screen
          </label>
          <p id="shows-names-help" className="help">
            Otherwise a message says only what it’s about.
          </p>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          tone="secondary"
          busy={test.isPending}
          busyText="Sending..."
          blockedReason={blockedUnless(test.isPending)}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: () => toast.success('Message sent', 'It should show in a moment.'),
              onError: failed,
            })
          }
        >
          Send me one now
        </Button>
        <Button
          tone="quiet"
          busy={off.isPending}
          busyText="Turning off..."
          blockedReason={isReachable ? blockedUnless(off.isPending) : ''}
          onClick={() =>
            off.mutate(undefined, { onSuccess: () => toast.success('Messages are off'), onError: failed })
          }
        >
          Turn off
        </Button>
      </div>
    </>
  )
}
