// What two sides agree on, as an export has it, in the words of its history.
import { centsOfDollars } from '#kernel/money.ts'
import type { Row } from './tables.ts'

type Side = 'family' | 'practice'
type Facts = Record<string, unknown>

const cents = (amount: unknown) => (typeof amount === 'number' ? centsOfDollars(amount) : null)
const minutes = (hours: unknown) => (typeof hours === 'number' ? Math.round(hours * 60) : null)
const seconds = (time: unknown) => (typeof time === 'string' ? `${time}:00` : null)

/**
 * The facts of a row of each kind, by the names of its history. db/repeatable has the same for the database, as
 * facts_of.
 */
const FACTS: Record<string, (row: Row) => Facts> = {
  session: (row) => ({
    date: row.date,
    minutes: minutes(row.duration),
    rate_cents: cents(row.hourly_rate ?? row.tutor_rate),
    total_cents: cents(row.total_amount),
    currency: row.currency,
    subject: row.subject,
    ...(row.makes_up !== null && { is_make_up: true }),
    ...(row.hourly_rate === null &&
      row.lesson_price !== null && {
        lesson_price_cents: cents(row.lesson_price),
        lesson_price_minutes: row.lesson_minutes,
      }),
  }),
  payment: (row) => ({
    date: row.date,
    kind: row.kind,
    amount_cents: cents(row.amount),
    prepaid_minutes: minutes(row.hours),
    method: row.method,
    currency: row.currency,
  }),
  charge: (row) => ({
    date: row.date,
    amount_cents: cents(row.amount),
    reason: row.reason,
    label: row.for,
    currency: row.currency,
  }),
  term: (row) => ({ date: row.date, rules: row.rules, currency: row.currency }),
  schedule: (row) => ({
    start_day: row.start_date,
    day_of_week: row.day_of_week,
    start_time: seconds(row.start_time),
    minutes: minutes(row.duration),
    rate_cents: cents(row.hourly_rate),
    frequency: row.frequency,
    custom_interval_days: row.custom_interval_days,
    end_day: row.end_date,
    time_zone: row.time_zone,
    is_active: row.is_active,
    subject: row.subject,
    currency: row.currency,
  }),
  schedule_change: (row) => ({
    moved_to: row.moved_to,
    start_time: seconds(row.start_time),
    date: row.date,
    outcome: row.outcome,
  }),
}
export const KINDS = Object.keys(FACTS)

/** The kinds whose entries are lines of a closed month's page. */
export const ON_PAGES = ['session', 'payment', 'charge']

type Answer = 'none' | 'confirmed' | 'disputed'
type Answers = Record<Side, unknown>

/** An exported entry, in the words of its history. */
export interface Entry {
  kind: string
  id: string
  facts: Facts
  answers: Answers
}

export function entryOf(kind: string, row: Row, own: Side): Entry {
  const [family, practice] =
    own === 'family'
      ? [row.own_confirmation, row.other_confirmation]
      : [row.other_confirmation, row.own_confirmation]
  const proposals =
    own === 'family' ? [row.you_proposed, row.other_proposed] : [row.other_proposed, row.you_proposed]
  const [proposed] = proposals.filter(
    (proposal, place) => [family, practice][place] === 'disputed' && proposal !== null,
  )
  return {
    kind,
    id: String(row.id),
    facts: {
      ...FACTS[kind]?.(row),
      state: stateOf(family, practice),
      ...(proposed !== undefined && { proposed }),
    },
    answers: { family, practice },
  }
}

function stateOf(...answers: unknown[]): string {
  if (answers.every((answer) => answer === 'confirmed')) return 'verified'
  return answers.includes('disputed') ? 'disputed' : 'unverified'
}

/** What a session's own columns say about its state. Other kinds don't have them. */
export function toldState(row: Row): string | undefined {
  if (row.verified_by_tutor === undefined) return undefined
  return row.verified_by_tutor === true ? 'verified' : row.status === 'disputed' ? 'disputed' : 'unverified'
}

/** The kinds in which whoever enters or changes something also confirms it. */
export const CONFIRMED_BY_CHANGING = [...ON_PAGES, 'term']

/** Changes that leave an answer as it is. */
const NOT_AGREED = ['subject', 'start time', 'method', 'summary', 'homework']

/**
 * What each side's answer is according to the entries of a history. Undefined where they don't say: whoever a lesson is
 * with may change without a new answer.
 */
export function answersSaid(entries: { side: string; action: string; changed: string[]; facts: string }[]) {
  let said: Said = {}
  for (const entry of entries) said = fitting(answered(said, entry), entry)
  return said
}

type Said = Partial<Record<Side, Answer>>
type Step = Parameters<typeof answersSaid>[0][number]

function answered(before: Said, { side, action, changed }: Step): Said {
  if (side !== 'family' && side !== 'practice') return {}
  const isAbout = (...fields: string[]) => changed.some((field) => fields.includes(field))
  if (action === 'confirmed' || action === 'disputed') return { ...before, [side]: action }
  if (action === 'withdrawn') return { ...before, [side]: 'none' }
  if (action === 'merged' || action === 'accepted' || isAbout('student', 'tutor', 'currency')) return {}
  const isOther =
    action === 'logged' || (action === 'changed' && !changed.every((field) => NOT_AGREED.includes(field)))
  return isOther ? { [otherOf(side)]: 'none', [side]: 'confirmed' } : before
}

/** Keeps only what fits the state that the entry had. */
function fitting(said: Said, { side, facts }: Step): Said {
  const { state } = JSON.parse(facts) as Facts
  if (state === 'verified') return { family: 'confirmed', practice: 'confirmed' }
  if (side !== 'family' && side !== 'practice') return {}
  const isDisputed = said.family === 'disputed' || said.practice === 'disputed'
  if (state === 'disputed') return isDisputed ? said : {}
  if (said[side] === 'confirmed') return { [side]: 'confirmed', [otherOf(side)]: 'none' }
  return isDisputed ? { [side]: said[side] } : said
}

const otherOf = (side: Side): Side => (side === 'family' ? 'practice' : 'family')
