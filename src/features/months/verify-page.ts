// What /verify shows for a code: whether its page is genuine, and the figures to compare with the paper. Anyone who
// has the code can read it, so there are no names on it.
import type { Side } from '#features/access/role.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, type Currency, formatMoney } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { openLabel } from '#features/payments/balance-text.ts'
import { type MonthContent, signersOf } from './month-page.ts'
import type { SignedLine } from './sign-off.ts'
import { type Sum, termsOf } from './statement.ts'

/** A sign-off is never reopened. */
type Standing = 'current' | 'changed' | 'reopened'

export interface CheckedCode {
  month: string
  /** 'signed' is a sign-off of a month's sessions; 'closed' is a month that both sides closed. */
  kind: 'signed' | 'closed'
  /** Whether the content still is what was confirmed, or what has happened since. */
  standing: Standing
  /** The figures that were confirmed; null if they aren't known anymore. */
  facts: Facts | null
}

interface Facts {
  sessions: number
  minutes: Minutes
  /** Of a closed month; a sign-off is only about sessions. */
  charges: number
  payments: number
  total: { amount: Cents; currency: Currency }[]
  /** What was paid and is due; null for a sign-off, which is only about sessions. */
  sum: Sum | null
  /** The side that answered by handed-over link, if one did. */
  handedSide?: Side | undefined
  /** The sides that signed their answer with a passkey. */
  signedBy?: Side[]
}

export function factsOfSignOff(lines: readonly (SignedLine & { currency: Currency })[]): Facts {
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  const total = currencies.map((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    return { currency, amount: cents(own.reduce((sum, line) => sum + (line.total_cents ?? 0), 0)) }
  })
  return { sessions: lines.length, minutes: minutesOf(lines), charges: 0, payments: 0, total, sum: null }
}

export function factsOfPage(content: MonthContent): Facts {
  const { sessions, figures, currency } = content
  return {
    sessions: sessions.length,
    minutes: minutesOf(sessions),
    charges: content.charges?.length ?? 0,
    payments: content.payments.length,
    total: [{ amount: figures.sessions, currency }],
    sum: { ...figures, currency },
    handedSide: content.handed_side,
    signedBy: signersOf(content),
  }
}

function minutesOf(rows: readonly { minutes: number }[]): Minutes {
  return rows.reduce((sum, { minutes }) => sum + minutes, 0) as Minutes
}

const CODES_SAY: Record<CheckedCode['kind'], Partial<Record<Standing, string>>> = {
  signed: {
    current:
      'The family and the tutor both confirmed every session in this month. Payments aren’t part of this code.',
    changed:
      'Both sides confirmed it, but sessions have been changed, added or deleted since then. Ask for the latest statement.',
  },
  closed: {
    current:
      'The family and the tutor closed this month after both confirmed every session and payment in it.',
    changed: 'Both sides closed this month, but it has changed since then. Ask for the latest page.',
    reopened:
      'Both sides closed this month, and one of them has reopened it since then. If they closed it again, there’s a page with another code: ask for it.',
  },
}

const TITLES: Record<Standing, string> = {
  current: 'This statement is genuine',
  changed: 'This statement was genuine but has changed since',
  reopened: 'This statement was genuine but has changed since: its month was reopened',
}

const COMPARE: Record<Standing, string> = {
  current: 'If your page shows other figures, somebody altered it.',
  changed: 'These are the figures that both sides confirmed before the change.',
  reopened: 'These are the figures that both sides confirmed before the month was reopened.',
}

/** What the page says about a code, from top to bottom. */
export function verifyWords({ month, kind, standing, facts }: CheckedCode) {
  return {
    title: TITLES[standing],
    month: monthLabel(month),
    text: `${CODES_SAY[kind][standing] ?? ''}${handedInWords(facts)}${signedInWords(facts)}`,
    figures: facts && figuresOf(facts),
    compare: COMPARE[standing],
    /** Whether its PDF proves itself, too. */
    isSigned: kind === 'closed',
  }
}

function handedInWords(facts: Facts | null): string {
  if (!facts?.handedSide) return ''
  return ` The ${facts.handedSide === 'family' ? 'family' : 'tutor'} answered by handed-over link, without an account.`
}

function signedInWords(facts: Facts | null): string {
  const [first, second] = facts?.signedBy ?? []
  if (second) return ' Signed with a passkey by both sides.'
  return first ? ` Signed with a passkey by the ${first === 'family' ? 'family' : 'tutor'}.` : ''
}

/** The figures, with the labels of the printed page. */
function figuresOf({
  sessions,
  minutes,
  charges,
  payments,
  total,
  sum,
}: Facts): [label: string, figure: string][] {
  const counted = (label: string, count: number): [string, string][] =>
    count > 0 ? [[label, String(count)]] : []
  return [
    ['Number of sessions', String(sessions)],
    ['Hours', `${formatHours(minutes)} h`],
    ...counted('Number of charges', charges),
    ...counted('Number of payments', payments),
    ['Total', total.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ')],
    ...(sum
      ? [
          ...termsOf(sum)
            .filter(({ label }) => label !== 'Sessions')
            .map(({ label, amount }): [string, string] => [label, formatMoney(amount, sum.currency)]),
          [openLabel(sum.balance), formatMoney(Math.abs(sum.balance) as Cents, sum.currency)] as [
            string,
            string,
          ],
        ]
      : []),
  ]
}
