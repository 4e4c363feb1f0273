// Text for the daily email about what's waiting. Covers accounts, addresses without one, and reminders.
import type { Side } from '#features/access/role.ts'
import { ANSWER_DAYS } from '#features/agreements/answer.ts'
import { proposalInWords } from '#features/sessions/not-right.ts'
import { amountAt } from '#features/prices/price.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { plainName } from '#kernel/plain-name.ts'
import { countMoney, kindsOf, type MailedPayment, paymentsSubject } from './payment-lines.ts'
import { askingTerms, type MailedTerms, termsSubject } from './terms-lines.ts'
import { canceledSubject, type CanceledClass, tellingCanceled } from './canceled-lines.ts'
import { askingClasses, classesSubject, type MailedClass } from './class-lines.ts'
import { type Amount, count, together, toConfirm } from './session-lines.ts'

/**
 * What's waiting for a recipient as a family or as a practice: sessions to confirm (with their minutes),
 * deletions to agree to, and sessions that were sent back.
 */
export interface Waiting {
  /** The recipient's side. */
  kind: Side
  sessions: number
  minutes: number
  deletions: number
  sent_back: number
  /** When the oldest item started waiting; null if every item was sent back. */
  since: Date | null
  /** The connections that these items belong to, without duplicates. */
  connections: string[]
  /** Amounts of the sessions to confirm, per currency. */
  amounts: Amount[]
}

/** A month that a side has been asked to close. */
export interface AskedMonth {
  side: Side
  connection_id: string
  /** yyyy-MM */
  month: string
  asked_at: Date
}

/** A month that the other side closed, which it had been asked to. Nothing waits for an answer. */
export type ClosedMonth = Omit<AskedMonth, 'asked_at'>

/** Everything waiting for one recipient. */
export interface Everything {
  waiting: readonly Waiting[]
  /** What the other side proposes about sessions that it sent back. */
  proposals: readonly MailedProposal[]
  payments: readonly MailedPayment[]
  terms: readonly MailedTerms[]
  classes: readonly MailedClass[]
  months: readonly AskedMonth[]
  /** What the other side canceled since the last email. Nothing waits for an answer. */
  canceled: readonly CanceledClass[]
  /** What the other side closed since the last email. */
  closed: readonly ClosedMonth[]
}

/** Whether an email only tells which classes were canceled. */
export function isOnlyCanceled({
  waiting,
  proposals,
  payments,
  terms,
  classes,
  months,
}: Everything): boolean {
  return [waiting, proposals, payments, terms, classes, months].every((some) => some.length === 0)
}

/** What the other side proposes instead of a session's facts. */
export interface MailedProposal {
  connection_id: string
  first_name: string | null
  currency: Currency
  /** The session as it is, and as it should be; null if it should be deleted. */
  now: ProposedFacts
  proposed: ProposedFacts | null
  asked_at: Date
}
interface ProposedFacts {
  day: CalendarDay
  minutes: Minutes
  rate_cents: Cents | null
  /** The price per lesson that applies instead, and how many minutes the lesson has. A proposal never has one. */
  lesson_price_cents?: Cents | null
  lesson_price_minutes?: number | null
}

/** An email's subject and paragraphs. */
export interface Words {
  subject: string
  paragraphs: string[]
}

/**
 * What to call the other side if it has no name: for several of them, for just one, and for one in the middle
 * of a sentence.
 */
const OTHER = {
  family: { some: 'Your tutors', one: 'Your tutor', yours: 'your tutor' },
  practice: { some: 'Your families', one: 'A family', yours: 'the family' },
} as const

/**
 * Text about everything waiting for one recipient; undefined if nothing is.
 * @param other the sender's name, if there's just one family or tutor
 * @param nameOf returns the name of the other side of a connection
 */
export function wordsOfDay(
  all: Everything,
  other: string | undefined,
  nameOf: (connection: string) => string,
): Words | undefined {
  if (all.canceled.length === 0 && isOnlyCanceled(all)) return undefined
  return { subject: subjectOfDay(all, other), paragraphs: newsOfDay(all, other, nameOf) }
}

