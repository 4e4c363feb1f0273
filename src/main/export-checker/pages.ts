// Checks the closed months and sign-offs in an export.
import { contentText, type MonthContent } from '#features/months/month-page.ts'
import { sha256 } from './histories.ts'
import { type Entry, ON_PAGES } from './kinds.ts'
import { counted, type Report } from './report.ts'
import { type Row, rowsOf } from './tables.ts'
import type { Zip } from './zip.ts'

type Line = Row & { id: string }
const LINES: Record<string, 'sessions' | 'payments' | 'charges'> = {
  session: 'sessions',
  payment: 'payments',
  charge: 'charges',
}
/** What a line has in common with the facts of its entry. db/repeatable/months.sql has the same, as month_facts. */
const ON_LINES = [
  'minutes',
  'total_cents',
  'rate_cents',
  'subject',
  'currency',
  'kind',
  'amount_cents',
  'prepaid_minutes',
  'method',
  'reason',
  'label',
]

interface Page {
  name: string
  connection: string
  month: string
  /** By kind and id; an entry that was found is taken out. */
  lines: Map<string, Line>
}

/** Checks pages, and remembers those that the two sides' entries must still match. */
export class PageChecker {
  #report: Report
  #current: Page[] = []

  constructor(report: Report) {
    this.#report = report
  }

  async read(zip: Zip): Promise<void> {
    const complain = (problem: string) => this.#report.problems.push(problem)
    const open = new Set<unknown>()
    for await (const row of rowsOf(zip, 'connections', complain))
      if (row.state === 'asked' || row.state === 'active') open.add(row.id)
    let count = 0
    for await (const row of rowsOf(zip, 'closed_months', complain)) {
      if (row.state === 'asked' && row.page === null) continue
      count += 1
      const name = `the page of ${String(row.month)} with the code ${String(row.code)}`
      for (const problem of problemsOf(row)) complain(`${name} ${problem}`)
      if (row.state === 'closed' && open.has(row.connection_id) && isRow(row.page))
        this.#current.push({
          name,
          connection: String(row.connection_id),
          month: String(row.month),
          lines: linesOf(row.page),
        })
    }
    this.#report.checked.push(counted(count, 'closed month'))
  }

  /** Compares an entry with the page that it's on. */
  compare({ kind, id, facts }: Entry, { connection_id: connection, date }: Row): void {
    if (!ON_PAGES.includes(kind)) return
    const key = `${kind} ${id}`
    for (const { name, lines, ...page } of this.#current) {
      const line = lines.get(key)
      lines.delete(key)
      const isDue = connection === page.connection && String(date).startsWith(page.month)
      if (!line && isDue) this.#report.problems.push(`${key}: isn’t on ${name}`)
      if (
        line &&
        (line.day !== date || ON_LINES.some((fact) => fact in line && line[fact] !== factOf(facts, fact)))
      )
        this.#report.problems.push(`${key}: isn’t what ${name} says`)
    }
  }

  finish(): void {
    for (const { name, lines } of this.#current)
      for (const key of lines.keys()) this.#report.problems.push(`${key}: is missing, but on ${name}`)
  }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** A fact of an entry, as pages have it: null if its kind doesn't have it. */
const factOf = (facts: Row, fact: string) => facts[fact] ?? null

function linesOf(page: Row): Map<string, Line> {
  return new Map(
    ON_PAGES.flatMap((kind) => {
      const lines = page[LINES[kind] ?? '']
      return Array.isArray(lines)
        ? (lines as Line[]).map((line) => [`${kind} ${line.id}`, line] as const)
        : []
    }),
  )
}

/** What's wrong with a page by itself. A signature by the server, once pages have one, belongs here too. */
function problemsOf(row: Row): string[] {
  let text: string
  try {
    text = contentText(row.page as MonthContent)
  } catch {
    return ['can’t be read']
  }
  const page = row.page as MonthContent
  const told = [
    ['month', page.month, row.month],
    ['code', page.code, row.code],
    ['side that asked', page.asked_by, row.asked_by],
    ['time of asking', Date.parse(page.asked_at), Date.parse(String(row.asked_at))],
    ['time of closing', Date.parse(page.closed_at), Date.parse(String(row.closed_at))],
  ]
  return [
    ...(sha256(text) === row.hash ? [] : ['doesn’t match its hash']),
    ...told
      .filter(([, one, other]) => one !== other)
      .map(([what]) => `says another ${String(what)} than the file`),
  ]
}
