// Reads files and plans imports in a separate process. The largest files take a second, and other requests
// shouldn't have to wait for them.
import type { ParsedInputOf } from '#kernel/endpoint.ts'
import { type CsvLine, originalOf, readCsv } from '#platform/csv.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { type DateOrders, guessDateOrders, isDotted } from './cell.ts'
import { type PlannedCharge, readCharges } from './charge-plan.ts'
import { headerScore, isHeader, recognizeColumns, recognizeKind } from './columns.ts'
import { MAX_LINES, type Preview, type PreviewImport } from './import.ts'
import type { Books, Plan, RefusedLine } from './line.ts'
import { planImport, type PlannedSession } from './plan.ts'
import { type Head, previewOfSessions } from './preview.ts'

/** A file, and the data to compare it with. For a preview, only the preview is sent back to the server. */
export interface PlanTask {
  input: ParsedInputOf<typeof PreviewImport>
  books: Books
  isPreview: boolean
}

type SessionsAnswer = { plan: Plan<PlannedSession> } | { preview: Preview }
/** Charges that were read. Their accounts decide what becomes of them, so there's no preview yet. */
export interface ReadCharges {
  charges: (PlannedCharge | RefusedLine)[]
  head: Head
}

/** A task's result, which for sessions depends on `isPreview`, or the reason there isn't one. */
export type PlanAnswer<Result extends SessionsAnswer> =
  Result | ReadCharges | { refused: 'unreadable' | 'too_many_lines' | 'too_many_charges' }

serveTasks(({ input, books, isPreview }: PlanTask): PlanAnswer<SessionsAnswer> => {
  const table = readTable(input, books)
  if (typeof table === 'string') return { refused: table }
  const { lines, orders, head } = table
  const { columns, header } = head
  const all = { student_id: head.student_id ?? undefined, tutor_id: head.tutor_id ?? undefined }
  if (head.kind === 'charges')
    return { charges: readCharges(lines, columns, orders, books, header, all), head }
  const skips = { existing: input.skip_existing, repeats: input.skip_repeats }
  const plan = planImport(lines, columns, orders, books, skips, header, all)
  return isPreview ? { preview: previewOfSessions(head, plan, books.currency) } : { plan }
})

interface Table {
  lines: CsvLine[]
  orders: DateOrders
  head: Head
}

function readTable(
  input: PlanTask['input'],
  books: Books,
): Table | 'unreadable' | 'too_many_lines' | 'too_many_charges' {
  const records = readCsv(input.text).map(({ line, cells }) => ({ line, cells: cells.map(originalOf) }))
  if (records.length === 0) return 'unreadable'
  const headerAt = findHeader(records)
  const names = headerAt === undefined ? [] : (records[headerAt]?.cells ?? [])
  const lines = headerAt === undefined ? records : records.slice(headerAt + 1)
  const width = Math.min(MOST_COLUMNS, Math.max(names.length, ...lines.map(({ cells }) => cells.length)))
  const header = Array.from({ length: width }, (_, at) => names[at] || `Column ${at + 1}`)
  const rows = lines.map(({ cells }) => cells)
  const isGuessed = headerAt !== undefined && input.columns === undefined
  const kind = input.kind ?? (isGuessed ? recognizeKind(header, rows) : 'sessions')
  if (lines.length > MAX_LINES[kind]) return kind === 'sessions' ? 'too_many_lines' : 'too_many_charges'
  const columns = input.columns ?? (isGuessed ? recognizeColumns(header, rows, kind) : {})
  const dates = rows.map((cells) => cells[columns.date ?? -1] ?? '')
  const orders = input.date_order
    ? { slashed: input.date_order, dotted: input.date_order }
    : guessDateOrders(dates)
  const head = {
    kind,
    header,
    columns,
    date_order: dates.some(isDotted) ? orders.dotted : orders.slashed,
    // A charge may be for no child in particular.
    student_id: input.student_id ?? (kind === 'charges' && !books.self ? null : onlyOne(books.students)),
    tutor_id: input.tutor_id ?? onlyOne(books.tutors),
  }
  return { lines, orders, head }
}

/** Who all lines are for if nothing says so and there's only one. */
function onlyOne(people: Books['students']): string | null {
  const [one, ...others] = people.filter(({ archived }) => !archived)
  return one && others.length === 0 ? one.id : null
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
