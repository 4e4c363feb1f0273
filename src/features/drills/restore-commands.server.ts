// Restores a backup into a database that's thrown away, with the code of a real restore, and says what isn't as it
// was in the database when the backup was made.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { contentText } from '#features/months/month-page.ts'
import { loadBackup, readBackup, readContents } from '#platform/db/backup.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import {
  removeScratchDatabase,
  scratchFolderIn,
  startEmbeddedDatabase,
} from '#platform/db/embedded.server.ts'
import { knownMigrations, migrate } from '#platform/db/migrate.server.ts'
import { stepsBehind } from '#platform/db/upgrade.server.ts'
import { differences, type Figures } from './figures.ts'
import { type BackupFile, fileFindings } from './file-commands.server.ts'
import { closedPagesAfter, gatherStatistics, readCodes, readMonths } from './queries.server.ts'

export interface Dump {
  /** A backup that isn't encrypted, or its content from before it was. */
  path: string
  /** The migrations and figures of the database, from the backup's snapshot. */
  migrations: string[]
  expected: Figures
}

export interface DrillTask {
  /** The server's data folder. */
  dataDir: string
  file: BackupFile
  dump: Dump
}

/** What's wrong with a backup, a sentence for each. */
export async function drill({ dataDir, file, dump }: DrillTask): Promise<string[]> {
  const findings = await fileFindings(dataDir, file)
  // What's in a damaged file can't be told from its damage. One that's encrypted is restored from before that.
  if (findings.length > 0 && dump.path === file.path) return findings
  const scratch = await startEmbeddedDatabase({
    dataDir: scratchFolderIn(dataDir),
    log: () => undefined,
    isScratch: true,
  })
  try {
    return [...findings, ...(await restoredFindings(scratch.superuserUrl, dump))]
  } finally {
    await scratch.stop()
    await removeScratchDatabase(dataDir)
  }
}

/** Everything that's wrong with a dump, after it's been restored into an empty database. */
export async function restoredFindings(ownerUrl: string, dump: Dump): Promise<string[]> {
  const header = await readBackup(dump.path).catch((error: unknown) => reasonOf(error, dump.path))
  if (typeof header === 'string') return [header]
  const older = whyOlder(header.migrations, dump.migrations)
  if (older) return [older]
  const steps = stepsBehind('backup', header.migrations, await knownMigrations())
  await migrate(ownerUrl, { only: steps, isScratch: true })
  const loaded = await loadBackup(ownerUrl, dump.path).catch(whyNotLoaded)
  if (typeof loaded === 'string') return [loaded]
  const urls = await migrate(ownerUrl, { isScratch: true })
  const db = openDb(urls, 2)
  try {
    const restored = await restoredFigures(ownerUrl, new Set(loaded))
    const { broken = [] } = await verifyHistory(db)
    return [
      ...differences(dump.expected, restored),
      ...broken.map(
        ({ kind, id, seq, problem }) =>
          `The history of a ${kind.replace('_', ' ')} (${id.slice(0, 8)}) is broken: entry ${seq} ${problem}.`,
      ),
      ...(await pagesChanged(ownerUrl)),
    ]
  } finally {
    await db.close()
  }
}

async function restoredFigures(ownerUrl: string, loaded: Set<string>): Promise<Figures> {
  const contents = Object.entries(await readContents(ownerUrl))
  const client = await connectTo(ownerUrl)
  try {
    await gatherStatistics(client)
    return {
      tables: Object.fromEntries(contents.filter(([table]) => loaded.has(table))),
      months: await readMonths(client),
      codes: await readCodes(client),
    }
  } finally {
    await client.end()
  }
}

function whyOlder(found: string[], expected: string[]): string | undefined {
  if (found.join() === expected.join()) return undefined
  return (
    `The backup is of another version of the tables: its last step is ${found.at(-1) ?? 'none'}, ` +
    `the database's is ${expected.at(-1) ?? 'none'}.`
  )
}

const AT_ONCE = 200

/** Closed months whose page isn't the one that its hash was made of. */
async function pagesChanged(ownerUrl: string): Promise<string[]> {
  const client = await connectTo(ownerUrl)
  const changed: string[] = []
  try {
    for (let after = '', count = AT_ONCE; count === AT_ONCE;) {
      const pages = await closedPagesAfter(client, after, AT_ONCE)
      for (const { month, content, content_hash: hash } of pages) {
        if (!createHash('sha256').update(contentText(content)).digest().equals(hash))
          changed.push(`The page of a closed month of ${month} isn't the one that its hash was made of.`)
      }
      after = pages.at(-1)?.code ?? ''
      count = pages.length
    }
    return changed
  } finally {
    await client.end()
  }
}

/** PostgreSQL's codes of what's wrong with a row, in words. */
const ROW_PROBLEMS: Record<string, string> = {
  '23505': 'a row is there twice',
  '23503': 'a row that others refer to is missing',
  '23502': 'a value is missing',
  '23514': 'a value is not allowed',
  '53100': 'the disk is full',
}

// PostgreSQL's own message may contain what somebody typed, so only its code and the names of tables are passed on.
function whyNotLoaded(error: unknown): string {
  const { code, table, constraint, where, message } = error as Error & Record<string, string | undefined>
  if (!code || !/^[0-9A-Z]{5}$/.test(code)) return `The backup can't be restored: ${message}`
  const place = table ?? /^COPY (\w+)/.exec(where ?? '')?.[1]
  return (
    `The backup can't be restored: ${ROW_PROBLEMS[code] ?? `PostgreSQL refuses it (${code})`}` +
    `${place ? `, in the table ${place}` : ''}${constraint ? ` (${constraint})` : ''}.`
  )
}

function reasonOf(error: unknown, path: string): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `${reason.replaceAll(path, basename(path)).replace(/\.$/, '')}.`
}
