// The routes of the proposals. Whether an accepted one is verified is for the database to say: it compares both sides.
import type { FastifyInstance } from 'fastify'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, centsOfDollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { plainName } from '#kernel/plain-name.ts'
import {
  insertSession,
  listSessions,
  lockSession,
  readSession,
  updateSession,
} from '#features/sessions/queries.server.ts'
import { type SessionDay, sessionDay } from '#features/sessions/session.ts'
import { listStudents, readStudent } from '#features/students/queries.server.ts'
import { tutorRate } from '#features/tutors/queries.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { AcceptProposal, DeclineProposal, ListProposals, type Proposed, recognised } from './proposal.ts'
import { insertDeclined, listProposed, sessionOfProposal } from './queries.server.ts'

/** More own sessions than a family has on the days of its proposals. */
const OWN = 1000

/** Adds the routes under /api/v1/proposals. */
export function addProposalRoutes(app: FastifyInstance, services: Services): void {
  const proposedTo = (familyId: string): Promise<Proposed[]> =>
    services.db.asSystem((system) => listProposed(system, familyId))

  serve(app, services, ListProposals, async ({ tx, workspace }) => {
    const proposed = await proposedTo(workspace)
    if (proposed.length === 0) return done([])
    const days = proposed.map(({ date }) => date as CalendarDay).sort()
    const own = await listSessions(tx, workspace, { from: days[0], to: days.at(-1) }, OWN)
    // Told apart by the name as it is, and shown as somebody else's.
    return done(
      recognised(proposed, await listStudents(tx, workspace), own).map((one) => ({
        ...one,
        student_first_name: plainName(one.student_first_name, '') || null,
      })),
    )
  })

  serve(app, services, AcceptProposal, async ({ tx, workspace, params, input }) => {
    const earlier = await sessionOfProposal(tx, workspace, params.id)
    const proposed = earlier ? undefined : (await proposedTo(workspace)).find(({ id }) => id === params.id)
    if (!earlier && !proposed) throw notFound()
    if (!(await readStudent(tx, workspace, input.student_id))) return refused('unknown_student')
    const day = proposed && sessionDay(input.date ?? (proposed.date as CalendarDay), services.now())
    if (proposed && !day) return refused('too_far_ahead')
    const id = earlier ?? (proposed && day && (await takeOver(proposed, day)))
    const session = id && (await readSession(tx, workspace, id))
    return session ? done(session) : refused('unknown_session')

    async function takeOver(one: Proposed, on: SessionDay): Promise<string | undefined> {
      const own = (await tutorRate(tx, workspace, one.tutor_id)) ?? null
      const proposedRate = one.rate === null ? null : centsOfDollars(one.rate)
      const rate = input.hourly_rate === undefined ? proposedRate : (input.hourly_rate ?? own)
      const facts = {
        student_id: input.student_id,
        tutor_id: one.tutor_id,
        day: on,
        minutes: input.duration ?? ((one.duration * 60) as Minutes),
        rate_override_cents: rate === own ? null : (rate as Cents | null),
        tutor_rate_cents: own,
        proposed_id: one.id,
      }
      if (!input.session_id)
        return insertSession(tx, workspace, { ...facts, subject: one.subject, notes: null })
      if (!(await lockSession(tx, workspace, input.session_id))) return undefined
      await updateSession(tx, workspace, input.session_id, facts)
      return input.session_id
    }
  })

  serve(app, services, DeclineProposal, async ({ tx, workspace, params }) => {
    const proposed = (await proposedTo(workspace)).find(({ id }) => id === params.id)
    if (!proposed) throw notFound()
    await insertDeclined(tx, workspace, proposed.id, proposed.version)
    return done(undefined)
  })
}
