// Text about balances, for the Payments page and the summary.
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import type { AccountName, Balance, LedgerLine } from './balance.ts'
import { KIND_LABELS, METHOD_LABELS } from './payment-form.ts'
import { chargeDetail, chargeTitle } from './payment-words.ts'

/** Formats decimal hours from the API, such as "1.5 h". */
export function inHours(hours: number): string {
  return `${formatHours(Math.round(hours * 60) as Minutes)} h`
}

/** The label for a balance: whether the amount, which is always shown as positive, is owed or paid ahead. */
export function openLabel(balance: number): 'Due' | 'Paid ahead' {
  return balance < 0 ? 'Paid ahead' : 'Due'
}

/**
 * The key that identifies an account in requests: the connection's id or, without a connection, the tutor's
 * or student's id.
 */
export function accountKey({
  connection_id: connection,
  id,
}: Pick<AccountName, 'connection_id' | 'id'>): string {
  return connection ?? id ?? 'unknown'
}

/** An account's name on one line, such as "Ana Whitfield (Maya and Leo)" or "Ingrid, only yours". */
export function accountInOneLine({
  name,
  students,
  is_only_yours: isOnlyYours,
}: Pick<AccountName, 'name' | 'students' | 'is_only_yours'>): string {
  if (isOnlyYours) return `${name}, only yours`
  return students.length > 0 ? `${name} (${studentsOf(students)})` : name
}

/** Joins names, such as "Maya and Leo". */
export function studentsOf(students: readonly string[]): string {
  return new Intl.ListFormat('en').format(students)
}

/** The heading for a list of accounts. Tutors see "Family or student" once a family is connected. */
export function keptWithLabel(isParent: boolean, accounts: readonly Pick<AccountName, 'connection_id'>[]) {
  if (isParent) return 'Tutor'
  return accounts.some((one) => one.connection_id !== null) ? 'Family or student' : 'Student'
}

/**
 * The payments that only one side has reported, as text such as "$135.00 on its way"; undefined if there are
 * none.
 */
export function onItsWay(
  { on_its_way_amount: amount }: Pick<Balance, 'on_its_way_amount'>,
  currency: Currency,
): string | undefined {
  return amount > 0 ? `${formatAmount(amount, currency)} on its way` : undefined
}

/** What's due by the terms, such as "$45.00 due since Nov 5, $90.00 due Dec 5"; undefined if nothing is. */
export function dueLine(
  due: readonly { date: string; amount: number }[],
  currency: Currency,
  today: CalendarDay,
): string | undefined {
  if (due.length === 0) return undefined
  return due
    .map(({ date, amount }) => {
      const day = formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })
      return `${formatAmount(amount, currency)} due ${date < today ? 'since ' : ''}${day}`
    })
    .join(', ')
}

/**
 * The amount that can be marked as paid now: the amount due minus payments that are on their way, but never
 * less than 0.
 */
export function dueOf({
  balance,
  on_its_way_amount: underway,
}: Pick<Balance, 'balance' | 'on_its_way_amount'>): number {
  return Math.max(0, Math.round((balance - underway) * 100) / 100)
}

/** A line's title: the name of the child who had the lesson, the kind of payment, or what was charged. */
export function titleOf(line: LedgerLine): string {
  if (line.charge) return chargeTitle(line.charge)
  return line.kind === 'session' || line.kind === 'charge'
    ? (line.student_name ?? UNKNOWN_STUDENT)
    : KIND_LABELS[line.kind]
}

/** The note next to a line's amounts. Pass false for `hasHours` if session hours have their own column. */
export function effectOf(line: LedgerLine, hasHours = true): string {
  const { payment } = line
  if (line.charge) return inOneLine([chargeDetail(line.charge), line.student_name])
  const method = payment?.method && METHOD_LABELS[payment.method]
  const covered =
    line.covered_hours > 0
      ? `${inHours(line.covered_hours)} from prepaid hours${line.hours_left > 0 ? `, ${inHours(line.hours_left)} left` : ''}`
      : undefined
  return inOneLine(
    payment
      ? [
          ...(payment.hours === null ? [method] : [inHours(payment.hours), method?.toLowerCase()]),
          payment.reference,
          payment.note,
        ]
      : [
          line.subject,
          hasHours ? inHours(line.hours) : undefined,
          covered,
          line.amount === null ? 'no rate' : undefined,
        ],
  )
}

/**
 * The price of prepaid hours, for layouts without columns: "$80.00 for 2 h, bank transfer". Undefined for all
 * other lines.
 */
