// CSV that spreadsheets open without running anything, and that reads back unchanged (RFC 4180, promise I12).

/** What a spreadsheet would take for a formula, plus the apostrophe itself, so that it can be removed again. */
const RISKY = /^[=+\-@\t\r']/

/** One line of CSV. Texts that start like a formula get an apostrophe in front. */
export function csvLine(values: unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${(RISKY.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
