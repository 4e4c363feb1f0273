// What a receipt or an invoice says. It's frozen when the paper is issued; the PDF and the JSON file use only this.
import * as z from 'zod/mini'
import { type CalendarDay, Day } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, centsOfDollars, type Currency, partOf } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { type Standing, standingOf } from '#features/agreements/answer.ts'
import type { Charge } from '#features/charges/charge.ts'
import type { Method } from '#features/payments/payment.ts'
import { chargeTitle } from '#features/payments/payment-words.ts'
import type { Side } from '#features/access/role.ts'
import type { Session } from '#features/sessions/session.ts'
import type { ProviderDetails } from './provider.ts'
import type { Settlement } from './settling.ts'

export const PAPER_KINDS = ['receipt', 'invoice'] as const
export type PaperKind = (typeof PAPER_KINDS)[number]
/** What can be previewed: a paper, or a family's own record of lessons, which has no number and isn't stored. */
export const FORM_KINDS = [...PAPER_KINDS, 'record'] as const
export type FormKind = (typeof FORM_KINDS)[number]
export const PAPER_KIND_WORDS: Record<FormKind, string> = {
  receipt: 'Receipt',
  invoice: 'Invoice',
  record: 'Family’s own record',
}

/** Where a lesson took place. */
export const PLACES = ['student_home', 'tutor_home', 'online', 'library', 'school', 'other'] as const
export type Place = (typeof PLACES)[number]
export const PLACE_WORDS: Record<Place, string> = {
  student_home: "Student's home",
  tutor_home: "Tutor's home",
  online: 'Online',
  library: 'Library',
  school: 'School',
  other: 'Other',
}

/** What is typed for one paper. Only this paper keeps it. */
export const PaperInput = z
  .strictObject({
    student_id: z.uuid({ error: 'Please select a student' }),
    /** A family's tutor. A practice has none to choose. */
    tutor_id: z.optional(z.nullable(z.uuid({ error: 'Please select a tutor' }))),
    kind: z.enum(FORM_KINDS, { error: 'Choose a receipt or an invoice' }),
    program: z.string().check(z.maxLength(40)),
    from: Day,
    to: Day,
    payer_name: optionalText(120),
    payer_address: optionalText(300),
    child_name: optionalText(120),
    program_number: optionalText(60),
    learning_goal: optionalText(300),
    /** The day of a doctor's letter. */
    letter_on: z.optional(z.nullable(Day)),
    group: z.optional(z.nullable(z.enum(['one_to_one', 'group']))),
    /** This child's share of a group lesson's price, such as "1 of 3". */
    group_share: optionalText(60),
    /** True if the provider states that the child isn't a relative. */
    is_unrelated: z._default(z.boolean(), false),
    /** True if a parent reviewed the paper. */
    is_reviewed: z._default(z.boolean(), false),
    /** Of an invoice. Without it, the day that agreed terms say. */
    due_on: z.optional(z.nullable(Day)),
    note: optionalText(300),
    /** Where the lessons took place, if not as remembered for their schedules. */
    place: z.optional(z.nullable(z.enum(PLACES))),
    places: z._default(
      z
        .array(z.strictObject({ session_id: z.uuid(), place: z.enum(PLACES) }))
        .check(z.maxLength(500, 'List at most 500 places')),
      [],
    ),
  })
  .check(
    z.refine(({ from, to }) => from <= to, {
      path: ['to'],
      error: "The last day can't be before the first",
    }),
  )
export type PaperInput = z.output<typeof PaperInput>

/** Who confirmed a line: both sides, or the one that recorded it. */
export type ConfirmedBy = 'both' | 'provider' | 'family'

export interface PaperLesson {
  id: string
  day: CalendarDay
  /** HH:MM where the lesson took place. */
  start: string | null
  end: string | null
  minutes: Minutes
  subject: string | null
  place: Place | null
  amount_cents: Cents | null
  confirmed_by: ConfirmedBy
}

interface PaperCharge {
  id: string
  day: CalendarDay
  what: string
  amount_cents: Cents
  confirmed_by: ConfirmedBy
}

/** What paid for the lines. A negative amount is a credit on the paper that paid for other lessons. */
interface PaperPayment {
  kind: Settlement['kind']
  day: CalendarDay
  method: Method | null
  amount_cents: Cents
  confirmed_by: ConfirmedBy
}

export interface PaperContent {
  format: 1
  kind: FormKind
  /** True if a family made it: in the provider's name, or as its own record. */
  is_by_family?: true
  program: string
  /** The region (ISO 3166) whose way of writing dates and amounts the paper uses: the issuer's; null if unknown. */
  region: string | null
  issued_on: CalendarDay
  /** The days that it was issued for. */
  from: CalendarDay
  to: CalendarDay
  currency: Currency
  provider: ProviderDetails
  payer: { name: string | null; address: string | null }
  child: { name: string | null; program_number: string | null }
  lessons: PaperLesson[]
  charges: PaperCharge[]
  payments: PaperPayment[]
  /** lessons + charges = total; total - paid = due. */
  sums: { lessons: Cents; charges: Cents; total: Cents; paid: Cents; due: Cents }
  /** The VAT that the total includes; null without VAT. */
  vat_cents: Cents | null
  due_on: CalendarDay | null
  ways: { title: string; text: string }[]
  learning_goal: string | null
  letter_on: CalendarDay | null
  group: 'one_to_one' | 'group' | null
  group_share: string | null
  is_unrelated: boolean
  is_reviewed: boolean
  note: string | null
}

