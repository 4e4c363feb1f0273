// Guesses each column's content from its name.
import { monthNumber } from './cell.ts'
import type { Columns, DateOrder, Field } from './import.ts'

// A column gets the first unassigned field that matches a word in its name.
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

/** Guesses each column's field from its name. If several columns match a field, uses the first. */
export function guessColumns(header: readonly string[]): Columns {
  const columns: Columns = {}
  header.forEach((name, at) => {
    const plain = name.toLowerCase().replaceAll(/[_-]+/g, ' ')
    const field = WORDS.find(([one, words]) => columns[one] === undefined && words.test(plain))?.[0]
    if (field) columns[field] = at
  })
  return columns
}

/** Guesses from the dates whether the month or the day comes first; assumes the month if both are possible. */
export function guessDateOrder(dates: readonly string[]): DateOrder {
  return dates.some((date) => Number(/^(\d{1,2})[/.-]\d{1,2}[/.-]/.exec(date)?.[1] ?? 0) > 12) ? 'dmy' : 'mdy'
}

/** Whether a row looks like column names: it has letters, and no cell is a date or a number. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => /\p{L}/u.test(cell)) &&
    !cells.some(
      (cell) => /^[\d\p{Sc}.,:/-]+$/u.test(cell) || (/\d{4}/.test(cell) && monthNumber(cell) !== undefined),
    )
  )
}
