// The record as each side sees it: the rows that its screens load, with totals and balances calculated by the
// app's own rules.
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, dollars } from '#kernel/money.ts'
import { amountAt } from '#features/prices/price.ts'
import type { Session } from '#features/sessions/session.ts'
import { eachWords } from '#features/sessions/lesson-words.ts'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import type { PaymentHistoryEntry } from '#features/payments/history.ts'
import type { SessionHistoryEntry } from '#features/sessions/history.ts'
import { type Closing, type MonthRows } from '#features/months/closing.ts'
import {
  type AccountName,
  type Entry as LedgerEntry,
  figuresBetween,
  type LedgerLine,
  ledgerOf,
} from '#features/payments/balance.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import type { Payment, PaymentKind } from '#features/payments/payment.ts'
import { type Portion, weeksOf } from '#features/summary/summary.ts'
import { CHILDREN, CONNECTION, CURRENCY, OTHER_NAMES, PEOPLE, TUTORS } from './cast.ts'
import { type DemoCharge, standingOf, toCharge, waitsFor } from './charge-answers.ts'
import { type DemoRecord, type Entry, otherSide, type Past, type Side } from './record.ts'

type Child = (typeof CHILDREN)[number]['child']

/** The child with this id on a side's list. */
export function childWith(side: Side, id: string | null | undefined): Child | undefined {
  return CHILDREN.find(({ child }) => (side === 'family' ? child.id : child.student) === id)?.child
}

function studentOf(
  side: Side,
  child: Child | null,
): { student_id: string | null; student_name: string | null } {
  const facts = CHILDREN.find((one) => one.child === child)
  if (!facts) return { student_id: null, student_name: null }
  return {
    student_id: side === 'family' ? facts.child.id : facts.child.student,
    student_name: facts.names[side],
  }
}

const inDollars = (amount: number | null) => (amount === null ? null : dollars(cents(amount)))
const rateOf = ({ rate, usual }: Entry) => rate ?? usual
const amountFor = (minutes: number, rate: number | null) =>
  amountAt(rate === null ? null : { cents: cents(rate), lesson_minutes: null }, minutes as Minutes, CURRENCY)
const priceOf = (entry: Entry) => amountFor(entry.minutes, rateOf(entry))

const isAgreed = ({ answers }: Entry) => answers.family === 'confirmed' && answers.practice === 'confirmed'

/** Sorts newest first, like every list. */
export function newestFirst<Row extends { date: string; id: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => (a.date + a.id < b.date + b.id ? 1 : -1))
}

/** Both sides' confirmations of a session or payment, as one side sees them. */
function wordsOf(record: DemoRecord, entry: Entry, side: Side) {
  const other = otherSide(side)
  const { askedAt, version } = record.detailsOf(entry)
  const disputing = [other, side].find((one) => entry.answers[one] === 'disputed')
  const isAsked = entry.waitsFor.family || entry.waitsFor.practice
  return {
    connection_id: CONNECTION,
    currency: CURRENCY,
    own_confirmation: entry.answers[side],
    other_confirmation: entry.answers[other],
    dispute_note: disputing ? entry.notes[disputing] : null,
    deletion_asked_by: entry.leaving && (entry.leaving === side ? ('you' as const) : ('other' as const)),
    asked_at: isAsked ? askedAt : null,
    reminders: 0,
    reminded_at: null,
    is_read_only: false,
    version,
  }
}

