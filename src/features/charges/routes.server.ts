// Routes for charges and credits.
import type { FastifyInstance } from 'fastify'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { Cents } from '#kernel/money.ts'
import { done } from '#kernel/outcome.ts'
import type { Services } from '#features/access/admission.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import { acceptProposal, askToDelete, giveAnswer, keep } from '#features/agreements/commands.server.ts'
import { refuseOwnFields } from '#features/payments/commands.server.ts'
import { listedDays, type Reason } from '#features/payments/payment.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import {
  AcceptCharge,
  AddCharge,
  ConfirmCharge,
  DeleteCharge,
  DisputeCharge,
  KeepCharge,
  ListCharges,
  ListWaitingCharges,
  ReadCharge,
  ReadChargeHistory,
  ShareCharges,
  UpdateCharge,
  WaiveCharge,
  WithdrawChargeConfirmation,
} from './charge.ts'
import {
  CHARGE,
  changeCharge,
  disputeCharge,
  recordCharge,
  shareCharges,
  waiveProposed,
} from './commands.server.ts'
import { listCharges, listSharedCharges, readCharge, readChargeHistory } from './queries.server.ts'

/** Adds the routes under /api/v1/charges. */
export function addChargeRoutes(app: FastifyInstance, services: Services): void {
  addRecords(app, services)
  addAnswers(app, services)
}

function addRecords(app: FastifyInstance, services: Services): void {
  serve(app, services, ListCharges, WITHIN, async ({ tx, user, workspace, input }) => {
    const isCurrentMonth = !(input.from || input.to || input.today)
    const timeZone = isCurrentMonth ? await readTimeZone(tx, user.id) : null
    const { from, to } = listedDays(input, input.today ?? dayIn(services.now(), timeZone ?? 'UTC'))
    return done(await listCharges(tx, workspace, from, to))
  })

  serve(app, services, ReadCharge, WITHIN, async ({ tx, workspace, params }) => {
    const charge = await readCharge(tx, workspace, params.id)
    if (!charge) throw notFound()
    return done(charge)
  })

  serve(app, services, AddCharge, WITHIN, async ({ caller, input }) => {
    refuseOwnFields(caller, input)
    return recordCharge(caller, {
      ...detailsOf(input),
      connectionId: input.connection_id?.toLowerCase(),
      currency: input.currency,
      isAnother: input.is_another,
    })
  })

  serve(app, services, UpdateCharge, WITHIN, async ({ caller, params, input, expectedVersion: version }) => {
    refuseOwnFields(caller, input)
    return found(changeCharge(caller, { ...params, version }, detailsOf(input)))
  })

  serve(app, services, DeleteCharge, WITHIN, async ({ caller, params, expectedVersion: version, reply }) => {
    const outcome = await found(askToDelete(caller, CHARGE, { ...params, version }))
    if (!outcome.ok) return outcome
    if (outcome.value === 'deleted') return done(undefined)
    reply.status(202)
    const charge = await found(readCharge(caller.tx, caller.workspace, params.id))
    return done({ code: 'deletion_requested' as const, version: charge.version })
  })

  serve(app, services, WaiveCharge, WITHIN, ({ member, params, expectedVersion: version }) =>
    found(waiveProposed(member, { ...params, version })),
  )

  serve(app, services, ReadChargeHistory, WITHIN, async ({ tx, user, workspace, params, caller }) => {
    const reader = { accountId: user.id, workspaceId: workspace, side: caller.side }
    const entries = await readChargeHistory(tx, reader, params.id)
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })
}

function addAnswers(app: FastifyInstance, services: Services): void {
  serve(app, services, ListWaitingCharges, WITHIN, async ({ tx, workspace }) =>
    done({
      charges: await listSharedCharges(tx, workspace, 'waiting'),
      sent_back: await listSharedCharges(tx, workspace, 'sent_back'),
    }),
  )
  serve(app, services, ConfirmCharge, WITHIN, async ({ caller, params, expectedVersion: version }) =>
    found(giveAnswer(caller, CHARGE, { ...params, version }, 'confirm')),
  )
  serve(
    app,
    services,
    WithdrawChargeConfirmation,
    WITHIN,
    async ({ caller, params, expectedVersion: version }) =>
      found(giveAnswer(caller, CHARGE, { ...params, version }, 'withdraw')),
  )
  serve(app, services, DisputeCharge, WITHIN, async ({ caller, params, input, expectedVersion: version }) => {
    const { note = null, proposal: { is_removal: isRemoval, date: day, amount } = {} } = input
    const proposes = isRemoval ? 'removal' : given({ day, amount_cents: amount })
    return found(disputeCharge(caller, { ...params, version }, { note, proposes }))
  })
  serve(app, services, AcceptCharge, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(acceptProposal(caller, CHARGE, { ...params, version }))
    if (!outcome.ok) return outcome
    return done(outcome.value === 'deleted' ? undefined : outcome.value)
  })
  serve(app, services, KeepCharge, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(keep(caller, CHARGE, { ...params, version }))
    return outcome.ok ? done(await found(readCharge(caller.tx, caller.workspace, params.id))) : outcome
  })
  serve(app, services, ShareCharges, WITHIN, async ({ member, input }) => {
    const outcome = await found(
      shareCharges(
        member,
        input.charges.map((id) => id.toLowerCase()),
      ),
    )
    return outcome.ok ? done({ charges: outcome.value }) : outcome
  })
}

interface Details {
  tutor_id?: string | null
  student_id?: string | null
  label?: string | null
}

/** Converts the charge in a request to the details that the commands take. */
function detailsOf<Input extends { date?: CalendarDay; amount?: Cents; reason?: Reason } & Details>(
  input: Input,
) {
  return {
    tutorId: input.tutor_id,
    studentId: input.student_id,
    day: input.date as Input['date'],
    amount: input.amount as Input['amount'],
    reason: input.reason as Input['reason'],
    label: input.label,
  }
}
