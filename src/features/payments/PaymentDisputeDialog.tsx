import { useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { SharedPayment } from './confirmation.ts'
import { factsOf, nameOfPayment, questionOf } from './payment-words.ts'

interface PaymentDisputeDialogProps {
  payment: SharedPayment
  reader: Side
  /** What the other side is called in a sentence. */
  other: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Says that a payment did not arrive, or was not made, with a note. */
export function PaymentDisputeDialog(props: PaymentDisputeDialogProps) {
  const draft = `payment-dispute:${props.payment.id}`
  return (
    <FormBoundary draft={draft}>
      <NoteForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function NoteForm({
  payment,
  reader,
  other,
  onSend,
  onClose,
  draft,
}: PaymentDisputeDialogProps & { draft: string }) {
  const toast = useToast()
  const { no } = questionOf(payment.kind, reader)
  const [note, setNote] = useState(() => withDraft(draft, { note: '' }).note)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const send = async () => {
    if (note.trim() === '') return setProblem('Say in a few words what is not right')
    setIsBusy(true)
    try {
      await onSend(note)
      toast.success(
        'Note sent',
        `${other.charAt(0).toUpperCase()}${other.slice(1)} sees it and can correct the payment.`,
      )
      close()
    } catch (error) {
      setIsBusy(false)
      setProblem(
        error instanceof CallFailed
          ? (error.errorOf('note') ?? error.problem.title)
          : 'Your note could not be sent',
      )
    }
  }
  return (
    <FormDialog
      title={`${no}?`}
      isDirty={note !== ''}
      onClose={close}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button className="flex-1" busy={isBusy} busyText="Sending..." onClick={() => void send()}>
            {no}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-ink-2">
        <b className="num text-ink">{nameOfPayment(payment)}</b>
        <br />
        {factsOf(payment)}
      </p>
      <TextArea
        label={`Note to ${other}`}
        required
        maxLength={500}
        help="For example: it has not arrived yet"
        value={note}
        error={problem}
        onChange={(event) => {
          setNote(event.target.value)
          keepDraft(draft, { note: event.target.value })
        }}
      />
    </FormDialog>
  )
}
