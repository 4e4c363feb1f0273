// Routes for payments and closed months on the emailed page. They run the same commands as the routes for
// accounts, but for the side without an account.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { addDays, dayIn, monthOf } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { figuresOf, standingOfMonth } from '#features/months/closing.ts'
import { toPage } from '#features/months/month-page.ts'
import {
  closedMonthFile,
  closeMonth,
  refusedToClose,
  reopenMonth,
  withdrawMonth,
  withShownCodes,
} from '#features/months/commands.server.ts'
import { listMonths, readClosing, readMonth } from '#features/months/queries.server.ts'
import { shownCode } from '#features/months/sign-off.ts'
import { inDollars } from '#features/payments/balance.ts'
import { askToDelete, giveAnswer, keep } from '#features/agreements/commands.server.ts'
import { changePayment, PAYMENT, recordPayment } from '#features/payments/commands.server.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import type { Payment } from '#features/payments/payment.ts'
import { listShared, readEmailedWays } from '#features/payments/queries.server.ts'
import { asFile } from '#platform/http/files.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { type Caller, linkCaller, type Services } from '#features/access/admission.server.ts'
import { idempotencyKey } from '#features/access/input.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import {
  ChangePaymentByMail,
  CloseMonthByMail,
  ConfirmPaymentByMail,
  DeletePaymentByMail,
  DisputePaymentByMail,
  DownloadMonthPageByMail,
  KeepPaymentByMail,
  ListMonthsByMail,
  ListPaymentsByMail,
  PayByMail,
  ReadMonthPageByMail,
  ReopenMonthByMail,
  WithdrawMonthByMail,
  WithdrawPaymentByMail,
} from './emailed-money.ts'
import { answerByMail, connectionOfToken, emailedAsker, lockForAnswer } from './queries.server.ts'

/** The page shows at most a year's worth of months. */
const MOST_MONTHS = 12

/** Adds the routes under /api/confirm/payments and /api/confirm/months. */
export function addEmailedMoney(app: FastifyInstance, services: Services): void {
  addPayments(app, services)
  addPaymentAnswers(app, services)
  addMonths(app, services)
  addPages(app, services)
}

/** An emailed link and the address it was sent to. */
type Link = NonNullable<Awaited<ReturnType<typeof connectionOfToken>>>

/**
 * Runs an action as the side that a token's link was sent to. Undefined if the token is invalid. No other
 * transaction is open in the meantime: calls that hold one connection while they wait for another could starve
 * each other.
 */
export async function withLink<Result>(
  services: Services,
  token: string,
  work: (caller: Caller, link: Link) => Promise<Result>,
): Promise<Result | undefined> {
  const now = services.now()
  const link = await services.db.readAsSystem((tx) => connectionOfToken(tx, tokenHash(token), now))
  return link && services.db.asLink(link, (tx) => work(linkCaller(tx, link, now), link))
}

