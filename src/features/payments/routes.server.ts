// Routes for payments and balances.
import type { FastifyInstance } from 'fastify'
import { type CalendarDay, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { readCurrency, readTimeZone } from '#features/workspaces/queries.server.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import {
  acceptProposal,
  askToDelete,
  dispute,
  giveAnswer,
  keep,
} from '#features/agreements/commands.server.ts'
import {
  countsInTotal,
  figuresBetween,
  inDollars,
  ReadBalances,
  ReadLedger,
  toBalance,
  totalOf,
} from './balance.ts'
import { owedAsOf, toOwed } from './owed.ts'
import { changePayment, PAYMENT, recordPayment, refuseOwnFields, sharePayments } from './commands.server.ts'
import {
  AcceptPayment,
  ConfirmPayment,
  DisputePayment,
  KeepPayment,
  ListUnsharedPayments,
  ListWaitingPayments,
  SharePayments,
  WithdrawPaymentConfirmation,
} from './confirmation.ts'
import {
  AddPayment,
  DeletePayment,
  keptWithOf,
  listedDays,
  ListPayments,
  type Method,
  type PaymentKind,
  ReadPayment,
  UpdatePayment,
} from './payment.ts'
import { ReadPaymentHistory } from './history.ts'
import { SetPaymentWays } from './own-ways.ts'
import { ListConnectionPaymentWays, ListPaymentWays } from './payment-way.ts'
import { listPayments, listShared, paymentsWith, readPaymentHistory, readPayment } from './queries.server.ts'
import { listUnshared, accountsWorthALine, readLedger, readLedgers } from './balance-queries.server.ts'
import { readConnectionWays, readWays, replaceWays, tellOfWays } from './way-queries.server.ts'

/** Adds the routes under /api/v1/payments and /api/v1/balances. */
export function addPaymentRoutes(app: FastifyInstance, services: Services): void {
  addRecords(app, services)
  addAnswers(app, services)
  addBalances(app, services)
}

function addRecords(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPayments, WITHIN, async ({ tx, user, workspace, input }) => {
    if (input.reference) return done(await paymentsWith(tx, workspace, input.reference))
    const isCurrentMonth = !(input.from || input.to || input.today)
    const timeZone = isCurrentMonth ? await readTimeZone(tx, user.id) : null
    const { from, to } = listedDays(input, input.today ?? dayIn(services.now(), timeZone ?? 'UTC'))
    return done(await listPayments(tx, workspace, from, to))
  })

  serve(app, services, ReadPayment, WITHIN, async ({ tx, workspace, params }) => {
    const payment = await readPayment(tx, workspace, params.id)
    if (!payment) throw notFound()
    return done(payment)
  })

  serve(app, services, AddPayment, WITHIN, async ({ caller, input }) => {
    refuseOwnFields(caller, input)
    return recordPayment(caller, {
      ...detailsOf(input),
      connectionId: input.connection_id?.toLowerCase(),
      currency: input.currency,
      isAnother: input.is_another,
      reference: input.reference,
    })
  })

  serve(app, services, UpdatePayment, WITHIN, async ({ caller, params, input, expectedVersion: version }) => {
    refuseOwnFields(caller, input)
    return found(changePayment(caller, { ...params, version }, detailsOf(input)))
  })

  serve(app, services, DeletePayment, WITHIN, async ({ caller, params, expectedVersion: version, reply }) => {
    const outcome = await found(askToDelete(caller, PAYMENT, { ...params, version }))
    if (!outcome.ok) return outcome
    if (outcome.value === 'deleted') return done(undefined)
    reply.status(202)
    const payment = await found(readPayment(caller.tx, caller.workspace, params.id))
    return done({ code: 'deletion_requested' as const, version: payment.version })
  })
}

