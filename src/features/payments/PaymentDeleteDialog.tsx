import { capital } from '#features/sessions/standing-text.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import type { SharedPayment } from './confirmation.ts'
import { nameOfPayment } from './payment-words.ts'

interface PaymentDeleteDialogProps {
  payment: SharedPayment
  /** What to call the other side within a sentence. */
  other: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * Asks for confirmation before a payment is deleted for both sides. The other side either asked for the
 * deletion or hasn't confirmed the payment.
 */
export function PaymentDeleteDialog({ payment, other, ...dialog }: PaymentDeleteDialogProps) {
  const isAsked = payment.deletion_asked_by === 'other'
  return (
    <ConfirmDialog
      title={isAsked ? 'Agree to delete' : 'Delete this payment?'}
      text={`${isAsked ? `${capital(other)} asked to delete it. ` : ''}The payment of ${nameOfPayment(payment)} will be permanently deleted for both of you.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      {...dialog}
    />
  )
}
