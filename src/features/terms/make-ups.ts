// The make-ups that are owed: which missed classes brought one, until when, and which were given. Nothing of it is
// stored but a session's `makes_up`. Pure: everything is passed in (docs/decisions/0040-make-ups.md).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { cents, type Currency } from '#kernel/money.ts'
import { rulesOn } from './fees.ts'
import { outcomeOf } from './missed.ts'
import type { Outcome } from './outcome.ts'
import type { MakeUps, Rules } from './rules.ts'
import { termOf } from './term.ts'
import type { Version } from './terms.ts'

/** Whose class or terms. Terms of a connection name no people. */
interface Whose {
  connection_id: string | null
  student_id: string | null
  tutor_id: string | null
}

/** A class that didn't take place. */
export interface MissedClass extends Whose {
  id: string
  /** The day on which it was to take place. */
  day: CalendarDay
  outcome: Outcome
  /** Whether it was one of the family's free late cancellations when it was told. */
  uses_free: boolean
  currency: Currency
  student_name: string | null
  tutor_name: string | null
}

/** A version of terms. */
export type TermsVersion = Version & Whose & { rules: Rules }

/** A make-up that a missed class brought, with that class's id, day and people. */
export interface GivenMakeUp extends Omit<MissedClass, 'outcome' | 'uses_free' | 'currency'> {
  /** The last day on which it can take place; null if it doesn't lapse. */
  until: CalendarDay | null
  /** Whether the missed class is paid for, so that its make-up costs nothing. */
  isPaid: boolean
  isByTutor: boolean
  /** The day of the session that makes up for it. */
  usedOn: CalendarDay | null
}

/** Stands for a class's price: here it only matters that it had one. */
const SOME_PRICE = cents(10_000)

/**
 * The make-ups that missed classes brought, for each child and tutor, in the order of the classes.
 * @param versions newest first, like the API's list
 * @param used the days of the sessions that make up for a class, by the class
 */
export function makeUpsOf(
  versions: readonly TermsVersion[],
  missed: readonly MissedClass[],
  used: ReadonlyMap<string, CalendarDay>,
): GivenMakeUp[] {
  const pairs = Map.groupBy(missed, (one) => `${one.connection_id} ${one.student_id} ${one.tutor_id}`)
  return [...pairs.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const theirs = versions.filter((version) => isAbout(version, first))
    return theirs.length === 0 ? [] : ofPair(theirs, [first, ...others], used)
  })
}

/** Whether terms are about these people. */
function isAbout(terms: Whose, { connection_id: connection, student_id: student, tutor_id: tutor }: Whose) {
  if (connection !== null || terms.connection_id !== null) return terms.connection_id === connection
  return terms.student_id === null ? terms.tutor_id === tutor : terms.student_id === student
}

function ofPair(
  versions: readonly TermsVersion[],
  missed: readonly MissedClass[],
  used: ReadonlyMap<string, CalendarDay>,
): GivenMakeUp[] {
  const given: GivenMakeUp[] = []
  const inOrder = missed.toSorted((one, other) => (one.day + one.id < other.day + other.id ? -1 : 1))
  for (const { outcome, uses_free: freeUsed, currency, ...one } of inOrder) {
    const rules = rulesOn(versions, one.day)
    if (!rules) continue
    const usedOn = used.get(one.id) ?? null
    const { makeUp } = outcomeOf(rules, {
      outcome,
      currency,
      price: SOME_PRICE,
      // Which step a late cancellation reached doesn't matter, because each costs something.
      noticeMinutes: 0,
      freeUsed,
      // Once a session made up for a class, no limit takes that back.
      makeUpsCounted: usedOn === null ? countedOn(one.day, given, rules) : 0,
    })
    if (!makeUp) continue
    const until = lastDay(rules, one.day, makeUp.until)
    given.push({ ...one, until, isPaid: makeUp.isPaid, isByTutor: outcome === 'canceled_by_tutor', usedOn })
  }
  return given
}

function lastDay(rules: Rules, day: CalendarDay, until: number | 'term' | null): CalendarDay | null {
  if (until === 'term') return termOf(rules, day).to
  return until === null ? null : addDays(day, until)
}

/** Those that the limit counts when a class is missed. What the tutor owes for canceling isn't limited. */
function countedOn(day: CalendarDay, given: readonly GivenMakeUp[], rules: Rules): number {
  const byFamily = given.filter(({ isByTutor }) => !isByTutor)
  const within: Record<MakeUps['per'], (one: GivenMakeUp) => boolean> = {
    once: (one) => isOwedOn(one, day) || (one.usedOn !== null && one.usedOn > day),
    month: (one) => one.day.slice(0, 7) === day.slice(0, 7),
    term: (one) => termOf(rules, one.day).from === termOf(rules, day).from,
  }
  return byFamily.filter(within[rules.make_ups?.per ?? 'once']).length
}

/** Whether a make-up is still owed and can take place on this day. */
export function isOwedOn({ usedOn, until }: GivenMakeUp, day: CalendarDay): boolean {
  return usedOn === null && (until === null || until >= day)
}

/** How long a lapsed make-up is still shown. */
const LAPSED_SHOWN_DAYS = 30

/** Whether a make-up lapsed a short while ago. */
function isJustLapsed({ usedOn, until }: GivenMakeUp, today: CalendarDay): boolean {
  return usedOn === null && until !== null && until < today && addDays(until, LAPSED_SHOWN_DAYS) >= today
}

export const MakeUp = z.object({
  /** The missed class, which a session that makes up for it names in `makes_up`. */
  id: z.string(),
  student_id: z.nullable(z.string()),
  student_name: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  tutor_name: z.nullable(z.string()),
  connection_id: z.nullable(z.string()),
  missed_on: z.string(),
  /** The last day on which it can take place. Null if it doesn't lapse. */
  until: z.nullable(z.string()),
  /** Whether the missed class is paid for, so that the make-up costs nothing. Null for caregivers. */
  is_free: z.nullable(z.boolean()),
  state: z.enum(['owed', 'lapsed']),
})
export type MakeUp = z.output<typeof MakeUp>

export const ListMakeUps = endpoint({
  operation: 'ListMakeUps',
  summary:
    'List the make-ups that are owed, the first to lapse first, and those that lapsed in the last 30 days',
  method: 'GET',
  path: '/api/v1/make-ups',
  access: 'confirmed',
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ make_ups: z.array(MakeUp) }),
})

/** What's shown of make-ups: what's owed today, the first to lapse first, then what lapsed lately. */
export function shownMakeUps(
  given: readonly GivenMakeUp[],
  todayOf: (connection: string | null) => CalendarDay,
  seesAmounts = true,
): MakeUp[] {
  const shown = given.flatMap((one): MakeUp[] => {
    const today = todayOf(one.connection_id)
    const state = isOwedOn(one, today) ? 'owed' : isJustLapsed(one, today) ? 'lapsed' : undefined
    if (!state) return []
    const { day, isPaid, isByTutor: _isByTutor, usedOn: _usedOn, ...rest } = one
    return [{ ...rest, missed_on: day, is_free: seesAmounts ? isPaid : null, state }]
  })
  const rank = ({ state, until, missed_on: day }: MakeUp) =>
    `${state === 'owed' ? 0 : 1}${until ?? '9'}${day}`
  return shown.toSorted((one, other) => rank(one).localeCompare(rank(other)))
}
