// What the offline checker says about a file: whether its page is genuine, which signature holds, and what the page says.
import { type CalendarDay, formatDay, formatMomentIn } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, formatMoney } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { answerOf, type CheckedPage, type PageAnswer } from './page-check.ts'
import { inGroups, type PublishedKey } from './signed-page.ts'

/** A line of the page: a lesson, a charge or a payment. */
interface PageLine {
  day: string
  what: string
  amount: string
}

interface PageWords {
  month: string
  names: string
  figures: [label: string, figure: string][]
  /** Who answered when and how. */
  answers: [side: string, text: string][]
  lists: [title: string, lines: PageLine[]][]
  /** Where the server, if it's still there, says whether the month was reopened. */
  url: string
}

export interface CheckedWords {
  answer: PageAnswer
  title: string
  text: string
  signatures: { whose: string; text: string; isGood: boolean }[]
  /** What the page says. Null if the server didn't sign it, because then anybody may have written it. */
  page: PageWords | null
}

const TITLES: Record<PageAnswer, string> = {
  genuine: 'This page is genuine',
  changed: 'This file was changed',
  unknown_key: 'This page was signed with an unknown key',
  passkey: 'A signature by passkey doesn’t hold',
  no_page: 'There’s no signed page in this file',
}

/** @param keys the keys that the page was checked with, of which it names the server */
export function checkedWords(
  checked: CheckedPage | undefined,
  keys: readonly (PublishedKey & { origin: string })[],
): CheckedWords {
  const answer = answerOf(checked)
  const page = checked?.page === 'holds' ? pageWords(checked) : null
  return {
    answer,
    title: TITLES[answer],
    text: textOf(answer, checked, keys),
    signatures: checked ? signatureWords(checked) : [],
    page,
  }
}

function textOf(
  answer: PageAnswer,
  checked: CheckedPage | undefined,
  keys: readonly (PublishedKey & { origin: string })[],
): string {
  if (!checked)
    return (
      'It may be another file, or one that was printed, scanned or saved again by another program. ' +
      'Ask for the PDF as it was downloaded.'
    )
  if (answer === 'genuine') {
    const origin = keys.find(({ id }) => id === checked.key)?.origin ?? ''
    return (
      `${origin} signed it. ${checked.file === null ? 'This is the data of a page, without its PDF. ' : 'Nothing in the file was changed. '}` +
      'This can’t tell whether both sides reopened the month later.'
    )
  }
  if (answer === 'unknown_key')
    return (
      `It says that it’s from ${originOf(checked.facts.url)}. Anybody can make a page with a key of their own. ` +
      'The page may also be newer than the keys that are known here: get the file of keys from that site, if you trust it, and choose it above.'
    )
  if (checked.page !== 'holds')
    return 'What the page says isn’t what the server signed. Don’t rely on anything in it.'
  if (answer === 'changed')
    return 'The data inside is as the server signed it, but the PDF around it isn’t. Rely only on what’s shown here.'
  return 'The server signed this page, but the passkey of one side didn’t sign these facts.'
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

const SERVER_SAYS = {
  holds: 'holds',
  unknown_key: 'is by a key that isn’t known here',
  broken: 'doesn’t hold',
} as const

function signatureWords({ page, file, passkeys, key }: CheckedPage): CheckedWords['signatures'] {
  return [
    {
      whose: 'The server’s signature of what the page says',
      text: `${SERVER_SAYS[page]} (key ${inGroups(key)})`,
      isGood: page === 'holds',
    },
    ...(file === null
      ? []
      : [
          {
            whose: 'The server’s signature of the whole PDF',
            text: SERVER_SAYS[file],
            isGood: file === 'holds',
          },
        ]),
    ...(['family', 'tutor'] as const).flatMap((side) =>
      passkeys[side] === null
        ? []
        : [
            {
              whose: `The ${side}’s signature by passkey`,
              text: SERVER_SAYS[passkeys[side]],
              isGood: passkeys[side] === 'holds',
            },
          ],
    ),
  ]
}

function pageWords({ facts, agreed, passkeys }: CheckedPage): PageWords {
  const money = (cents: number | null, currency = agreed.currency) =>
    cents === null ? '–' : formatMoney(cents as Cents, currency as Currency)
  const hours = (minutes: number) => `${formatHours(minutes as Minutes)} h`
  const minutes = agreed.sessions.reduce((sum, row) => sum + row.minutes, 0)
  const line = (
    row: { day: string; student: string | null; currency: string },
    what: (string | null)[],
    cents: number | null,
  ): PageLine => ({
    day: formatDay(row.day as CalendarDay, { month: 'short', day: 'numeric' }),
    what: [row.student, ...what].filter(Boolean).join(', '),
    amount: money(cents, row.currency),
  })
  const lists: [string, PageLine[]][] = [
    ['Sessions', agreed.sessions.map((row) => line(row, [row.subject, hours(row.minutes)], row.total_cents))],
    [
      'Other charges',
      agreed.charges.map((row) => line(row, [row.label ?? words(row.reason)], row.amount_cents)),
    ],
    ['Payments', agreed.payments.map((row) => line(row, [words(row.kind)], row.amount_cents))],
  ]
  return {
    month: monthLabel(agreed.month),
    names: `${agreed.family} with ${agreed.tutor}`,
    figures: [
      ['Number of sessions', String(agreed.sessions.length)],
      ['Hours', hours(minutes)],
      ['Carried over', money(agreed.carried_over_cents)],
      ['Sessions', money(agreed.sessions_cents)],
      ...when(agreed.covered_cents !== 0, 'From prepaid', money(agreed.covered_cents)),
      ...when(agreed.other_cents !== 0, 'Other charges', money(agreed.other_cents)),
      ['Paid', money(agreed.paid_cents)],
      agreed.due_cents < 0 ? ['Paid ahead', money(-agreed.due_cents)] : ['Due', money(agreed.due_cents)],
      ...when(agreed.minutes_left !== 0, 'Prepaid left', hours(agreed.minutes_left)),
    ],
    answers: [
      ['Family', answerWords(facts, 'family', passkeys.family)],
      ['Tutor', answerWords(facts, 'tutor', passkeys.tutor)],
    ],
    lists: lists.filter(([, lines]) => lines.length > 0),
    url: facts.url,
  }
}

function when(isShown: boolean, label: string, figure: string): [string, string][] {
  return isShown ? [[label, figure]] : []
}

const words = (code: string) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')

const WAYS = {
  account: ' with an account',
  emailed_link: ' by emailed link, without an account',
  handed_over_link: ' by handed-over link, without an account',
} as const

function answerWords(
  facts: CheckedPage['facts'],
  side: 'family' | 'tutor',
  passkey: 'holds' | 'broken' | null,
): string {
  const { at, how } = facts.answers[side]
  const moment = formatMomentIn(at, facts.time_zone)
  const did = facts.asked_by === side ? 'Asked to close the month' : 'Confirmed it'
  const signed = passkey === 'holds' ? ', and signed it with a passkey' : ''
  return `${did} on ${moment}${how === null ? '' : WAYS[how]}${signed}.`
}