/** What a paper is made from, read at one moment. */
export interface PaperSources {
  today: CalendarDay
  /** The issuer's (ISO 3166); null if unknown. */
  region: string | null
  provider: ProviderDetails
  currency: Currency
  sessions: readonly Session[]
  charges: readonly Charge[]
  settlements: readonly Settlement[]
  /** When its money is due under agreed terms, if they say. */
  dueOn: CalendarDay | null
  /** The places remembered for the sessions' schedules, by session. */
  remembered: ReadonlyMap<string, Place>
  ways: readonly { title: string; text: string }[]
  /** Which side's records these are. */
  side: Side
  /** For a family's paper in a tutor's name, their connection: nothing else is on it. */
  connection?: string
}

/** Why a session or charge in the range isn't on the paper. */
export interface LeftOut {
  what: 'session' | 'charge'
  day: CalendarDay
  why: 'not_right' | 'leaving' | 'not_taught_yet' | 'waiting' | 'not_shared'
}

export function contentOf(
  input: PaperInput,
  sources: PaperSources,
): { content: PaperContent; leftOut: LeftOut[] } {
  const leftOut = leftOutOf(sources)
  const isOn = (one: Session | Charge) => reasonToLeaveOut(one, sources) === undefined
  const lessons = sources.sessions.filter(isOn).map((session) => lessonOf(session, input, sources))
  lessons.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const charges = sources.charges.filter(isOn).map((charge) => chargeOf(charge, sources.side))
  charges.sort((one, other) => (one.day + one.id < other.day + other.id ? -1 : 1))
  const payments = paymentsOf(charges, lessons, sources)
  const sums = sumsOf(lessons, charges, payments)
  const currency = currenciesOf(sources)[0] ?? sources.currency
  const content: PaperContent = {
    format: 1,
    kind: input.kind,
    ...(sources.side === 'family' && { is_by_family: true }),
    program: input.program,
    region: sources.region,
    issued_on: sources.today,
    from: input.from,
    to: input.to,
    currency,
    provider: sources.provider,
    payer: { name: input.payer_name ?? null, address: input.payer_address ?? null },
    child: { name: input.child_name ?? null, program_number: input.program_number ?? null },
    lessons,
    charges,
    payments,
    sums,
    vat_cents: vatIn(sums.total, currency, sources.provider),
    due_on: input.kind === 'invoice' ? (input.due_on ?? sources.dueOn) : null,
    ways: input.kind === 'invoice' ? [...sources.ways] : [],
    learning_goal: input.learning_goal ?? null,
    letter_on: input.letter_on ?? null,
    group: input.group ?? null,
    group_share: input.group === 'group' ? (input.group_share ?? null) : null,
    is_unrelated: input.is_unrelated,
    is_reviewed: input.is_reviewed,
    note: input.note ?? null,
  }
  return { content, leftOut }
}

/** The VAT that a total includes. The rate is in hundredths of a percent. */
function vatIn(
  total: Cents,
  currency: Currency,
  { tax_kind: kind, vat_rate: rate }: ProviderDetails,
): Cents | null {
  return kind !== 'vat' || rate === null ? null : partOf(total, rate, 10_000 + rate, currency)
}

const keyOf = ({ day, start, id }: PaperLesson) => `${day} ${start ?? ''} ${id}`

function reasonToLeaveOut(
  one: Session | Charge,
  { today, connection }: PaperSources,
): LeftOut['why'] | undefined {
  if (connection !== undefined && one.connection_id !== connection) return 'not_shared'
  const standing: Standing = standingOf(one)
  if (standing === 'disputed') return 'not_right'
  if (standing === 'leaving') return 'leaving'
  if ('counts' in one && !one.counts) return 'waiting'
  return one.date > today ? 'not_taught_yet' : undefined
}

function leftOutOf(sources: PaperSources): LeftOut[] {
  const of = (what: LeftOut['what'], rows: readonly (Session | Charge)[]) =>
    rows.flatMap((one) => {
      const why = reasonToLeaveOut(one, sources)
      return why ? [{ what, day: one.date as CalendarDay, why }] : []
    })
  return [...of('session', sources.sessions), ...of('charge', sources.charges)].sort((one, other) =>
    one.day < other.day ? -1 : 1,
  )
}

function lessonOf(session: Session, input: PaperInput, sources: PaperSources): PaperLesson {
  const minutes = Math.round(session.duration * 60) as Minutes
  const start = session.start_time
  return {
    id: session.id,
    day: session.date as CalendarDay,
    start,
    end: start && later(start, minutes),
    minutes,
    subject: session.subject,
    place:
      input.places.find(({ session_id: id }) => id === session.id)?.place ??
      input.place ??
      sources.remembered.get(session.id) ??
      null,
    amount_cents: session.total_amount === null ? null : centsOfDollars(session.total_amount),
    confirmed_by: confirmedBy(session, sources.side),
  }
}

