// Routes for terms.
import type { FastifyInstance } from 'fastify'
import { done } from '#kernel/outcome.ts'
import type { Services } from '#features/access/admission.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import {
  acceptProposal,
  agreeToDelete,
  askToDelete,
  dispute,
  giveAnswer,
  keep,
} from '#features/agreements/commands.server.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import { changeTerms, proposeTerms, TERMS } from './commands.server.ts'
import { daysOfTerms, givenMakeUps } from './makeup-queries.server.ts'
import { ListMakeUps, shownMakeUps } from './make-ups.ts'
import { listTerms, readTerms, readTermsHistory } from './queries.server.ts'
import { storedRules } from './rules.ts'
import {
  AcceptTerms,
  ConfirmTerms,
  DeleteTerms,
  DisputeTerms,
  KeepTerms,
  ListTerms,
  ListWaitingTerms,
  ProposeTerms,
  ReadTerms,
  ReadTermsHistory,
  UpdateTerms,
  WithdrawTermsConfirmation,
} from './terms.ts'

/** Adds the routes under /api/v1/terms. */
export function addTermsRoutes(app: FastifyInstance, services: Services): void {
  addVersions(app, services)
  addAnswers(app, services)
  serve(app, services, ListMakeUps, WITHIN, async ({ tx, workspace, member: { now, seesAmounts } }) => {
    const [given, todayOf] = await Promise.all([givenMakeUps(tx, workspace), daysOfTerms(tx, now)])
    return done({ make_ups: shownMakeUps(given, todayOf, seesAmounts) })
  })
}

function addVersions(app: FastifyInstance, services: Services): void {
  serve(app, services, ListTerms, WITHIN, async ({ tx, workspace }) =>
    done({ terms: await listTerms(tx, workspace) }),
  )
  serve(app, services, ListWaitingTerms, WITHIN, async ({ tx, workspace }) =>
    done({
      terms: await listTerms(tx, workspace, 'waiting'),
      sent_back: await listTerms(tx, workspace, 'sent_back'),
    }),
  )
  serve(app, services, ReadTerms, WITHIN, async ({ tx, workspace, params }) => {
    const terms = await readTerms(tx, workspace, params.id)
    if (!terms) throw notFound()
    return done(terms)
  })
  serve(app, services, ReadTermsHistory, WITHIN, async ({ tx, user, workspace, params, caller }) => {
    const reader = { accountId: user.id, workspaceId: workspace, side: caller.side }
    const entries = await readTermsHistory(tx, reader, params.id)
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })
  serve(app, services, ProposeTerms, WITHIN, ({ member, input }) =>
    proposeTerms(member, {
      tutorId: input.tutor_id?.toLowerCase() ?? null,
      studentId: input.student_id?.toLowerCase() ?? null,
      connectionId: input.connection_id?.toLowerCase(),
      currency: input.currency,
      rules: input.rules,
    }),
  )
  serve(app, services, UpdateTerms, WITHIN, ({ member, params, input, expectedVersion: version }) =>
    found(changeTerms(member, { ...params, version }, input.rules)),
  )
  serve(app, services, DeleteTerms, WITHIN, async ({ caller, params, expectedVersion: version, reply }) => {
    // An emailed page has no terms of its own to withdraw: it only agrees to end them.
    if (caller.isLink) {
      const agreed = await found(agreeToDelete(caller, TERMS, { ...params, version }))
      return agreed.ok ? done(undefined) : agreed
    }
    const outcome = await found(askToDelete(caller, TERMS, { ...params, version }))
    if (!outcome.ok) return outcome
    if (outcome.value === 'deleted') return done(undefined)
    reply.status(202)
    const terms = await found(readTerms(caller.tx, caller.workspace, params.id))
    return done({ code: 'deletion_requested' as const, version: terms.version })
  })
}

function addAnswers(app: FastifyInstance, services: Services): void {
  serve(app, services, ConfirmTerms, WITHIN, ({ caller, params, expectedVersion: version }) =>
    found(giveAnswer(caller, TERMS, { ...params, version }, 'confirm')),
  )
  serve(app, services, WithdrawTermsConfirmation, WITHIN, ({ caller, params, expectedVersion: version }) =>
    found(giveAnswer(caller, TERMS, { ...params, version }, 'withdraw')),
  )
  serve(app, services, DisputeTerms, WITHIN, async ({ caller, params, input, expectedVersion: version }) => {
    const { note = null, proposal: { is_removal: isRemoval, rules } = {} } = input
    const proposes = isRemoval ? 'removal' : rules ? { rules: storedRules(rules) } : undefined
    return found(dispute(caller, TERMS, { ...params, version }, { note, proposes }))
  })
  serve(app, services, AcceptTerms, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(acceptProposal(caller, TERMS, { ...params, version }))
    if (!outcome.ok) return outcome
    return done(outcome.value === 'deleted' ? undefined : outcome.value)
  })
  serve(app, services, KeepTerms, WITHIN, async ({ caller, params, expectedVersion: version }) => {
    const outcome = await found(keep(caller, TERMS, { ...params, version }))
    return outcome.ok ? done(await found(readTerms(caller.tx, caller.workspace, params.id))) : outcome
  })
}
