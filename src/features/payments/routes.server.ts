// The routes of payments and balances.
import type { FastifyInstance } from 'fastify'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Role } from '#kernel/endpoint.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { dollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { hours } from '#kernel/duration.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { listTutors, readTutor } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import {
  figuresBetween,
  inDollars,
  ledgerOf,
  ReadBalances,
  ReadLedger,
  toBalance,
  totalOf,
} from './balance.ts'
import {
  AddPayment,
  DeletePayment,
  keptWithOf,
  ListPayments,
  MAX_PAYMENTS,
  ReadPayment,
  UpdatePayment,
  whatIsMissing,
} from './payment.ts'
import { SetPaymentWays } from './own-ways.ts'
import { ListConnectionPaymentWays, ListPaymentWays } from './payment-way.ts'
import {
  connectionOfTutor,
  deletePayment,
  insertPayment,
  listPayments,
  lockPayment,
  partyName,
  type PaymentRow,
  readAccounts,
  readConnectionWays,
  readHistory,
  readPayment,
  readWays,
  replaceWays,
  updatePayment,
} from './queries.server.ts'

/** Adds the routes under /api/v1/payments and /api/v1/balances. */
export function addPaymentRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPayments, async ({ tx, workspace, input }) =>
    done(await listPayments(tx, workspace, input.from, input.to)),
  )

  serve(app, services, ReadPayment, async ({ tx, workspace, params }) => {
    const payment = await readPayment(tx, workspace, params.id)
    if (!payment) throw notFound()
    return done(payment)
  })

  serve(app, services, AddPayment, async ({ tx, user, workspace, input }) => {
    const row: PaymentRow = {
      tutor_id: input.tutor_id ?? (user.role === 'parent' ? null : await ownRow(tx, workspace)),
      student_id: input.student_id ?? null,
      day: input.date,
      kind: input.kind,
      amount_cents: input.amount,
      prepaid_minutes: input.kind === 'hours' ? (input.hours ?? null) : null,
      method: input.method ?? null,
      note: input.note ?? null,
    }
    const reason = missingIn(row, user.role) ?? (await unknownIn(tx, workspace, row))
    if (reason) return refused(reason)
    const id = await insertPayment(tx, workspace, row, MAX_PAYMENTS)
    const payment = id && (await readPayment(tx, workspace, id))
    return payment ? done(payment) : refused('too_many_rows')
  })

  serve(app, services, UpdatePayment, async ({ tx, user, workspace, params, input, expectedVersion }) => {
    const stored = await lockPayment(tx, workspace, params.id)
    if (!stored) throw notFound()
    const { version, ...before } = stored
    if (expectedVersion !== undefined && expectedVersion !== version) return refused('changed')
    const kind = input.kind ?? before.kind
    const row: PaymentRow = {
      tutor_id: input.tutor_id === undefined ? before.tutor_id : input.tutor_id,
      student_id: input.student_id === undefined ? before.student_id : input.student_id,
      day: input.date ?? before.day,
      kind,
      amount_cents: input.amount ?? before.amount_cents,
      prepaid_minutes:
        kind !== 'hours' ? null : input.hours === undefined ? before.prepaid_minutes : input.hours,
      method: input.method === undefined ? before.method : input.method,
      note: input.note === undefined ? before.note : input.note,
    }
    // The payment of someone who was deleted can still be mended.
    const isOrphan = keptWithOf(user.role) === 'tutor' ? before.tutor_id === null : before.student_id === null
    const missing = missingIn(row, user.role)
    const reason =
      (isOrphan && (missing === 'no_tutor' || missing === 'no_student') ? undefined : missing) ??
      (await unknownIn(tx, workspace, row, before))
    if (reason) return refused(reason)
    await updatePayment(tx, workspace, params.id, row)
    const payment = await readPayment(tx, workspace, params.id)
    if (!payment) throw notFound()
    return done(payment)
  })

  serve(app, services, DeletePayment, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deletePayment(tx, workspace, params.id, expectedVersion)) return done(undefined)
    if (!(await readPayment(tx, workspace, params.id))) throw notFound()
    return refused('changed')
  })

  serve(app, services, ReadBalances, async ({ tx, user, workspace, input }) => {
    const keptWith = keptWithOf(user.role)
    const { from, to } = daysOfMonth(input.month)
    const accounts = await readAccounts(tx, workspace, keptWith, from, to)
    return done({
      month: input.month,
      total: inDollars(totalOf(accounts.map(({ figures }) => figures))),
      balances: accounts.map(({ id, name, figures }) => toBalance(id, name, figures)),
    })
  })

  serve(app, services, ReadLedger, async ({ tx, user, workspace, input }) => {
    const keptWith = keptWithOf(user.role)
    const { from, to } = daysOfMonth(input.month)
    const id = input.with === 'unknown' ? null : input.with.toLowerCase()
    const name = await partyName(tx, workspace, keptWith, id)
    if (!name) throw notFound()
    const lines = ledgerOf(await readHistory(tx, workspace, keptWith, to, id))
    return done({
      month: input.month,
      balance: {
        ...toBalance(id, name, figuresBetween(lines, from, to)),
        connection_id: keptWith === 'tutor' ? await connectionOfTutor(tx, workspace, id) : null,
      },
      lines: lines
        .filter(({ entry }) => entry.day >= from)
        .map(({ entry, ...line }) => ({
          id: entry.id,
          kind: entry.kind,
          date: entry.day,
          student_name: entry.studentName,
          subject: entry.subject,
          hours: hours(entry.minutes),
          covered_hours: hours(line.covered),
          amount: entry.amount === null ? null : dollars(entry.amount),
          charged: dollars(line.charged),
          paid: dollars(line.paid),
          balance: dollars(line.balance),
          hours_left: hours(line.left),
          payment: entry.payment,
        })),
    })
  })
}

