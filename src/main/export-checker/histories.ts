// Checks every history in an export by itself, and against the entry that it's about.
import { createHash } from 'node:crypto'
import { breaksOf, openEnds, type SeenEntry } from '#features/agreements/history.ts'
import { answersSaid, CONFIRMED_BY_CHANGING, type Entry, entryOf, KINDS, toldState } from './kinds.ts'
import { counted, type Report } from './report.ts'
import { type Row, rowsOf } from './tables.ts'
import type { Zip } from './zip.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A time in microseconds as exports have it. */
export const inMilliseconds = (at: string) => `${at.slice(0, 23)}Z`

const entriesIn = (count: number) => counted(count, 'history entry', 'history entries')
/** A kind's name in sentences. */
const said = (kind: string) => kind.replace('_', ' ')

/**
 * Checks the history of every entry.
 * @param look called with every entry; returns what to do with its history, if anything
 */
export async function checkHistories(
  zip: Zip,
  own: 'family' | 'practice',
  report: Report,
  look: (entry: Entry, row: Row) => Look | undefined,
): Promise<void> {
  const checker = new HistoryChecker(report)
  for (const kind of KINDS) {
    for await (const row of rowsOf(zip, `${kind}s`, (problem) => report.problems.push(problem))) {
      const entry = entryOf(kind, row, own)
      const told = toldState(row)
      if (told !== undefined && told !== entry.facts.state)
        report.problems.push(`${said(kind)} ${entry.id}: its status doesn’t fit its two answers`)
      checker.expect(entry, row, look(entry, row))
    }
  }
  // What has one history is together, so only one history is in memory at a time.
  let rows: Row[] = []
  for await (const row of rowsOf(zip, 'history', (problem) => report.problems.push(problem))) {
    if (rows[0] && keyOf(rows[0]) !== keyOf(row)) {
      checker.check(rows)
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) checker.check(rows)
  checker.finish()
}

type Look = (history: SeenEntry[]) => void
const keyOf = ({ kind, record }: Row) => `${String(kind)} ${String(record)}`

class HistoryChecker {
  #report: Report
  /** Entries whose history hasn't come yet, and those whose history has. */
  #expected = new Map<string, Entry>()
  #seen = new Set<string>()
  #ids = new Set<string>()
  #looks = new Map<Entry, Look>()
  #counts = new Map(KINDS.map((kind) => [kind, { entries: 0, deleted: 0, chains: 0, lines: 0 }]))

  constructor(report: Report) {
    this.#report = report
  }

  expect(entry: Entry, row: Row, look: Look | undefined): void {
    const key = keyOf({ kind: entry.kind, record: row.record })
    if (this.#expected.has(key)) this.#complain(entry.kind, entry.id, 'has the number of another one')
    this.#expected.set(key, entry)
    if (look) this.#looks.set(entry, look)
    this.#ids.add(`${entry.kind} ${entry.id}`)
  }

  /** Checks all rows of one history. */
  check(rows: Row[]): void {
    const [first] = rows as [Row]
    const [key, kind] = [keyOf(first), String(first.kind)]
    const entry = this.#expected.get(key)
    this.#expected.delete(key)
    const id = entry?.id ?? String(first.entry_id)
    const counts = this.#counts.get(kind)
    if (!counts) return this.#complain(kind, id, 'is of no known kind')
    if (this.#seen.has(key)) this.#complain(kind, id, 'has a second history')
    this.#seen.add(key)
    const entries = rows.map(storedEntry)
    counts.entries += 1
    counts.deleted += entry ? 0 : 1
    counts.chains += new Set(entries.map(({ chain }) => chain)).size
    counts.lines += entries.length
    const hidden = rows.filter(({ hashed_text: text }) => text === null).length
    if (hidden > 0)
      this.#note(
        kind,
        id,
        `${entriesIn(hidden)} can’t be recomputed, because what was hashed ` +
          'names what only the other side may see. That they follow each other was checked',
      )
    const open = openEnds(entries)
    if (open > 0)
      this.#note(
        kind,
        id,
        'entries missing at the end of a history that was merged into this one wouldn’t be noticed',
      )
    for (const { seq, problem } of breaksOf(entries, entry && currentFacts(entry, entries), sha256))
      this.#complain(kind, id, `history entry ${seq} ${problem}`)
    if (!entry) return
    this.#compare(entry, entries)
    this.#looks.get(entry)?.(entries)
  }

  finish(): void {
    for (const { kind, id } of this.#expected.values()) this.#complain(kind, id, 'has no history')
    for (const [kind, { entries, deleted, chains, lines }] of this.#counts) {
      const gone = deleted > 0 ? ` (${deleted} of them deleted)` : ''
      const merged = chains > entries ? `, in ${counted(chains, 'chain')}` : ''
      this.#report.checked.push(`${counted(entries, said(kind))}${gone}: ${entriesIn(lines)}${merged}`)
    }
  }

  /** What the history doesn't say in its facts: whose it is, and who answered what. */
  #compare({ kind, id, answers }: Entry, entries: SeenEntry[]): void {
    const own = entries.filter(({ chain }) => chain === 1)
    const last = own.at(-1)
    if (last && last.entry_id !== id) {
      const isAnother = this.#ids.has(`${kind} ${last.entry_id}`)
      if (isAnother) this.#complain(kind, id, `its history is that of ${said(kind)} ${last.entry_id}`)
      else this.#note(kind, id, 'its history has an earlier id of it')
    }
    if (!CONFIRMED_BY_CHANGING.includes(kind)) return
    for (const [side, answer] of Object.entries(answersSaid(own)))
      if (answers[side as keyof typeof answers] !== answer)
        this.#complain(kind, id, `the answer of the ${side} isn’t the one in its history`)
  }

  #complain(kind: string, id: string, problem: string): void {
    this.#report.problems.push(`${said(kind)} ${id}: ${problem}`)
  }

  #note(kind: string, id: string, note: string): void {
    this.#report.notes.push(`${said(kind)} ${id}: ${note}.`)
  }
}