/** The wall clock some minutes later. */
function later(start: string, minutes: number): string {
  const end = (Number(start.slice(0, 2)) * 60 + Number(start.slice(3, 5)) + minutes) % 1440
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`
}

function chargeOf(charge: Charge, side: Side): PaperCharge {
  return {
    id: charge.id,
    day: charge.date as CalendarDay,
    what: chargeTitle(charge),
    amount_cents: centsOfDollars(charge.amount),
    confirmed_by: confirmedBy(charge, side),
  }
}

/** Who says what only one side has said. */
const SAID_BY = { family: 'family', practice: 'provider' } as const

function confirmedBy(one: Session | Charge, side: Side): ConfirmedBy {
  if (standingOf(one) === 'verified') return 'both'
  const other = side === 'family' ? 'practice' : 'family'
  return SAID_BY[one.is_shared && one.own_confirmation === 'none' ? other : side]
}

function paymentsOf(
  charges: readonly PaperCharge[],
  lessons: readonly PaperLesson[],
  { settlements, side }: PaperSources,
): PaperPayment[] {
  const onPaper = new Set([...lessons, ...charges].map(({ id }) => id))
  const isOwnCredit = ({ kind, from }: Settlement) => kind === 'credit' && onPaper.has(from)
  const paid = Map.groupBy(
    settlements.filter((one) => onPaper.has(one.to) && !isOwnCredit(one)),
    ({ kind, from }) => `${kind} ${from}`,
  )
  const payments = [...paid.values()].map((parts): PaperPayment => {
    const [{ kind, day, method, isConfirmed }] = parts as [Settlement, ...Settlement[]]
    const amount = parts.reduce((sum, part) => sum + part.amount, 0)
    return {
      kind,
      day,
      method,
      amount_cents: cents(amount),
      confirmed_by: isConfirmed ? 'both' : SAID_BY[side],
    }
  })
  const spentElsewhere = charges.flatMap((charge): PaperPayment[] => {
    const used = settlements
      .filter((one) => isOwnCredit(one) && one.from === charge.id && onPaper.has(one.to))
      .reduce((sum, { amount }) => sum + amount, 0)
    const left = -charge.amount_cents - used
    if (charge.amount_cents >= 0 || left === 0) return []
    const { day, confirmed_by } = charge
    return [{ kind: 'credit', day, method: null, amount_cents: cents(-left), confirmed_by }]
  })
  return [...payments, ...spentElsewhere].sort((one, other) => (one.day < other.day ? -1 : 1))
}

function sumsOf(
  lessons: readonly PaperLesson[],
  charges: readonly PaperCharge[],
  payments: readonly PaperPayment[],
): PaperContent['sums'] {
  const sum = (rows: readonly { amount_cents: Cents | null }[]) =>
    rows.reduce((total, { amount_cents: amount }) => total + (amount ?? 0), 0)
  const total = sum(lessons) + sum(charges)
  return {
    lessons: cents(sum(lessons)),
    charges: cents(sum(charges)),
    total: cents(total),
    paid: cents(sum(payments)),
    due: cents(total - sum(payments)),
  }
}

/** The currencies that the lines in the range have, with one line each to name. */
export function currenciesOf({ sessions, charges, connection }: PaperSources): Currency[] {
  const lines = [...sessions, ...charges].filter(
    (one) => connection === undefined || one.connection_id === connection,
  )
  return [...new Set(lines.map(({ currency }) => currency))].sort()
}

/** The provider's copy of a paper that a family made in its name: without what the family typed on it. */
export function copyForProvider(content: PaperContent): PaperContent {
  return {
    ...content,
    program: 'free-form',
    payer: { name: null, address: null },
    child: { name: null, program_number: null },
    learning_goal: null,
    letter_on: null,
    group: null,
    group_share: null,
    is_unrelated: false,
    is_reviewed: false,
    note: null,
  }
}

interface PaperNumber {
  /** For papers of a tutor without an account, which family's numbers these are. */
  series?: string | null
  year: number
  number: number
}

/** A paper's number as people read it: "2026-0007", or "7F3A-2026-0007" in a connection's series. */
export function paperNumber({ series, year, number }: PaperNumber): string {
  return `${series ? `${series}-` : ''}${year}-${String(number).padStart(4, '0')}`
}

/** Every text that a paper prints as it was typed, to check that a font has its letters. */
export function typedTexts({
  provider,
  payer,
  child,
  lessons,
  charges,
  ways,
  ...rest
}: PaperContent): string[] {
  const { group_share: share, learning_goal: goal, note } = rest
  return [
    ...Object.values(provider),
    ...Object.values(payer),
    ...Object.values(child),
    ...lessons.map(({ subject }) => subject),
    ...charges.map(({ what }) => what),
    ...ways.flatMap(({ title, text }) => [title, text]),
    share,
    goal,
    note,
  ].filter((text): text is string => typeof text === 'string' && text !== '')
}
