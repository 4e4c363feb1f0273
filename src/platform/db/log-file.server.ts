// Limits the size and age of the embedded database's log, which PostgreSQL appends to as long as it runs.
import { closeSync, copyFileSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs'

/**
 * Larger logs are truncated. Including the copy of its earlier content, a log takes up at most about twice
 * this.
 */
const MOST_BYTES = 4_000_000
/**
 * The maximum age of a log's first line. Including the copy, log lines are kept for up to 60 days, well
 * within the 12 months allowed for logs (docs/product.md, section 9).
 */
const MOST_DAYS = 30

/**
 * Truncates a log if it's too large or its first line is too old. The old content is first copied to
 * FILE.old, replacing the previous copy. Processes that opened the log for appending keep writing to it.
 * Lines written between the copy and the truncation may be lost.
 */
export function boundLog(file: string, now: Date): void {
  if (!existsSync(file) || (statSync(file).size <= MOST_BYTES && !isOld(file, now))) return
  copyFileSync(file, `${file}.old`)
  truncateSync(file)
}

// Every line starts with a timestamp, such as "2026-11-21 10:56:11.123 UTC". If the first line doesn't have
// one, the log is considered too old.
function isOld(file: string, now: Date): boolean {
  const head = Buffer.alloc(10)
  const opened = openSync(file, 'r')
  const length = readSync(opened, head)
  closeSync(opened)
  if (length === 0) return false
  const day = Date.parse(head.toString('latin1'))
  return Number.isNaN(day) || now.getTime() - day > MOST_DAYS * 86_400_000
}
