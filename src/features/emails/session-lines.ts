// The lessons listed in an email, one line each plus a total, with what's written about them.
import { confirmLabel } from '#features/connections/emailed.ts'
import { hasWords, LESSON_WORDS, type StoredWords, WORDS_FIELDS } from '#features/sessions/lesson-words.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, type Currency, formatMoney } from '#kernel/money.ts'
import { plainName, plainText } from '#kernel/plain-name.ts'

/** What's written about a waiting lesson, and the student it's about. */
export interface WaitingWords extends StoredWords {
  first_name: string | null
  day: CalendarDay
}

/** A session listed in an email: one to confirm, or one that the other side asks to delete. */
export interface MailedSession extends WaitingWords {
  minutes: Minutes
  total_cents: Cents | null
  currency: Currency
  is_leaving: boolean
  /** When the session started waiting. */
  asked_at: Date
}

/** An email quotes what's written about at most this many lessons; the button leads to the rest. */
export const MOST_TOLD = 5

/** The maximum number of sessions in an email. */
const LISTED = 20

/** The sessions in an email that have something written about them, newest first. */
export function wordsOfSessions(sessions: readonly MailedSession[]): MailedSession[] {
  return sessions.filter(hasWords).reverse().slice(0, MOST_TOLD)
}

/**
 * The list of sessions in an email with their total, and the label of the email's only button, which is the
 * same as on the page.
 * @param otherwise the label if there are no sessions
 */
export function listOf(
  sessions: readonly MailedSession[],
  otherwise = 'See the page',
): {
  lines?: Line[]
  label: string
} {
  const [first] = sessions
  if (!first) return { label: otherwise }
  const amountOf = ({ total_cents: total, currency }: MailedSession) =>
    total === null ? '–' : formatMoney(total, currency)
  const amounts = sessions.flatMap(({ total_cents: amount }) => amount ?? [])
  const total =
    amounts.length > 0
      ? formatMoney(cents(amounts.reduce((sum, amount) => sum + amount, 0)), first.currency)
      : undefined
  const shown = sessions.slice(0, LISTED).map((session) => ({
    text: [
      formatDay(session.day, { weekday: 'short', month: 'short', day: 'numeric' }),
      plainName(session.first_name, ''),
      `${formatHours(session.minutes)} h`,
    ]
      .filter(Boolean)
      .join(', '),
    amount: amountOf(session),
  }))
  const more = sessions.length - shown.length
  return {
    lines: [
      ...shown,
      ...(more > 0 ? [{ text: `and ${more} more`, amount: '' }] : []),
      { text: `Total, ${count(sessions.length)}`, amount: total ?? '–' },
    ],
    label: confirmLabel(sessions.length, total),
  }
}

/** What's written about a lesson as a paragraph, without text that email programs would turn into links. */
export function writtenOf({ first_name: name, day, ...words }: WaitingWords): string {
  const date = formatDay(day, { month: 'short', day: 'numeric' })
  return [
    [plainName(name, ''), date].filter(Boolean).join(', '),
    ...WORDS_FIELDS.flatMap((field) =>
      words[field] ? `${LESSON_WORDS[field].label}: ${plainText(words[field])}` : [],
    ),
  ].join('\n')
}

/** A row in an email, with text and an amount. */
export interface Line {
  text: string
  amount: string
}

/**
 * The subject of an email, such as "2 sessions to confirm with Ingrid Lindqvist". @param named the other
 * side's name, if there's just one and it has a name
 */
export function toConfirm(what: string, named: string | undefined): string {
  return `${what} to confirm${named ? ` with ${named}` : ''}`
}

export const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)
/** For example, "2 sessions (3 hours)" or, with amounts, "2 sessions (3 hours, $135.00)". */
export function together(
  { sessions, minutes }: { sessions: number; minutes: number },
  amounts: readonly Amount[] = [],
): string {
  const total = totalOf(amounts)
  const hours = minutes === 60 ? '1 hour' : `${formatHours(minutes as Minutes)} hours`
  return `${count(sessions)} (${hours}${total ? `, ${total}` : ''})`
}

/** An amount of money in a currency. */
export interface Amount {
  currency: Currency
  amount_cents: Cents
}

/** Totals per currency, since currencies are never added together. Totals of zero are left out. */
export function totalOf(amounts: readonly Amount[]): string {
  const totals = new Map<Currency, number>()
  for (const { currency, amount_cents: amount } of amounts)
    totals.set(currency, (totals.get(currency) ?? 0) + amount)
  return [...totals]
    .filter(([, total]) => total > 0)
    .map(([currency, total]) => formatMoney(cents(total), currency))
    .join(' and ')
}
