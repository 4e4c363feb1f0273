// Several children in one lesson: who they are, what each pays, and what's sent.
import { type Cents, cents, type Currency, dollars, formatMoney } from '#kernel/money.ts'
import { compareNames } from '#kernel/names.ts'
import { isolated } from '#kernel/isolate.ts'
import { amountAt, sharesOf } from '#features/prices/price.ts'
import type { ListedStudent } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import type { WaitingSession } from './waiting.ts'
import { runningTotal, type SessionFields, toNewSession, usualPriceOf } from './session-form.ts'

/** The ids of the other students in the lesson. */
export function othersIn({
  others,
  student_id: first,
}: Pick<SessionFields, 'others' | 'student_id'>): string[] {
  return (others ?? '').split(' ').filter((id) => id !== '' && id !== first)
}

interface Part {
  name: string
  amount: Cents | null
}

/** What each student of the lesson pays, by name. Empty if it's for one only. */
export function partsOf(
  fields: SessionFields,
  students: readonly ListedStudent[],
  tutors: readonly Tutor[],
  currency: Currency,
): Part[] {
  const others = othersIn(fields)
  const taught = students
    .filter(({ id }) => id === fields.student_id || others.includes(id))
    .sort((a, b) => compareNames(a.name, b.name))
  if (others.length === 0 || taught.length < 2) return []
  const totals = taught.map(({ id, name }) => ({
    name,
    total: runningTotal(fields, usualPriceOf({ ...fields, student_id: id }, students, tutors), currency),
  }))
  const first = totals[0]?.total
  if (fields.price_for !== 'shared')
    return totals.map(({ name, total }) => ({ name, amount: total?.amount ?? null }))
  const amount = first ? amountAt(first.price, first.minutes, currency) : null
  const shares = amount === null ? [] : sharesOf(amount, taught.length, currency)
  return totals.map(({ name }, place) => ({ name, amount: shares[place] ?? null }))
}

/** "Maya €16.25 and Theo €16.25". Undefined if nobody's price is known. */
export function partsInWords(parts: readonly Part[], currency: Currency): string | undefined {
  if (parts.every(({ amount }) => amount === null)) return undefined
  return LIST.format(
    parts.map(
      ({ name, amount }) => `${isolated(name)} ${amount === null ? '–' : formatMoney(amount, currency)}`,
    ),
  )
}

const LIST = new Intl.ListFormat('en-US')

/** What all pay together. Null if nobody's price is known. */
export function sumOf(parts: readonly Part[]): Cents | null {
  const amounts = parts.flatMap(({ amount }) => amount ?? [])
  return amounts.length === 0 ? null : cents(amounts.reduce((sum, amount) => sum + amount, 0))
}

/** A lesson of several students on the device, which is sent in one request. */
export function waitingForAll(
  first: WaitingSession,
  fields: SessionFields,
  { students, tutors }: { students: readonly ListedStudent[]; tutors: readonly Tutor[] },
  currency: Currency,
): WaitingSession {
  const [, ...others] = toSeveral(fields)
  if (others.length === 0) return first
  const parts = partsOf(fields, students, tutors, currency)
  const amount = sumOf(parts)
  return {
    ...first,
    others,
    sharesOnePrice: fields.price_for === 'shared',
    shown: {
      ...first.shown,
      student: LIST.format(parts.map(({ name }) => name)),
      amount: amount === null ? null : dollars(amount),
    },
  }
}

/** The requests that log the lesson, one for each student. Only the first uses a make-up, or a family that was chosen. */
export function toSeveral(fields: SessionFields): ReturnType<typeof toNewSession>[] {
  return [
    toNewSession(fields),
    ...othersIn(fields).map((student_id) =>
      toNewSession({ ...fields, student_id, connection_id: '', makes_up: '' }),
    ),
  ]
}
