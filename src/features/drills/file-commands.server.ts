// Checks the backups' files as they are on the disk: the newest against what was written, and all that are kept
// against their labels.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { labelOf } from '#platform/db/backup-label.server.ts'
import { keptBackups, type OwnBackup } from '#platform/db/kept-backups.server.ts'
import { isSealed } from '#platform/db/sealed.server.ts'

/** What was written to the disk. */
export interface BackupFile {
  path: string
  bytes: number
  sha256: string
  isEncrypted: boolean
}

/** Everything that's wrong with the newest backup's file, then with the others that are kept. */
export async function fileFindings(dataDir: string, file: BackupFile): Promise<string[]> {
  const kept = await keptBackups(dataDir)
  const others = kept.filter(({ path }) => path !== file.path)
  const changed = await whatChanged(file, others)
  const findings = [
    ...(changed ? [changed] : ((await whatIsWrongWithLabel(dataDir, file.path, kept)) ?? [])),
    ...(await openToOthers([dirname(file.path), ...kept.map(({ path }) => path)])),
  ]
  for (const other of others) {
    if (other.label) {
      const { bytes, sha256 } = other.label
      findings.push(
        ...[await whatChanged({ ...other, bytes, sha256 }, [])].filter((found) => found !== undefined),
      )
    } else findings.push(...((await whatIsWrongWithLabel(dataDir, other.path, kept)) ?? []))
  }
  return findings
}

async function whatChanged(file: BackupFile, others: OwnBackup[]): Promise<string | undefined> {
  const name = basename(file.path)
  const found = await stat(file.path).catch(() => undefined)
  if (!found?.isFile()) return `${name} isn't there.`
  if (found.size === 0) return `${name} is empty.`
  const sha256 = await hashOf(file.path).catch((error: NodeJS.ErrnoException) => error)
  if (typeof sha256 !== 'string') return `${name} can't be read (${sha256.code}).`
  if (sha256 === file.sha256) return undefined
  const same = others.find(({ label }) => label?.sha256 === sha256)
  if (same) return `${name} was replaced by ${same.name}.`
  if (found.size < file.bytes) return `${name} was cut: ${found.size} of ${file.bytes} bytes are left.`
  if ((await isSealed(file.path)) !== file.isEncrypted)
    return file.isEncrypted
      ? `${name} isn't encrypted.`
      : `${name} is encrypted, although it wasn't written so.`
  return file.isEncrypted
    ? `${name} isn't what was written: it was changed, or encrypted to another key.`
    : `${name} isn't what was written: it was changed.`
}

/** Undefined if its label is right, or if the backup is older than labels. */
async function whatIsWrongWithLabel(
  dataDir: string,
  path: string,
  kept: OwnBackup[],
): Promise<string[] | undefined> {
  if (kept.find((one) => one.path === path)?.label) return undefined
  const name = basename(path)
  const text = await readFile(labelOf(path), 'utf8').catch(() => undefined)
  if (text === undefined) {
    const [made, since] = await Promise.all(
      [path, join(dataDir, 'backup-secret')].map(async (file) => (await stat(file)).mtimeMs),
    ).catch(() => [0, 0])
    return (made ?? 0) < (since ?? 0) ? undefined : [`${name} has no label that says what was written.`]
  }
  const { size } = await stat(path)
  if (size === 0) return [`${name} is empty.`]
  const { bytes } = parsed(text)
  if (typeof bytes === 'number' && size < bytes)
    return [`${name} was cut: ${size} of ${bytes} bytes are left.`]
  return [`The label of ${name} isn't right: this server's secret is another one, or somebody changed it.`]
}

async function openToOthers(paths: string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const { mode = 0 } = (await stat(path).catch(() => undefined)) ?? {}
      return (mode & 0o077) === 0
        ? undefined
        : `Others on this machine may read ${basename(path)}: its mode is ${(mode & 0o777).toString(8)}.`
    }),
  )
  return found.filter((finding) => finding !== undefined)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function parsed(text: string): { bytes?: unknown } {
  try {
    return { ...(JSON.parse(text) as { bytes?: unknown }) }
  } catch {
    return {}
  }
}
