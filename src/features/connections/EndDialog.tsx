import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerConnection, useEndConnection } from './client.web.ts'
import type { Connection } from './connection.ts'

interface EndProps {
  connection: Connection
  /** What the other side is called. */
  other: string
}

interface Words {
  label: string
  /** The button's whole name, for somebody who hears one of several. */
  named: (other: string) => string
  title: string
  text: (other: string) => string
  consequence: string
  busyText: string
  done: string
  failed: string
}

/** What ending means: the one who asked withdraws, the one who was asked declines, and an active connection ends. */
const WORDS: Record<'withdraw' | 'decline' | 'end', Words> = {
  withdraw: {
    label: 'Withdraw request',
    named: (other) => `Withdraw request to ${other}`,
    title: 'Withdraw this request?',
    text: (other) => `${other} can no longer answer, and the emailed link stops working.`,
    consequence: 'You can ask again later.',
    busyText: 'Withdrawing...',
    done: 'Request withdrawn',
    failed: 'The request could not be withdrawn',
  },
  decline: {
    label: 'Decline',
    named: (other) => `Decline the request of ${other}`,
    title: 'Decline this request?',
    text: (other) => `Nothing is shared with ${other}.`,
    consequence: 'They can see that you declined, and ask again later.',
    busyText: 'Declining...',
    done: 'Declined',
    failed: 'Your answer could not be saved',
  },
  end: {
    label: 'End connection',
    named: (other) => `End connection with ${other}`,
    title: 'End this connection?',
    text: (other) => `You and ${other} no longer see what the other logs or changes.`,
    consequence:
      'Each of you keeps a copy of every session you shared, with its confirmations and history. From then on the copies are independent.',
    busyText: 'Ending...',
    done: 'Connection ended',
    failed: 'The connection could not be ended',
  },
}

function waysOut({ state, is_asked_by_you: isOwn }: Connection): keyof typeof WORDS {
  if (state === 'active') return 'end'
  return isOwn ? 'withdraw' : 'decline'
}

/** Ends a connection, or what was asked and not answered yet, after a question. */
export function EndButton({ connection, other, className }: EndProps & { className?: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const words = WORDS[waysOut(connection)]
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        className={className}
        aria-label={words.named(other)}
        onClick={() => setIsAsking(true)}
      >
        {words.label}
      </Button>
      {isAsking && <EndDialog connection={connection} other={other} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function EndDialog({ connection, other, onClose }: EndProps & { onClose: () => void }) {
  const toast = useToast()
  const end = useEndConnection()
  const answer = useAnswerConnection()
  // Whoever answers in the meantime changes nothing about the question that is on the screen.
  const [way] = useState(() => waysOut(connection))
  const words = WORDS[way]
  const run = async () => {
    try {
      await (way === 'decline'
        ? answer.mutateAsync({ connection, input: { state: 'declined' } })
        : end.mutateAsync(connection))
      toast.success(words.done)
      onClose()
    } catch {
      toast.error('Error', words.failed)
    }
  }
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text(other)}
      consequence={words.consequence}
      confirmLabel={words.label}
      busyText={words.busyText}
      isBusy={end.isPending || answer.isPending}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  )
}
