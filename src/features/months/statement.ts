// A statement: the sessions in a date range, with their totals, payments and balance, as a PDF or a
// spreadsheet.
import * as z from 'zod/mini'
import { type CalendarDay, Day, daysOfMonth, formatDays } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import type { Role } from '#features/access/role.ts'
import {
  amountInDigits,
  type Cents,
  centsOfDollars,
  type Currency,
  formatMoney,
  inCurrency,
} from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import type { Balance, Totals } from '#features/payments/balance.ts'
import type { OwedOnPaper } from '#features/payments/owed.ts'
import type { Charge } from '#features/charges/charge.ts'
import type { Payment } from '#features/payments/payment.ts'
import { priceInShort } from '#features/prices/price.ts'
import { LESSON_WORDS, WORDS_FIELDS } from '#features/sessions/lesson-words.ts'
import { Month, type Session } from '#features/sessions/session.ts'
import { type Standing } from '#features/agreements/answer.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type Summary, totalsOf } from '#features/summary/summary.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { PageBytes } from './month-page.ts'
import { NOT_CONFIRMED } from './sign-off.ts'

const range = {
  from: Day,
  to: Day,
  tutor_id: z.optional(z.uuid({ error: 'Please select a tutor' })),
  student_id: z.optional(z.uuid({ error: 'Please select a student' })),
}
/** How many sessions can be chosen one by one. More ids would make the address too long for some proxies. */
const MOST_CHOSEN = 150
/** Schema for the ids of chosen sessions, separated by commas. */
const Chosen = z.string().check(
  z.refine(
    (text) => text.split(',').every((id) => z.uuid().safeParse(id).success),
    'Send the ids of sessions, separated by commas',
  ),
  z.refine(
    (text) => text.split(',').length <= MOST_CHOSEN,
    `Choose at most ${MOST_CHOSEN} sessions, or export the whole month`,
  ),
)
const PAPERS = ['a4', 'letter'] as const
export type Paper = (typeof PAPERS)[number]

/** More rows than anyone would read or print at once. Limits the work per request. */
export const MAX_ROWS = { csv: 20_000, pdf: 3000 }

const refusals = {
  backwards: { status: 422, title: "The last day can't be before the first", field: 'to' },
  too_long: {
    status: 422,
    title: 'This range has too many sessions for one file. Choose fewer days.',
    field: 'from',
  },
} as const

export const DownloadCsv = endpoint({
  operation: 'DownloadCsv',
  summary: 'Export the sessions in a date range as CSV: all, those of a tutor or student, or the chosen ones',
  method: 'GET',
  path: '/api/v1/statements/sessions.csv',
  access: 'confirmed',
  closedTo: ['caregiver'],
  input: z.strictObject({ ...range, sessions: z.optional(Chosen) }),
  output: z.string(),
  produces: 'text/csv',
  refusals,
  limit: { hits: 120, seconds: 3600 },
})
export const DownloadPdf = endpoint({
  operation: 'DownloadPdf',
  summary: 'Create a printable statement for everyone, one tutor or one student',
  method: 'GET',
  path: '/api/v1/statements/statement.pdf',
  access: 'confirmed',
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({
    ...range,
    paper: z._default(z.enum(PAPERS, { error: 'Choose a4 or letter' }), 'letter'),
  }),
  output: PageBytes,
  produces: 'application/pdf',
  refusals,
  limit: { hits: 120, seconds: 3600 },
})

/**
 * The statement that both sides can get for a month with one tutor, once both have confirmed it. Includes
 * only the children's first names.
 */