export function boughtOf(line: LedgerLine, currency: Currency): string | undefined {
  if (line.kind !== 'hours' || !line.payment) return undefined
  return `${formatAmount(line.payment.amount, currency)} for ${effectOf(line)}`
}

/**
 * A line's effect on the balance, in dollars: positive if it increases the balance, negative if it reduces
 * it. Buying prepaid hours has no effect (0), because the sessions they cover aren't charged again. For a
 * payment or charge that doesn't count yet, this is the effect it would have.
 */
export function changeOf({ kind, charged, paid, payment, charge }: LedgerLine): number {
  if (charge?.counts === false) return charge.amount
  if (payment?.counts !== false) return Math.round((charged - paid) * 100) / 100
  if (kind === 'hours') return 0
  return kind === 'opening' ? payment.amount : -payment.amount
}

/** A line's effect on the balance as text: "–" for a lesson without a rate. */
export function changeInWords(line: LedgerLine, currency: Currency): string {
  return line.amount === null && line.kind === 'session' ? '–' : formatAmount(changeOf(line), currency)
}

/** What other_amount is for, such as "$80.00 for prepaid hours". */
export function otherInWords(
  {
    other_amount: other,
    debts_amount: debts,
    charges_amount: charges,
  }: Pick<Balance, 'other_amount' | 'debts_amount' | 'charges_amount'>,
  inMoney: (amount: number) => string,
): string[] {
  const bought = Math.round((other - debts - charges) * 100) / 100
  return [
    ...(bought > 0 ? [`${inMoney(bought)} for prepaid hours`] : []),
    ...(debts > 0 ? [`${inMoney(debts)} owed from before`] : []),
    ...(charges > 0 ? [`${inMoney(charges)} other charges`] : []),
    ...(charges < 0 ? [`${inMoney(-charges)} credited`] : []),
  ]
}

/**
 * How what is owed adds up from the first of a month to a day in it, such as "$100.00 carried over + $345.01 in
 * November − $50.00 paid". Leaves out what's zero.
 */
export function howItAddsUp(
  one: Pick<Balance, 'balance' | 'carried_over' | 'paid_amount'>,
  currency: Currency,
  day: CalendarDay,
): string {
  const month = formatDay(day, { month: 'long' })
  // What was charged: sessions that prepaid hours didn't cover, prepaid hours, earlier debts, and charges.
  const charged = Math.round((one.balance - one.carried_over + one.paid_amount) * 100) / 100
  const terms = [
    { amount: one.carried_over, what: 'carried over' },
    { amount: charged, what: `in ${month}` },
    { amount: -one.paid_amount, what: 'paid' },
  ].filter(({ amount }) => amount !== 0)
  // The figure has been said already.
  if (terms.length === 1 && one.carried_over !== 0) return 'All carried over'
  if (terms.length === 1 && charged !== 0) return `All from ${month}`
  return terms
    .map(({ amount, what }, at) => {
      const sign = amount < 0 ? '−' : at === 0 ? '' : '+'
      return `${sign}${at === 0 ? '' : ' '}${formatAmount(Math.abs(amount), currency)} ${what}`
    })
    .join(' ')
}

/** Explains the amounts that aren't part of a balance's four figures. */
export function explain(balance: Balance, currency: Currency): string {
  return [
    balance.covered_amount > 0 &&
      `${formatAmount(balance.covered_amount, currency)} covered by prepaid hours`,
    ...otherInWords(balance, (amount) => formatAmount(amount, currency)),
    balance.hours_left > 0 && `${inHours(balance.hours_left)} of prepaid time left`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/**
 * A sentence about balances that aren't in a total because they're in other currencies; undefined if there
 * are none.
 */
export function leftOutOfTotal(
  balances: readonly Pick<Balance, 'currency'>[],
  own: Currency,
): string | undefined {
  const others = [...new Set(balances.map(({ currency }) => currency).filter((one) => one !== own))]
  if (others.length === 0) return undefined
  return `Amounts in ${new Intl.ListFormat('en').format(others)} aren’t included`
}

/** A warning that prepaid hours or money paid ahead has run out or is running low. */
export function prepaidWarning(
  balance: Pick<Balance, 'prepaid' | 'name' | 'hours_left' | 'balance'>,
  currency: Currency,
): string | undefined {
  if (balance.prepaid === 'used_up') return `The prepaid hours with ${balance.name} are used up.`
  if (balance.prepaid !== 'low') return undefined
  return balance.hours_left > 0
    ? `${inHours(balance.hours_left)} of the prepaid hours with ${balance.name} are left.`
    : `${formatAmount(-balance.balance, currency)} is left of the prepayment with ${balance.name}.`
}
