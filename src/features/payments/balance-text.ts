// The words of a balance, on Payments and on the summary.
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import type { AccountName, Balance, LedgerLine } from './balance.ts'
import { KIND_LABELS, METHOD_LABELS } from './payment-form.ts'

/** Hours of the wire in words: "1.5 h". */
export function inHours(hours: number): string {
  return `${formatHours(Math.round(hours * 60) as Minutes)} h`
}

/** What a balance is called; the amount beside it is always positive. */
export function openLabel(balance: number): 'Due' | 'Paid ahead' {
  return balance < 0 ? 'Paid ahead' : 'Due'
}

/** What an account is asked for by: its connection, else the tutor or student. */
export function accountKey({
  connection_id: connection,
  id,
}: Pick<AccountName, 'connection_id' | 'id'>): string {
  return connection ?? id ?? 'unknown'
}

/** Where there is one line for it: "Ana Whitfield (Maya and Leo)", "Ingrid, only in your records". */
export function accountInOneLine({
  name,
  students,
  is_only_yours: isOnlyYours,
}: Pick<AccountName, 'name' | 'students' | 'is_only_yours'>): string {
  if (isOnlyYours) return `${name}, only in your records`
  return students.length > 0 ? `${name} (${studentsOf(students)})` : name
}

/** "Maya and Leo". */
export function studentsOf(students: readonly string[]): string {
  return new Intl.ListFormat('en').format(students)
}

/** What accounts are kept with, for a heading: a tutor's are with families as soon as one is connected. */
export function keptWithLabel(isParent: boolean, accounts: readonly Pick<AccountName, 'connection_id'>[]) {
  if (isParent) return 'Tutor'
  return accounts.some((one) => one.connection_id !== null) ? 'Family or student' : 'Student'
}

/** "$135.00 on its way": what one side alone reported as paid; undefined if there's none. */
export function onItsWay(
  { on_its_way_amount: amount }: Pick<Balance, 'on_its_way_amount'>,
  currency: Currency,
): string | undefined {
  return amount > 0 ? `${formatAmount(amount, currency)} on its way` : undefined
}

/** What can be marked as paid now: what is due and not on its way yet; 0 if nothing is. */
export function dueOf({
  balance,
  on_its_way_amount: underway,
}: Pick<Balance, 'balance' | 'on_its_way_amount'>): number {
  return Math.max(0, Math.round((balance - underway) * 100) / 100)
}

/** What a line is: the child who was taught, or the kind of payment. */
export function titleOf(line: LedgerLine): string {
  return line.kind === 'session' ? (line.student_name ?? UNKNOWN_STUDENT) : KIND_LABELS[line.kind]
}

/** What a line says beside its amounts. */
export function effectOf(line: LedgerLine): string {
  const { payment } = line
  const covered =
    line.covered_hours > 0
      ? `${inHours(line.covered_hours)} from prepaid hours${line.hours_left > 0 ? `, ${inHours(line.hours_left)} left` : ''}`
      : undefined
  return inOneLine(
    payment
      ? [
          payment.hours === null ? undefined : inHours(payment.hours),
          payment.method && METHOD_LABELS[payment.method],
          payment.note,
        ]
      : [line.subject, inHours(line.hours), covered, line.amount === null ? 'no rate' : undefined],
  )
}

/** What prepaid hours came to, where a line has no columns for it: "$80.00 for 2 h, Bank transfer"; undefined for every other line. */
export function boughtOf(line: LedgerLine, currency: Currency): string | undefined {
  if (line.kind !== 'hours' || !line.payment) return undefined
  return `${formatAmount(line.payment.amount, currency)} for ${effectOf(line)}`
}

/**
 * What a line does to the balance, in dollars: adds to it, or takes off it (negative). Hours paid in advance do neither, because the
 * sessions they cover cost nothing more. Of a payment that doesn't count yet, what it would do.
 */
export function changeOf({ kind, charged, paid, payment }: LedgerLine): number {
  if (payment?.counts !== false) return Math.round((charged - paid) * 100) / 100
  if (kind === 'hours') return 0
  return kind === 'opening' ? payment.amount : -payment.amount
}

/** The part of a balance that its four figures leave out. */
export function explain(balance: Balance, currency: Currency): string {
  return [
    balance.covered_amount > 0 &&
      `${formatAmount(balance.covered_amount, currency)} of the sessions came from prepaid hours`,
    balance.other_amount > 0 &&
      `${formatAmount(balance.other_amount, currency)} for prepaid hours and older debts`,
    balance.hours_left > 0 && `${inHours(balance.hours_left)} of prepaid hours left`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** What a total leaves out, in a sentence: the balances in other currencies, which can't be added up; undefined if there are none. */
export function leftOutOfTotal(
  balances: readonly Pick<Balance, 'currency'>[],
  own: Currency,
): string | undefined {
  const others = [...new Set(balances.map(({ currency }) => currency).filter((one) => one !== own))]
  if (others.length === 0) return undefined
  return `Amounts in ${new Intl.ListFormat('en').format(others)} aren’t included`
}

/** A sentence when prepaid hours, or what was paid ahead, are nearly or completely used up. */
export function prepaidWarning(
  balance: Pick<Balance, 'prepaid' | 'name' | 'hours_left' | 'balance'>,
  currency: Currency,
): string | undefined {
  if (balance.prepaid === 'used_up') return `The prepaid hours with ${balance.name} are used up.`
  if (balance.prepaid !== 'low') return undefined
  return `${balance.hours_left > 0 ? `${inHours(balance.hours_left)} of the prepaid hours` : `${formatAmount(-balance.balance, currency)} of what was paid ahead`} with ${balance.name} ${balance.hours_left > 0 ? 'are' : 'is'} left.`
}