async function seen<Value, Reason extends string>(
  services: Services,
  token: string,
  work: (caller: Caller) => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | 'link_gone'>> {
  return (await withLink(services, token, work)) ?? refused('link_gone')
}

/**
 * Runs an answer as the side that a token's link was sent to. The first accepted answer also accepts the
 * connection request.
 */
function answered<Value, Reason extends string>(
  services: Services,
  token: string,
  work: (caller: Caller) => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | 'link_gone'>> {
  return seen<Value, Reason | 'link_gone'>(services, token, async (caller) => {
    if (!(await lockForAnswer(caller.tx, caller.workspace))) return refused('link_gone')
    const outcome = await work(caller)
    if (outcome.ok) await answerByMail(caller.tx, { id: caller.workspace, side: caller.side }, 'active')
    return outcome
  })
}

function addPayments(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPaymentsByMail, OUTSIDE, ({ input }) =>
    seen(services, input.token, async (caller) => {
      const month = monthOf(dayIn(caller.now, 'UTC'))
      const rows = await existing(readMonth(caller.tx, caller.workspace, month))
      const { balance, on_its_way_amount } = inDollars(figuresOf(rows, month))
      const { ways, changed_at: changedAt } =
        caller.side === 'family'
          ? await readEmailedWays(caller.tx, caller.workspace)
          : { ways: [], changed_at: null }
      return done({
        side: caller.side,
        payments: await sharedOf(caller),
        balance,
        on_its_way_amount,
        currency: rows.currency,
        ways,
        ways_changed_at: changedAt,
      })
    }),
  )

  serve(app, services, PayByMail, OUTSIDE, ({ input, request }) => {
    const key = idempotencyKey(request)
    return answered(services, input.token, async (caller) => {
      const outcome = await recordPayment(caller, {
        ...(key ? { id: idOfKey(caller.workspace, key) } : {}),
        day: input.date,
        kind: input.kind,
        amount: input.amount,
        minutes: input.hours,
        method: input.method,
        isAnother: input.is_another,
      })
      if (outcome.ok) return done(await sharedOne(caller, outcome.value))
      switch (outcome.reason) {
        // These can't happen here: an emailed link isn't tied to a person, and its connection exists for as
        // long as the link works.
        case 'no_tutor':
        case 'no_student':
        case 'unknown_tutor':
        case 'unknown_student':
        case 'not_connected':
        case 'other_currency':
          throw notFound()
        default:
          return refused(outcome.reason)
      }
    })
  })
}

/** Derives a payment's id from the Idempotency-Key, so that a repeated key never records a second payment. */
function idOfKey(connectionId: WorkspaceId, key: string): string {
  const hex = createHash('sha256').update(`payment:${connectionId}:${key}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function addPaymentAnswers(app: FastifyInstance, services: Services): void {
  serve(app, services, ConfirmPaymentByMail, OUTSIDE, ({ input: { token, ...payment } }) =>
    answered(services, token, (caller) => said(caller, giveAnswer(caller, PAYMENT, payment, 'confirm'))),
  )
  serve(app, services, WithdrawPaymentByMail, OUTSIDE, ({ input: { token, ...payment } }) =>
    answered(services, token, (caller) => said(caller, giveAnswer(caller, PAYMENT, payment, 'withdraw'))),
  )
  serve(app, services, DisputePaymentByMail, OUTSIDE, ({ input: { token, note, ...payment } }) =>
    answered(services, token, (caller) =>
      said(caller, giveAnswer(caller, PAYMENT, payment, 'dispute', { note })),
    ),
  )
  serve(app, services, KeepPaymentByMail, OUTSIDE, ({ input: { token, ...payment } }) =>
    answered(services, token, async (caller) => {
      const outcome = await existing(keep(caller, PAYMENT, payment))
      if (!outcome.ok) return outcome
      return done(
        await sharedOne(caller, await existing(PAYMENT.read(caller.tx, caller.workspace, payment.id))),
      )
    }),
  )
  serve(
    app,
    services,
    ChangePaymentByMail,
    OUTSIDE,
    ({ input: { token, id, version, date, amount, method } }) =>
      answered(services, token, async (caller) => {
        const outcome = await existing(changePayment(caller, { id, version }, { day: date, amount, method }))
        if (outcome.ok) return done(await sharedOne(caller, outcome.value))
        switch (outcome.reason) {
          // These can't happen here: a payment on the page already has a connection, and the change doesn't
          // name a person.
          case 'no_tutor':
          case 'no_student':
          case 'unknown_tutor':
          case 'unknown_student':
          case 'other_connection':
            throw notFound()
          default:
            return refused(outcome.reason)
        }
      }),
  )
  serve(app, services, DeletePaymentByMail, OUTSIDE, ({ input: { token, ...payment } }) =>
    answered(services, token, async (caller) => {
      const outcome = await existing(askToDelete(caller, PAYMENT, payment))
      if (!outcome.ok) return outcome
      const asked = await PAYMENT.read(caller.tx, caller.workspace, payment.id)
      return done({ payment: asked ? await sharedOne(caller, asked) : null })
    }),
  )
}

/** Returns the payment as it is after the command. Throws if the page doesn't show it. */
async function said<Reason extends string>(
  caller: Caller,
  work: Promise<Outcome<Payment, Reason> | undefined>,
): Promise<Outcome<SharedPayment, Exclude<Reason, 'not_shared'>>> {
  const outcome = await existing(work)
  if (outcome.ok) return done(await sharedOne(caller, outcome.value))
  if (outcome.reason === 'not_shared') throw notFound()
  return refused(outcome.reason as Exclude<Reason, 'not_shared'>)
}

/**
 * The payments on the page, or only the one with this id. Each has the name of the side that sent the
 * request.
 */
async function sharedOf({ tx, workspace }: Caller, id?: string): Promise<SharedPayment[]> {
  const { name } = await emailedAsker(tx)
  return (await listShared(tx, workspace, id ? { id } : {})).map((one) => ({ ...one, other_name: name }))
}

async function sharedOne(caller: Caller, { id }: Payment): Promise<SharedPayment> {
  return existing(sharedOf(caller, id).then(([payment]) => payment))
}

function addMonths(app: FastifyInstance, services: Services): void {
  serve(app, services, ListMonthsByMail, OUTSIDE, ({ input }) =>
    seen(services, input.token, async (caller) => {
      const { name } = await emailedAsker(caller.tx)
      // The reader's local date may be a day ahead of the server's.
      const until = monthOf(addDays(dayIn(caller.now, 'UTC'), 1))
      const months = []
      for (const month of await listMonths(caller.tx, caller.workspace, until, MOST_MONTHS)) {
        const rows = await existing(readMonth(caller.tx, caller.workspace, month))
        months.push(withShownCodes(standingOfMonth(caller.workspace, name, rows, month, caller.now)))
      }
      return done({ side: caller.side, months })
    }),
  )

  serve(app, services, CloseMonthByMail, OUTSIDE, ({ input: { token, month, version } }) =>
    answered(services, token, async (caller) => {
      const { name: otherName } = await emailedAsker(caller.tx)
      const outcome = await existing(
        closeMonth(caller, { connectionId: caller.workspace, month, otherName }, services.baseUrl, version),
      )
      if (outcome.ok) return done(withShownCodes(outcome.value))
      const other = otherName ?? (caller.side === 'family' ? 'the tutor' : 'the family')
      return refusedToClose(outcome, month, other)
    }),
  )

  serve(app, services, WithdrawMonthByMail, OUTSIDE, ({ input: { token, month } }) =>
    answered(services, token, async (caller) => {
      const { name: otherName } = await emailedAsker(caller.tx)
      const outcome = await existing(
        withdrawMonth(caller, { connectionId: caller.workspace, month, otherName }),
      )
      return outcome.ok ? done(withShownCodes(outcome.value)) : outcome
    }),
  )

  serve(app, services, ReopenMonthByMail, OUTSIDE, ({ input: { token, month, reason } }) =>
    answered(services, token, async (caller) => {
      const { name: otherName } = await emailedAsker(caller.tx)
      const outcome = await existing(
        reopenMonth(caller, { connectionId: caller.workspace, month, otherName }, reason),
      )
      return outcome.ok ? done(withShownCodes(outcome.value)) : outcome
    }),
  )
}

function addPages(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadMonthPageByMail, OUTSIDE, ({ input: { token, month } }) =>
    seen(services, token, async ({ tx, workspace, side }) => {
      const closing = await readClosing(tx, workspace, month)
      if (!closing) return refused('not_closed')
      const page = toPage(workspace, closing.content, closing, side)
      return done({ ...page, code: shownCode(page.code) })
    }),
  )

  serve(
    app,
    services,
    DownloadMonthPageByMail,
    OUTSIDE,
    async ({ limitKey, input: { token, month }, reply }) => {
      const found = await seen(services, token, async ({ tx, workspace }) => {
        const closing = await readClosing(tx, workspace, month)
        return closing ? done(closing) : refused('not_closed')
      })
      if (!found.ok) return found
      const { name, bytes } = await closedMonthFile(limitKey, month, found.value)
      asFile(reply, name, 'application/pdf')
      return done(bytes)
    },
  )
}

async function existing<Found>(found: Promise<Found | undefined>): Promise<Found> {
  const value = await found
  if (!value) throw notFound()
  return value
}
