import { useState } from 'react'
import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { DeletionDialog, DisputeDialog } from '#features/agreements/AnswerDialogs.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { nameOfPayment } from '#features/payments/payment-words.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { SharedCharge } from './charge.ts'
import { ChargeRow } from './ChargeRow.tsx'
import { chargeKind, useWaitingCharges } from './client.web.ts'

/**
 * Charges that are waiting for this side's answer, and those that the other side sent back. Renders nothing if
 * there are none.
 * @param limit the maximum number to list; only the dashboard sets one
 */
export function WaitingChargesCard({ limit = Infinity }: { limit?: number | undefined }) {
  const reader = useSide()
  const waiting = useWaitingCharges()
  const kind = chargeKind(reader)
  const answers = useAnswers<SharedCharge>(kind)
  const [disputed, setDisputed] = useState<SharedCharge>()
  const [deleted, setDeleted] = useState<SharedCharge>()
  const listed = answers.listed(waiting.data?.charges ?? []).slice(0, limit)
  const sentBack = (waiting.data?.sent_back ?? []).slice(0, Math.max(0, limit - listed.length))
  const row = (charge: SharedCharge) => (
    <ChargeRow
      key={charge.id}
      charge={charge}
      reader={reader}
      other={charge.other_name ?? (reader === 'parent' ? 'the tutor' : 'the family')}
      answers={answers}
      onDispute={() => setDisputed(charge)}
      onDelete={() => setDeleted(charge)}
    >
      {charge.other_confirmation === 'disputed' && <Correct charge={charge} />}
    </ChargeRow>
  )
  return (
    <>
      <ListRetry list={waiting} plural="charges to confirm" />
      {listed.length > 0 && (
        <section className="mt-6" aria-label="Charges to confirm">
          <SectionHeading>Charges to confirm</SectionHeading>
          <ul className="card list overflow-hidden">{listed.map(row)}</ul>
        </section>
      )}
      {sentBack.length > 0 && (
        <section className="mt-6" aria-label="Charges that aren’t right">
          <SectionHeading>Charges that aren’t right</SectionHeading>
          <ul className="card list overflow-hidden">{sentBack.map(row)}</ul>
        </section>
      )}
      {deleted && <DeletionDialog answers={answers} entry={deleted} onClose={() => setDeleted(undefined)} />}
      {disputed && <DisputeDialog kind={kind} entry={disputed} onClose={() => setDisputed(undefined)} />}
    </>
  )
}

/** Leads to the charge's month on Payments, where it can be corrected or deleted. */
function Correct({ charge }: { charge: SharedCharge }) {
  return (
    <Link
      className="btn btn-s btn-sm mt-1.5"
      aria-label={`Correct or delete, ${nameOfPayment(charge)}`}
      to={`${paths.payments}?${new URLSearchParams({
        with: charge.connection_id,
        month: monthOf(charge.date as CalendarDay),
        charge: charge.id,
      }).toString()}`}
    >
      Correct or delete
    </Link>
  )
}