export const DownloadSigned = endpoint({
  operation: 'DownloadSigned',
  summary: 'Get the signed-off statement for a month with a tutor; both sides get the same file',
  method: 'GET',
  path: '/api/v1/statements/signed.pdf',
  access: ['parent'],
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month, tutor_id: z.uuid({ error: 'Please select a tutor' }) }),
  output: PageBytes,
  produces: 'application/pdf',
  refusals: NOT_CONFIRMED,
  limit: { hits: 120, seconds: 3600 },
})
export const DownloadSignedAsTutor = endpoint({
  operation: 'DownloadSignedAsTutor',
  summary: 'Get the signed-off statement for a month with a connected family; both sides get the same file',
  method: 'GET',
  path: '/api/v1/connections/:id/signed.pdf',
  access: ['tutor', 'admin', 'link'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month }),
  output: PageBytes,
  produces: 'application/pdf',
  refusals: NOT_CONFIRMED,
  limit: { hits: 120, seconds: 3600 },
})
/** The fields of a session that a statement shows or adds up. None of them are private. */
export type StatementSession = Pick<
  Session,
  | ('date' | 'duration' | 'subject' | 'makes_up')
  | ('student_id' | 'student_name' | 'tutor_id' | 'tutor_name')
  | ('effective_rate' | 'lesson_price' | 'lesson_minutes' | 'total_amount' | 'currency')
  | ('own_confirmation' | 'other_confirmation' | 'is_shared' | 'deletion_asked_by')
>

export interface Statement {
  /** The owner of the records: a name or, without one, an email address. */
  holder: string
  role: Role | null
  /** The person the statement is about; undefined if it's about everyone. */
  about?: { kind: 'Tutor' | 'Child' | 'Student'; name: string }
  from: CalendarDay
  to: CalendarDay
  madeOn: CalendarDay
  currency: Currency
  /** Oldest first. */
  sessions: StatementSession[]
  totals: Omit<Summary, 'month' | 'by_week'>
  /** Payments and balances. Omitted if a child in the statement shares a balance with siblings. */
  balances?: Balance[]
  /** How the balances add up, in each currency. Leaves out those that are only in your records, as on screen. */
  sums?: Sum[]
  /** What is owed on the day it was made, one figure per currency. Omitted wherever balances are. */
  owed?: OwedOnPaper[]
  /** A sentence without the final period, about amounts that the session totals don't include. */
  leftOut?: string | undefined
  payments?: Payment[]
  charges?: Charge[]
  /** How readers can check that the statement is genuine, printed at the bottom of each page. */
  verification?: { code: string; url: string }
}

/** Amounts that add up: carriedOver + sessions - covered + other - paid = balance. */
export type Sum = Omit<Totals, 'onItsWay'> & { currency: Currency }

/** What a sum is made of, in order: each term's sign, label and amount. Leaves out the rarer ones that are zero. */
export function termsOf(sum: Sum): { sign: '+' | '−'; label: string; amount: Cents }[] {
  return [
    { sign: '+' as const, label: 'Carried over', amount: sum.carriedOver },
    { sign: '+' as const, label: 'Sessions', amount: sum.sessions },
    ...(sum.covered === 0 ? [] : [{ sign: '−' as const, label: 'From prepaid', amount: sum.covered }]),
    ...(sum.other === 0 ? [] : [{ sign: '+' as const, label: 'Other charges', amount: sum.other }]),
    { sign: '−' as const, label: 'Paid', amount: sum.paid },
  ]
}

/** Session totals in the API's units, matching what's on screen. */
export function totalsOfSessions(
  sessions: readonly StatementSession[],
  currency: Currency,
): Statement['totals'] {
  return totalsOf(
    sessions.map((session) => ({
      tutor_id: session.tutor_id,
      tutor_name: session.tutor_name,
      student_id: session.student_id,
      student_name: session.student_name,
      standing: standingOf(session),
      other_currency: session.currency === currency ? null : session.currency,
      sessions: 1,
      minutes: Math.round(session.duration * 60),
      amount_cents: session.total_amount === null ? 0 : centsOfDollars(session.total_amount),
    })),
  )
}