/**
 * An exported entry as the database has it. Its texts are those that were hashed if the export's own columns say the
 * same, although in milliseconds, or as JSON.
 */
function storedEntry(row: Row): SeenEntry {
  const text = typeof row.hashed_text === 'string' ? row.hashed_text : undefined
  const lines = text?.split('\n') ?? []
  const [at, facts] = [String(row.at), JSON.stringify(row.facts)]
  return {
    chain: Number(row.chain),
    entry_id: String(row.entry_id),
    seq: Number(row.seq),
    at: lines[3] !== undefined && at === inMilliseconds(lines[3]) ? lines[3] : at,
    side: String(row.side),
    action: String(row.action),
    facts: isSameJson(lines[8], row.facts) ? (lines[8] ?? facts) : facts,
    changed: row.changed as string[],
    note: typeof row.note === 'string' ? Buffer.from(row.note).toString('hex') : null,
    previous_hash: lines[11] ?? null,
    hash: String(row.hash),
    hashed_text: text ?? null,
    is_by_handed_link: row.by_handed_link === true,
  }
}

/** The exported facts. Those that histories have as a text of JSON are that text if it says the same. */
function currentFacts({ facts }: Entry, entries: SeenEntry[]): string {
  const last = entries.findLast(({ chain }) => chain === 1)
  const then = JSON.parse(last?.facts ?? '{}') as Row
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [
        name,
        isSameJson(then[name], value) ? then[name] : value,
      ]),
    ),
  )
}

function isSameJson(text: unknown, value: unknown): boolean {
  if (typeof text !== 'string' || typeof value !== 'object') return false
  try {
    return sorted(JSON.parse(text)) === sorted(value)
  } catch {
    return false
  }
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
