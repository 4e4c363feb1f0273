import { Check } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { paymentAnswers, useWaitingPayments } from './client.web.ts'
import type { SharedPayment } from './confirmation.ts'
import { silence } from '#features/sessions/standing-text.ts'
import { factsOf, nameOfPayment, questionOf } from './payment-words.ts'

const PaymentDisputeDialog = late(
  async () => (await import('./PaymentDisputeDialog.tsx')).PaymentDisputeDialog,
)
const PaymentDeleteDialog = late(async () => (await import('./PaymentDeleteDialog.tsx')).PaymentDeleteDialog)

/**
 * Payments the other side reported that are waiting for this side's answer, and payments this side reported
 * that the other side sent back. Renders nothing if there are none.
 * @param limit the maximum number to list; only the dashboard sets one
 */
export function WaitingPaymentsCard({ limit = Infinity }: { limit?: number | undefined }) {
  const reader = useSide()
  const waiting = useWaitingPayments()
  const { busy, kept, confirm, withdraw, keep, remove } = usePaymentAnswers(reader)
  const [disputed, setDisputed] = useState<SharedPayment>()
  const [deleted, setDeleted] = useState<SharedPayment>()
  const payments = waiting.data?.payments ?? []
  const sentBack = waiting.data?.sent_back ?? []
  useReopen('payment-dispute', payments, (payment) => payment !== 'new' && setDisputed(payment))
  // A payment that was just answered keeps its place in the list, so that a second tap doesn't answer the
  // next one.
  const listed = [...payments, ...kept.filter(({ id }) => !payments.some((one) => one.id === id))].sort(
    (one, other) => other.date.localeCompare(one.date) || other.id.localeCompare(one.id),
  )
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
                isBusy={busy.includes(payment.id)}
                onConfirm={() => void confirm(payment)}
                onDispute={() => setDisputed(payment)}
                onWithdraw={() => void withdraw(payment)}
                onKeep={() => void keep(payment)}
                onDelete={() => setDeleted(payment)}
              />
            ))}
          </ul>
        </section>
      )}
      {shownBack.length > 0 && <SentBackPayments payments={shownBack} reader={reader} />}
      {deleted && (
        <PaymentDeleteDialog
          payment={deleted}
          other={otherOf(deleted, reader)}
          isBusy={busy.includes(deleted.id)}
          onConfirm={() => void remove(deleted).then(() => setDeleted(undefined))}
          onCancel={() => setDeleted(undefined)}
        />
      )}
      {disputed && (
        <PaymentDisputeDialog
          payment={disputed}
          reader={reader}
          other={disputed.other_name ?? (reader === 'parent' ? 'the tutor' : 'the family')}
          onSend={(note) => paymentAnswers.dispute(disputed, note)}
          onClose={() => setDisputed(undefined)}
        />
      )}
    </>
  )
}

