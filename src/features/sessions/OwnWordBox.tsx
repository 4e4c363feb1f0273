import { Check } from 'lucide-react'
import { useState } from 'react'
import { useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { accountAnswers } from './client.web.ts'
import { sessionStanding } from './confirmation.ts'
import { AgreeDialog } from './LeaveDialog.tsx'
import type { Session } from './session.ts'
import { SessionWord } from './SessionRow.tsx'
import { otherSide } from './standing-text.ts'

interface OwnWordBoxProps {
  session: Session
  /** Whether the form has unsaved changes, which these buttons wouldn't save. */
  isChanged: boolean
  /** Opens the form for sending the session back with a note. Omitted if that form is already open. */
  onDispute?: () => void
  /** @param isGone whether the session is no longer in the log */
  onDone: (isGone: boolean) => void
}

/**
 * Both sides' answers about a session, plus buttons if the reader needs to answer. Empty if nobody else can
 * confirm the session.
 */
export function OwnWordBox({ session, isChanged, onDispute, onDone }: OwnWordBoxProps) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const seesAmounts = useSeesAmounts()
  const toast = useToast()
  const [busy, setBusy] = useState<'confirm' | 'keep' | 'remove'>()
  const [isAsking, setIsAsking] = useState(false)
  const standing = sessionStanding(session)
  if (standing === 'own') return null
  const undo = () => accountAnswers.withdraw(session).catch(() => toast.error('Error', 'Failed to undo'))
  const answer = async (which: 'confirm' | 'keep' | 'remove', done: string) => {
    setBusy(which)
    try {
      await ANSWERS[which](session)
      toast.success(
        done,
        undefined,
        which === 'confirm' ? { label: 'Undo', run: () => void undo() } : undefined,
      )
      onDone(which === 'remove')
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed ? error.problem.title : "Your answer couldn't be saved",
      )
    } finally {
      setBusy(undefined)
    }
  }
  const mayAnswer = canWrite && session.is_shared && !session.is_read_only && !isChanged
  const isLeaving = session.deletion_asked_by === 'other'
  const waits = standing === 'waiting' && session.own_confirmation === 'none'
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <SessionWord session={session} onLeft={() => onDone(true)} />
        {session.is_read_only && seesAmounts && (
          <p className="help">
            {reader === 'parent' ? 'The tutor' : 'The family'} closed their account, so only your own notes
            can be changed.
          </p>
        )}
      </div>
      {mayAnswer && waits && session.date <= dayIn(new Date()) && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            tone="secondary"
            busy={busy === 'confirm'}
            busyText="Confirming..."
            onClick={() => void answer('confirm', 'Session confirmed')}
          >
            <Check className="i" aria-hidden="true" />
            Confirm
          </Button>
          {onDispute && (
            <Button size="small" tone="secondary" onClick={onDispute}>
              Not right
            </Button>
          )}
        </div>
      )}
      {mayAnswer && isLeaving && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" tone="danger-outline" onClick={() => setIsAsking(true)}>
            Agree to delete
          </Button>
          <Button
            size="small"
            tone="secondary"
            busy={busy === 'keep'}
            busyText="Keeping..."
            onClick={() => void answer('keep', 'Session kept')}
          >
            Keep it
          </Button>
        </div>
      )}
      {isAsking && (
        <AgreeDialog
          other={otherSide(reader, session.tutor_name)}
          isBusy={busy === 'remove'}
          onConfirm={() => void answer('remove', 'Session deleted successfully')}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}

const ANSWERS: Record<'confirm' | 'keep' | 'remove', (session: Session) => Promise<unknown>> = {
  confirm: (session) => accountAnswers.confirm([session]),
  keep: async (session) => accountAnswers.keep?.(session),
  remove: async (session) => accountAnswers.remove?.(session),
}
