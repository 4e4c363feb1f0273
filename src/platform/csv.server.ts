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

/**
 * Parses CSV text, or cells pasted from a spreadsheet, into records with their starting lines. Skips empty
 * lines.
 */
export function readCsv(text: string): CsvLine[] {
  // Normalizes line breaks, because the parser counts CRLF inside quotes as two lines.
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const [stated, delimiter = delimiterOf(plain)] = /^"?sep=([,;|\t])"?(?=\n)/i.exec(plain) ?? ['']
  const records = parse(withBareQuotes(plain.slice(stated.length), delimiter), {
    delimiter,
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
}

// The parser reports the line where a record ends, and quoted cells may contain line breaks.
function firstLineOf(last: number, record: string[]): number {
  return last - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
}

/** Quotes cells in which a quotation mark is part of the text: 5" ruler, "Ada" Lovelace. */
function withBareQuotes(text: string, delimiter: string): string {
  const end = `[${delimiter}\n]`
  const cells = new RegExp(
    `(?<=^|${end})(?: *(${QUOTED}) *(?=${end}|$)|[^"${delimiter}\\n]*"[^${delimiter}\\n]*)`,
    'g',
  )
  return text.replaceAll(
    cells,
    (cell, quoted: string | undefined) => quoted ?? `"${cell.replaceAll('"', '""')}"`,
  )
}

const QUOTED = '"[^"]*(?:""[^"]*)*"'
const DELIMITERS = [',', ';', '\t', '|']
/** Lines that are enough to tell the delimiter. */
const SAMPLE = 50

/** The delimiter that most lines have the same number of; if that's a tie, the one they have more of. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .replaceAll(new RegExp(`(?<=^|[,;|\t\n])${QUOTED}(?=[,;|\t\n]|$)`, 'g'), '')
    .split('\n', SAMPLE)
  const [best = ','] = DELIMITERS.map((delimiter) => {
    const perLine = lines.map((line) => line.split(delimiter).length - 1).filter(Boolean)
    const linesWith = (count: number) => perLine.filter((other) => other === count).length
    const usual = perLine.toSorted((one, other) => linesWith(other) - linesWith(one) || other - one)[0] ?? 0
    return { delimiter, lines: linesWith(usual), usual }
  })
    .toSorted((one, other) => other.lines - one.lines || other.usual - one.usual)
    .map(({ delimiter }) => delimiter)
  return best
}
