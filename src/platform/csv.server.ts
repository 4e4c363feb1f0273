// CSV files that a spreadsheet opens as text, and that read back as what they were (promise I12).
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet may take for the start of a formula, its full-width twins too (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const GUARDED = /^'['=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A text as a cell: one apostrophe before what could be a formula, and before an apostrophe, so that it can be taken off again. */
export function guardedCell(text: string): string {
  return FORMULA.test(text) || text.startsWith("'") ? `'${text}` : text
}

/** The text that a cell stood for: without the apostrophe that guardedCell put before it. */
export function originalOf(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell
}

/** Rows as a CSV file (RFC 4180) with a byte order mark, which Excel needs to read UTF-8. Texts are quoted and guarded, numbers stand plain. */
export function csvFile(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return stringify(
    [header, ...rows].map((row) => row.map((cell) => (typeof cell === 'string' ? guardedCell(cell) : cell))),
    {
      bom: true,
      quoted_string: true,
      record_delimiter: '\r\n',
      cast: { number: String },
    },
  )
}

export interface CsvLine {
  /** The line of the file that the record begins on, counted from 1. */
  line: number
  cells: string[]
}

/** The file cannot be read as CSV; says where. */
export class BrokenCsv extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The records of a CSV text with the line that each begins on; empty lines are left out. Throws BrokenCsv. */
export function readCsv(text: string): CsvLine[] {
  // One kind of line end, because the parser counts the two characters of the other inside quotes.
  const plain = text.replaceAll(/\r\n?/g, '\n')
  try {
    const records = parse(plain, {
      bom: true,
      delimiter: delimiterOf(plain),
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as { info: { lines: number }; record: string[] }[]
    return records
      .map(({ info, record }) => ({
        line: firstLineOf(info.lines, record),
        cells: record.map((cell) => cell.trim()),
      }))
      .filter(({ cells }) => cells.some(Boolean))
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1
    throw new BrokenCsv(line, 'A quotation mark is out of place')
  }
}

// The parser names the line that a record ends on; a quoted cell may hold line breaks of its own.
function firstLineOf(last: number, record: string[]): number {
  return last - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
}

/** Comma, semicolon or tab: the one that the first line holds most of, outside of quotes. */
function delimiterOf(text: string): string {
  const first = (/^\uFEFF?(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 20_000))?.[0] ?? '').replaceAll(
    /"(?:[^"]|"")*"/g,
    '',
  )
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}
