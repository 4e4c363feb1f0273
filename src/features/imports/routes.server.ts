// Routes for imports. Preview and import use the same plan, so the preview shows exactly what will be
// written.
import type { FastifyInstance } from 'fastify'
import { isDeepStrictEqual } from 'node:util'
import type { WorkspaceId } from '#kernel/id.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { nameKey } from '#kernel/names.ts'
import type { OutputOf, ParsedInputOf } from '#kernel/endpoint.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { AddCharge } from '#features/charges/charge.ts'
import { recordCharge } from '#features/charges/commands.server.ts'
import { listCharges } from '#features/charges/queries.server.ts'
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
import type { Caller, CurrentUser, MemberCaller, Services } from '#features/access/admission.server.ts'
import { OUTSIDE, type OutsideCall, serve } from '#features/access/operation.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import { type PlacedCharge, planCharges } from './charge-plan.ts'
import { type Preview, PreviewImport, RunImport, SHOWN } from './import.ts'
import type { Books, Person, Plan, Planned, RefusedLine } from './line.ts'
import type { PlannedSession } from './plan.ts'
import type { PlanAnswer, PlanTask, ReadCharges } from './planner.server.ts'
import { previewOfCharges } from './preview.ts'
import { readAccounts } from './queries.server.ts'

const LIMITS = { deadlineMs: 30_000, mostWaiting: 24, mostWaitingPerAccount: 4, isHeavy: true }
const planner = new TaskProcess<PlanTask>(new URL('planner.server.ts', import.meta.url), LIMITS)

export function addImportRoutes(app: FastifyInstance, services: Services): void {
  const planned = <Result extends { plan: Plan<PlannedSession> } | { preview: Preview }>(
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
    if ('refused' in answer) return refused(answer.refused)
    if ('preview' in answer) return done(answer.preview)
    const plan = await readAsCaller((caller) => placed(caller, workspace, answer, input))
    return done(previewOfCharges(answer.head, plan))
  })

  const prepare = async ({ user, workspace, input, readAsCaller }: OutsideCall<typeof RunImport>) => {
    const lists = await readAsCaller(({ tx }) => readLists(tx, user, workspace))
    const answer = await planned<{ plan: Plan<PlannedSession> }>(user.id, lists, { input, isPreview: false })
    return { lists, answer }
  }
  serve(app, services, RunImport, { prepare }, async ({ tx, user, workspace, member, input }, prepared) => {
    const lists = await readLists(tx, user, workspace)
    // If the records have changed since the plan was made, makes a new plan within the transaction.
    const answer = isDeepStrictEqual(lists, prepared.lists)
      ? prepared.answer
      : await planned<{ plan: Plan<PlannedSession> }>(user.id, lists, { input, isPreview: false })
    if ('refused' in answer) return refused(answer.refused)
    return 'plan' in answer
      ? writeSessions(member, checked(answer.plan, input))
      : writeCharges(member, checked(await placed(member, workspace, answer, input), input))
  })
}

type RunRefusal = 'nothing' | 'too_many_rows'
type Written = Outcome<OutputOf<typeof RunImport>, RunRefusal>
type Skipped = ParsedInputOf<typeof RunImport>

/** Plans charges that were read, by the accounts they belong to. */
async function placed(
  { tx, side }: Pick<Caller, 'tx' | 'side'>,
  workspace: WorkspaceId,
  { charges }: ReadCharges,
  input: Pick<Skipped, 'skip_existing' | 'skip_repeats'>,
): Promise<Plan<PlacedCharge>> {
  const read = charges.flatMap((line) => ('problem' in line ? [] : line))
  const days = read.map(({ day }) => day).sort()
  const [first, last] = [days[0], days.at(-1)]
  const accounts = await readAccounts(tx, workspace, read)
  const recorded = first && last ? await listCharges(tx, workspace, first, last) : []
  const skips = { existing: input.skip_existing, repeats: input.skip_repeats }
  return planCharges(charges, accounts, recorded, side, skips)
}

/**
 * The plan, if it skips as many lines as the preview did. If the lists have changed since then, the user has to check
 * the preview again.
 */
function checked<Line extends Planned>(plan: Plan<Line>, { skip_refused: skipped }: Skipped): Plan<Line> {
  if (plan.refused.length !== skipped) throw linesRefused(plan.refused)
  return plan
}

function linesRefused(lines: readonly RefusedLine[]): ProblemError {
  return new ProblemError(422, 'lines_refused', RunImport.refusals.lines_refused.title, {
    errors: lines.slice(0, SHOWN).map(({ line, problem }) => ({ field: `line ${line}`, message: problem })),
  })
}

function latestMonth(plan: Plan<Planned>): string | null {
  const latest = plan.ready
    .map(({ day }) => day)
    .sort()
    .at(-1)
  return latest?.slice(0, 7) ?? null
}

async function writeSessions(member: MemberCaller, plan: Plan<PlannedSession>): Promise<Written> {
  const { tx, workspace } = member
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
  return done({
    sessions: plan.ready.length,
    charges: 0,
    held,
    students: students.size,
    tutors: tutors.size,
    latest_month: latestMonth(plan),
  })
}

async function writeCharges(member: MemberCaller, plan: Plan<PlacedCharge>): Promise<Written> {
  if (plan.ready.length === 0) return refused('nothing')
  for (const { line, student, tutor, day, amount, reason, label, account } of plan.ready) {
    const people = { studentId: student?.id ?? null, tutorId: tutor?.id ?? null }
    // What's recorded already was left out, unless the user said that these are others.
    const details = { ...people, day, amount, reason, label, currency: account.currency, isAnother: true }
    const outcome = await recordCharge(member, details)
    if (outcome.ok) continue
    if (outcome.reason === 'too_many_rows') return refused('too_many_rows')
    // Someone changed the records since the plan was made.
    throw linesRefused([{ line, problem: AddCharge.refusals[outcome.reason].title }])
  }
  return done({
    sessions: 0,
    charges: plan.ready.length,
    held: 0,
    students: 0,
    tutors: 0,
    latest_month: latestMonth(plan),
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
