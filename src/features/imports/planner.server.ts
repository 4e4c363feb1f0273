// Reads files and plans imports in a separate process. The largest files take a second, and other requests
// shouldn't have to wait for them.
import { hours, type Minutes } from '#kernel/duration.ts'
import type { ParsedInputOf } from '#kernel/endpoint.ts'
import { cents, dollars } from '#kernel/money.ts'
import { type CsvLine, originalOf, readCsv } from '#platform/csv.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { type DateOrders, guessDateOrders, isDotted } from './cell.ts'
import { headerScore, isHeader, recognizeColumns } from './columns.ts'
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
  input: ParsedInputOf<typeof PreviewImport>
  books: Books
  isPreview: boolean
}

/** A task's result, depending on `isPreview`, or the reason there isn't one. */
export type PlanAnswer<Result extends { plan: Plan } | { preview: Preview }> =
  Result | { refused: 'unreadable' | 'too_many_lines' }

serveTasks(({ input, books, isPreview }: PlanTask): PlanAnswer<{ plan: Plan } | { preview: Preview }> => {
  const table = readTable(input)
  if (typeof table === 'string') return { refused: table }
  const { lines, columns, orders, header } = table
  const skips = { existing: input.skip_existing, repeats: input.skip_repeats }
  const plan = planImport(lines, columns, orders, books, skips, header)
  return isPreview ? { preview: previewOf(table, plan) } : { plan }
})

interface Table {
  header: string[]
  lines: CsvLine[]
  columns: Columns
  orders: DateOrders
  /** The order that the screen shows. */
  order: DateOrder
}

function readTable(input: PlanTask['input']): Table | 'unreadable' | 'too_many_lines' {
  const records = readCsv(input.text).map(({ line, cells }) => ({ line, cells: cells.map(originalOf) }))
  if (records.length === 0) return 'unreadable'
  const headerAt = findHeader(records)
  const names = headerAt === undefined ? [] : (records[headerAt]?.cells ?? [])
  const lines = headerAt === undefined ? records : records.slice(headerAt + 1)
  if (lines.length > MAX_LINES) return 'too_many_lines'
  const width = Math.min(MOST_COLUMNS, Math.max(names.length, ...lines.map(({ cells }) => cells.length)))
  const header = Array.from({ length: width }, (_, at) => names[at] || `Column ${at + 1}`)
  const rows = lines.map(({ cells }) => cells)
  const columns = input.columns ?? (headerAt === undefined ? {} : recognizeColumns(header, rows))
  const dates = rows.map((cells) => cells[columns.date ?? -1] ?? '')
  const orders = input.date_order
    ? { slashed: input.date_order, dotted: input.date_order }
    : guessDateOrders(dates)
  return { header, lines, columns, orders, order: dates.some(isDotted) ? orders.dotted : orders.slashed }
}

const MOST_COLUMNS = 100
/** How many rows to look through for the column names: exports may begin with a title and a few facts. */
const FIRST_ROWS = 20

/** Which row has the column names; undefined if there isn't one. */
function findHeader(records: readonly CsvLine[]): number | undefined {
  const rows = records.map(({ cells }) => cells.slice(0, MOST_COLUMNS))
  const [best] = rows
    .slice(0, FIRST_ROWS)
    .map((cells, at) => ({
      at,
      score: isHeader(cells) ? headerScore(cells, rows.slice(at + 1, at + 1 + FIRST_ROWS)) : 0,
    }))
    .toSorted((one, other) => other.score - one.score)
  if (best && best.score > 0) return best.at
  // None of the names are known, so it's the first row that isn't just a title.
  const at = rows.findIndex((cells) => cells.filter(Boolean).length > 1)
  return isHeader(rows[at] ?? []) ? at : undefined
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
    to_check: plan.ready.filter(({ toCheck }) => toCheck !== null).length,
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
      problem: state === 'ready' ? session.toCheck : null,
      date: session.day,
      student: session.studentName,
      tutor: session.tutorName,
      hours: hours(session.minutes),
      start_time: session.start,
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
    start_time: null,
    subject: null,
    amount: null,
  }))
  return [
    refusedLines,
    plan.existing.map(asRead('existing')),
    plan.repeats.map(asRead('repeat')),
    plan.ready
      .toSorted((one, other) => Number(one.toCheck === null) - Number(other.toCheck === null))
      .map(asRead('ready')),
  ].flatMap((lines) => lines.slice(0, SHOWN))
}
