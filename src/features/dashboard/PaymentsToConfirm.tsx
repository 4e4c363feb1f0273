import { lazy, Suspense, useState } from 'react'
import { useWaitingPayments } from '#features/payments/client.web.ts'

// Loaded only if there is something to answer.
const WaitingPaymentsCard = lazy(async () => ({
  default: (await import('#features/payments/WaitingPaymentsCard.tsx')).WaitingPaymentsCard,
}))

/** Payments that wait for an answer or were sent back. Once shown, the card stays, with whatever was just answered in its place. */
export function PaymentsToConfirm() {
  const waiting = useWaitingPayments()
  const [isShown, setIsShown] = useState(false)
  const isNeeded =
    waiting.isError ||
    Boolean(waiting.data && waiting.data.payments.length + waiting.data.sent_back.length > 0)
  if (isNeeded && !isShown) setIsShown(true)
  if (!isShown) return null
  return (
    <Suspense fallback={null}>
      <WaitingPaymentsCard />
    </Suspense>
  )
}
