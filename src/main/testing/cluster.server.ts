// The template cluster for tests. It's created and migrated once per schema, then copied.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { removeScratch, scratchFolder } from './scratch.server.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/tutorlog')
/** The files that determine the contents of a new cluster. */
const SOURCES = ['db', 'src/platform/db', 'src/platform/jobs', 'package-lock.json']

/**
 * Copies a cluster that's stopped, migrated and empty into a new data folder. A server started there uses the
 * copy and doesn't have to migrate.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  const template = await readyTemplate()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { data } = clusterPlace(dataDir)
  // `-a` preserves file ownership. When root runs the tests, the database files belong to a different user.
  execFileSync('cp', ['-a', '--reflink=auto', join(template, 'postgres'), data])
  execFileSync('cp', ['-a', join(template, 'database-password'), dataDir])
}

async function readyTemplate(): Promise<string> {
  // Each user gets a separate template, because users can't read each other's files.
  const name = `cluster-${process.getuid?.() ?? 0}-${hashOfSources()}`
  const template = join(CACHE, name)
  if (existsSync(template)) return template
  const folder = scratchFolder()
  try {
    const dataDir = join(folder, 'data')
    const database = await startEmbeddedDatabase({ dataDir, log: () => undefined })
    await migrate(database.superuserUrl)
    await database.stop()
    mkdirSync(CACHE, { recursive: true })
    removeOld(name)
    const unfinished = `${template}.${process.pid}`
    execFileSync('mkdir', [unfinished])
    execFileSync('cp', ['-a', clusterPlace(dataDir).data, join(dataDir, 'database-password'), unfinished])
    try {
      renameSync(unfinished, template)
    } catch {
      // Another test process created the template first.
      rmSync(unfinished, { recursive: true, force: true })
    }
  } finally {
    removeScratch(folder)
  }
  return template
}

/** Deletes templates for older schemas, except recent ones, which another test run may be using. */
function removeOld(except: string): void {
  for (const name of readdirSync(CACHE)) {
    if (!name.startsWith('cluster-') || name.startsWith(except)) continue
    const path = join(CACHE, name)
    // Another test process may have deleted this template by now.
    const madeAt = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now()
    if (Date.now() - madeAt > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
    else if (!path.endsWith('.test.ts')) hash.update(path.slice(ROOT.length)).update(readFileSync(path))
  }
  for (const source of SOURCES) add(join(ROOT, source))
  return hash.digest('hex').slice(0, 16)
}
