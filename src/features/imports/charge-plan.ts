// Turns a file's cells into charges and credits to record. A line is read first. Whether it can be recorded depends on
// whose account it belongs to, which only the database knows (docs/decisions/0047-charges-from-a-spreadsheet.md).
import { type Charge, ChargeAmount, MAX_LABEL } from '#features/charges/charge.ts'
import { isTooFarAhead, type Reason, REASONS } from '#features/payments/payment.ts'
import { REASON_LABELS } from '#features/payments/payment-words.ts'
import { monthClosed } from '#features/access/closed-month.ts'
import { monthOf } from '#kernel/calendar-day.ts'
import {
  amountAsTyped,
  type Cents,
  centsOfDollars,
  type Currency,
  formatPlainAmount,
  leastAmountOf,
  noDecimals,
  twoAmountsOf,
} from '#kernel/money.ts'
import { type DateOrders, plainMoney, plainWords } from './cell.ts'
import type { Columns } from './import.ts'
import {
  type Books,
  type Cell,
  cellsOf,
  dateOf,
  type Find,
  type Finders,
  findersOf,
  type ForAll,
  inOtherCurrency,
  type Plan,
  type Planned,
  type RefusedLine,
  shortened,
  type Skips,
  sortOut,
  whyNotSaved,
} from './line.ts'

type Side = 'family' | 'practice'
type OnList = { id: string } | null

export interface PlannedCharge extends Planned {
  student: OnList
  tutor: OnList
  amount: Cents
  reason: Reason
  label: string | null
  /** The amount's cell and its column's name, which may mention a currency. */
  money: string[]
  /** The code in a column of currencies. */
  code: string | null
}

/** The account that a charge belongs to. */
export interface Account {
  connectionId: string | null
  currency: Currency
  /** Whether several families share the student, so that the line doesn't say whose charge it is. */
  isUnclear: boolean
  isClosed: boolean
}

/** A charge as planned, in its account's currency. */
export type PlacedCharge = PlannedCharge & { account: Account }

/** Reads every line. */
export function readCharges(
  lines: readonly { line: number; cells: readonly string[] }[],
  columns: Columns,
  orders: DateOrders,
  books: Books,
  header: readonly string[] = [],
  all: ForAll = {},
): (PlannedCharge | RefusedLine)[] {
  const finders = findersOf(books, columns, all)
  const side = books.self ? 'practice' : 'family'
  return lines.map(({ line, cells }) => {
    const cell = cellsOf(cells, columns)
    const read = readLine(cell, orders, { side, ...books }, finders)
    if ('problem' in read) return { line, ...read }
    const money = [cell('amount'), header[columns.amount ?? -1] ?? '']
    return { line, ...read, money, code: cell('currency') || null, toCheck: null }
  })
}

function readLine(
  cell: Cell,
  orders: DateOrders,
  { side, now, currency }: { side: Side } & Pick<Books, 'now' | 'currency'>,
  { students, tutors }: Finders,
): Omit<PlannedCharge, 'line' | 'money' | 'code' | 'toCheck'> | { problem: string } {
  const date = dateOf(cell('date'), orders)
  if ('problem' in date) return date
  if (isTooFarAhead(date.day, now)) return { problem: "A charge can't be dated later than tomorrow" }
  const student = onList(students, cell('student'), false)
  if ('problem' in student) return student
  const tutor = onList(tutors, cell('tutor'), side === 'family')
  if ('problem' in tutor) return tutor
  const amount = signedAmount(cell('amount'), currency)
  if ('problem' in amount) return amount
  const unsaved = whyNotSaved(cell, [], [cell('reason'), cell('label')])
  if (unsaved) return { problem: unsaved }
  const what = whatFor(cell('reason'), cell('label'))
  if (what.label && what.label.length > MAX_LABEL)
    return { problem: `What it’s for is longer than ${MAX_LABEL} characters` }
  return {
    student: student.person,
    tutor: tutor.person,
    studentName: student.name,
    tutorName: tutor.name,
    day: date.day,
    amount: amount.amount,
    ...what,
  }
}

/** A line's person. Nobody is added to a list for a charge, which may belong to what's shared with someone. */
function onList(
  find: Find,
  name: string,
  isNeeded: boolean,
): { person: OnList; name: string } | { problem: string } {
  const found = find(name)
  if ('problem' in found) return name === '' && !isNeeded ? { person: null, name } : found
  const { person } = found
  if (person && 'id' in person) return { person, name: found.name }
  // A deleted child or student.
  if (!person && !isNeeded) return { person, name: found.name }
  return { problem: `“${shortened(name)}” isn't on your list. Add them first, or correct the name.` }
}

