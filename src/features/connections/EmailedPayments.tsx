import { lazy, Suspense, useState } from 'react'
import { dueLine, dueOf, onItsWay } from '#features/payments/balance-text.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { useAnswers } from '#features/agreements/client.web.ts'
import { paymentKind } from '#features/payments/client.web.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import { owedLabel } from '#features/payments/owed.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { EarlierList } from './EarlierList.tsx'
import type { EmailedMoney, EmailedPage } from './emailed.ts'
import { EmailedPaymentForm, paidDraft } from './EmailedPaymentForm.tsx'
import { EmailedPaymentRow } from './EmailedPaymentRow.tsx'

const EmailedChargesSection = lazy(async () => ({
  default: (await import('#features/charges/EmailedChargesSection.tsx')).EmailedChargesSection,
}))
const WaysCard = lazy(async () => ({ default: (await import('#features/payments/WaysCard.tsx')).WaysCard }))

interface EmailedPaymentsProps {
  money: EmailedMoney
  side: EmailedPage['side']
  /** What to call the other side mid-sentence. */
  other: string
  /** Whether the primary button is elsewhere on the page. */
  isQuiet: boolean
}

/** Payments on an emailed page: the amount due, payments that need an answer, and a way to report one. */
export function EmailedPayments({ money, side, other, isQuiet }: EmailedPaymentsProps) {
  const reader: Side = side === 'family' ? 'parent' : 'tutor'
  const [isPaying, setIsPaying] = useState(() => readDraft(paidDraft(side)) !== undefined)
  // A payment that was just answered keeps its place, so that a second tap doesn't answer the next one.
  const answers = useAnswers<SharedPayment>(paymentKind(reader, other), true)
  const isOpen = (payment: SharedPayment) => standingOf(payment) !== 'verified' || answers.isFresh(payment)
  const [open, settled] = [money.payments.filter(isOpen), money.payments.filter((one) => !isOpen(one))]
  const due = dueOf(money)
  const questions = open.filter((payment) => payment.waits_for_you).length
  const row = (payment: SharedPayment) => (
    <EmailedPaymentRow
      key={payment.id}
      payment={payment}
      reader={reader}
      other={other}
      isLoud={!isQuiet && questions === 1}
      answers={answers}
    />
  )
  const showsWays = money.ways.length > 0 && due > 0
  return (
    <section className="mt-10" aria-labelledby="emailed-payments">
      <h2 id="emailed-payments">Payments</h2>
      <p className="num mt-1 text-ink-2">{balanceInWords(money, reader)}</p>
      {open.length > 0 && (
        <ul className="card list mt-3 overflow-hidden" aria-label="Payments">
          {open.map(row)}
        </ul>
      )}
      {showsWays && !isPaying && (
        <div className="mt-4">
          <Suspense fallback={<div className="card sk h-32" />}>
            <WaysCard
              ways={money.ways}
              changedAt={money.ways_changed_at}
              reference={money.reference}
              name={other}
              amount={due}
              currency={money.currency}
              onPaid={() => setIsPaying(true)}
              isQuiet={isQuiet || questions > 0}
            />
          </Suspense>
        </div>
      )}
      {isPaying ? (
        <EmailedPaymentForm
          side={side}
          currency={money.currency}
          due={due}
          reference={showsWays ? money.reference : null}
          other={other}
          onDone={() => setIsPaying(false)}
        />
      ) : (
        !showsWays && (
          <Button tone="secondary" className="mt-3 max-sm:w-full" onClick={() => setIsPaying(true)}>
            {reader === 'parent' ? 'I paid' : 'I was paid'}
          </Button>
        )
      )}
      <EarlierList noun="payment" rows={settled.map(row)} />
      <Suspense fallback={null}>
        <EmailedChargesSection
          charges={money.charges}
          reader={reader}
          other={other}
          currency={money.currency}
        />
      </Suspense>
    </section>
  )
}

/** For example, "You owe $67.50 · $135.00 on its way · $67.50 due Dec 5". */
function balanceInWords(money: EmailedMoney, reader: Side): string {
  const { balance, currency } = money
  return [
    `${owedLabel(balance, reader)}${balance === 0 ? '' : ` ${formatAmount(Math.abs(balance), currency)}`}`,
    onItsWay(money, currency),
    dueLine(money.due, currency, dayIn(new Date())),
  ]
    .filter(Boolean)
    .join(' · ')
}