/** A statement's date range: 'November 2026' for a whole month, otherwise 'Nov 3 – Dec 1, 2026'. */
export function daysInWords(from: CalendarDay, to: CalendarDay): string {
  const month = from.slice(0, 7)
  if (daysOfMonth(month).from === from && daysOfMonth(month).to === to) return monthLabel(month)
  return formatDays(from, to)
}

/** A statement's file name, for example 'Tutorlog Ingrid Lindqvist 2026-11.pdf'. */
export function fileNameOf(
  from: CalendarDay,
  to: CalendarDay,
  about: string | undefined,
  ending: 'csv' | 'pdf',
): string {
  const month = from.slice(0, 7)
  const days = daysOfMonth(month).from === from && daysOfMonth(month).to === to ? month : `${from} to ${to}`
  return `${['Tutorlog', about, days].filter(Boolean).join(' ')}.${ending}`
}

const CSV_HEADER = [
  'Date',
  'Student',
  'Tutor',
  'Duration (hours)',
  'Subject',
  'Rate ($/hour)',
  'Amount ($)',
  'Agreed',
  'Notes',
  'Start time',
  ...WORDS_FIELDS.map((field) => LESSON_WORDS[field].label),
]

/**
 * The spreadsheet's header and rows. The names in the header include the currency, and the import recognizes each
 * column by its name. Last come columns that only some files have: what a lesson costs, if any has a price per lesson;
 * which sessions are make-ups; and each row's currency, if any amount is in another one. The last lines say what is owed, outside the columns that
 * people add up; the import skips them.
 */
export function csvOf(
  sessions: readonly Session[],
  currency: Currency,
  owed: readonly OwedOnPaper[] = [],
): { header: string[]; rows: (string | number | null)[][] } {
  const hasOthers = sessions.some((session) => session.currency !== currency)
  const last = [
    {
      name: 'Lesson price',
      isShown: sessions.some(isPerLesson),
      cellOf: (one: Session) =>
        isPerLesson(one) ? priceInShort({ ...one, rate: null }, one.currency) : null,
    },
    {
      name: 'Make-up',
      isShown: sessions.some(isMakeUp),
      cellOf: (one: Session) => (isMakeUp(one) ? 'Yes' : null),
    },
    { name: 'Currency', isShown: hasOthers, cellOf: (one: Session) => one.currency },
  ].filter(({ isShown }) => isShown)
  const header = [
    ...CSV_HEADER.map((name) => (hasOthers ? name.replace(/ \(\$.*\)/, '') : inCurrency(name, currency))),
    ...last.map(({ name }) => name),
  ]
  return {
    header,
    rows: [
      ...sessions.map((session) => [...csvRowOf(session), ...last.map(({ cellOf }) => cellOf(session))]),
      ...owed.map(({ label, amount, currency: own }) => [
        `${label}: ${formatMoney(amount, own)}`,
        ...header.slice(1).map(() => null),
      ]),
    ],
  }
}

const isPerLesson = (session: Session) => session.effective_rate === null && session.lesson_price !== null
const isMakeUp = (session: Session) => session.makes_up !== null

/** What the 'Agreed' column shows. It's empty if nobody else can confirm the session. */
const IN_CSV: Record<Standing, string> = {
  verified: 'Yes',
  waiting: 'No',
  disputed: 'Not right',
  leaving: 'Deletion requested',
  own: '',
}

function csvRowOf(session: Session): (string | number | null)[] {
  return [
    session.date,
    session.student_name ?? UNKNOWN_STUDENT,
    session.tutor_name ?? UNKNOWN_TUTOR,
    session.duration,
    session.subject,
    session.effective_rate === null ? null : amountInDigits(session.effective_rate, session.currency),
    session.total_amount === null ? null : amountInDigits(session.total_amount, session.currency),
    IN_CSV[standingOf(session)],
    session.notes,
    session.start_time,
    ...WORDS_FIELDS.map((field) => session[field]),
  ]
}
