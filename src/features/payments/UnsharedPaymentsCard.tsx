import { useState } from 'react'
import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents, centsOfDollars, formatAmount, formatMoney } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { sharePayments, useUnsharedPayments } from './client.web.ts'
import type { Payment } from './payment.ts'
import { factsOf, nameOfPayment } from './payment-words.ts'

/**
 * Payments from before a connection that the other side can't see until they're shared. Renders nothing if
 * there are none.
 */
export function UnsharedPaymentsCard() {
  const canWrite = useCanWrite()
  const isFamily = useSide() === 'parent'
  const unshared = useUnsharedPayments()
  const toast = useToast()
  const [asked, setAsked] = useState<Payment[]>()
  const [isBusy, setIsBusy] = useState(false)
  const payments = unshared.data?.payments ?? []
  if (payments.length === 0) return null
  const share = async (chosen: Payment[]) => {
    setIsBusy(true)
    try {
      const { payments: shared } = await sharePayments(chosen)
      const agreed = shared.filter(({ counts }) => counts).length
      toast.success(
        shared.length === 1 ? 'Payment shared' : `${shared.length} payments shared`,
        agreed === shared.length
          ? 'You both recorded it, so it counts for both of you.'
          : `${isFamily ? 'The tutor' : 'The family'} will be asked to confirm.`,
      )
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed ? error.problem.title : 'The payments could not be shared',
      )
    } finally {
      setIsBusy(false)
      setAsked(undefined)
    }
  }
  return (
    <section className="card mt-5 px-4 py-2">
      <Disclosure title={<b className="num font-semibold">Only yours: {totalOf(payments)}</b>}>
        <p className="help mb-2.5">
          {isFamily ? 'Your tutor' : 'The family'} can’t see these, and they aren’t in your shared balance.
          Share them so that you can both confirm them.
        </p>
        <ul className="list border-y border-line">
          {payments.map((payment) => (
            <li key={payment.id} className="log">
              <DayMargin day={payment.date as CalendarDay} />
              <div className="m">
                <div className="t">{(isFamily ? payment.tutor_name : payment.student_name) ?? ''}</div>
                <div className="s">{factsOf(payment)}</div>
              </div>
              <div className="a">
                <b>{formatAmount(payment.amount, payment.currency)}</b>
                {canWrite && (
                  <Button
                    tone="quiet"
                    size="small"
                    aria-label={`Share, ${nameOfPayment(payment)}`}
                    onClick={() => setAsked([payment])}
                  >
                    Share
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
        {canWrite && payments.length > 1 && (
          <Button
            tone="secondary"
            className="my-3 w-full md:w-auto"
            onClick={() => setAsked(payments.slice(0, 500))}
          >
            Share all {payments.length}
          </Button>
        )}
      </Disclosure>
      {asked && (
        <ConfirmDialog
          title={asked.length === 1 ? 'Share this payment?' : `Share ${asked.length} payments?`}
          text={`${isFamily ? 'The tutor' : 'The family'} will see ${totalOf(asked)}, and you can’t take that back.`}
          confirmLabel="Share"
          busyText="Sharing..."
          tone="primary"
          isBusy={isBusy}
          onConfirm={() => void share(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** For example, "3 payments, $405.00". Amounts in different currencies aren't added up. */
function totalOf(payments: Payment[]): string {
  const [currency, ...others] = new Set(payments.map((payment) => payment.currency))
  const amount = payments.reduce((sum, payment) => sum + centsOfDollars(payment.amount), 0)
  const count = payments.length === 1 ? '1 payment' : `${payments.length} payments`
  return currency && others.length === 0 ? `${count}, ${formatMoney(cents(amount), currency)}` : count
}
