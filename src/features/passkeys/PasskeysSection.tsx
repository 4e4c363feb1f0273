import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { late } from '#platform/ui/late.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { canUsePasskeys, deviceProblem } from './ceremony.web.ts'
import { useAddPasskey, useRemovePasskey, useWaysIn } from './client.web.ts'
import type { Passkey } from './passkey.ts'

const RenameDialog = late(async () => (await import('./RenameDialog.tsx')).RenameDialog)

/** The account's passkeys: what signs in without a password. */
export function PasskeysSection() {
  const toast = useToast()
  const ways = useWaysIn()
  const add = useAddPasskey()
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  useFailureToast(ways.error, 'Failed to fetch your passkeys')
  if (ways.isPending)
    return (
      <Loading label="Loading your passkeys...">
        <div className="card grid gap-2 p-5">
          <div className="sk h-4 w-40" />
          <div className="sk h-3 w-56" />
        </div>
      </Loading>
    )
  if (ways.isError)
    return <LoadFailed title="Your passkeys didn’t load" onRetry={() => void ways.refetch()} />
  const { passkeys } = ways.data
  const addOne = () =>
    add.mutate(undefined, {
      onSuccess: ({ name }) => toast.success('Passkey added', `It’s called ${name}.`),
      onError: (error) =>
        toast.error('Error', deviceProblem(error) ?? problemTitle(error, 'Failed to add a passkey')),
    })
  return (
    <section className="card list" aria-labelledby="passkeys">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <div className="min-w-32 flex-1">
          <h2 id="passkeys">Passkeys</h2>
          <p className="text-small leading-snug text-ink-2">
            {canUsePasskeys()
              ? 'Sign in with your fingerprint, face or screen lock instead of a password'
              : 'This browser can’t use passkeys here'}
          </p>
        </div>
        {canUsePasskeys() && (
          <Button
            tone="secondary"
            size="small"
            aria-label="Add a passkey"
            busy={add.isPending}
            busyText="Adding..."
            onClick={addOne}
          >
            Add
          </Button>
        )}
      </div>
      {passkeys.map((passkey) => (
        <SettingRow key={passkey.id} title={passkey.name} line={used(passkey)}>
          <span className="flex gap-1">
            <IconButton label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
              <Pencil className="i" aria-hidden="true" />
            </IconButton>
            <IconButton label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
              <Trash2 className="i" aria-hidden="true" />
            </IconButton>
          </span>
        </SettingRow>
      ))}
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {removed && <RemoveQuestion passkey={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  )
}

function RemoveQuestion({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const toast = useToast()
  const remove = useRemovePasskey()
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      text="It won’t sign you in anymore. Your device may keep showing it until you delete it there, too."
      confirmLabel="Remove passkey"
      busyText="Removing..."
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(passkey.id, {
          onSuccess: () => toast.success('Passkey removed'),
          onError: (error) => toast.error('Error', problemTitle(error, 'Failed to remove the passkey')),
          onSettled: onClose,
        })
      }
      onCancel={onClose}
    />
  )
}

function used({ created_at: added, used_at: last }: Passkey): string {
  const day = (instant: string) => formatDay(dayIn(new Date(instant)), { month: 'short', day: 'numeric' })
  return last === null ? `Added ${day(added)}` : `Added ${day(added)}, last used ${day(last)}`
}