/** Adds the routes under /api/v1/payment-ways, and what a family reads of them by its connection. */
export function addPaymentWayRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPaymentWays, async ({ tx, workspace }) => done(await readWays(tx, workspace)))

  serve(app, services, SetPaymentWays, async ({ tx, workspace, input, expectedVersion }) => {
    const ids = input.ways.flatMap(({ id }) => id?.toLowerCase() ?? [])
    if (new Set(ids).size < ids.length) return refused('same_way')
    if (!(await replaceWays(tx, workspace, input.ways, expectedVersion))) return refused('changed')
    return done(await readWays(tx, workspace))
  })

  serve(app, services, ListConnectionPaymentWays, async ({ tx, workspace, params }) => {
    const ways = await readConnectionWays(tx, workspace, params.id)
    if (!ways) throw notFound()
    return done({ ways })
  })
}

function missingIn(row: PaymentRow, role: Role | null) {
  return whatIsMissing(
    {
      kind: row.kind,
      amount: row.amount_cents,
      hours: row.prepaid_minutes,
      tutorId: row.tutor_id,
      studentId: row.student_id,
    },
    keptWithOf(role),
  )
}

async function unknownIn(
  tx: Tx,
  workspaceId: WorkspaceId,
  row: PaymentRow,
  before?: PaymentRow,
): Promise<'unknown_tutor' | 'unknown_student' | undefined> {
  if (row.tutor_id && row.tutor_id !== before?.tutor_id && !(await readTutor(tx, workspaceId, row.tutor_id)))
    return 'unknown_tutor'
  if (
    row.student_id &&
    row.student_id !== before?.student_id &&
    !(await readStudent(tx, workspaceId, row.student_id))
  )
    return 'unknown_student'
  return undefined
}

async function ownRow(tx: Tx, workspaceId: WorkspaceId): Promise<string | null> {
  return (await listTutors(tx, workspaceId)).find((tutor) => tutor.is_self)?.id ?? null
}
