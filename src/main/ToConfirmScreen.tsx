import type { ComponentProps } from 'react'
import { useWaitingCharges } from '#features/charges/client.web.ts'
import { WaitingChargesCard } from '#features/charges/WaitingChargesCard.tsx'
import ToConfirmPage from '#features/connections/ToConfirmPage.tsx'
import { useWaitingPayments } from '#features/payments/client.web.ts'
import { WaitingPaymentsCard } from '#features/payments/WaitingPaymentsCard.tsx'
import { useWaitingTerms } from '#features/terms/client.web.ts'
import { WaitingTermsCard } from '#features/terms/WaitingTermsCard.tsx'
import { isComing } from '#platform/query.web.ts'

/**
 * Everything that's waiting for an answer: sessions, plus terms, payments and charges for members who see
 * every student's payments.
 */
export default function ToConfirmScreen({
  statement,
}: Pick<ComponentProps<typeof ToConfirmPage>, 'statement'>) {
  const payments = useWaitingPayments()
  const charges = useWaitingCharges()
  const terms = useWaitingTerms()
  return (
    <ToConfirmPage
      statement={statement}
      arePaymentsComing={isComing(payments) || isComing(charges) || isComing(terms)}
      paymentCount={
        (payments.data?.payments.length ?? 0) +
        (charges.data?.charges.length ?? 0) +
        (terms.data?.terms.length ?? 0)
      }
      payments={
        <>
          <WaitingTermsCard />
          <WaitingPaymentsCard />
          <WaitingChargesCard />
        </>
      }
    />
  )
}
