import { useState } from 'react'
import { signOut } from '#features/accounts/client.web.ts'
import { dropWaiting } from '#features/sessions/waiting.web.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'

/** Asks for confirmation before signing out, if that would delete sessions that haven't been sent yet. */
export function LeaveDialog({
  userId,
  count,
  onStay,
}: {
  userId: string
  count: number
  onStay: () => void
}) {
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async () => {
    setIsLeaving(true)
    await dropWaiting(userId)
    await signOut()
  }
  const [sessions, are, them] = count === 1 ? ['1 session', 'is', 'it'] : [`${count} sessions`, 'are', 'them']
  return (
    <ConfirmDialog
      title="Sign out and lose unsent sessions?"
      text={`${sessions} ${are} still waiting to be sent. Signing out deletes ${them} from this device.`}
      confirmLabel="Sign Out and Delete"
      busyText="Signing out..."
      isBusy={isLeaving}
      onConfirm={() => void leave()}
      onCancel={onStay}
    />
  )
}