/** The paragraphs about everything except payments; empty if there's nothing. */
export function newsOfDay(
  { waiting, proposals, terms, classes, months, canceled, closed }: Everything,
  other: string | undefined,
  nameOf: (connection: string) => string,
): string[] {
  return [
    ...waiting.flatMap((one) => paragraphsOfDay(one, other)),
    ...proposals.map((one) => proposalOfDay(one, nameOf(one.connection_id))),
    ...askingTerms(terms, nameOf),
    ...askingClasses(classes, nameOf),
    ...tellingCanceled(canceled, nameOf),
    ...months.map((one) => `${nameOf(one.connection_id)} asked you to close ${monthLabel(one.month)}.`),
    ...closed.map((one) => `${nameOf(one.connection_id)} agreed to close ${monthLabel(one.month)}.`),
  ]
}

/** What to call the senders at the start of a sentence if there are several, or if the only one has no name. */
function someone({ waiting, payments, terms, classes, months, canceled }: Everything): string {
  const sides = [
    waiting.map(({ kind }) => kind),
    payments.map(({ side }) => side),
    terms.map(({ side }) => side),
    classes.map(({ side }) => side),
    months.map(({ side }) => side),
    canceled.map(({ side }) => side),
  ]
  const [only, ...more] = new Set(sides.flat())
  return only && more.length === 0 ? OTHER[only].one : 'Someone'
}

function subjectOfDay(all: Everything, named: string | undefined): string {
  const { waiting, payments, terms, classes, months } = all
  const other = named ?? someone(all)
  if (isOnlyCanceled(all)) return canceledSubject(all.canceled, other)
  const sum = (field: 'sessions' | 'deletions' | 'sent_back') =>
    waiting.reduce((total, one) => total + one[field], 0)
  const [sessions, deletions, sentBack] = [sum('sessions'), sum('deletions'), sum('sent_back')]
  const inAll = sessions + deletions + sentBack
  const [month] = months
  const kinds = [
    ...(inAll > 0 ? [count(inAll)] : []),
    ...(payments.length > 0 ? [countMoney(kindsOf(payments))] : []),
    ...(terms.length > 0 ? ['terms'] : []),
    ...(classes.length > 0 ? ['classes'] : []),
    ...(months.length > 0 ? [months.length === 1 ? '1 month' : `${months.length} months`] : []),
  ]
  const from = named ? ` from ${named}` : ''
  if (kinds.length > 1) return `${new Intl.ListFormat('en').format(kinds)}${from} waiting for you`
  if (payments.length > 0) return paymentsSubject(payments, other, named)
  if (terms.length > 0) return termsSubject(terms, other)
  if (classes.length > 0) return classesSubject(classes, other)
  if (month)
    return months.length === 1
      ? `${other} asks to close ${monthLabel(month.month)}`
      : `${months.length} months to close`
  if (sessions === inAll) return toConfirm(count(sessions), named)
  if (sentBack === inAll)
    return `${other} says ${count(sentBack)} ${sentBack === 1 ? 'isn’t' : 'aren’t'} right`
  return deletions === inAll
    ? `${other} asks to delete ${count(deletions)}`
    : `${count(inAll)}${from} waiting for you`
}

function paragraphsOfDay(one: Waiting, named: string | undefined): string[] {
  const other = named ?? (one.connections.length === 1 ? OTHER[one.kind].one : OTHER[one.kind].some)
  const wants = named !== undefined || one.connections.length === 1 ? 'wants' : 'want'
  return [
    ...(one.sessions > 0
      ? [`${other} logged or changed ${together(one, one.amounts)}. ${whatToDo(one.sessions)}`]
      : []),
    ...(one.sent_back > 0
      ? [
          `${other} says ${count(one.sent_back)} ${one.sent_back === 1 ? 'isn’t' : 'aren’t'} right. Read the note, then correct the session or reply.`,
        ]
      : []),
    ...(one.deletions > 0
      ? [
          `${other} ${wants} your OK to delete ${count(one.deletions)}. Until you answer, ${
            one.deletions === 1 ? 'it isn’t' : 'they aren’t'
          } counted in any total.`,
        ]
      : []),
  ]
}