export function toSession(record: DemoRecord, entry: Entry, side: Side): Session {
  const details = record.detailsOf(entry)
  const disputing = [otherSide(side), side].find((one) => entry.answers[one] === 'disputed')
  return {
    id: entry.id,
    user_id: PEOPLE[side].workspace,
    ...studentOf(side, entry[side]?.child ?? null),
    tutor_id: TUTORS[side].id,
    tutor_name: TUTORS[side].name,
    date: entry.day,
    duration: hours(entry.minutes as Minutes),
    hourly_rate: inDollars(entry.rate),
    default_rate: inDollars(entry.usual),
    lesson_price: null,
    lesson_minutes: null,
    price_source: null,
    price_since: null,
    effective_rate: inDollars(rateOf(entry)),
    total_amount: inDollars(priceOf(entry)),
    subject: details.subject,
    start_time: details.start_time,
    ...eachWords((field) => details[field]),
    notes: details.notes[side],
    status: disputing ? 'disputed' : 'completed',
    verified_by_tutor: isAgreed(entry),
    is_shared: true,
    other_took_part: entry.tookPart[otherSide(side)],
    answer_note: disputing ? entry.replies[disputing] : null,
    is_held: false,
    schedule_id: null,
    occurrence_date: null,
    makes_up: null,
    created_at: details.createdAt,
    ...wordsOf(record, entry, side),
  }
}

/** True if the other side sent a session back and this side hasn't answered. */
export function isSentBack(record: DemoRecord, session: Session, side: Side): boolean {
  return (
    session.other_confirmation === 'disputed' &&
    session.answer_note === null &&
    !record.world.find({ side }, session.id)?.waitsFor[side]
  )
}

export function toShared(record: DemoRecord, entry: Entry, side: Side): SharedSession {
  const session = toSession(record, entry, side)
  return {
    ...session,
    ...wordsOf(record, entry, side),
    other_name: OTHER_NAMES[side],
    rate: session.effective_rate,
    waits_for_you: entry.waitsFor[side],
    proposal: proposalOf(entry, side),
  }
}

function proposalOf(entry: Entry, side: Side): SharedSession['proposal'] {
  const disputing = [otherSide(side), side].find((one) => entry.answers[one] === 'disputed')
  const proposal = disputing && entry.proposals[disputing]
  if (!proposal) return null
  const now = { day: entry.day, minutes: entry.minutes, override: rateOf(entry) }
  const { day, minutes, override: rate } = proposal === 'removal' ? now : (proposal as typeof now)
  return {
    by: disputing === side ? 'you' : 'other',
    is_removal: proposal === 'removal',
    date: day,
    duration: hours(minutes as Minutes),
    rate: inDollars(rate),
    total_amount: inDollars(amountFor(minutes, rate)),
  }
}

/** A side's sessions or payments. */
export function entriesOf(record: DemoRecord, side: Side, what: 'session' | 'payment'): Entry[] {
  return record.world.seenBy({ side }).filter(({ kind }) => (kind === 'session') === (what === 'session'))
}

export function sessionsOf(record: DemoRecord, side: Side): Session[] {
  return newestFirst(entriesOf(record, side, 'session').map((entry) => toSession(record, entry, side)))
}

/** The sessions in a month or year, as the portions that the summary adds up. */
export function portionsOf(record: DemoRecord, side: Side, period: string): Portion[] {
  return entriesOf(record, side, 'session')
    .filter(({ day }) => day.startsWith(period))
    .map((entry) => {
      const session = toSession(record, entry, side)
      const isYear = period.length === 4
      return {
        tutor_id: session.tutor_id,
        tutor_name: session.tutor_name,
        student_id: session.student_id,
        student_name: session.student_name,
        part: isYear
          ? Number(entry.day.slice(5, 7)) - 1
          : weeksOf(period).findIndex(({ from, to }) => entry.day >= from && entry.day <= to),
        standing: entry.standing,
        other_currency: null,
        sessions: 1,
        minutes: entry.minutes,
        amount_cents: priceOf(entry) ?? 0,
      }
    })
}

