import { useState } from 'react'
import { standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerButtons, AnswerLink, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import type { Answers } from '#features/agreements/client.web.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import {
  disputeNote,
  proposedPayment,
  nameOfPayment,
  questionOf,
  reportOf,
  standingWords,
} from '#features/payments/payment-words.ts'
import { paymentAnswers } from '#features/payments/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { Badge } from '#platform/ui/Badge.tsx'
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
  answers: Answers<SharedPayment>
}

/**
 * A payment as a sentence, followed by its question or status: "Paid $135.00, bank transfer, Nov 14.
 * Received?"
 */
export function EmailedPaymentRow(props: EmailedPaymentRowProps) {
  const { payment, reader, answers } = props
  const problem = answers.problemOf(payment)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <li className="px-5 py-3.5" aria-label={nameOfPayment(payment)}>
      <p className="num wrap-anywhere">
        <b className="font-semibold">{reportOf(payment, reporterOf(payment, reader))}.</b>
        {payment.waits_for_you && !payment.deletion_asked_by && <> {questionOf(payment.kind, reader).ask}</>}
      </p>
      <Answer {...props} onDelete={() => setIsAsking(true)} />
      {isAsking && <DeletionDialog answers={answers} entry={payment} onClose={() => setIsAsking(false)} />}
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
  const name = nameOfPayment(payment)
  if (isWrong)
    return (
      <NoteForm
        {...note}
        name={`${no}, ${name}`}
        label={`What happened? ${capital(other)} will see this.`}
        send={no}
        onSend={(text) => paymentAnswers.dispute(payment, { note: text })}
        onClose={() => setIsWrong(false)}
      />
    )
  if (payment.proposal?.by === 'other')
    return (
      <>
        <p className="num mt-1 font-semibold wrap-anywhere">
          {capital(other)} says {proposedPayment(payment, payment.proposal)}
        </p>
        <AnswerButtons
          name={name}
          busy={answers.busyWith(payment)}
          yes="Accept"
          isPrimary={isLoud}
          onConfirm={() => void answers.accept(payment)}
          onDispute={() => setIsWrong(true)}
        />
      </>
    )
  return (
    <AnswerButtons
      name={name}
      busy={answers.busyWith(payment)}
      yes={yes}
      no={no}
      isPrimary={isLoud}
      onConfirm={() => void answers.confirm(payment)}
      onDispute={() => setIsWrong(true)}
    />
  )
}

function Leaving({ payment, other, answers, onDelete }: AnswerProps) {
  const isOwn = payment.deletion_asked_by === 'you'
  return (
    <>
      <div className="mt-1">
        <Badge tone="warn">{isOwn ? 'You asked to delete it' : `${capital(other)} asked to delete it`}</Badge>
      </div>
      <DeletionButtons
        name={nameOfPayment(payment)}
        busy={answers.busyWith(payment)}
        onDelete={isOwn ? undefined : onDelete}
        onKeep={() => void answers.keep(payment)}
      />
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
  const isVerified = standingOf(payment) === 'verified'
  const isOwnReport = !isVerified && payment.own_confirmation === 'confirmed'
  const name = nameOfPayment(payment)
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
            drawn={answers.isFresh(payment) ? reader : undefined}
            words="Confirmed by both of you"
          />
        ) : (
          standing && <Badge tone={standing.tone}>{standing.words}</Badge>
        )}
        <span className="ml-auto flex gap-4">
          {isOwnReport && <AnswerLink label="Edit" name={name} onClick={() => setIsEditing(true)} />}
          <AnswerLink
            label={isOwnReport ? 'Delete' : 'Undo'}
            name={name}
            className="text-right"
            isBlocked={answers.busyWith(payment) !== undefined}
            onClick={isOwnReport ? onDelete : () => void answers.withdraw(payment)}
          />
        </span>
      </div>
    </div>
  )
}
