import { useState } from 'react'
import { switchWorkspace, useMe } from '#features/accounts/client.web.ts'
import { NoPermission } from '#features/site/NoPermission.tsx'
import { useWorkspaces } from '#features/workspaces/client.web.ts'
import { nameOf } from '#features/workspaces/naming.ts'
import type { Kind } from '#features/workspaces/workspace.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

interface OtherPlaceProps {
  /** The kind of workspace this page is for. */
  kind: Kind
  /** Called before the switch, so that the app can come back to this page afterward. */
  onSwitch: () => void
}

/**
 * Shown on a page that's meant for the other role. Offers to switch to a workspace where the page works,
 * preferably one that the account owns.
 */
export default function OtherPlace({ kind, onSwitch }: OtherPlaceProps) {
  const me = useMe()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const fitting = (useWorkspaces(true).data ?? []).filter(
    (one) => one.kind === kind && one.id !== me.workspace?.id,
  )
  const other = fitting.find(({ role }) => role === 'owner') ?? fitting[0]
  if (!other || me.role === 'admin') return <NoPermission />
  const run = async () => {
    setIsBusy(true)
    onSwitch()
    try {
      await switchWorkspace(other.id)
      toast.success(`Switched to ${nameOf(other)}`)
    } catch (error) {
      toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
      setIsBusy(false)
    }
  }
  return (
    <NoPermission line={`It belongs to ${nameOf(other)}.`}>
      <Button busy={isBusy} busyText="Switching..." onClick={() => void run()}>
        Switch to {nameOf(other)}
      </Button>
    </NoPermission>
  )
}
