import { Check } from 'lucide-react'
import { useState } from 'react'
import {
  ConfirmPayment,
  DisputePayment,
  KeepPayment,
  paymentStanding,
  type SharedPayment,
  WithdrawPaymentConfirmation,
} from '#features/payments/confirmation.ts'
import { DeletePayment } from '#features/payments/payment.ts'
import { PaymentDeleteDialog } from '#features/payments/PaymentDeleteDialog.tsx'
import {
  disputeNote,
  nameOfPayment,
  questionOf,
  reportOf,
  standingWords,
} from '#features/payments/payment-words.ts'
import { refreshed } from '#features/sessions/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { NoteForm } from '#platform/ui/NoteForm.tsx'
import { BOTH_SIDES, type Side, TickLine } from '#platform/ui/Ticks.tsx'
import { editDraft, EmailedPaymentForm } from './EmailedPaymentForm.tsx'

interface EmailedPaymentRowProps {
  payment: SharedPayment
  reader: Side
  other: string
  /** Whether the payment's answer button is the page's primary one. */
  isLoud: boolean
  onAnswered: (payment: SharedPayment) => void
}

/**
 * A payment as a sentence, followed by its question or status: "Paid $135.00, bank transfer, Nov 14.
 * Received?"
 */
export function EmailedPaymentRow(props: EmailedPaymentRowProps) {
  const { payment, reader } = props
  const { problem, ...answers } = useAnswers(props)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <li className="px-5 py-3.5" aria-label={nameOfPayment(payment)}>
      <p className="num wrap-anywhere">
        <b className="font-semibold">{reportOf(payment, reporterOf(payment, reader))}.</b>
        {payment.waits_for_you && !payment.deletion_asked_by && <> {questionOf(payment.kind, reader).ask}</>}
      </p>
      <Answer {...props} answers={answers} onDelete={() => setIsAsking(true)} />
      {isAsking && (
        <PaymentDeleteDialog
          payment={payment}
          other={props.other}
          isBusy={answers.busy === 'remove'}
          onConfirm={() => void answers.remove().then(() => setIsAsking(false))}
          onCancel={() => setIsAsking(false)}
        />
      )}
      {problem && (
        <p role="alert" className="err mt-2">
          {problem}
        </p>
      )}
    </li>
  )
}

/**
 * The side that reported the payment, which is the only one that has confirmed it. If both or neither have,
 * returns the family.
 */
function reporterOf({ own_confirmation: own, other_confirmation: other }: SharedPayment, reader: Side): Side {
  if (own === other) return 'parent'
  const isOwn = own === 'confirmed'
  return (reader === 'parent') === isOwn ? 'parent' : 'tutor'
}

interface AnswerProps extends EmailedPaymentRowProps {
  answers: Omit<ReturnType<typeof useAnswers>, 'problem'>
  onDelete: () => void
}

function Answer(props: AnswerProps) {
  const { payment } = props
  if (payment.is_read_only)
    return <p className="text-small text-ink-2">{capital(props.other)} closed their account.</p>
  if (payment.deletion_asked_by) return <Leaving {...props} />
  return payment.waits_for_you ? <Asked {...props} /> : <Said {...props} />
}

function Asked({ payment, reader, other, isLoud, answers }: AnswerProps) {
  const { yes, no } = questionOf(payment.kind, reader)
  const note = disputeNote(payment.id, reader)
  const [isWrong, setIsWrong] = useState(() => readDraft(note.draft) !== undefined)
  const what = nameOfPayment(payment)
  if (isWrong)
    return (
      <NoteForm
        {...note}
        name={`${no}, ${what}`}
        label={`What happened? ${capital(other)} will see this.`}
        send={no}
        onSend={answers.dispute}
        onClose={() => setIsWrong(false)}
      />
    )
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      <Button
        size="small"
        className="flex-1"
        tone={isLoud ? 'primary' : 'secondary'}
        busy={answers.busy === 'confirm'}
        busyText="Confirming..."
        aria-label={`${yes}, ${what}`}
        onClick={() => void answers.confirm()}
      >
        <Check className="i" aria-hidden="true" />
        {yes}
      </Button>
      <Button size="small" tone="secondary" aria-label={`${no}, ${what}`} onClick={() => setIsWrong(true)}>
        {no}
      </Button>
    </div>
  )
}

