// The demo's charges and credits: one list that both sides share.
import { type Standing } from '#features/agreements/answer.ts'
import type { Action } from '#features/agreements/history.ts'
import {
  AcceptCharge,
  AddCharge,
  type Charge,
  type ChargeHistoryEntry,
  ConfirmCharge,
  DeleteCharge,
  DisputeCharge,
  KeepCharge,
  ListCharges,
  ListWaitingCharges,
  ReadCharge,
  ReadChargeHistory,
  type SharedCharge,
  UpdateCharge,
  WithdrawChargeConfirmation,
} from '#features/charges/charge.ts'
import { listedDays, type Reason } from '#features/payments/payment.ts'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { answers, type Ask, type Handler, refuse, take } from './answering.ts'
import { CHILDREN, CONNECTION, CURRENCY, OTHER_NAMES, TUTORS } from './cast.ts'
import { type Answer, type DemoRecord, otherSide, type Side } from './record.ts'

type Child = (typeof CHILDREN)[number]
interface Facts {
  day: CalendarDay
  amount: Cents
  reason: Reason
  label: string | null
  child: Child | null
}

/** A charge or, with a negative amount, a credit. */
export interface DemoCharge extends Facts {
  id: string
  answers: Record<Side, Answer>
  notes: Record<Side, string | null>
  proposals: Record<Side, Pick<Facts, 'day' | 'amount'> | 'removal' | null>
  tookPart: Record<Side, boolean>
  saidAt: Record<Side, string | null>
  leaving: Side | null
  askedAt: string
  version: number
  past: { at: string; side: Side; action: Action; note: string | null; charge: Omit<DemoCharge, 'past'> }[]
}

const isAgreed = ({ answers: of }: Pick<DemoCharge, 'answers'>) =>
  of.family === 'confirmed' && of.practice === 'confirmed'
const isDisputed = ({ answers: of }: Pick<DemoCharge, 'answers'>) =>
  of.family === 'disputed' || of.practice === 'disputed'

export function standingOf(charge: DemoCharge): Standing {
  if (charge.leaving) return 'leaving'
  return isAgreed(charge) ? 'verified' : isDisputed(charge) ? 'disputed' : 'waiting'
}

export function waitsFor(charge: DemoCharge, side: Side): boolean {
  const other = otherSide(side)
  if (charge.leaving) return charge.leaving === other
  return (
    charge.answers[side] === 'none' ||
    (charge.answers[other] === 'disputed' && charge.proposals[other] !== null)
  )
}

const factsOf = ({ day, amount, reason, label }: Facts) => ({
  date: day,
  amount: dollars(amount),
  reason,
  label,
  currency: CURRENCY,
})

export function toCharge(charge: DemoCharge, side: Side): Charge {
  const other = otherSide(side)
  const { child } = charge
  const by = ([other, side] as const).find((one) => charge.answers[one] === 'disputed')
  return {
    id: charge.id,
    tutor_id: TUTORS[side].id,
    tutor_name: TUTORS[side].name,
    student_id: child && (side === 'family' ? child.child.id : child.child.student),
    student_name: child && child.names[side],
    ...factsOf(charge),
    connection_id: CONNECTION,
    own_confirmation: charge.answers[side],
    other_confirmation: charge.answers[other],
    dispute_note: by ? charge.notes[by] : null,
    deletion_asked_by: charge.leaving && (charge.leaving === side ? 'you' : 'other'),
    asked_at: isAgreed(charge) && !charge.leaving ? null : charge.askedAt,
    reminders: 0,
    reminded_at: null,
    is_read_only: false,
    version: charge.version,
    counts: isAgreed(charge) && charge.leaving === null,
    is_shared: true,
    class_date: null,
    fee_period: null,
  }
}

function toShared(charge: DemoCharge, side: Side): SharedCharge {
  const by = ([otherSide(side), side] as const).find((one) => charge.answers[one] === 'disputed')
  const proposed = by && charge.proposals[by]
  const { day, amount } = !proposed || proposed === 'removal' ? charge : proposed
  return {
    ...toCharge(charge, side),
    connection_id: CONNECTION,
    other_name: OTHER_NAMES[side],
    proposal:
      by && proposed
        ? {
            by: by === side ? 'you' : 'other',
            is_removal: proposed === 'removal',
            date: day,
            amount: dollars(amount),
          }
        : null,
    waits_for_you: waitsFor(charge, side),
  }
}

