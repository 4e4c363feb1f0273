// The form that corrects a proposal as it is typed: hours, the rate and the date are text.
import { formatHours, type Minutes } from '#kernel/duration.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import type { AcceptProposal, Proposal } from './proposal.ts'

export interface CorrectionFields {
  student_id: string
  date: string
  duration: string
  hourly_rate: string
}

/** A proposal as the form shows it. */
export function fieldsOf(proposal: Proposal): CorrectionFields {
  return {
    student_id: proposal.child_id ?? '',
    date: proposal.date,
    duration: formatHours((proposal.duration * 60) as Minutes),
    hourly_rate: proposal.rate?.toFixed(2) ?? '',
  }
}

/** What is sent: an emptied rate leaves the family's own rate for the tutor; a lesson the family logged too becomes one with it. */
export function toCorrection(
  fields: CorrectionFields,
  proposal: Pick<Proposal, 'same_session'>,
): InputOf<typeof AcceptProposal> {
  return {
    student_id: fields.student_id,
    date: fields.date,
    duration: typedNumber(fields.duration),
    hourly_rate: typedNumberOrNull(fields.hourly_rate),
    ...(proposal.same_session ? { session_id: proposal.same_session.id } : {}),
  }
}