/** For example, "Ingrid says about Nov 3, Maya: 45 minutes instead of 60, $39.00 instead of $52.00. …" */
function proposalOfDay({ first_name: name, currency, now, proposed }: MailedProposal, other: string): string {
  const inApi = ({ day, minutes, rate_cents: rate }: ProposedFacts) => {
    const perLesson =
      now.lesson_price_cents == null
        ? null
        : { cents: now.lesson_price_cents, lesson_minutes: now.lesson_price_minutes ?? null }
    const total = amountAt(
      rate === null ? perLesson : { cents: rate, lesson_minutes: null },
      minutes,
      currency,
    )
    return {
      date: day,
      duration: hours(minutes),
      rate: rate === null ? null : dollars(rate),
      total_amount: total === null ? null : dollars(total),
    }
  }
  const about = inOneLine([formatDay(now.day, { month: 'short', day: 'numeric' }), plainName(name, '')])
  const said = proposalInWords(
    {
      ...inApi(now),
      lesson_price: now.lesson_price_cents == null ? null : dollars(now.lesson_price_cents),
      lesson_minutes: now.lesson_price_minutes ?? null,
      currency,
    },
    { ...inApi(proposed ?? now), is_removal: proposed === null },
  )
  return `${other} says about ${about}: ${said}. You can accept that with one tap.`
}

function whatToDo(sessions: number): string {
  return sessions === 1
    ? 'Confirm it if it took place, or say what isn’t right.'
    : 'Confirm what took place, and say what isn’t right.'
}

/** Turns the email's text into a reminder. */
export function asReminder({ subject, paragraphs }: Words): Words {
  return { subject: `Reminder: ${subject}`, paragraphs }
}

/**
 * For a reminder: how long the oldest item has been waiting, and what happens if nobody answers. @param other
 * as it appears in the middle of a sentence
 */
export function waitingSince(
  { waiting, proposals, payments, terms, classes, months }: Everything,
  other: string | undefined,
  timeZone: string,
): string[] {
  const oldest = earliest([
    ...waiting.flatMap(({ since }) => since ?? []),
    ...proposals.map(({ asked_at: since }) => since),
    ...payments.flatMap(({ asked_at: since }) => since ?? []),
    ...terms.flatMap(({ asked_at: since }) => since ?? []),
    ...classes.map(({ asked_at: since }) => since),
    ...months.map(({ asked_at: since }) => since),
  ])
  if (!oldest) return []
  const inWords = (month: 'long' | 'short') => formatDay(dayIn(oldest, timeZone), { month, day: 'numeric' })
  const isLeaving = waiting.some(({ deletions }) => deletions > 0) || payments.some((one) => one.is_leaving)
  const sentence = [
    `The oldest item has been waiting since ${inWords('long')}. Silence never counts as a yes.`,
    `After ${ANSWER_DAYS} days, ${other ?? 'the other person'} sees “No answer since ${inWords('short')}”`,
    ...(isLeaving ? ['and can delete the item from their own records'] : []),
  ]
  return [`${sentence.join(' ')}.`]
}

function earliest(moments: readonly Date[]): Date | null {
  return moments.reduce<Date | null>((first, one) => (first && first <= one ? first : one), null)
}

export const NOTHING_YET = 'The button opens your page. Nothing is confirmed until you say so there.'

/** Explains what will and won't happen when the reader presses the button that leads to the emailed page. */
export function nothingYet({ waiting, proposals, payments, terms, classes, months }: Everything): string {
  const isAsked =
    proposals.length > 0 ||
    terms.length > 0 ||
    classes.length > 0 ||
    waiting.some(({ sessions, deletions }) => sessions + deletions > 0) ||
    payments.some((one) => !one.is_sent_back)
  return isAsked || months.length > 0
    ? NOTHING_YET
    : 'The button opens your page, where you can correct or delete what isn’t right.'
}

/** For an account: what happens if nobody answers; undefined if there's nothing to answer. */
export function ifNothing({
  waiting,
  proposals,
  payments,
  terms,
  classes,
  months,
}: Everything): string | undefined {
  const isAsked =
    proposals.length > 0 ||
    terms.length > 0 ||
    classes.length > 0 ||
    waiting.some(({ sessions }) => sessions > 0) ||
    payments.some((one) => !one.is_sent_back)
  if (isAsked) return 'Nothing is confirmed until you say so.'
  if (months.length > 0) return 'The month stays open until you agree.'
  return undefined
}
