// The routes of payments and balances.
import type { FastifyInstance } from 'fastify'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Role } from '#kernel/endpoint.ts'
import { dollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { hours } from '#kernel/duration.ts'
import { listStudents, readStudent } from '#features/students/queries.server.ts'
import { listTutors, readTutor } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { type Balance, figuresBetween, inDollars, isWorthALine, ledgerOf, ReadBalances, ReadLedger, toBalance, totalOf } from './balance.ts'
import { AddPayment, DeletePayment, type KeptWith, ListPayments, MAX_PAYMENTS, ReadPayment, UpdatePayment, whatIsMissing } from './payment.ts'
import { deletePayment, type HistoryEntry, insertPayment, listPayments, lockPayment, type PaymentRow, readHistory, readPayment, updatePayment } from './queries.server.ts'

/** Adds the routes under /api/v1/payments and /api/v1/balances. */
export function addPaymentRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPayments, async ({ tx, user, input }) => done(await listPayments(tx, user.id, input.from, input.to)))

  serve(app, services, ReadPayment, async ({ tx, user, params }) => {
    const payment = await readPayment(tx, user.id, params.id)
    if (!payment) throw notFound()
    return done(payment)
  })

  serve(app, services, AddPayment, async ({ tx, user, input }) => {
    const row: PaymentRow = {
      tutor_id: input.tutor_id ?? (user.role === 'parent' ? null : await ownRow(tx, user.id)), student_id: input.student_id ?? null, day: input.date, kind: input.kind, amount_cents: input.amount,
      prepaid_minutes: input.kind === 'hours' ? (input.hours ?? null) : null, method: input.method ?? null, note: input.note ?? null,
    }
    const reason = missingIn(row, user.role) ?? (await unknownIn(tx, user.id, row))
    if (reason) return refused(reason)
    const id = await insertPayment(tx, user.id, row, MAX_PAYMENTS)
    const payment = id && (await readPayment(tx, user.id, id))
    return payment ? done(payment) : refused('too_many_rows')
  })

  serve(app, services, UpdatePayment, async ({ tx, user, params, input, expectedVersion }) => {
    const stored = await lockPayment(tx, user.id, params.id)
    if (!stored) throw notFound()
    const { version, ...before } = stored
    if (expectedVersion !== undefined && expectedVersion !== version) return refused('changed')
    const kind = input.kind ?? before.kind
    const row: PaymentRow = {
      tutor_id: input.tutor_id === undefined ? before.tutor_id : input.tutor_id, student_id: input.student_id === undefined ? before.student_id : input.student_id,
      day: input.date ?? before.day, kind, amount_cents: input.amount ?? before.amount_cents,
      prepaid_minutes: kind !== 'hours' ? null : input.hours === undefined ? before.prepaid_minutes : input.hours,
      method: input.method === undefined ? before.method : input.method, note: input.note === undefined ? before.note : input.note,
    }
    // The payment of someone who was deleted can still be mended.
    const isOrphan = keptWithOf(user.role) === 'tutor' ? before.tutor_id === null : before.student_id === null
    const missing = missingIn(row, user.role)
    const reason = (isOrphan && (missing === 'no_tutor' || missing === 'no_student') ? undefined : missing) ?? (await unknownIn(tx, user.id, row, before))
    if (reason) return refused(reason)
    await updatePayment(tx, user.id, params.id, row)
    const payment = await readPayment(tx, user.id, params.id)
    if (!payment) throw notFound()
    return done(payment)
  })

  serve(app, services, DeletePayment, async ({ tx, user, params, expectedVersion }) => {
    if (await deletePayment(tx, user.id, params.id, expectedVersion)) return done(undefined)
    if (!(await readPayment(tx, user.id, params.id))) throw notFound()
    return refused('changed')
  })

  serve(app, services, ReadBalances, async ({ tx, user, input }) => {
    const keptWith = keptWithOf(user.role)
    const { from, to } = daysOfMonth(input.month)
    const names = await namesOf(tx, user.id, keptWith)
    const accounts = [...byParty(await readHistory(tx, user.id, keptWith, to))].map(([id, entries]) => ({ id, figures: figuresBetween(ledgerOf(entries), from, to) })).filter(({ figures }) => isWorthALine(figures))
    const balances = accounts.map(({ id, figures }) => toBalance(id, nameOf(names, id, keptWith), figures)).sort(byName)
    return done({ month: input.month, total: inDollars(totalOf(accounts.map(({ figures }) => figures))), balances })
  })

  serve(app, services, ReadLedger, async ({ tx, user, input }) => {
    const keptWith = keptWithOf(user.role)
    const { from, to } = daysOfMonth(input.month)
    const id = input.with === 'unknown' ? null : input.with.toLowerCase()
    const names = await namesOf(tx, user.id, keptWith)
    if (id !== null && !names.has(id)) throw notFound()
    const lines = ledgerOf(await readHistory(tx, user.id, keptWith, to, id))
    return done({
      month: input.month, balance: toBalance(id, nameOf(names, id, keptWith), figuresBetween(lines, from, to)),
      lines: lines.filter(({ entry }) => entry.day >= from).map(({ entry, ...line }) => ({
        id: entry.id, kind: entry.kind, date: entry.day, student_name: entry.studentName, subject: entry.subject, hours: hours(entry.minutes), covered_hours: hours(line.covered),
        amount: entry.amount === null ? null : dollars(entry.amount), charged: dollars(line.charged), paid: dollars(line.paid), balance: dollars(line.balance), hours_left: hours(line.left), payment: entry.payment,
      })),
    })
  })
}

/** Families keep a balance with every tutor, tutors with every student. */
export function keptWithOf(role: Role | null): KeptWith {
  return role === 'parent' ? 'tutor' : 'student'
}

function missingIn(row: PaymentRow, role: Role | null) {
  return whatIsMissing({ kind: row.kind, amount: row.amount_cents, hours: row.prepaid_minutes, tutorId: row.tutor_id, studentId: row.student_id }, keptWithOf(role))
}

async function unknownIn(tx: Tx, ownerId: string, row: PaymentRow, before?: PaymentRow): Promise<'unknown_tutor' | 'unknown_student' | undefined> {
  if (row.tutor_id && row.tutor_id !== before?.tutor_id && !(await readTutor(tx, ownerId, row.tutor_id))) return 'unknown_tutor'
  if (row.student_id && row.student_id !== before?.student_id && !(await readStudent(tx, ownerId, row.student_id))) return 'unknown_student'
  return undefined
}

async function ownRow(tx: Tx, ownerId: string): Promise<string | null> {
  return (await listTutors(tx, ownerId)).find((tutor) => tutor.is_self)?.id ?? null
}

async function namesOf(tx: Tx, ownerId: string, keptWith: KeptWith): Promise<Map<string, string>> {
  const rows = keptWith === 'tutor' ? await listTutors(tx, ownerId, 'all') : await listStudents(tx, ownerId, 'all')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function nameOf(names: Map<string, string>, id: string | null, keptWith: KeptWith): string {
  return (id === null ? undefined : names.get(id)) ?? (keptWith === 'tutor' ? 'Unknown Tutor' : 'Unknown Student')
}

function byParty(history: HistoryEntry[]): Map<string | null, HistoryEntry[]> {
  const parties = new Map<string | null, HistoryEntry[]>()
  for (const entry of history) {
    const own = parties.get(entry.partyId)
    if (own) own.push(entry)
    else parties.set(entry.partyId, [entry])
  }
  return parties
}

function byName(a: Balance, b: Balance): number {
  return Number(a.id === null) - Number(b.id === null) || a.name.localeCompare(b.name)
}
