// Guesses what each column of a spreadsheet contains, from its name.
import { monthNumber } from './cell.ts'
import type { Columns, DateOrder, Field } from './import.ts'

// In this order: a column goes to the first field whose words are in its name.
const WORDS: [Field, RegExp][] = [
  ['date', /\b(date|day|when)\b/],
  ['tutor', /\b(tutor|teacher|instructor|coach)\b/],
  ['student', /\b(student|child|children|pupil|kid|name)\b/],
  ['homework', /\bhomework\b/],
  ['summary', /\bsummary\b/],
  ['start_time', /\b(start time|time of day|start(s|ed)? at)\b|^start$/],
  ['minutes', /\b(min|mins|minutes)\b/],
  ['rate', /\b(rate|hourly|per hour)\b|\/ ?h(our)?\b/],
  ['duration', /\b(duration|hours?|hrs?|length|time)\b/],
  ['amount', /\b(amount|total|cost|price|fee|charge|sum)\b/],
  ['subject', /\b(subject|topic|course|class|lesson)\b/],
  ['notes', /\b(notes?|comments?|remarks?|description|memo)\b/],
]

/** The columns by name; each field takes the first that fits. */
export function guessColumns(header: readonly string[]): Columns {
  const columns: Columns = {}
  header.forEach((name, at) => {
    const plain = name.toLowerCase().replaceAll(/[_-]+/g, ' ')
    const field = WORDS.find(([one, words]) => columns[one] === undefined && words.test(plain))?.[0]
    if (field) columns[field] = at
  })
  return columns
}

/** Month first or day first, as the dates themselves show; month first if they leave it open. */
export function guessDateOrder(dates: readonly string[]): DateOrder {
  return dates.some((date) => Number(/^(\d{1,2})[/.-]\d{1,2}[/.-]/.exec(date)?.[1] ?? 0) > 12) ? 'dmy' : 'mdy'
}

/** Whether a row has column names: none of its cells is a date or a number. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => /\p{L}/u.test(cell)) &&
    !cells.some(
      (cell) => /^[\d\p{Sc}.,:/-]+$/u.test(cell) || (/\d{4}/.test(cell) && monthNumber(cell) !== undefined),
    )
  )
}