export function toPayment(record: DemoRecord, entry: Entry, side: Side): Payment {
  const details = record.detailsOf(entry)
  return {
    id: entry.id,
    tutor_id: TUTORS[side].id,
    tutor_name: TUTORS[side].name,
    ...studentOf(side, entry[side]?.child ?? null),
    date: entry.day,
    kind: entry.kind as PaymentKind,
    amount: dollars(cents(entry.cents)),
    hours: entry.kind === 'hours' ? hours(entry.minutes as Minutes) : null,
    method: details.method,
    reference: null,
    note: details.notes[side],
    is_shared: true,
    counts: isAgreed(entry) && entry.leaving === null,
    ...wordsOf(record, entry, side),
  }
}

export function toSharedPayment(record: DemoRecord, entry: Entry, side: Side): SharedPayment {
  const payment = toPayment(record, entry, side)
  return {
    ...payment,
    ...wordsOf(record, entry, side),
    other_name: OTHER_NAMES[side],
    waits_for_you: entry.waitsFor[side],
    // The demo's screens propose nothing about payments.
    proposal: null,
  }
}

/** The account that both sides share, with the names that this side uses. */
export function accountOf(side: Side): AccountName {
  return {
    id: side === 'family' ? TUTORS.family.id : null,
    connection_id: CONNECTION,
    name: OTHER_NAMES[side],
    students: side === 'family' ? [] : CHILDREN.map(({ names }) => names.practice),
    currency: CURRENCY,
    is_only_yours: false,
  }
}

/** All of the account's lines through a given day. */
export function linesOf(record: DemoRecord, side: Side, until: CalendarDay) {
  const entries = record.world
    .seenBy({ side })
    .filter(({ day }) => day <= until)
    .flatMap((entry): (LedgerEntry & Pick<LedgerLine, 'payment' | 'charge'>)[] => {
      const { id, kind, standing } = entry
      const [day, minutes] = [entry.day as CalendarDay, entry.minutes as Minutes]
      if (kind !== 'session') {
        const payment = toPayment(record, entry, side)
        const amount = cents(entry.cents)
        const counts = payment.counts
        return [{ id, kind, day, minutes, rate: null, amount, counts, standing, payment, charge: null }]
      }
      // Disputed sessions, and those that one side asked to delete, don't count in any balance until both
      // sides agree.
      if (standing === 'disputed' || standing === 'leaving') return []
      const rate = rateOf(entry) as Cents | null
      return [{ id, kind, day, minutes, rate, amount: priceOf(entry), standing, payment: null, charge: null }]
    })
  return ledgerOf(
    [...entries, ...record.charges.filter(({ day }) => day <= until).map((one) => lineOf(one, side))],
    CURRENCY,
  )
}

function lineOf(charge: DemoCharge, side: Side) {
  const { id, day, amount } = charge
  const shown = toCharge(charge, side)
  const standing = standingOf(charge)
  return {
    id,
    day,
    amount,
    standing,
    kind: 'charge' as const,
    minutes: 0 as Minutes,
    rate: null,
    counts: shown.counts,
    payment: null,
    charge: shown,
  }
}

/** The account's figures for a month. */
export function figuresOf(record: DemoRecord, side: Side, month: string) {
  const { from, to } = daysOfMonth(month)
  return figuresBetween(linesOf(record, side, to), from, to)
}

/** The account's lines within a month. */
export function ledgerLines(record: DemoRecord, side: Side, month: string): LedgerLine[] {
  const { from, to } = daysOfMonth(month)
  return linesOf(record, side, to)
    .filter(({ entry }) => entry.day >= from)
    .map(({ entry, covered, charged, paid, balance, left }) => {
      const session = sessionsOf(record, side).find(({ id }) => id === entry.id)
      return {
        id: entry.id,
        kind: entry.kind,
        date: entry.day,
        student_name: session?.student_name ?? entry.payment?.student_name ?? null,
        subject: session?.subject ?? null,
        hours: hours(entry.minutes),
        covered_hours: hours(covered),
        amount: inDollars(entry.amount),
        charged: dollars(charged),
        paid: dollars(paid),
        balance: dollars(balance),
        hours_left: hours(left),
        standing: entry.standing ?? 'verified',
        payment: entry.payment,
        charge: entry.charge,
      }
    })
}

