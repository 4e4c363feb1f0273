// Gives logged sessions a rate that was corrected later: which of a person's sessions change, by how much, what has
// to be confirmed again, and what stays as it is.
import * as z from 'zod/mini'
import { type CalendarDay, Day, monthOf } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { addMonths, monthLabel } from '#kernel/month.ts'
import { type Cents, cents, Currency, dollars, formatAmount, Rate } from '#kernel/money.ts'
import { endpoint } from '#features/access/endpoint.ts'
import type { Answer } from '#features/agreements/answer.ts'
import { amountAt } from '#features/prices/price.ts'
import { SeenSessions } from './confirmation.ts'
import { shortDay } from './standing-text.ts'

/** The most sessions of a person that one step reads and changes. A full-time tutor gives about 350 in two months. */
export const MOST_REPRICED = 500

/** Why a session keeps its rate. */
const STAYS = [
  'closed',
  'own_rate',
  'other_rate',
  'disputed',
  'held',
  'leaving',
  'ended',
  'read_only',
] as const
type Stays = (typeof STAYS)[number]

/** What the rule has to know about a session. */
export interface PricedSession {
  id: string
  version: number
  day: CalendarDay
  minutes: Minutes
  rate_override_cents: Cents | null
  tutor_rate_cents: Cents | null
  total_cents: Cents | null
  currency: Currency
  /** Whether the default price is that of the session's schedule or pair, or of its student if the tutor's rate changes. */
  has_nearer_rate: boolean
  other_says: Answer
  status: 'completed' | 'disputed'
  verified_by_tutor: boolean
  connection_id: string | null
  deletion_by: 'you' | 'other' | null
  is_held: boolean
  is_read_only: boolean
  /** Whether its month is closed with the other side. */
  is_closed: boolean
  /** Who is on the other side. */
  other_name: string | null
}

/** A person's rate before and after a change. Null if there was none. */
export interface RateChange {
  old_rate: Cents | null
  new_rate: Cents | null
}

/** Why a session keeps its rate. Null if it changes, and undefined if it has the new rate already. */
function whyItStays(
  session: PricedSession,
  { old_rate: from, new_rate: to }: RateChange,
): Stays | null | undefined {
  const rate = session.rate_override_cents ?? session.tutor_rate_cents
  if (rate === to) return undefined
  if (session.rate_override_cents !== null || session.has_nearer_rate) return 'own_rate'
  if (session.tutor_rate_cents !== from) return 'other_rate'
  if (session.is_held) return 'held'
  if (session.is_read_only) return 'read_only'
  if (session.deletion_by !== null) return 'leaving'
  if (session.status === 'disputed') return 'disputed'
  if (session.connection_id === null && session.verified_by_tutor) return 'ended'
  return session.is_closed ? 'closed' : null
}

/** What a corrected rate does to a person's sessions. */
export function repriced(sessions: readonly PricedSession[], change: RateChange): Repricing {
  const changed = sessions.filter((session) => whyItStays(session, change) === null)
  const rate = change.new_rate === null ? null : { cents: change.new_rate, lesson_minutes: null }
  const differences = new Map<Currency, Cents>()
  for (const { currency, minutes, total_cents: before } of changed)
    differences.set(
      currency,
      cents((differences.get(currency) ?? 0) + (amountAt(rate, minutes, currency) ?? 0) - (before ?? 0)),
    )
  const lapsed = changed.filter(({ other_says: says }) => says === 'confirmed')
  const left = sessions.flatMap((session) => {
    const reason = whyItStays(session, change)
    return reason ? [{ reason, month: reason === 'closed' ? monthOf(session.day) : null }] : []
  })
  return {
    sessions: changed.map(({ id, version }) => ({ id, version })),
    first_date: changed.map(({ day }) => day).sort()[0] ?? null,
    differences: [...differences].map(([currency, amount]) => ({ currency, amount: dollars(amount) })),
    confirmed_by: counted(lapsed, ({ other_name: name }) => name ?? '').map(([name, { length }]) => ({
      name: name || null,
      sessions: length,
    })),
    left_out: counted(left, ({ reason, month }) => `${STAYS.indexOf(reason)} ${month ?? ''}`).flatMap(
      ([, all]) => all.slice(0, 1).map((one) => ({ ...one, sessions: all.length })),
    ),
    is_too_many: false,
  }
}

/** The ids of the sessions that still change, and haven't changed since somebody saw them. */
export function stillRepriced(
  sessions: readonly PricedSession[],
  seen: readonly { id: string; version: number }[],
  change: RateChange,
): string[] {
  const versions = new Map(seen.map(({ id, version }) => [id, version]))
  return sessions
    .filter((session) => whyItStays(session, change) === null && session.version === versions.get(session.id))
    .map(({ id }) => id)
}

/** The groups by their key, sorted by it. */
function counted<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, keyOf)].sort(([one], [other]) => one.localeCompare(other))
}

/** The first day of the month before: what's older is usually paid. */
export function firstDayToReprice(today: CalendarDay): CalendarDay {
  return `${addMonths(monthOf(today), -1)}-01` as CalendarDay
}

const person = {
  /** Whose rate changed: a tutor, or a tutor's student. */
  person: z.enum(['tutor', 'student']),
  person_id: z.uuid(),
}

