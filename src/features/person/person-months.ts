// One person's last twelve months, month by month and by whom the lessons were with.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Month } from '#features/sessions/session.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import type { Portion } from '#features/summary/summary.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { cents, Currency, dollars } from '#kernel/money.ts'
import { addMonths, monthsBack } from '#kernel/month.ts'
import { compareNames } from '#kernel/names.ts'

const MONTHS = 12

const totals = {
  sessions: z.number(),
  hours: z.number(),
  /** Dollars by currency, the workspace's first. Empty for people who can't see amounts. */
  amounts: z.array(z.object({ currency: Currency, amount: z.number() })),
}
const PersonMonth = z.object({
  month: z.string(),
  ...totals,
  /** Where the month's least settled session is; 'own' if nobody else can confirm any of them. */
  state: z.enum(['agreed', 'waiting', 'disputed', 'own']),
})
export type PersonMonth = z.output<typeof PersonMonth>
const With = z.object({ id: z.nullable(z.string()), name: z.string(), ...totals })
const PersonMonths = z.object({
  /** The months with sessions, newest first. */
  months: z.array(PersonMonth),
  /** The tutors of a child or student, and the students of a tutor, by name. */
  with: z.array(With),
})
export type PersonMonths = z.output<typeof PersonMonths>

export const ReadPersonMonths = endpoint({
  operation: 'ReadPersonMonths',
  summary: "Get a tutor's or student's sessions, hours and amounts in each of twelve months",
  method: 'GET',
  path: '/api/v1/people/:id/months',
  access: 'confirmed',
  input: z.strictObject({
    /** The last of the twelve months. */
    until: Month,
  }),
  output: PersonMonths,
})

/** The months with the classes that were missed in each, also those without a session. */
export function withMissed<Missed extends { date: string }>(
  months: readonly PersonMonth[],
  missed: readonly Missed[],
): (PersonMonth & { missed: Missed[] })[] {
  const byMonth = Map.groupBy(missed, ({ date }) => date.slice(0, 7))
  const empty = [...byMonth.keys()]
    .filter((month) => !months.some((one) => one.month === month))
    .map((month) => ({ month, sessions: 0, hours: 0, amounts: [], state: 'own' as const }))
  return [...months, ...empty]
    .map((one) => ({ ...one, missed: byMonth.get(one.month) ?? [] }))
    .sort((a, b) => b.month.localeCompare(a.month))
}

/** The first of the twelve months. */
export function firstMonth(until: string): string {
  return addMonths(until, 1 - MONTHS)
}

interface Reading {
  until: string
  kind: 'tutor' | 'student'
  currency: Currency
  seesAmounts: boolean
}

/**
 * Adds up a person's portions of twelve months, whose `part` is the month of the year. Like the summary,
 * counts neither sessions that were sent back nor those that one side asked to delete.
 */
export function personMonths(portions: readonly Portion[], reading: Reading): PersonMonths {
  const counted = portions.filter(({ standing }) => standing !== 'disputed' && standing !== 'leaving')
  const months = monthsBack(reading.until, MONTHS).flatMap((month) => {
    const isOf = ({ part }: Portion) => part === Number(month.slice(5)) - 1
    const own = portions.filter(isOf)
    if (own.length === 0) return []
    return [{ month, ...totalsOf(counted.filter(isOf), reading), state: stateOf(own) }]
  })
  const others = Map.groupBy(counted, (one) => (reading.kind === 'tutor' ? one.student_id : one.tutor_id))
  return {
    months,
    with: [...others]
      .map(([id, own]) => ({ id, name: nameOf(own[0], reading.kind), ...totalsOf(own, reading) }))
      .sort((a, b) => compareNames(a.name, b.name)),
  }
}

function stateOf(portions: readonly Portion[]): PersonMonth['state'] {
  const has = (...standings: Portion['standing'][]) =>
    portions.some(({ standing }) => standings.includes(standing))
  if (has('disputed')) return 'disputed'
  if (has('waiting', 'leaving')) return 'waiting'
  return has('verified') ? 'agreed' : 'own'
}

function nameOf(portion: Portion | undefined, kind: Reading['kind']): string {
  return kind === 'tutor'
    ? (portion?.student_name ?? UNKNOWN_STUDENT)
    : (portion?.tutor_name ?? UNKNOWN_TUTOR)
}

function totalsOf(portions: readonly Portion[], { currency: own, seesAmounts }: Reading) {
  const sum = (of: readonly Portion[], field: 'sessions' | 'minutes' | 'amount_cents') =>
    of.reduce((total, portion) => total + Number(portion[field]), 0)
  const byCurrency = Map.groupBy(portions, ({ other_currency: other }) => other ?? own)
  const currencies = [own, ...[...byCurrency.keys()].filter((one) => one !== own).sort()]
  return {
    sessions: sum(portions, 'sessions'),
    hours: hours(sum(portions, 'minutes') as Minutes),
    amounts: seesAmounts
      ? currencies.flatMap((currency) => {
          const own = byCurrency.get(currency)
          return own ? [{ currency, amount: dollars(cents(sum(own, 'amount_cents'))) }] : []
        })
      : [],
  }
}
