// Keeps the embedded database's log small and young: PostgreSQL appends to it for as long as it runs.
import { closeSync, copyFileSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs'

/** Beyond this size the log starts anew; with the copy of the one before there is twice as much at most. */
const MOST_BYTES = 4_000_000
/** So old may its first line get. With the copy that makes 60 days, well within the 12 months of logs (product.md section 9). */
const MOST_DAYS = 30

/**
 * Starts a log anew once it is too large or its first line too old; what it held stays beside it as FILE.old, in place of the one before.
 * Whoever has the file open for appending goes on writing to it: lines that come between the copy and the cut may be lost.
 */
export function boundLog(file: string, now: Date): void {
  if (!existsSync(file) || (statSync(file).size <= MOST_BYTES && !isOld(file, now))) return
  copyFileSync(file, `${file}.old`)
  truncateSync(file)
}

// Every line begins with its time, "2026-11-21 10:56:11.123 UTC"; without one nobody can say how old it is.
function isOld(file: string, now: Date): boolean {
  const head = Buffer.alloc(10)
  const opened = openSync(file, 'r')
  const length = readSync(opened, head)
  closeSync(opened)
  if (length === 0) return false
  const day = Date.parse(head.toString('latin1'))
  return Number.isNaN(day) || now.getTime() - day > MOST_DAYS * 86_400_000
}