const Repricing = z.object({
  /** The sessions that change, oldest first, with the version of each. */
  sessions: z.array(z.object({ id: z.string(), version: z.number() })),
  first_date: z.nullable(z.string()),
  /** By how much the amounts change in all, in dollars per currency. */
  differences: z.array(z.object({ currency: Currency, amount: z.number() })),
  /** Whose confirmations no longer count afterward, and for how many sessions. */
  confirmed_by: z.array(z.object({ name: z.nullable(z.string()), sessions: z.number() })),
  /** How many sessions keep their rate and why; those in closed months by month. */
  left_out: z.array(z.object({ reason: z.enum(STAYS), month: z.nullable(z.string()), sessions: z.number() })),
  /** True if there are more than 500 sessions. Nothing else is filled in then. */
  is_too_many: z.boolean(),
})
export type Repricing = z.output<typeof Repricing>

const shared = {
  access: ['parent', 'tutor', 'admin'],
  needsAllStudents: true,
} as const

export const PreviewReprice = endpoint({
  ...shared,
  operation: 'PreviewReprice',
  summary: "Show what a corrected rate would change in a tutor's or student's sessions since a day",
  method: 'GET',
  path: '/api/v1/repricing',
  closedTo: ['caregiver'],
  input: z.strictObject({
    ...person,
    /** The rate that the sessions have. Left out for those without one. */
    old_rate: z.optional(Rate),
    new_rate: Rate,
    since: Day,
  }),
  output: Repricing,
})
export const RepriceSessions = endpoint({
  ...shared,
  operation: 'RepriceSessions',
  summary: 'Give sessions a corrected rate, all or none, at the versions the user saw',
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/repricing',
  creates: true,
  input: z.strictObject({ ...person, old_rate: z.nullable(Rate), new_rate: Rate, sessions: SeenSessions }),
  output: z.object({ sessions: z.array(z.object({ id: z.string(), version: z.number() })) }),
  refusals: {
    changed: { status: 409, title: 'Some of these sessions have changed. Please check the new number.' },
  },
})
export const UndoReprice = endpoint({
  ...shared,
  operation: 'UndoReprice',
  summary: "Give sessions and a person their former rates again, unless they've changed since",
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/repricing/undo',
  creates: true,
  input: z.strictObject({
    ...person,
    old_rate: z.nullable(Rate),
    new_rate: Rate,
    sessions: SeenSessions,
    /** The person's own rate from before, and the version that they have since. */
    rate: z.nullable(Rate),
    version: z.number(),
  }),
  output: z.object({
    restored: z.number(),
    /** How many sessions have changed since and stay. */
    changed: z.number(),
    is_rate_restored: z.boolean(),
  }),
})

/** "Also for 7 sessions since Nov 3?" */
export function repriceTitle(
  { sessions, first_date: first, is_too_many: isTooMany }: Repricing,
  now: Date,
): string {
  if (isTooMany) return `More than ${MOST_REPRICED} sessions`
  if (first === null) return 'No sessions to change'
  return `Also for ${countOf(sessions.length)} since ${shortDay(first as CalendarDay, now)}?`
}

/** "7 sessions" */
export function countOf(sessions: number): string {
  return sessions === 1 ? '1 session' : `${sessions} sessions`
}

/** By how much the amounts change, such as "+$24.75" or "+$9.00 and +€4.00". */
export function differenceInWords(differences: Repricing['differences']): string {
  return differences
    .map(({ currency, amount }) => `${amount < 0 ? '−' : '+'}${formatAmount(Math.abs(amount), currency)}`)
    .join(' and ')
}

/** Says what loses its confirmation; undefined if nothing does. */
export function lapseInWords(confirmed: Repricing['confirmed_by'], other: string): string | undefined {
  const count = confirmed.reduce((sum, { sessions }) => sum + sessions, 0)
  if (count === 0) return undefined
  const names = confirmed.map(({ name }) => name ?? other)
  const by = names.length > 2 ? `${names.length} families` : names.join(' and ')
  return `${count === 1 ? '1 confirmed session' : `${count} confirmed sessions`} must be confirmed again by ${by}, even if you undo this.`
}

const STAYS_WORDS: Record<Exclude<Stays, 'closed'>, [one: string, several: string]> = {
  own_rate: ['has its own rate', 'have their own rate'],
  other_rate: ['has another rate', 'have another rate'],
  disputed: ['is marked Not right: answer it first', 'are marked Not right: answer them first'],
  held: [
    'may be logged twice: answer “Same lessons?” first',
    'may be logged twice: answer “Same lessons?” first',
  ],
  leaving: ['is about to be deleted', 'are about to be deleted'],
  ended: ['was agreed before sharing ended', 'were agreed before sharing ended'],
  read_only: ['stays: the other person closed their account', 'stay: the other person closed their account'],
}

/** Says what keeps its rate and why: "2 in October 2026 stay: the month is closed. 1 has its own rate." */
export function leftOutInWords(left: Repricing['left_out']): string {
  return left
    .map(({ reason, month, sessions }) => {
      const place = sessions === 1 ? 0 : 1
      if (reason === 'closed')
        return `${sessions} in ${monthLabel(month ?? '')} ${['stays', 'stay'][place]}: the month is closed.`
      return `${sessions} ${STAYS_WORDS[reason][place]}.`
    })
    .join(' ')
}