/** Refuses what would change a closed month. */
function keepClosed(
  endpoint: Endpoint,
  { world, link }: DemoRecord,
  side: Side,
  ...days: CalendarDay[]
): void {
  const closed = days.map(monthOf).find((month) => world.stateOf(link, month, side) === 'closed')
  if (closed) take(endpoint, { status: 409, code: 'month_closed' }, closed)
}

function chargeOf(
  endpoint: Endpoint,
  { record, side, id, version }: Ask<Endpoint>,
  isRead = false,
): DemoCharge {
  const charge = record.charges.find((one) => one.id === id)
  if (!charge) return refuse(endpoint, 'not_found')
  if (isRead) return charge
  if (version !== undefined && version !== charge.version) refuse(endpoint, 'changed')
  keepClosed(endpoint, record, side, charge.day)
  return charge
}

function happened({ record, side }: Ask<Endpoint>, charge: DemoCharge, action: Action): Charge {
  const at = record.clock().toISOString()
  charge.tookPart[side] ||= charge.answers[side] === 'confirmed'
  charge.version += 1
  charge.askedAt = at
  charge.saidAt[side] = at
  const { past, ...copy } = charge
  const note = action === 'disputed' ? charge.notes[side] : null
  past.push({ at, side, action, note, charge: { ...copy, answers: { ...copy.answers } } })
  return toCharge(charge, side)
}

/** Changes the facts, which this side confirms, and the other too if they're what it proposed. */
function setFacts(charge: DemoCharge, side: Side, facts: Partial<Facts>, other: Answer): void {
  Object.assign(charge, facts)
  charge.answers = { [side]: 'confirmed', [otherSide(side)]: other } as Record<Side, Answer>
  charge.notes = { family: null, practice: null }
  charge.proposals = { family: null, practice: null }
}

function childOf(endpoint: Endpoint, side: Side, id: string | null | undefined): Child | null {
  if (!id) return null
  const child = CHILDREN.find((one) => (side === 'family' ? one.child.id : one.child.student) === id)
  return child ?? refuse(endpoint, 'unknown_student')
}

const isTooFarAhead = (day: CalendarDay, record: DemoRecord) => day > addDays(record.today(), 1)

const add = answers(AddCharge, (ask) => {
  const { record, side, input } = ask
  const { date: day, amount, reason, label = null, connection_id: connection, currency } = input
  if (currency && currency !== CURRENCY) refuse(AddCharge, 'other_currency')
  if (connection && connection !== CONNECTION) refuse(AddCharge, 'not_connected')
  if (isTooFarAhead(day, record)) refuse(AddCharge, 'too_far_ahead')
  keepClosed(AddCharge, record, side, day)
  const child = childOf(AddCharge, side, input.student_id)
  const isThere = record.charges.some(
    (one) => one.day === day && one.amount === amount && one.child === child,
  )
  if (isThere && !input.is_another) refuse(AddCharge, 'same_charge')
  const none = () => ({ family: null, practice: null })
  const charge: DemoCharge = {
    id: newId(),
    day,
    amount,
    reason,
    label,
    child,
    answers: { family: 'none', practice: 'none' },
    notes: none(),
    proposals: none(),
    tookPart: { family: false, practice: false },
    saidAt: none(),
    leaving: null,
    askedAt: '',
    version: 0,
    past: [],
  }
  setFacts(charge, side, {}, 'none')
  record.charges = [...record.charges, charge]
  return happened(ask, charge, 'logged')
})

const update = answers(UpdateCharge, (ask) => {
  const { record, side, input } = ask
  const charge = chargeOf(UpdateCharge, ask)
  const { date, amount, reason, label, student_id: student } = input
  if (date && isTooFarAhead(date, record)) refuse(UpdateCharge, 'too_far_ahead')
  if (date) keepClosed(UpdateCharge, record, side, date)
  const given = {
    day: date,
    amount,
    reason,
    label,
    child: student === undefined ? undefined : childOf(UpdateCharge, side, student),
  }
  const facts = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  setFacts(charge, side, facts, 'none')
  return happened(ask, charge, 'changed')
})

