import type { ComponentProps } from 'react'
import ToConfirmPage from '#features/connections/ToConfirmPage.tsx'
import { useWaitingPayments } from '#features/payments/client.web.ts'
import { WaitingPaymentsCard } from '#features/payments/WaitingPaymentsCard.tsx'
import { isComing } from '#platform/query.web.ts'

/**
 * Everything that's waiting for an answer: sessions, plus payments for members who see every student's
 * payments.
 */
export default function ToConfirmScreen({
  statement,
}: Pick<ComponentProps<typeof ToConfirmPage>, 'statement'>) {
  const payments = useWaitingPayments()
  return (
    <ToConfirmPage
      statement={statement}
      arePaymentsComing={isComing(payments)}
      hasPayments={Boolean(payments.data?.payments.length)}
      payments={<WaitingPaymentsCard />}
    />
  )
}
