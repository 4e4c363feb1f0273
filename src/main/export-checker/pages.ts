// Checks the closed months and sign-offs in an export.
import { agreedText } from '#features/months/agreed.ts'
import { contentText, type MonthContent } from '#features/months/month-page.ts'
import { answerOf, checkPage, type PageAnswer } from '#features/months/page-check.ts'
import { attachmentOf, type PublishedKey, type SignedFacts } from '#features/months/signed-page.ts'
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
  #keys: readonly PublishedKey[] | undefined
  #current: Page[] = []

  /** @param keys the server's public keys; without them, its signatures aren't checked */
  constructor(report: Report, keys: readonly PublishedKey[] | undefined) {
    this.#report = report
    this.#keys = keys
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
      for (const problem of await problemsOf(row, this.#keys)) complain(`${name} ${problem}`)
      if (row.state === 'closed' && open.has(row.connection_id) && isRow(row.page))
        this.#current.push({
          name,
          connection: String(row.connection_id),
          month: String(row.month),
          lines: linesOf(row.page),
        })
    }
    const signatures = this.#keys ? ', with the server’s signatures' : ''
    this.#report.checked.push(`${counted(count, 'closed month')}${signatures}`)
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

/** What's wrong with a page by itself. */
async function problemsOf(row: Row, keys: readonly PublishedKey[] | undefined): Promise<string[]> {
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
    ...(isSigned(row, page) ? [] : ['isn’t what the server signed']),
    ...(keys ? await signatureProblems(row, keys) : []),
  ]
}

/** Whether the text that the server signed says the same, whoever wrote it. */
function isSigned(row: Row, page: MonthContent): boolean {
  try {
    const { agreed, code } = JSON.parse(String(row.signed_page)) as SignedFacts
    return agreed === agreedText(page) && code === page.code
  } catch {
    return false
  }
}

const BROKEN = 'has a signature by the server that doesn’t hold'
const ANSWERS: Record<Exclude<PageAnswer, 'genuine'>, string> = {
  no_page: BROKEN,
  changed: BROKEN,
  unknown_key: 'is signed by a key that isn’t in the file of keys',
  passkey: 'has a signature by passkey that doesn’t hold',
}

async function signatureProblems(row: Row, keys: readonly PublishedKey[]): Promise<string[]> {
  const [page, key, signature] = [row.signed_page, row.page_key, row.page_signature].map(String)
  const file = attachmentOf({ page: page ?? '', key: key ?? '', signature: signature ?? '' })
  const answer = answerOf(await checkPage(new TextEncoder().encode(file), keys))
  return answer === 'genuine' ? [] : [ANSWERS[answer]]
}
