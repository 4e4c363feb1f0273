// The routes of the links: asking and ending for families, answering and leaving for tutors.
import type { FastifyInstance } from 'fastify'
import { emailKey } from '#kernel/text.ts'
import { isOptedOut } from '#features/notices/queries.server.ts'
import { listMembers, listWorkspaces } from '#features/workspaces/queries.server.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { serve, type Services, speakerOf } from '#platform/http/serve.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  AnswerFamily,
  AskTutor,
  EndLink,
  LeaveFamily,
  ListFamilies,
  ListLinks,
  SetFamilyStudents,
} from './link.ts'
import {
  addressOfTutor,
  answerLink,
  endLink,
  insertLink,
  listFamilies,
  listLinks,
  partiesOfLink,
  readFamily,
  setFamilyStudents,
} from './queries.server.ts'

/** Questions to one address, from whomever: an invitation is no way to fill a mailbox (promise I7). */
const ASKED = { hits: 3, seconds: 86_400 }

/** Adds the routes under /api/v1/links and /api/v1/families, and the question to a tutor. */
export function addLinkRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListLinks, async ({ tx, workspace }) => done(await listLinks(tx, workspace)))

  serve(app, services, AskTutor, async ({ tx, user, workspace, params }) => {
    const email = await addressOfTutor(tx, workspace, params.id)
    if (email === undefined) throw notFound()
    if (email === null) return refused('no_email')
    const key = emailKey(email)
    // Nobody ever confirms for both sides: a tutor at the address of a member is no other side.
    const members = await services.db.readAsSystem((system) => listMembers(system, workspace, user.id))
    if (members.some((one) => one.email !== null && emailKey(one.email) === key))
      return refused('own_address')
    const link = await insertLink(tx, workspace, params.id, email, key)
    if (!link) return refused('already_asked')
    const { isTooOften, isRefused } = await services.db.asSystem(async (system) => ({
      isRefused: await isOptedOut(system, email),
      isTooOften: (await hitLimit(system, `ask:${key}`, ASKED)) !== undefined,
    }))
    if (isRefused) return refused('opted_out')
    if (isTooOften) return refused('asked_too_often')
    await queueMail(tx, { userId: user.id, recipient: email, kind: 'ask_tutor', data: { link_id: link.id } })
    return done(link)
  })

  serve(app, services, EndLink, async ({ tx, workspace, params }) => {
    if (!(await endLink(tx, workspace, params.id))) throw notFound()
    return done(undefined)
  })

  serve(app, services, ListFamilies, async ({ tx }) => done(await listFamilies(tx)))

  serve(app, services, AnswerFamily, async ({ tx, user, workspace, params, input }) => {
    const family = await readFamily(tx, params.id)
    if (!family) throw notFound()
    const side = await partiesOfLink(tx, params.id)
    const families = await services.db.readAsSystem((system) => listWorkspaces(system, user.id))
    if (input.state === 'active' && families.some(({ id }) => id === side?.workspace_id))
      return refused('own_family')
    if (!(await answerLink(tx, params.id, input.state, workspace))) return refused('changed')
    return done({ ...family, state: input.state, version: family.version + 1 })
  })

  serve(app, services, SetFamilyStudents, async ({ tx, user, workspace, params, input }) => {
    const family = await readFamily(tx, params.id)
    if (!family) throw notFound()
    if (family.state !== 'active') return refused('not_linked')
    if (family.is_read_only) return refused('family_closed')
    const ids = [...new Set(input.student_ids)]
    // The tutor's side sees no students of its own, so the tutor's list is read as the owner that the tutor is too.
    const own = await services.db.asMember(speakerOf(user), (mine) => listStudents(mine, workspace, 'all'))
    if (ids.some((id) => !own.some((student) => student.id === id))) return refused('unknown_student')
    await setFamilyStudents(tx, workspace, params.id, ids)
    return done({ ...family, student_ids: ids })
  })

  serve(app, services, LeaveFamily, async ({ tx, workspace, params }) => {
    if (!(await answerLink(tx, params.id, 'ended', workspace))) throw notFound()
    return done(undefined)
  })
}