function addAnswers(app: FastifyInstance, services: Services): void {
  serve(app, services, ListWaitingPayments, WITHIN, async ({ tx, workspace }) =>
    done({
      payments: await listShared(tx, workspace, { only: 'waiting' }),
      sent_back: await listShared(tx, workspace, { only: 'sent_back' }),
    }),
  )

  serve(app, services, ListUnsharedPayments, WITHIN, async ({ tx, user, workspace }) =>
    done({ payments: await listUnshared(tx, workspace, keptWithOf(user.role)) }),
  )

  serve(app, services, ReadPaymentHistory, WITHIN, async ({ tx, user, workspace, params, caller }) => {
    const reader = { accountId: user.id, workspaceId: workspace, side: caller.side }
    const entries = await readPaymentHistory(tx, reader, params.id)
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  serve(app, services, ConfirmPayment, WITHIN, async ({ caller, params, expectedVersion: version }) =>
    found(giveAnswer(caller, PAYMENT, { ...params, version }, 'confirm')),
  )
  serve(
    app,
    services,
    WithdrawPaymentConfirmation,
    WITHIN,
    async ({ caller, params, expectedVersion: version }) =>
      found(giveAnswer(caller, PAYMENT, { ...params, version }, 'withdraw')),
  )
  serve(
    app,
    services,
    DisputePayment,
    WITHIN,
    async ({ caller, params, input, expectedVersion: version }) => {
      const { note = null, proposal: { is_removal: isRemoval, date: day, amount } = {} } = input
      const proposes = isRemoval ? 'removal' : given({ day, amount_cents: amount })
      return found(dispute(caller, PAYMENT, { ...params, version }, { note, proposes }))
    },
  )
  serve(app, services, AcceptPayment, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(acceptProposal(caller, PAYMENT, { ...params, version }))
    if (!outcome.ok) return outcome
    return done(outcome.value === 'deleted' ? undefined : outcome.value)
  })
  serve(app, services, KeepPayment, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(keep(caller, PAYMENT, { ...params, version }))
    return outcome.ok ? done(await found(readPayment(caller.tx, caller.workspace, params.id))) : outcome
  })
  serve(app, services, SharePayments, WITHIN, async ({ member, input }) => {
    const outcome = await found(
      sharePayments(
        member,
        input.payments.map((id) => id.toLowerCase()),
      ),
    )
    return outcome.ok ? done({ payments: outcome.value }) : outcome
  })
}

function addBalances(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadBalances, WITHIN, async ({ tx, user, workspace, input }) => {
    const { from, to } = daysOfMonth(input.month)
    const today = input.today ?? dayIn(services.now(), (await readTimeZone(tx, user.id)) ?? 'UTC')
    const until = today > to ? today : to
    const ledgers = await readLedgers(tx, workspace, keptWithOf(user.role), until)
    const accounts = accountsWorthALine(ledgers, from, to)
    const currency = await readCurrency(tx, workspace)
    return done({
      month: input.month,
      as_of: today,
      owed: owedAsOf(ledgers, today, currency).map((one) => toOwed(one, today)),
      total: inDollars(
        totalOf(accounts.filter((one) => countsInTotal(one, currency)).map(({ figures }) => figures)),
      ),
      balances: accounts.map((account) => toBalance(account, account.figures)),
      accounts: ledgers.filter(({ id, connection_id }) => id ?? connection_id),
    })
  })

  serve(app, services, ReadLedger, WITHIN, async ({ tx, user, workspace, input }) => {
    const { from, to } = daysOfMonth(input.month)
    const ledger = await readLedger(tx, workspace, keptWithOf(user.role), to, input.with.toLowerCase())
    if (!ledger) throw notFound()
    return done({
      month: input.month,
      balance: toBalance(ledger, figuresBetween(ledger.lines, from, to)),
      lines: ledger.lines
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
          standing: entry.standing,
          payment: entry.payment,
          charge: entry.charge,
        })),
    })
  })
}

/**
 * Adds the routes under /api/v1/payment-ways, and the route that lets a connected family read its tutor's
 * options.
 */
export function addPaymentWayRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPaymentWays, WITHIN, async ({ tx, workspace }) =>
    done(await readWays(tx, workspace)),
  )

  serve(app, services, SetPaymentWays, WITHIN, async ({ tx, workspace, input, expectedVersion }) => {
    const ids = input.ways.flatMap(({ id }) => id?.toLowerCase() ?? [])
    if (new Set(ids).size < ids.length) return refused('same_way')
    const replaced = await replaceWays(tx, workspace, input.ways, expectedVersion)
    if (!replaced) return refused('changed')
    if (replaced.isOther) await tellOfWays(tx, services.now())
    return done(await readWays(tx, workspace))
  })

  serve(app, services, ListConnectionPaymentWays, WITHIN, async ({ tx, user, workspace, params }) => {
    const today = dayIn(services.now(), (await readTimeZone(tx, user.id)) ?? 'UTC')
    const ways = await readConnectionWays(tx, workspace, params.id, monthOf(today))
    if (!ways) throw notFound()
    return done(ways)
  })
}

/** Converts the payment in a request to the details that the commands take. */
function detailsOf<Input extends { date?: CalendarDay; kind?: PaymentKind; amount?: Cents } & Details>(
  input: Input,
) {
  return {
    tutorId: input.tutor_id,
    studentId: input.student_id,
    day: input.date as Input['date'],
    kind: input.kind as Input['kind'],
    amount: input.amount as Input['amount'],
    minutes: input.hours,
    method: input.method,
    note: input.note,
  }
}

interface Details {
  tutor_id?: string | null
  student_id?: string | null
  hours?: Minutes | null
  method?: Method | null
  note?: string | null
}
