// What a member sees, in the words of the API.
import { amountOf, answerOf, counts, isAgreed, rateOf, replyTo, standingOf } from './kinds.ts'
import {
  type Entry,
  monthOf,
  otherSide,
  type Member,
  type Payment,
  type Session,
  type World,
} from './terms.ts'
import { isForeign, isReadOnly, noteOf, placeOf, sessionsFor } from './world.ts'

export const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** What a side sees of the agreement, whatever the kind. */
function agreementOf({ workspace: { side } }: Member, entry: Entry) {
  const disputing = [otherSide(side), side].find((one) => answerOf(entry, one) === 'disputed')
  return {
    disputing,
    own_confirmation: answerOf(entry, side),
    other_confirmation: answerOf(entry, otherSide(side)),
    connection_id: entry.link?.id ?? null,
    is_shared: entry.link !== null,
    dispute_note: disputing ? entry.given[disputing].note : null,
    deletion_asked_by: entry.deletion && (entry.deletion.by === side ? 'you' : 'other'),
    is_read_only: isReadOnly(entry, side),
  }
}

/** A session as a member sees it. Caregivers don't see amounts or dispute notes. */
export function seeSession(world: World, who: Member, session: Session) {
  const { workspace } = who
  const isPlain = who.role === 'caregiver'
  const place = placeOf(session, workspace)
  const { disputing, ...agreement } = agreementOf(who, session)
  const amount = (cents: number | null) => (isPlain ? null : dollars(cents))
  return {
    id: session.id,
    student_id: place?.person?.id ?? null,
    tutor_id: place?.tutor?.id ?? null,
    date: session.facts.day,
    duration: session.facts.minutes / 60,
    hourly_rate: amount(session.facts.override),
    default_rate: amount(session.facts.usual),
    effective_rate: amount(rateOf(session)),
    total_amount: amount(amountOf(session)),
    subject: session.subject,
    start_time: session.start,
    notes: noteOf(world, workspace, session),
    status: disputing ? 'disputed' : 'completed',
    verified_by_tutor: isAgreed({ ...session, deletion: null }),
    ...agreement,
    dispute_note: isPlain ? null : agreement.dispute_note,
    answer_note: disputing && !isPlain ? replyTo(session, disputing) : null,
    is_read_only: agreement.is_read_only || isForeign(who, session),
    schedule_id: place?.scheduled?.schedule.id ?? null,
    occurrence_date: place?.scheduled?.day ?? null,
  }
}
export function seePayment(who: Member, payment: Payment) {
  const place = placeOf(payment, who.workspace)
  const { disputing: _, ...agreement } = agreementOf(who, payment)
  const { day, type, cents, minutes } = payment.facts
  return {
    id: payment.id,
    student_id: place?.person?.id ?? null,
    tutor_id: place?.tutor?.id ?? null,
    date: day,
    kind: type,
    amount: cents / 100,
    hours: type === 'hours' ? minutes / 60 : null,
    currency: payment.currency,
    counts: counts(payment, who.workspace.side),
    ...agreement,
  }
}

/** A month's totals as a member sees them, in cents. Amounts in other currencies are left out. */
export function totalsOf(world: World, who: Member, month: string) {
  const sums = { total: 0, verified: 0, waiting: 0, disputed: 0, own: 0 }
  for (const session of sessionsFor(world, who)) {
    const standing = standingOf(session)
    if (monthOf(session.facts.day) !== month || standing === 'leaving' || session.isHeld) continue
    if (session.currency !== who.workspace.currency) continue
    const amount = who.role === 'caregiver' ? 0 : (amountOf(session) ?? 0)
    sums[standing] += amount
    if (standing !== 'disputed') sums.total += amount
  }
  return sums
}
