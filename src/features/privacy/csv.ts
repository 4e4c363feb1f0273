// CSV that spreadsheets open without running anything, and that reads back to what was entered (RFC 4180, promise I12).

/** What a spreadsheet would take for a formula, and the mark itself, so that it can be taken off again. */
const RISKY = /^[=+\-@\t\r']/

/** One line of CSV. Texts that begin like a formula get an apostrophe before them. */
export function csvLine(values: unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${(RISKY.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
