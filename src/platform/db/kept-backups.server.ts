// Backups that a server with an embedded database makes automatically in DATA_DIR/backups: one per day, and
// one before each upgrade.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '#platform/data-folder.server.ts'
import { writeBackup } from './backup.server.ts'

const KEPT_DAYS = 7
/** How long to keep the backup made before an upgrade. It still contains accounts that have since been erased. */
const UPGRADE_KEPT_MS = 30 * 86_400_000
const DAILY = /^daily-\d{4}-\d\d-\d\d\.gz$/
const BEFORE_UPGRADE = /^before-upgrade-.*\.gz$/

/** Writes today's backup. Once it's complete, deletes old ones. */
export async function backUpDaily(ownerUrl: string, dataDir: string, now: Date): Promise<void> {
  const folder = folderOf(dataDir)
  await writeBackup(ownerUrl, join(folder, `daily-${now.toISOString().slice(0, 10)}.gz`), now)
  const files = readdirSync(folder).sort()
  const tooMany = files.filter((file) => DAILY.test(file)).slice(0, -KEPT_DAYS)
  const tooOld = files.filter(
    (file) =>
      BEFORE_UPGRADE.test(file) && now.getTime() - statSync(join(folder, file)).mtimeMs > UPGRADE_KEPT_MS,
  )
  for (const file of [...tooMany, ...tooOld]) rmSync(join(folder, file), { force: true })
}

/** Backs up the tables before an upgrade and returns the backup's path. Throws a one-line Error if that fails. */
export async function backUpBeforeUpgrade(ownerUrl: string, dataDir: string, now: Date): Promise<string> {
  const file = join(folderOf(dataDir), `before-upgrade-${now.toISOString().replaceAll(/[:.]/g, '-')}.gz`)
  try {
    await writeBackup(ownerUrl, file, now)
    return file
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The backup before the upgrade could not be written to ${file}: ${reason}`, {
      cause: error,
    })
  }
}

/** The age of the latest backup in seconds. If there isn't one, the age of the database. */
export function backupAge(dataDir: string, now: Date): number {
  const folder = join(dataDir, 'backups')
  const backups = existsSync(folder)
    ? readdirSync(folder).filter((file) => DAILY.test(file) || BEFORE_UPGRADE.test(file))
    : []
  const begun = join(dataDir, 'database-password')
  const written = (backups.length > 0 ? backups.map((file) => join(folder, file)) : [begun]).map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime(),
  )
  return Math.max(0, Math.round((now.getTime() - Math.max(...written)) / 1000))
}

function folderOf(dataDir: string): string {
  const folder = join(dataDir, 'backups')
  makeDataFolder(folder)
  return folder
}
