import { useState } from 'react'
import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { DeletionDialog, DisputeDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerButtons, AnswerLink, AnswerRow, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import { type Answers, useAnswers } from '#features/agreements/client.web.ts'
import { silence } from '#features/sessions/standing-text.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { BOTH_SIDES, type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { paymentKind, useWaitingPayments } from './client.web.ts'
import type { SharedPayment } from './confirmation.ts'
import { factsOf, nameOfPayment, proposedPayment, questionOf } from './payment-words.ts'

/**
 * Payments the other side reported that are waiting for this side's answer, and payments this side reported
 * that the other side sent back. Renders nothing if there are none.
 * @param limit the maximum number to list; only the dashboard sets one
 */
export function WaitingPaymentsCard({ limit = Infinity }: { limit?: number | undefined }) {
  const reader = useSide()
  const waiting = useWaitingPayments()
  const kind = paymentKind(reader)
  const answers = useAnswers<SharedPayment>(kind)
  const [disputed, setDisputed] = useState<SharedPayment>()
  const [deleted, setDeleted] = useState<SharedPayment>()
  const payments = waiting.data?.payments ?? []
  const sentBack = waiting.data?.sent_back ?? []
  useReopen('payment-dispute', payments, (payment) => payment !== 'new' && setDisputed(payment))
  const listed = answers.listed(payments)
  const shown = listed.slice(0, limit)
  const shownBack = sentBack.slice(0, Math.max(0, limit - listed.length))
  return (
    <>
      <ListRetry list={waiting} plural="payments to confirm" />
      {shown.length > 0 && (
        <section className="mt-6" aria-label="Payments to confirm">
          <SectionHeading>Payments to confirm</SectionHeading>
          <ul className="card list overflow-hidden">
            {shown.map((payment) => (
              <Row
                key={payment.id}
                payment={payment}
                reader={reader}
                answers={answers}
                onDispute={() => setDisputed(payment)}
                onDelete={() => setDeleted(payment)}
              />
            ))}
          </ul>
        </section>
      )}
      {shownBack.length > 0 && <SentBackPayments payments={shownBack} reader={reader} />}
      {deleted && <DeletionDialog answers={answers} entry={deleted} onClose={() => setDeleted(undefined)} />}
      {disputed && <DisputeDialog kind={kind} entry={disputed} onClose={() => setDisputed(undefined)} />}
    </>
  )
}

/** Payments that this side reported and the other side sent back, with the reason and a way to correct them. */
function SentBackPayments({ payments, reader }: { payments: SharedPayment[]; reader: Side }) {
  return (
    <section className="mt-6" aria-label="Payments that aren’t right">
      <SectionHeading>Payments that aren’t right</SectionHeading>
      <ul className="card list overflow-hidden">
        {payments.map((payment) => (
          <AnswerRow
            key={payment.id}
            date={payment.date}
            title={questionOf(payment.kind, reader === 'parent' ? 'tutor' : 'parent').no}
            amount={formatAmount(payment.amount, payment.currency)}
          >
            <div className="s">{factsOf(payment)}</div>
            <p className="s wrap-anywhere">
              <bdi>{otherOf(payment, reader)}</bdi>
              {payment.dispute_note && <>: “{payment.dispute_note}”</>}
            </p>
            <Link
              className="btn btn-s btn-sm mt-2.5"
              aria-label={`Correct or delete, ${nameOfPayment(payment)}`}
              to={`${paths.payments}?${new URLSearchParams({
                with: payment.connection_id,
                month: monthOf(payment.date as CalendarDay),
                edit: payment.id,
              }).toString()}`}
            >
              Correct or delete
            </Link>
          </AnswerRow>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  payment: SharedPayment
  reader: Side
  answers: Answers<SharedPayment>
  onDispute: () => void
  onDelete: () => void
}

function Row(props: RowProps) {
  const { payment, reader } = props
  const silent = payment.waits_for_you && silence(payment, new Date())
  return (
    <AnswerRow
      date={payment.date}
      title={payment.deletion_asked_by ? 'Delete it?' : questionOf(payment.kind, reader).ask}
      amount={formatAmount(payment.amount, payment.currency)}
    >
      <div className="s">{factsOf(payment)}</div>
      <div className="s">
        <bdi>{otherOf(payment, reader)}</bdi>
        {payment.student_name && (
          <>
            , <bdi>{payment.student_name}</bdi>
          </>
        )}
      </div>
      {silent && <div className="s">Waiting for you {silent}</div>}
      <RowAnswers {...props} />
    </AnswerRow>
  )
}

function RowAnswers({ payment, reader, answers, onDispute, onDelete }: RowProps) {
  const buttons = { name: nameOfPayment(payment), busy: answers.busyWith(payment), className: 'md:max-w-sm' }
  if (!payment.waits_for_you)
    return (
      <div className="mt-1 flex flex-wrap items-center gap-x-3">
        <TickLine by={BOTH_SIDES} drawn={reader} words="Confirmed" />
        <AnswerLink
          name={buttons.name}
          className="ml-auto text-right"
          onClick={() => void answers.withdraw(payment)}
        />
      </div>
    )
  if (payment.deletion_asked_by)
    return (
      <>
        <div className="mt-1">
          <Badge tone="warn">{otherOf(payment, reader)} asked to delete it</Badge>
        </div>
        <DeletionButtons {...buttons} onDelete={onDelete} onKeep={() => void answers.keep(payment)} />
      </>
    )
  const { yes, no } = questionOf(payment.kind, reader)
  if (payment.proposal?.by === 'other')
    return (
      <>
        <p className="num mt-1 font-semibold wrap-anywhere">
          {otherOf(payment, reader)} says {proposedPayment(payment, payment.proposal)}
        </p>
        <AnswerButtons
          {...buttons}
          yes="Accept"
          onConfirm={() => void answers.accept(payment)}
          onDispute={onDispute}
        />
      </>
    )
  return (
    <AnswerButtons
      {...buttons}
      yes={yes}
      no={no}
      onConfirm={() => void answers.confirm(payment)}
      onDispute={onDispute}
    />
  )
}

/** The other side's name, capitalized to start a line. */
function otherOf({ other_name: name }: SharedPayment, reader: Side): string {
  return name ?? (reader === 'parent' ? 'The tutor' : 'The family')
}
