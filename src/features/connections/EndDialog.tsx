import { Unlink } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import type { RowAction } from '#platform/ui/RowMenu.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerConnection, useEndConnection } from './client.web.ts'
import type { Connection } from './connection.ts'

interface EndProps {
  connection: Connection
  /** The other side's name. */
  other: string
}

interface Words {
  label: string
  title: string
  text: (other: string) => string
  consequence: string
  busyText: string
  done: string
  failed: string
}

/**
 * The dialog's text for each case: the sender withdraws a request, the recipient declines it, or either side
 * ends an active connection.
 */
const WORDS: Record<'withdraw' | 'decline' | 'end', Words> = {
  withdraw: {
    label: 'Withdraw request',
    title: 'Withdraw this request?',
    text: (other) => `${other} can no longer answer, and the link stops working.`,
    consequence: 'You can ask again later.',
    busyText: 'Withdrawing...',
    done: 'Request withdrawn',
    failed: 'The request could not be withdrawn',
  },
  decline: {
    label: 'Decline',
    title: 'Decline this request?',
    text: (other) => `Nothing is shared with ${other}.`,
    consequence: 'They can see that you declined, and they can ask again later.',
    busyText: 'Declining...',
    done: 'Declined',
    failed: 'Your answer could not be saved',
  },
  end: {
    label: 'End connection',
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

/**
 * The action that ends a row's connection, or withdraws or declines its request. Render `question` to ask for
 * confirmation first.
 */
export function useEnding() {
  const [ending, setEnding] = useState<EndProps>()
  return {
    action: (props: EndProps): RowAction => ({
      label: WORDS[waysOut(props.connection)].label,
      Icon: Unlink,
      run: () => setEnding(props),
    }),
    question: ending && <EndDialog {...ending} onClose={() => setEnding(undefined)} />,
  }
}

/** Asks for confirmation before ending a connection or request. */
export function EndDialog({ connection, other, onClose }: EndProps & { onClose: () => void }) {
  const toast = useToast()
  const end = useEndConnection()
  const answer = useAnswerConnection()
  // Set only once, so that the question on the screen doesn't change if an answer arrives in the meantime.
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
