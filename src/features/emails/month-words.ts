// Text for emails about a month: when it's over, and when someone asks to close it, closes it or reopens it.
import { plainText } from '#kernel/plain-name.ts'
import { monthLabel } from '#kernel/month.ts'
import { countMoney } from './payment-lines.ts'
import { type Amount, count, type Line, together, totalOf } from './session-lines.ts'
import type { Words } from './waiting-words.ts'

/**
 * A month within one connection: total sessions and minutes, amounts, the number of confirmed sessions, and
 * which side has to answer the rest.
 */
export interface MonthOver {
  connection_id: string
  sessions: number
  minutes: number
  /** Amounts by currency, for sessions that neither side has disputed or asked to delete. */
  amounts: Amount[]
  sent_back: number
  for_you: number
  for_them: number
  /** The kinds of the month's payments and charges that aren't confirmed by both sides yet, one for each. */
  open_money: readonly ('payment' | 'charge')[]
  /** The side that asked to close the month; null if neither did. */
  asked_by: 'you' | 'other' | null
}

/** Explains what closing a month does. */
export const CLOSING =
  'When you both agree on everything, close the month. You’ll both have the same page, ' +
  'with a code that lets anyone check it. If you do nothing, the month just stays open.'

/**
 * Text about a month that is over: the other side, how many sessions, the amounts, and what's left to do
 * before it can be closed.
 * @param nameOf returns the name of the other side of a connection
 */
export function wordsOfMonth(
  month: string,
  over: readonly MonthOver[],
  nameOf: (connection: string) => string,
): Words & { lines: Line[]; label: string } {
  const label = monthLabel(month)
  const open = over.flatMap((one) => {
    const words = openOf(one, nameOf(one.connection_id))
    const name = over.length > 1 ? `${nameOf(one.connection_id)}: ` : ''
    return words.length > 0 ? [`${name}${words.join(', ')}`] : []
  })
  const askedBy = (side: MonthOver['asked_by']) =>
    over.filter((one) => one.asked_by === side).map((one) => nameOf(one.connection_id))
  const isReady = over.some((one) => one.asked_by !== 'you' && openOf(one, '').length === 0)
  return {
    subject: `${label} is ready to ${open.length === 0 ? 'close' : 'confirm'}`,
    paragraphs: [
      open.length === 0 ? `${label} is over, and everything in it is confirmed.` : `${label} is over.`,
      ...(open.length > 0 ? [['Resolve these before closing the month:', ...open].join('\n')] : []),
      ...askedBy('other').map((name) => `${name} asked you to close the month.`),
      ...askedBy('you').map(
        (name) => `You asked ${name} to close the month. There's nothing more for you to do.`,
      ),
    ],
    lines: linesOf(over, nameOf),
    label: `${isReady ? 'Close' : 'See'} ${label}`,
  }
}

/**
 * One line per connection, such as "Ingrid Lindqvist, 3 sessions (4 hours)", with the amount, plus a total if
 * there are several.
 */
function linesOf(over: readonly MonthOver[], nameOf: (connection: string) => string): Line[] {
  const rows = over.map((one) => ({
    text: `${nameOf(one.connection_id)}, ${together(one)}`,
    amount: totalOf(one.amounts),
  }))
  if (over.length < 2) return rows
  const sessions = over.reduce((sum, one) => sum + one.sessions, 0)
  return [...rows, { text: `Total, ${count(sessions)}`, amount: totalOf(over.flatMap((one) => one.amounts)) }]
}

/** The reasons a month can't be closed yet, as phrases; empty if it can. */
function openOf(one: MonthOver, other: string): string[] {
  const { sent_back: back, for_you: you, for_them: them, open_money: money } = one
  return [
    ...(you > 0 ? [`${count(you)} waiting for you`] : []),
    ...(them > 0 ? [`${count(them)} waiting for ${other}`] : []),
    ...(back > 0 ? [`${count(back)} not right`] : []),
    ...(money.length > 0 ? [`${countMoney(money)} not confirmed by both of you`] : []),
  ]
}

/**
 * Text for news about a month: someone asked to close it, closed it, or reopened it with a reason. @param
 * name as it appears at the start of a sentence
 */
export function wordsOfMonthNews(news: string, name: string, month: string, reason: string | null): Words {
  if (news === 'asked')
    return {
      subject: `${name} asks to close ${month}`,
      paragraphs: [
        `${name} asked you to close ${month}. You've both confirmed everything in it.`,
        'Once you agree, you’ll both have the same page, with a code that lets anyone check it. Until then, the month stays open.',
      ],
    }
  if (news === 'closed')
    return {
      subject: `${month} is closed`,
      paragraphs: [
        `${name} agreed to close ${month}. You now both have the same page, with a code that lets anyone check it. Keep a copy.`,
      ],
    }
  return {
    subject: `${name} reopened ${month}`,
    paragraphs: [
      [
        `${name} reopened ${month}, which you had both closed. The reason:`,
        `“${plainText(reason ?? '')}”`,
      ].join('\n'),
      'Anyone who checks the code on the old page will see that the month has changed. Once you both agree again, you can close it again.',
    ],
  }
}