/** A line's amount, negative for a credit. */
function signedAmount(cell: string, currency: Currency): { amount: Cents } | { problem: string } {
  const written = plainMoney(cell)
  if (/^[-–—]?$/.test(written)) return { problem: 'The amount is missing' }
  const read = amountAsTyped(written, currency)
  if ('problem' in read) return { problem: `“${shortened(cell)}”: ${read.problem}` }
  const text = read.amount
  const size = text.replace(/^-/, '')
  const both = twoAmountsOf(size)
  if (both) {
    const [one, other] = both.map(formatPlainAmount)
    return { problem: `“${shortened(cell)}” could be ${one} or ${other}. Write it with two decimals.` }
  }
  const amount = ChargeAmount.safeParse(text)
  if (amount.success) return { amount: amount.data }
  return {
    problem:
      /\d/.test(size) && !/\p{L}/u.test(size)
        ? (amount.error.issues[0]?.message ?? '')
        : `“${shortened(cell)}” isn't a valid amount`,
  }
}

const BY_NAME = new Map(
  REASONS.flatMap((reason) =>
    [reason.replaceAll('_', ' '), plainWords(REASON_LABELS[reason])].map((name) => [name, reason] as const),
  ),
)

/** Why it's charged, and what for. A reason in someone's own words is what it's for. */
function whatFor(reasonCell: string, labelCell: string): { reason: Reason; label: string | null } {
  const reason = BY_NAME.get(plainWords(reasonCell).replaceAll('_', ' '))
  const label = [reason ? '' : reasonCell, labelCell].filter(Boolean).join(': ')
  return { reason: reason ?? 'other', label: label || null }
}

/** Plans lines that were read, given each one's account and the charges that are recorded on their days. */
export function planCharges(
  lines: readonly (PlannedCharge | RefusedLine)[],
  accounts: readonly Account[],
  recorded: readonly Charge[],
  side: Side,
  skips: Skips,
): Plan<PlacedCharge> {
  const left = Map.groupBy(recorded, ({ date }) => date)
  let place = 0
  const placed = lines.map((line) => {
    const account = 'problem' in line ? undefined : accounts[place++]
    return 'problem' in line || !account ? (line as RefusedLine) : { ...line, account }
  })
  return sortOut(
    placed,
    (line) => {
      const sameDay = left.get(line.day) ?? []
      const same = sameDay.filter((charge) => isSame(line, charge, side))
      const match = same.find((charge) => charge.student_id === (line.student?.id ?? null)) ?? same[0]
      if (match) sameDay.splice(sameDay.indexOf(match), 1)
      return match !== undefined
    },
    skips,
    (line) => problemOf(line, side),
  )
}

/** Whether a line may be a recorded charge. A charge needs no child, so a line with one may be a charge without. */
function isSame(line: PlacedCharge, charge: Charge, side: Side): boolean {
  const facts = [line.amount, line.reason, line.label]
  const theirs = [centsOfDollars(charge.amount), charge.reason, charge.label]
  if (!facts.every((fact, at) => fact === theirs[at])) return false
  const student = line.student?.id ?? null
  // Whose it is, a practice's line doesn't say without a student.
  if (side === 'practice' && student === null) return charge.student_id === null
  const { connectionId } = line.account
  return (
    charge.connection_id === connectionId &&
    (connectionId !== null || charge.tutor_id === (line.tutor?.id ?? null)) &&
    (student === null || charge.student_id === null || charge.student_id === student)
  )
}

/** Why a charge that isn't recorded yet can't be, in its account. */
function problemOf(line: PlacedCharge, side: Side): Omit<RefusedLine, 'line'> | undefined {
  const { connectionId, currency, isUnclear, isClosed } = line.account
  if (side === 'practice' && !line.student) return { problem: 'The student is missing' }
  const problem = inOtherCurrency(line.money, currency, line.code)
  if (problem) return { problem }
  if (line.amount % leastAmountOf(currency) !== 0) return { problem: noDecimals(currency) }
  if (isUnclear)
    return {
      problem: `Several families share ${line.studentName}. Add this one under Payments, where you choose.`,
    }
  if (!isClosed || connectionId === null) return undefined
  const closed = { connection_id: connectionId, month: monthOf(line.day) }
  return { problem: monthClosed(closed).title, closed }
}
