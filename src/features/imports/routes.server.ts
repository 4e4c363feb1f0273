// Routes for imports. Preview and import use the same plan, so that what is shown is what is written.
import type { FastifyInstance } from 'fastify'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { cents, centsOfDollars, dollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { logSessions } from '#features/sessions/commands.server.ts'
import { sessionTimes } from '#features/sessions/queries.server.ts'
import { insertStudent, listStudents } from '#features/students/queries.server.ts'
import { MAX_STUDENTS } from '#features/students/student.ts'
import { insertTutor, listTutors } from '#features/tutors/queries.server.ts'
import { MAX_TUTORS } from '#features/tutors/tutor.ts'
import { BrokenCsv, type CsvLine, originalOf, readCsv } from '#platform/csv.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { type CurrentUser, serve, type Services } from '#platform/http/serve.server.ts'
import { guessColumns, guessDateOrder, isHeader } from './columns.ts'
import {
  type Columns,
  type DateOrder,
  MAX_LINES,
  type PreviewLine,
  PreviewImport,
  RunImport,
} from './import.ts'
import {
  type Books,
  newPersonKey,
  type Person,
  planImport,
  type Plan,
  type PlannedSession,
  sessionKey,
} from './plan.ts'

/** The most lines of each kind that a preview returns. */
const SHOWN = 200
const FIRST = '1900-01-01' as CalendarDay
const LAST = '2200-12-31' as CalendarDay

/** Adds the routes under /api/v1/imports. */
export function addImportRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, PreviewImport, async ({ tx, user, workspace, input }) => {
    const table = readTable(input)
    if (typeof table === 'string') return refused(table)
    const plan = await planFor(tx, user, workspace, services.now(), table, input)
    const sum = (valueOf: (session: PlannedSession) => number) =>
      plan.ready.reduce((total, session) => total + valueOf(session), 0)
    return done({
      header: table.header,
      columns: table.columns,
      date_order: table.order,
      sessions: plan.ready.length,
      hours: hours(sum(({ minutes }) => minutes) as Minutes),
      amount: dollars(cents(sum(({ amount }) => amount ?? 0))),
      refused: plan.refused.length,
      existing: plan.existing.length,
      repeats: plan.repeats.length,
      new_students: plan.newStudents,
      new_tutors: plan.newTutors,
      lines: linesOf(plan),
    })
  })

  serve(app, services, RunImport, async ({ tx, user, workspace, desk, input }) => {
    const table = readTable(input)
    if (typeof table === 'string') return refused(table)
    const plan = await planFor(tx, user, workspace, services.now(), table, input)
    // Skips only as many lines as the preview showed: if the lists changed since, the user has to look again.
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
      tutor_rate_cents: session.tutorRate,
      subject: session.subject,
      start_time: session.start,
      summary: session.summary,
      homework: session.homework,
      notes: session.notes,
    }))
    const held = await logSessions(desk, rows)
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

interface Table {
  header: string[]
  lines: CsvLine[]
  columns: Columns
  order: DateOrder
}

function readTable(input: {
  text: string
  columns?: Columns
  date_order?: DateOrder
}): Table | 'unreadable' | 'too_many_lines' {
  const records = recordsOf(input.text)
  const [first] = records
  if (!first) return 'unreadable'
  if (records.length > MAX_LINES + 1) return 'too_many_lines'
  const hasHeader = isHeader(first.cells)
  const width = Math.max(...records.map(({ cells }) => cells.length))
  const header = Array.from(
    { length: Math.min(width, 100) },
    (_, at) => (hasHeader ? first.cells[at] : undefined) || `Column ${at + 1}`,
  )
  const lines = (hasHeader ? records.slice(1) : records).map(({ line, cells }) => ({
    line,
    cells: cells.map(originalOf),
  }))
  const columns = input.columns ?? (hasHeader ? guessColumns(header) : {})
  return {
    header,
    lines,
    columns,
    order: input.date_order ?? guessDateOrder(lines.map(({ cells }) => cells[columns.date ?? -1] ?? '')),
  }
}

function recordsOf(text: string): CsvLine[] {
  try {
    return readCsv(text)
  } catch (error) {
    if (error instanceof BrokenCsv)
      throw new ProblemError(
        422,
        'unreadable',
        `Line ${error.line} cannot be read: ${error.message.toLowerCase()}`,
        { errors: [{ field: `line ${error.line}`, message: error.message }] },
      )
    throw error
  }
}

async function planFor(
  tx: Tx,
  user: CurrentUser,
  workspace: WorkspaceId,
  now: Date,
  table: Table,
  skips: { skip_existing: boolean; skip_repeats: boolean },
): Promise<Plan> {
  const tutors = (await listTutors(tx, workspace, 'all')).map(withRate)
  const existing = (await sessionTimes(tx, workspace, FIRST, LAST)).map(
    ({ student_id: student, tutor_id: tutor, day, minutes }) => sessionKey({ student, tutor, day, minutes }),
  )
  const books: Books = {
    students: (await listStudents(tx, workspace, 'all')).map(withRate),
    tutors,
    self: user.role === 'parent' ? undefined : tutors.find((tutor) => tutor.is_self),
    existing,
    currency: await readCurrency(tx, workspace),
    now,
  }
  return planImport(table.lines, table.columns, table.order, books, {
    existing: skips.skip_existing,
    repeats: skips.skip_repeats,
  })
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
    ids.set(newPersonKey(name), row.id)
  }
  return ids
}

function idOf(person: Person, added: Map<string, string>): string | null {
  if (person === null) return null
  return 'id' in person ? person.id : (added.get(newPersonKey(person.name)) ?? null)
}

function linesOf(plan: Plan): PreviewLine[] {
  const asRead =
    (state: PreviewLine['state']) =>
    (session: PlannedSession): PreviewLine => ({
      line: session.line,
      state,
      problem: null,
      date: session.day,
      student: session.studentName,
      tutor: session.tutorName,
      hours: hours(session.minutes),
      subject: session.subject,
      amount: session.amount === null ? null : dollars(session.amount),
    })
  const refusedLines = plan.refused.map(({ line, problem }): PreviewLine => ({
    line,
    state: 'refused',
    problem,
    date: null,
    student: null,
    tutor: null,
    hours: null,
    subject: null,
    amount: null,
  }))
  return [
    refusedLines,
    plan.existing.map(asRead('existing')),
    plan.repeats.map(asRead('repeat')),
    plan.ready.map(asRead('ready')),
  ].flatMap((lines) => lines.slice(0, SHOWN))
}
