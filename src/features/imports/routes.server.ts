// Routes for imports. Preview and import use the same plan, so the preview shows exactly what will be
// written.
import type { FastifyInstance } from 'fastify'
import { isDeepStrictEqual } from 'node:util'
import type { WorkspaceId } from '#kernel/id.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { nameKey } from '#kernel/names.ts'
import { done, refused } from '#kernel/outcome.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { pricesByStudent } from '#features/prices/queries.server.ts'
import { columnsOfPrice } from '#features/sessions/session-price.ts'
import { logSessions } from '#features/sessions/commands.server.ts'
import { eachWords } from '#features/sessions/lesson-words.ts'
import { sessionKeys } from '#features/sessions/queries.server.ts'
import { insertStudent, listStudents } from '#features/students/queries.server.ts'
import { MAX_STUDENTS } from '#features/students/student.ts'
import { insertTutor, listTutors } from '#features/tutors/queries.server.ts'
import { MAX_TUTORS } from '#features/tutors/tutor.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import type { CurrentUser, Services } from '#features/access/admission.server.ts'
import { OUTSIDE, type OutsideCall, serve } from '#features/access/operation.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import { type Preview, PreviewImport, RunImport, SHOWN } from './import.ts'
import type { Books, Person, Plan } from './plan.ts'
import type { PlanAnswer, PlanTask } from './planner.server.ts'

const LIMITS = { deadlineMs: 30_000, mostWaiting: 24, mostWaitingPerAccount: 4, isHeavy: true }
const planner = new TaskProcess<PlanTask>(new URL('planner.server.ts', import.meta.url), LIMITS)

export function addImportRoutes(app: FastifyInstance, services: Services): void {
  const planned = <Result extends { plan: Plan } | { preview: Preview }>(
    userId: string,
    lists: Lists,
    task: Pick<PlanTask, 'input' | 'isPreview'>,
    signal?: AbortSignal,
  ) => {
    const books = { ...lists, now: services.now() }
    return runHeavy<PlanTask, PlanAnswer<Result>>(planner, userId, { ...task, books }, signal)
  }

  serve(app, services, PreviewImport, OUTSIDE, async ({ user, workspace, input, readAsCaller, signal }) => {
    const lists = await readAsCaller(({ tx }) => readLists(tx, user, workspace))
    const answer = await planned<{ preview: Preview }>(user.id, lists, { input, isPreview: true }, signal)
    return 'refused' in answer ? refused(answer.refused) : done(answer.preview)
  })

  const prepare = async ({ user, workspace, input, readAsCaller }: OutsideCall<typeof RunImport>) => {
    const lists = await readAsCaller(({ tx }) => readLists(tx, user, workspace))
    const answer = await planned<{ plan: Plan }>(user.id, lists, { input, isPreview: false })
    return { lists, answer }
  }
  serve(app, services, RunImport, { prepare }, async ({ tx, user, workspace, member, input }, prepared) => {
    const lists = await readLists(tx, user, workspace)
    // If the records have changed since the plan was made, makes a new plan within the transaction.
    const answer = isDeepStrictEqual(lists, prepared.lists)
      ? prepared.answer
      : await planned<{ plan: Plan }>(user.id, lists, { input, isPreview: false })
    if ('refused' in answer) return refused(answer.refused)
    const { plan } = answer
    // The number of lines to skip has to match the preview. If the lists have changed since then, the user
    // has to check the preview again.
    if (plan.refused.length !== input.skip_refused) {
      throw new ProblemError(422, 'lines_refused', RunImport.refusals.lines_refused.title, {
        errors: plan.refused
          .slice(0, SHOWN)
          .map(({ line, problem }) => ({ field: `line ${line}`, message: problem })),
      })
    }
    if (plan.ready.length === 0) return refused('nothing')
    const students = await addPeople(plan.newStudents, (name) =>
      insertStudent(tx, workspace, { name, grade: null, notes: null }, MAX_STUDENTS),
    )
    const tutors = await addPeople(plan.newTutors, (name) =>
      insertTutor(
        tx,
        workspace,
        { name, email: null, phone: null, hourly_rate_cents: null, subjects: [], notes: null },
        MAX_TUTORS,
      ),
    )
    if (!students || !tutors) return refused('too_many_rows')
    const rows = plan.ready.map((session) => ({
      student_id: idOf(session.student, students),
      tutor_id: idOf(session.tutor, tutors),
      day: session.day,
      minutes: session.minutes,
      rate_override_cents: session.rate,
      ...columnsOfPrice(session.usual),
      subject: session.subject,
      start_time: session.start,
      ...eachWords((field) => session[field]),
      notes: session.notes,
    }))
    const held = await logSessions(member, rows)
    const latest = plan.ready
      .map(({ day }) => day)
      .sort()
      .at(-1)
    return done({
      sessions: plan.ready.length,
      held,
      students: students.size,
      tutors: tutors.size,
      latest_month: latest?.slice(0, 7) ?? null,
    })
  })
}

/** The data to compare an import with, except the current time. */
type Lists = Omit<Books, 'now'>

async function readLists(tx: Tx, user: CurrentUser, workspace: WorkspaceId): Promise<Lists> {
  const tutors = (await listTutors(tx, workspace, 'all')).map(withRate)
  const prices = await pricesByStudent(tx, workspace)
  return {
    students: (await listStudents(tx, workspace, 'all')).map((student) => ({
      ...withRate(student),
      prices: prices.get(student.id) ?? [],
    })),
    tutors,
    self: user.role === 'parent' ? undefined : tutors.find((tutor) => tutor.is_self),
    existing: await sessionKeys(tx, workspace),
    currency: await readCurrency(tx, workspace),
  }
}

function withRate<Person extends { hourly_rate: number | null }>(person: Person) {
  return { ...person, rate: person.hourly_rate === null ? null : centsOfDollars(person.hourly_rate) }
}

/** Adds people and returns their ids by name; undefined if that would exceed the limit. */
async function addPeople(
  names: string[],
  add: (name: string) => Promise<{ id: string } | undefined>,
): Promise<Map<string, string> | undefined> {
  const ids = new Map<string, string>()
  for (const name of names) {
    const row = await add(name)
    if (!row) return undefined
    ids.set(nameKey(name), row.id)
  }
  return ids
}

function idOf(person: Person, added: Map<string, string>): string | null {
  if (person === null) return null
  return 'id' in person ? person.id : (added.get(nameKey(person.name)) ?? null)
}