/** Payments that this side reported and the other side sent back, with the reason and a way to correct them. */
function SentBackPayments({ payments, reader }: { payments: SharedPayment[]; reader: Side }) {
  return (
    <section className="mt-6" aria-label="Payments sent back">
      <SectionHeading>Payments sent back</SectionHeading>
      <ul className="card list overflow-hidden">
        {payments.map((payment) => (
          <li key={payment.id} className="log">
            <DayMargin day={payment.date as CalendarDay} />
            <div className="m col-[2/-1] pr-4!">
              <div className="log-top">
                <div className="t">
                  {questionOf(payment.kind, reader === 'parent' ? 'tutor' : 'parent').no}
                </div>
                <b className="num whitespace-nowrap">{formatAmount(payment.amount, payment.currency)}</b>
              </div>
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
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  payment: SharedPayment
  reader: Side
  isBusy: boolean
  onConfirm: () => void
  onDispute: () => void
  onWithdraw: () => void
  onKeep: () => void
  onDelete: () => void
}

function Row(props: RowProps) {
  const { payment, reader } = props
  const { ask } = questionOf(payment.kind, reader)
  return (
    <li className="log">
      <DayMargin day={payment.date as CalendarDay} />
      <div className="m col-[2/-1] pr-4!">
        <div className="log-top">
          <div className="t">{payment.deletion_asked_by ? 'Delete it?' : ask}</div>
          <b className="num whitespace-nowrap">{formatAmount(payment.amount, payment.currency)}</b>
        </div>
        <div className="s">{factsOf(payment)}</div>
        <div className="s">
          <bdi>{otherOf(payment, reader)}</bdi>
          {payment.student_name && (
            <>
              , <bdi>{payment.student_name}</bdi>
            </>
          )}
        </div>
        {payment.waits_for_you && silence(payment, new Date()) && (
          <div className="s">Waiting for you {silence(payment, new Date())}</div>
        )}
        <RowAnswers {...props} />
      </div>
    </li>
  )
}

function RowAnswers({ payment, reader, isBusy, ...on }: RowProps) {
  const what = nameOfPayment(payment)
  if (!payment.waits_for_you)
    return (
      <div className="mt-1 flex flex-wrap items-center gap-x-3">
        <TickLine by={['parent', 'tutor']} drawn={reader} words="Confirmed" />
        <button
          type="button"
          className="link ml-auto min-h-11 min-w-11 text-right text-small"
          aria-label={`Undo, ${what}`}
          onClick={on.onWithdraw}
        >
          Undo
        </button>
      </div>
    )
  if (payment.deletion_asked_by)
    return (
      <>
        <div className="mt-1">
          <Badge tone="warn">{otherOf(payment, reader)} asked to delete it</Badge>
        </div>
        <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-sm">
          <Button size="small" tone="danger-outline" aria-label={`Delete, ${what}`} onClick={on.onDelete}>
            Delete
          </Button>
          <Button size="small" tone="secondary" aria-label={`Keep it, ${what}`} onClick={on.onKeep}>
            Keep it
          </Button>
        </div>
      </>
    )
  const { yes, no } = questionOf(payment.kind, reader)
  return (
    <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-sm">
      <Button
        size="small"
        className="flex-1"
        busy={isBusy}
        busyText="Confirming..."
        aria-label={`${yes}, ${what}`}
        onClick={on.onConfirm}
      >
        <Check className="i" aria-hidden="true" />
        {yes}
      </Button>
      <Button size="small" tone="secondary" aria-label={`${no}, ${what}`} onClick={on.onDispute}>
        {no}
      </Button>
    </div>
  )
}

/** The other side's name, capitalized to start a line. */
function otherOf({ other_name: name }: SharedPayment, reader: Side): string {
  return name ?? (reader === 'parent' ? 'The tutor' : 'The family')
}

/** Sends answers about payments. Keeps track of the ones in progress and the ones just given. */
function usePaymentAnswers(reader: Side) {
  const toast = useToast()
  const [busy, setBusy] = useState<readonly string[]>([])
  const [kept, setKept] = useState<readonly SharedPayment[]>([])
  const run = async ({ id }: SharedPayment, work: () => Promise<unknown>, failure: string) => {
    if (busy.includes(id)) return
    setBusy((now) => [...now, id])
    try {
      await work()
    } catch (error) {
      toast.error('Error', error instanceof CallFailed ? error.problem.title : failure)
    } finally {
      setBusy((now) => now.filter((one) => one !== id))
    }
  }
  const withdraw = (payment: SharedPayment) =>
    run(
      payment,
      async () => {
        await paymentAnswers.withdraw(payment)
        setKept((now) => now.filter(({ id }) => id !== payment.id))
      },
      'Your answer could not be undone',
    )
  const confirm = (payment: SharedPayment) =>
    run(
      payment,
      async () => {
        const { version } = await paymentAnswers.confirm(payment)
        const answered = { ...payment, version, waits_for_you: false }
        setKept((now) => [...now.filter(({ id }) => id !== payment.id), answered])
        toast.success(`${questionOf(payment.kind, reader).yes}: ${nameOfPayment(payment)}`, undefined, {
          label: 'Undo',
          run: () => void withdraw(answered),
        })
      },
      'Nothing was confirmed. The payment may have changed. Please check it again.',
    )
  const keep = (payment: SharedPayment) =>
    run(
      payment,
      async () => {
        await paymentAnswers.keep(payment)
        toast.success('Payment kept', 'It stays in your shared balance.')
      },
      'Your answer could not be saved. Please try again.',
    )
  const remove = (payment: SharedPayment) =>
    run(
      payment,
      async () => {
        await paymentAnswers.remove(payment)
        toast.success('Payment deleted successfully')
      },
      'Failed to delete payment',
    )
  return { busy, kept, confirm, withdraw, keep, remove }
}
