// Backups that a server with an embedded database makes automatically in DATA_DIR/backups: one per day, and
// one before each upgrade. Each has a label beside it, which goes with it.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '#platform/data-folder.server.ts'
import { type Beside, writeBackup, type Written } from './backup.server.ts'
import { type BackupLabel, labelOf, readLabel, writeLabel } from './backup-label.server.ts'

const KEPT_DAYS = 7
/** How long to keep the backup made before an upgrade. It still contains accounts that have since been erased. */
const UPGRADE_KEPT_MS = 30 * 86_400_000
const DAILY = /^daily-\d{4}-\d\d-\d\d\.gz(\.age)?$/
const BEFORE_UPGRADE = /^before-upgrade-.*\.gz(\.age)?$/

/** Where backups go, and the public keys they're encrypted to, if any. */
interface BackupPlace {
  dataDir: string
  backupRecipients: readonly string[]
}

/** The name of a day's backup. */
export function dailyName(place: BackupPlace, now: Date): string {
  return nameOf(`daily-${now.toISOString().slice(0, 10)}`, place)
}

/** Writes today's backup. Once it's complete, deletes old ones. */
export async function backUpDaily(
  ownerUrl: string,
  place: BackupPlace,
  now: Date,
  beside?: Beside,
): Promise<Written & { path: string }> {
  const folder = folderOf(place.dataDir)
  const path = join(folder, dailyName(place, now))
  const written = await writeLabeled(ownerUrl, path, place, now, beside)
  const files = readdirSync(folder).sort()
  const tooMany = files.filter((file) => DAILY.test(file)).slice(0, -KEPT_DAYS)
  const tooOld = files.filter(
    (file) =>
      BEFORE_UPGRADE.test(file) && now.getTime() - statSync(join(folder, file)).mtimeMs > UPGRADE_KEPT_MS,
  )
  for (const file of [...tooMany, ...tooOld]) removeLabeled(join(folder, file))
  return { ...written, path }
}

export interface OwnBackup {
  name: string
  path: string
  isEncrypted: boolean
  /** What this server said about it. Undefined if the file isn't one that it made, as it made it. */
  label: BackupLabel | undefined
}

/** The backups in DATA_DIR/backups whose names this server chooses, newest first; those without a label last. */
export async function keptBackups(dataDir: string): Promise<OwnBackup[]> {
  const folder = join(dataDir, 'backups')
  const names = existsSync(folder) ? readdirSync(folder).filter(isOwnName) : []
  const backups = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { name, path, isEncrypted: name.endsWith('.age'), label: await readLabel(dataDir, path) }
    }),
  )
  const time = ({ label, name }: OwnBackup) => `${label?.created_at ?? ''} ${name}`
  return backups.sort((a, b) => (time(a) < time(b) ? 1 : -1))
}

/** Backs up the tables before an upgrade and returns the backup's path. Throws a one-line Error if that fails. */
export async function backUpBeforeUpgrade(ownerUrl: string, place: BackupPlace, now: Date): Promise<string> {
  const name = nameOf(`before-upgrade-${now.toISOString().replaceAll(/[:.]/g, '-')}`, place)
  const file = join(folderOf(place.dataDir), name)
  try {
    await writeLabeled(ownerUrl, file, place, now)
    return file
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The backup before the upgrade could not be written to ${file}: ${reason}`, {
      cause: error,
    })
  }
}

/** What to tell the operator if the server's backups aren't encrypted. Undefined if they are, or if there are none. */
export function plainBackups({
  databaseUrl,
  backupRecipients,
}: {
  databaseUrl?: string
  backupRecipients: readonly string[]
}): string | undefined {
  if (databaseUrl !== undefined || backupRecipients.length > 0) return undefined
  return 'BACKUP_RECIPIENT is not set: backups hold everybody’s data unencrypted. Make a key: npm run admin -- new-backup-key FILE'
}

/** The age of the latest backup in seconds. If there isn't one, the age of the database. */
export function backupAge(dataDir: string, now: Date): number {
  const folder = join(dataDir, 'backups')
  const backups = existsSync(folder) ? readdirSync(folder).filter(isOwnName) : []
  if (backups.length === 0) return databaseAge(dataDir, now)
  return Math.min(...backups.map((file) => ageOf(join(folder, file), now)))
}

/** The age of the embedded database in seconds. */
export function databaseAge(dataDir: string, now: Date): number {
  return ageOf(join(dataDir, 'database-password'), now)
}

function ageOf(file: string, now: Date): number {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime()
  return Math.max(0, Math.round((now.getTime() - at) / 1000))
}

async function writeLabeled(
  ownerUrl: string,
  file: string,
  place: BackupPlace,
  now: Date,
  beside?: Beside,
): Promise<Written> {
  const written = await writeBackup(ownerUrl, file, now, place.backupRecipients, beside)
  const { tables, rows, schema, bytes, fileSha256: sha256 } = written
  const label = { created_at: now.toISOString(), sha256, bytes, tables, rows, schema }
  await writeLabel(place.dataDir, file, label)
  return written
}

function removeLabeled(file: string): void {
  for (const path of [file, labelOf(file)]) rmSync(path, { force: true })
}

function isOwnName(file: string): boolean {
  return DAILY.test(file) || BEFORE_UPGRADE.test(file)
}

function nameOf(start: string, { backupRecipients }: BackupPlace): string {
  return `${start}.gz${backupRecipients.length > 0 ? '.age' : ''}`
}

function folderOf(dataDir: string): string {
  const folder = join(dataDir, 'backups')
  makeDataFolder(folder)
  return folder
}