/** Everything shared up to the end of a month, as input for the closing rules. */
export function monthRows(record: DemoRecord, side: Side, month: string): MonthRows {
  const { to } = daysOfMonth(month)
  const seen = record.world.seenBy({ side }).filter(({ day }) => day <= to)
  const shared = (entry: Entry) => {
    const { saidAt } = record.detailsOf(entry)
    return {
      id: entry.id,
      day: entry.day as CalendarDay,
      currency: CURRENCY,
      first_name: entry.family?.child?.firstName ?? null,
      standing: entry.standing,
      waits_for_you: entry.waitsFor[side],
      family_at: saidAt.family,
      practice_at: saidAt.practice,
    }
  }
  return {
    side,
    is_over: to < record.today(),
    is_other_closed: false,
    currency: CURRENCY,
    family_name: PEOPLE.family.name,
    tutor_name: PEOPLE.practice.name,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sessions: seen
      .filter(({ kind }) => kind === 'session')
      .map((entry) => ({
        ...shared(entry),
        minutes: entry.minutes as Minutes,
        rate_cents: rateOf(entry) as Cents | null,
        total_cents: priceOf(entry),
        subject: record.detailsOf(entry).subject,
      })),
    payments: seen
      .filter(({ kind }) => kind !== 'session')
      .map((entry) => ({
        ...shared(entry),
        kind: entry.kind as PaymentKind,
        amount_cents: cents(entry.cents),
        prepaid_minutes: entry.kind === 'hours' ? (entry.minutes as Minutes) : null,
        method: record.detailsOf(entry).method,
      })),
    charges: record.charges
      .filter(({ day }) => day <= to)
      .map((charge) => ({
        id: charge.id,
        day: charge.day,
        currency: CURRENCY,
        first_name: charge.child?.child.firstName ?? null,
        standing: standingOf(charge),
        waits_for_you: waitsFor(charge, side),
        family_at: charge.saidAt.family,
        practice_at: charge.saidAt.practice,
        amount_cents: charge.amount,
        reason: charge.reason,
        label: charge.label,
      })),
    pairs: 0,
    closings: closingsOf(record, month),
  }
}

/** A month's closings, oldest first. */
function closingsOf(record: DemoRecord, month: string): Closing[] {
  return record.link.closings.filter((one) => one.month === month).map((one) => record.closingOf(one))
}

/** An entry in the history of a session or payment. The demo's history has no hash chain. */
function toEntry(past: Past, at: number, side: Side) {
  const { entry } = past
  const isDisputed = Object.values(entry.answers).includes('disputed')
  return {
    seq: at + 1,
    chain: 1,
    at: past.at,
    by: past.side === side ? 'you' : 'other',
    member_name: null,
    is_by_handed_link: false,
    action: past.action,
    changed: past.changed,
    note: past.note,
    date: entry.day,
    currency: CURRENCY,
    state: isAgreed(entry) ? 'verified' : isDisputed ? 'disputed' : 'unverified',
    hash: null,
  } as const
}

export function toHistory(past: Past, at: number, side: Side): SessionHistoryEntry {
  const { entry, subject } = past
  return {
    ...toEntry(past, at, side),
    duration: hours(entry.minutes as Minutes),
    rate: inDollars(rateOf(entry)),
    lesson_price: null,
    lesson_minutes: null,
    total_amount: inDollars(priceOf(entry)),
    subject,
  }
}

export function toPaymentHistory(past: Past, at: number, side: Side): PaymentHistoryEntry {
  const { entry, method } = past
  return {
    ...toEntry(past, at, side),
    kind: entry.kind as PaymentKind,
    amount: dollars(cents(entry.cents)),
    hours: entry.kind === 'hours' ? hours(entry.minutes as Minutes) : null,
    method,
  }
}
