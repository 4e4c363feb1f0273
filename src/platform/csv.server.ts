// CSV files that spreadsheets treat as plain text and that can be read back unchanged (promise I12).
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** Characters that may start a formula in a spreadsheet, plus their full-width forms (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const GUARDED = /^'['=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * Formats text for a cell. If the text starts with a formula character or an apostrophe, adds an apostrophe
 * in front; originalOf removes it again.
 */
export function guardedCell(text: string): string {
  return FORMULA.test(text) || text.startsWith("'") ? `'${text}` : text
}

/** A cell's text without the apostrophe that guardedCell added. */
export function originalOf(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell
}

/**
 * Formats rows as a CSV file (RFC 4180) with a byte order mark, which Excel needs to read UTF-8. Strings are
 * quoted and guarded; numbers aren't.
 */
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
  /** The line on which the record starts, counting from 1. */
  line: number
  cells: string[]
}

/** Thrown if a file isn't valid CSV. Includes the line number of the error. */
export class BrokenCsv extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Parses CSV text into records with their starting lines. Skips empty lines. Throws BrokenCsv. */
export function readCsv(text: string): CsvLine[] {
  // Normalizes line breaks, because the parser counts CRLF inside quotes as two lines.
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

// The parser reports the line where a record ends, and quoted cells may contain line breaks.
function firstLineOf(last: number, record: string[]): number {
  return last - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
}

/** Comma, semicolon or tab, whichever occurs most often outside quotes in the first line. */
function delimiterOf(text: string): string {
  const first = (/^\uFEFF?(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 20_000))?.[0] ?? '').replaceAll(
    /"(?:[^"]|"")*"/g,
    '',
  )
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}
