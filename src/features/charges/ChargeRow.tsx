import { AnswerButtons, AnswerLink, AnswerRow, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import type { Answers } from '#features/agreements/client.web.ts'
import {
  chargeDetail,
  chargeTitle,
  nameOfPayment,
  proposedPayment,
  questionOf,
  standingWords,
} from '#features/payments/payment-words.ts'
import { capital, silence } from '#features/sessions/standing-text.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { BOTH_SIDES, type Side, TickLine } from '#platform/ui/Ticks.tsx'
import type { ReactNode } from 'react'
import type { SharedCharge } from './charge.ts'

interface ChargeRowProps {
  charge: SharedCharge
  reader: Side
  /** What to call the other side within a sentence. */
  other: string
  answers: Answers<SharedCharge>
  onDispute: () => void
  onDelete: () => void
  /** What else the row of a charge that isn't waiting for the reader offers. */
  children?: ReactNode
}

/** A charge that two sides agree on, with its question or status, in the app and on the emailed page. */
export function ChargeRow(props: ChargeRowProps) {
  const { charge, other } = props
  const { ask } = questionOf('charge', props.reader)
  const silent = charge.waits_for_you && silence(charge, new Date())
  const problem = props.answers.problemOf(charge)
  return (
    <AnswerRow
      date={charge.date}
      title={chargeTitle(charge)}
      amount={formatAmount(charge.amount, charge.currency)}
    >
      <div className="s wrap-anywhere">
        <bdi>{inOneLine([chargeDetail(charge), capital(other), charge.student_name])}</bdi>
      </div>
      {charge.waits_for_you && !charge.proposal && (
        <div className="s">{charge.deletion_asked_by ? 'Delete it?' : ask}</div>
      )}
      {silent && <div className="s">Waiting for you {silent}</div>}
      {charge.dispute_note && !charge.proposal && <p className="s wrap-anywhere">“{charge.dispute_note}”</p>}
      <Answer {...props} />
      {problem && (
        <p role="alert" className="err mt-2">
          {problem}
        </p>
      )}
    </AnswerRow>
  )
}

function Answer({ charge, reader, other, answers, onDispute, onDelete, children }: ChargeRowProps) {
  const name = nameOfPayment(charge)
  const buttons = { name, busy: answers.busyWith(charge), className: 'md:max-w-sm' }
  if (charge.is_read_only) return <p className="s">{capital(other)} closed their account.</p>
  if (charge.deletion_asked_by)
    return (
      <>
        <div className="mt-1">
          <Badge tone="warn">
            {charge.deletion_asked_by === 'you' ? 'You' : capital(other)} asked to delete it
          </Badge>
        </div>
        <DeletionButtons
          {...buttons}
          onDelete={charge.deletion_asked_by === 'you' ? undefined : onDelete}
          onKeep={() => void answers.keep(charge)}
        />
      </>
    )
  if (charge.waits_for_you && charge.proposal?.by === 'other')
    return (
      <>
        <p className="num mt-1 font-semibold wrap-anywhere">
          {capital(other)} says{' '}
          {charge.proposal.is_removal ? 'it should be deleted' : proposedPayment(charge, charge.proposal)}
        </p>
        <AnswerButtons
          {...buttons}
          yes="Accept"
          onConfirm={() => void answers.accept(charge)}
          onDispute={onDispute}
        />
      </>
    )
  if (charge.waits_for_you)
    return <AnswerButtons {...buttons} onConfirm={() => void answers.confirm(charge)} onDispute={onDispute} />
  const standing = standingWords({ ...charge, kind: 'charge', is_shared: true, counts: false }, reader)
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3">
      {standing ? (
        <Badge tone={standing.tone}>{standing.words}</Badge>
      ) : (
        <TickLine
          by={BOTH_SIDES}
          drawn={answers.isFresh(charge) ? reader : undefined}
          words="Confirmed by both of you"
        />
      )}
      <span className="ml-auto flex gap-4">
        {children ?? (
          <AnswerLink name={name} className="text-right" onClick={() => void answers.withdraw(charge)} />
        )}
      </span>
    </div>
  )
}
