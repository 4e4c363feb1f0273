import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useDevices, useEndDevice } from '../client.web.ts'
import type { Device } from '../settings.ts'

export function DevicesSection() {
  const toast = useToast()
  const devices = useDevices()
  const end = useEndDevice()
  useFailureToast(devices.error, 'Failed to fetch your devices')
  const signOut = (id: string, done: string) =>
    end.mutate(id, {
      onSuccess: () => toast.success(done),
      onError: (error) => toast.error('Error', problemTitle(error, 'Failed to sign out the device')),
    })
  if (devices.isPending)
    return (
      <Loading label="Loading your devices...">
        <div className="card grid gap-2 p-5">
          <div className="sk h-4 w-40" />
          <div className="sk h-3 w-56" />
        </div>
      </Loading>
    )
  if (devices.isError)
    return <LoadFailed title="Your devices didn’t load" onRetry={() => void devices.refetch()} />
  const list = [...devices.data.devices].sort((a, b) => Number(b.is_this) - Number(a.is_this))
  return (
    <section className="card list" aria-labelledby="devices">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <h2 id="devices">Signed-in devices</h2>
        {list.length > 2 && (
          <Button
            tone="quiet"
            size="small"
            onClick={() => signOut('others', 'Every other device was signed out')}
          >
            Sign out all others
          </Button>
        )}
      </div>
      {list.map((device) => (
        <SettingRow key={device.id} title={device.name} line={seen(device)}>
          {device.is_this ? (
            <Badge tone="ok">This device</Badge>
          ) : (
            <Button
              tone="secondary"
              size="small"
              busy={end.isPending && end.variables === device.id}
              busyText="Signing out..."
              aria-label={`Sign out ${device.name}, ${seen(device)}`}
              onClick={() => signOut(device.id, `${device.name} was signed out`)}
            >
              Sign out
            </Button>
          )}
        </SettingRow>
      ))}
    </section>
  )
}

function seen({ last_seen_at: lastSeen, signed_in_at: signedIn }: Device): string {
  const day = (instant: string) => formatDay(dayIn(new Date(instant)), { month: 'short', day: 'numeric' })
  return `Signed in ${day(signedIn)}, last seen ${day(lastSeen)}`
}