const dispute = answers(DisputeCharge, (ask) => {
  const charge = chargeOf(DisputeCharge, ask)
  const { note = null, proposal } = ask.input
  if (!note && !proposal) refuse(DisputeCharge, 'says_nothing')
  if (proposal?.date && isTooFarAhead(proposal.date, ask.record)) refuse(DisputeCharge, 'too_far_ahead')
  charge.answers[ask.side] = 'disputed'
  charge.notes[ask.side] = note
  charge.proposals[ask.side] = proposal
    ? proposal.is_removal
      ? 'removal'
      : { day: proposal.date ?? charge.day, amount: proposal.amount ?? charge.amount }
    : null
  return happened(ask, charge, 'disputed')
})

function remove(record: DemoRecord, charge: DemoCharge): undefined {
  record.charges = record.charges.filter((one) => one !== charge)
}

const accept = answers(AcceptCharge, (ask) => {
  const charge = chargeOf(AcceptCharge, ask)
  const proposed = charge.proposals[otherSide(ask.side)]
  if (!proposed) return refuse(AcceptCharge, 'not_proposed')
  if (proposed === 'removal') return remove(ask.record, charge)
  keepClosed(AcceptCharge, ask.record, ask.side, proposed.day)
  setFacts(charge, ask.side, proposed, 'confirmed')
  return happened(ask, charge, 'accepted')
})

const end = answers(DeleteCharge, (ask) => {
  const charge = chargeOf(DeleteCharge, ask)
  const other = otherSide(ask.side)
  if (!charge.tookPart[other] || charge.leaving === other) return remove(ask.record, charge)
  charge.leaving = ask.side
  const { version } = happened(ask, charge, 'deletion asked')
  return { code: 'deletion_requested' as const, version }
})

const newestFirst = (charges: readonly DemoCharge[]) =>
  charges.toSorted((one, other) => (one.day + one.id < other.day + other.id ? 1 : -1))

export const CHARGE_ANSWERS: readonly Handler[] = [
  add,
  update,
  dispute,
  accept,
  end,
  answers(ReadCharge, (ask) => toCharge(chargeOf(ReadCharge, ask, true), ask.side)),
  answers(ListCharges, ({ record, side, input }) => {
    const { from, to } = listedDays(input, input.today ?? record.today())
    return newestFirst(record.charges.filter(({ day }) => day >= from && day <= to)).map((one) =>
      toCharge(one, side),
    )
  }),
  answers(ListWaitingCharges, ({ record, side }) => {
    const charges = newestFirst(record.charges).map((one) => toShared(one, side))
    return {
      charges: charges.filter((one) => one.waits_for_you),
      sent_back: charges.filter(
        (one) =>
          !one.deletion_asked_by &&
          one.own_confirmation === 'confirmed' &&
          one.other_confirmation === 'disputed',
      ),
    }
  }),
  answers(ConfirmCharge, (ask) => {
    const charge = chargeOf(ConfirmCharge, ask)
    charge.answers[ask.side] = 'confirmed'
    charge.notes[ask.side] = null
    charge.proposals[ask.side] = null
    return happened(ask, charge, 'confirmed')
  }),
  answers(WithdrawChargeConfirmation, (ask) => {
    const charge = chargeOf(WithdrawChargeConfirmation, ask)
    charge.answers[ask.side] = 'none'
    charge.notes[ask.side] = null
    charge.proposals[ask.side] = null
    return happened(ask, charge, 'withdrawn')
  }),
  answers(KeepCharge, (ask) => {
    const charge = chargeOf(KeepCharge, ask)
    if (!charge.leaving) refuse(KeepCharge, 'not_asked')
    charge.leaving = null
    return happened(ask, charge, 'kept')
  }),
  answers(ReadChargeHistory, (ask) => ({
    entries: chargeOf(ReadChargeHistory, ask, true).past.map(
      ({ at, side, action, note, charge }, index): ChargeHistoryEntry => ({
        seq: index + 1,
        chain: 1,
        at,
        by: side === ask.side ? 'you' : 'other',
        member_name: null,
        is_by_handed_link: false,
        action,
        changed: action === 'changed' || action === 'accepted' ? ['amount'] : [],
        note,
        state: isAgreed(charge) ? 'verified' : isDisputed(charge) ? 'disputed' : 'unverified',
        hash: null,
        ...factsOf(charge),
      }),
    ),
  })),
]
