import { useState } from 'react'
import { useStartWorkspace } from '#features/workspaces/client.web.ts'
import type { Kind, Workspace } from '#features/workspaces/workspace.ts'
import { newId } from '#kernel/id.ts'
import { problemTitle } from '#platform/api.web.ts'
import { whenClear } from '#platform/ui/back-gesture.web.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { switchWorkspace, useMe } from './client.web.ts'

const WHAT_FOR: Record<Kind, string> = {
  family:
    'Keep track of your own children’s tutors, sessions and payments, separately from your other records.',
  practice:
    'Keep track of the students you teach, their sessions and payments, separately from your other records.',
}

interface StartDialogProps {
  kind: Kind
  workspaces: Workspace[]
  onClose: () => void
}

/** Asks for confirmation before starting a family or a practice, then opens its dashboard. */
export function StartDialog({ kind, workspaces, onClose }: StartDialogProps) {
  const toast = useToast()
  const start = useStartWorkspace()
  const [isSwitching, setIsSwitching] = useState(false)
  const [idempotencyKey] = useState(newId)
  const isFirst = workspaces.every(({ role }) => role !== 'owner')
  const { takes_payments: takesPayments, is_trial_ahead: isTrialAhead } = useMe()
  const run = async () => {
    try {
      const { id } = await start.mutateAsync({ input: { kind }, idempotencyKey })
      setIsSwitching(true)
      onClose()
      // Switching workspaces navigates to the dashboard, so let the dialog remove its history entry first.
      await whenClear()
      await switchWorkspace(id)
      toast.success(kind === 'family' ? 'Family created' : 'Practice created')
    } catch (error) {
      toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
      onClose()
    }
  }
  return (
    <ConfirmDialog
      title={`Start a ${kind}`}
      text={`${WHAT_FOR[kind]} You can switch at any time in the account menu.`}
      consequence={takesPayments ? planLine(isFirst, isTrialAhead) : undefined}
      tone="primary"
      confirmLabel={`Start a ${kind}`}
      busyText="Starting..."
      isBusy={start.isPending || isSwitching}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  )
}

// Someone who handed over a family, or already had an account, doesn't get a second trial.
function planLine(isFirst: boolean, isTrialAhead: boolean): string {
  if (isTrialAhead) return 'This starts your free trial.'
  return isFirst ? 'Your plan covers it.' : 'Your plan covers it too.'
}
