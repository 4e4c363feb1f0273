import { Check, Download, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { refreshed, useAnswers } from '#features/agreements/client.web.ts'
import { deleteSeveral, sessionKind } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { otherSide } from '#features/sessions/standing-text.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { actionsFor, deletionQuestion, deletionResult } from './session-choice.ts'
import { inWords } from './session-filter.ts'

interface SelectionBarProps {
  sessions: readonly Session[]
  onExport: (sessions: readonly Session[]) => Promise<void>
  onClear: () => void
}

/** What can be done with several sessions at once. */
export function SelectionBar({ sessions, onExport, onClear }: SelectionBarProps) {
  const toast = useToast()
  const canWrite = useCanWrite()
  const { confirm } = useAnswers<Session>(sessionKind(useSide()))
  const [busy, setBusy] = useState<'confirm' | 'export'>()
  const [isAsking, setIsAsking] = useState(false)
  const { toConfirm, toDelete } = actionsFor(sessions)
  const run = async (what: 'confirm' | 'export', work: () => Promise<unknown>) => {
    setBusy(what)
    try {
      await work()
    } catch (error) {
      toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="selection" role="region" aria-label="Selected sessions">
      <p className="num mr-auto pl-2 font-semibold" role="status">
        {inWords(`${sessions.length} selected`, sessions)}
      </p>
      {canWrite && toConfirm.length > 0 && (
        <Button
          size="small"
          busy={busy === 'confirm'}
          busyText="Confirming..."
          onClick={() => void run('confirm', () => confirm(...toConfirm))}
        >
          <Check className="i" aria-hidden="true" />
          Confirm {toConfirm.length}
        </Button>
      )}
      <Button
        tone="secondary"
        size="small"
        busy={busy === 'export'}
        busyText="Exporting..."
        onClick={() => void run('export', () => onExport(sessions))}
      >
        <Download className="i" aria-hidden="true" />
        Export
      </Button>
      {canWrite && toDelete.length > 0 && (
        <Button tone="danger-outline" size="small" onClick={() => setIsAsking(true)}>
          <Trash2 className="i" aria-hidden="true" />
          Delete
        </Button>
      )}
      <IconButton label="Clear selection" onClick={onClear}>
        <X className="size-[18px]" aria-hidden="true" />
      </IconButton>
      {isAsking && <DeleteDialog sessions={toDelete} onClose={() => setIsAsking(false)} />}
    </div>
  )
}

function DeleteDialog({ sessions, onClose }: { sessions: readonly Session[]; onClose: () => void }) {
  const toast = useToast()
  const reader = useSide()
  const [isBusy, setIsBusy] = useState(false)
  // With several tutors, they're not named.
  const [name, ...others] = new Set(sessions.map(({ tutor_name: tutor }) => tutor))
  const other = otherSide(reader, others.length === 0 ? name : undefined)
  const remove = async () => {
    setIsBusy(true)
    const { error, ...done } = await refreshed(deleteSeveral(sessions))
    onClose()
    const result = deletionResult(done)
    if (error !== undefined) toast.error(result || 'Error', problemTitle(error, 'Failed to delete session'))
    else toast.success(result)
  }
  return (
    <ConfirmDialog
      {...deletionQuestion(sessions, other)}
      busyText="Deleting..."
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    />
  )
}
