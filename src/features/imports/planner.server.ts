// Reads files and plans imports in a separate process. The largest files take a second, and other requests
// shouldn't have to wait for them.
import { hours, type Minutes } from '#kernel/duration.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { cents, dollars } from '#kernel/money.ts'
import { BrokenCsv, type CsvLine, originalOf, readCsv } from '#platform/csv.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { guessColumns, guessDateOrder, isHeader } from './columns.ts'
import {
  type Columns,
  type DateOrder,
  MAX_LINES,
  type Preview,
  type PreviewImport,
  type PreviewLine,
  SHOWN,
} from './import.ts'
import { type Books, planImport, type Plan, type PlannedSession } from './plan.ts'

/** A file, and the data to compare it with. For a preview, only the preview is sent back to the server. */
export interface PlanTask {
  input: Required<Pick<InputOf<typeof PreviewImport>, 'text' | 'skip_existing' | 'skip_repeats'>> &
    Pick<InputOf<typeof PreviewImport>, 'columns' | 'date_order'>
  books: Books
  isPreview: boolean
}

/** A task's result: a plan or a preview, or the reason there isn't one. */
export type PlanAnswer =
  | { plan: Plan }
  | { preview: Preview }
  | { refused: 'unreadable' | 'too_many_lines' }
  | { broken: { line: number; message: string } }

serveTasks(({ input, books, isPreview }: PlanTask): PlanAnswer => {
  try {
    const table = readTable(input)
    if (typeof table === 'string') return { refused: table }
    const plan = planImport(table.lines, table.columns, table.order, books, {
      existing: input.skip_existing,
      repeats: input.skip_repeats,
    })
    return isPreview ? { preview: previewOf(table, plan) } : { plan }
  } catch (error) {
    // An error loses its class when it's passed between processes.
    if (error instanceof BrokenCsv) return { broken: { line: error.line, message: error.message } }
    throw error
  }
})

interface Table {
  header: string[]
  lines: CsvLine[]
  columns: Columns
  order: DateOrder
}

function readTable(input: PlanTask['input']): Table | 'unreadable' | 'too_many_lines' {
  const records = readCsv(input.text)
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

function previewOf(table: Table, plan: Plan): Preview {
  const sum = (valueOf: (session: PlannedSession) => number) =>
    plan.ready.reduce((total, session) => total + valueOf(session), 0)
  return {
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
  }
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
