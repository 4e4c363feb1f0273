// CSV that spreadsheets can open without executing anything, and that can be read back unchanged (RFC 4180,
// promise I12).

/**
 * Characters that make a spreadsheet treat a cell as a formula. Includes the apostrophe, so that removing one
 * when reading restores the value.
 */
const RISKY = /^[=+\-@\t\r']/

/** Formats one line of CSV. Values that look like a formula get a leading apostrophe. */
export function csvLine(values: unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${(RISKY.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
