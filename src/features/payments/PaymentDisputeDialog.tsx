import { NoteDialog } from '#platform/ui/NoteDialog.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { SharedPayment } from './confirmation.ts'
import { disputeNote, factsOf, nameOfPayment, questionOf } from './payment-words.ts'

interface PaymentDisputeDialogProps {
  payment: SharedPayment
  reader: Side
  /** What to call the other side within a sentence. */
  other: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
}

/** A dialog to dispute a payment that didn't arrive or wasn't made. Asks for a note. */
export function PaymentDisputeDialog({ payment, reader, other, onSend, onClose }: PaymentDisputeDialogProps) {
  const toast = useToast()
  const { no } = questionOf(payment.kind, reader)
  const send = async (note: string) => {
    await onSend(note)
    toast.success(
      'Note sent',
      `${other.charAt(0).toUpperCase()}${other.slice(1)} will see your note and can correct the payment.`,
    )
  }
  return (
    <NoteDialog
      {...disputeNote(payment.id, reader)}
      title={`${no}?`}
      send={no}
      label={`Note to ${other}`}
      failure="Your note could not be sent"
      onSend={send}
      onClose={onClose}
    >
      <b className="num text-ink">{nameOfPayment(payment)}</b>
      <br />
      {factsOf(payment)}
    </NoteDialog>
  )
}
