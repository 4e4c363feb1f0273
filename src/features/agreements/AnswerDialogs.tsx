import { late } from '#platform/ui/late.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Answers, Answerable, NotedKind } from './client.web.ts'

const NoteDialog = late(async () => (await import('#platform/ui/NoteDialog.tsx')).NoteDialog)
const OtherAmountDialog = late(async () => (await import('./OtherAmountDialog.tsx')).OtherAmountDialog)
const ConfirmDialog = late(async () => (await import('#platform/ui/ConfirmDialog.tsx')).ConfirmDialog)

interface DisputeDialogProps<Entry> {
  kind: NotedKind<Entry>
  entry: Entry
  onClose: () => void
}

/** Disputes an entry with a note, or, if it has an amount, with what would be right. */
export function DisputeDialog<Entry extends Answerable>({ kind, entry, onClose }: DisputeDialogProps<Entry>) {
  const toast = useToast()
  const all = kind.disputeWords(entry)
  const { name, facts, sent, ...words } = all
  const proposable = kind.propose?.of(entry)
  if (kind.propose && proposable) {
    const { send } = kind.propose
    return (
      <OtherAmountDialog
        entry={proposable}
        words={all}
        onSend={async (said) => {
          await send(entry, said)
          toast.success(...(said.proposal ? (kind.propose?.sent(entry) ?? sent) : sent))
        }}
        onClose={onClose}
      />
    )
  }
  const send = async (note: string) => {
    await kind.dispute(entry, { note })
    toast.success(...sent)
  }
  return (
    <NoteDialog {...words} onSend={send} onClose={onClose}>
      {name && (
        <>
          <b className="num text-ink">{name}</b>
          <br />
        </>
      )}
      {facts}
    </NoteDialog>
  )
}

interface DeletionDialogProps<Entry extends Answerable> {
  answers: Answers<Entry>
  entry: Entry
  onRemoved?: () => void
  onClose: () => void
}

/** Asks the reader before an entry is deleted for good, and deletes it. */
export function DeletionDialog<Entry extends Answerable>({
  answers: { kind, busyWith, remove },
  entry,
  onRemoved,
  onClose,
}: DeletionDialogProps<Entry>) {
  const confirm = async () => {
    const isRemoved = await remove(entry)
    onClose()
    if (isRemoved) onRemoved?.()
  }
  return (
    <ConfirmDialog
      {...kind.deletionWords(entry)}
      confirmLabel="Delete"
      busyText="Deleting..."
      isBusy={busyWith(entry) === 'remove'}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    />
  )
}