function Leaving({ payment, other, answers, onDelete }: AnswerProps) {
  const isOwn = payment.deletion_asked_by === 'you'
  const what = nameOfPayment(payment)
  return (
    <>
      <div className="mt-1">
        <Badge tone="warn">{isOwn ? 'You asked to delete it' : `${capital(other)} asked to delete it`}</Badge>
      </div>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {!isOwn && (
          <Button size="small" tone="danger-outline" aria-label={`Delete, ${what}`} onClick={onDelete}>
            Delete
          </Button>
        )}
        <Button
          size="small"
          tone="secondary"
          busy={answers.busy === 'keep'}
          busyText="Keeping..."
          aria-label={`Keep it, ${what}`}
          onClick={() => void answers.keep()}
        >
          Keep it
        </Button>
      </div>
    </>
  )
}

/**
 * The status of a payment that isn't waiting for the reader, with a button that withdraws the reader's answer
 * or deletes a payment that only this side has reported.
 */
function Said({ payment, reader, other, answers, onDelete }: AnswerProps) {
  const [isEditing, setIsEditing] = useState(() => readDraft(editDraft(payment.id)) !== undefined)
  const standing = standingWords({ ...payment, is_shared: true, counts: false }, reader)
  const isVerified = paymentStanding({ ...payment, is_shared: true }) === 'verified'
  const isOwnReport = !isVerified && payment.own_confirmation === 'confirmed'
  const what = nameOfPayment(payment)
  if (isEditing && isOwnReport)
    return (
      <EmailedPaymentForm
        side={reader === 'parent' ? 'family' : 'practice'}
        currency={payment.currency}
        payment={payment}
        other={other}
        onDone={() => setIsEditing(false)}
      />
    )
  return (
    <div className="mt-1">
      {payment.dispute_note && <p className="text-small break-words text-ink-2">“{payment.dispute_note}”</p>}
      <div className="flex flex-wrap items-center gap-x-3">
        {isVerified ? (
          <TickLine
            by={BOTH_SIDES}
            drawn={answers.isFresh ? reader : undefined}
            words="Confirmed by both of you"
          />
        ) : (
          standing && <Badge tone={standing.tone}>{standing.words}</Badge>
        )}
        <span className="ml-auto flex gap-4">
          {isOwnReport && (
            <button
              type="button"
              className="link min-h-11 min-w-11 text-small"
              aria-label={`Edit, ${what}`}
              onClick={() => setIsEditing(true)}
            >
              Edit
            </button>
          )}
          <button
            type="button"
            className="link min-h-11 min-w-11 text-right text-small"
            aria-label={`${isOwnReport ? 'Delete' : 'Undo'}, ${what}`}
            aria-disabled={answers.busy !== undefined}
            onClick={isOwnReport ? onDelete : () => void answers.withdraw()}
          >
            {isOwnReport ? 'Delete' : 'Undo'}
          </button>
        </span>
      </div>
    </div>
  )
}

/** Sends answers about one payment, one at a time. */
function useAnswers({ payment, onAnswered }: EmailedPaymentRowProps) {
  const [busy, setBusy] = useState<'confirm' | 'withdraw' | 'keep' | 'remove'>()
  const [problem, setProblem] = useState<string>()
  const [isFresh, setIsFresh] = useState(false)
  const seen = { id: payment.id, version: payment.version }
  const run = async (what: NonNullable<typeof busy>, work: () => Promise<unknown>) => {
    if (busy) return
    setBusy(what)
    setProblem(undefined)
    try {
      await refreshed(work())
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? error.problem.title
          : 'Your answer could not be saved. Please try again.',
      )
    } finally {
      setBusy(undefined)
    }
  }
  return {
    busy,
    problem,
    isFresh,
    confirm: () =>
      run('confirm', async () => {
        await call(ConfirmPayment, {}, seen)
        setIsFresh(true)
        onAnswered(payment)
      }),
    withdraw: () => run('withdraw', () => call(WithdrawPaymentConfirmation, {}, seen)),
    keep: () => run('keep', () => call(KeepPayment, {}, seen)),
    remove: () => run('remove', () => call(DeletePayment, {}, seen)),
    dispute: (note: string) => refreshed(call(DisputePayment, { note }, seen)),
  }
}
