// What servers of earlier versions left behind: a backup, and what everybody saw (kept-versions/README.md).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Left } from './kept-month.server.ts'
import type { Seen, Span } from './seen.server.ts'

export interface Kept extends Span {
  /** When the backup was made. */
  clock: string
  left: Left
  /** What the family, the practice and the caregiver saw. */
  views: Record<string, Seen>
  /** What /verify said about each code. */
  verified: Record<string, string>
  /** What the emailed links of the tutor and of the parent opened. */
  opened: unknown[]
  calendar: string
}

const BACKUP = '.backup.gz'
const SEEN = '.seen.json.gz'
const KEPT = fileURLToPath(new URL('kept-versions', import.meta.url))

export const placesOf = (name: string, folder = KEPT) => ({
  backup: join(folder, `${name}${BACKUP}`),
  seen: join(folder, `${name}${SEEN}`),
})

/** The names of all versions that were kept. Each has both files. */
export function keptVersions(): string[] {
  const names = (end: string) =>
    readdirSync(KEPT)
      .filter((file) => file.endsWith(end))
      .map((file) => file.slice(0, -end.length))
  const [backups, seen] = [names(BACKUP), names(SEEN)]
  if (backups.join() !== seen.join()) throw new Error(`In ${KEPT}, one of a version's two files is missing.`)
  return backups
}

export const readKept = (file: string) => JSON.parse(gunzipSync(readFileSync(file)).toString()) as Kept

/** The words of a page such as /verify. */
export const wordsOf = (html: string) =>
  (/<main[^]*<\/main>/.exec(html)?.[0] ?? html)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The figures that a page of /verify shows, and whether it says that the paper is genuine. */
export function verdictIn(words: string) {
  const after = (label: string) => new RegExp(`${label} \\$?(\\S+)`).exec(words)?.[1]
  const cents = (label: string) => Math.round(Number(after(label)) * 100)
  return {
    isGenuine: words.includes('is genuine') && !words.includes('changed since'),
    sessions: Number(after('Number of sessions')),
    hours: Number(after('Hours')),
    total: cents('Total'),
    carried: cents('Carried over'),
    charges: cents('Other charges'),
    paid: cents('Paid'),
    due: cents('Due'),
  }
}
