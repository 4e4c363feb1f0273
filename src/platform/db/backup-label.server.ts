// What this server says about a backup that it made: a small file beside it, with a code that only this data folder
// can make. It tells our own backups from files that somebody put there, which nobody may restore in a browser: a
// backup fills tables, so whoever writes one decides what everybody's records say.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface BackupLabel {
  created_at: string
  /** The SHA-256 of the file as it is on the disk, and its size in bytes. */
  sha256: string
  bytes: number
  tables: number
  rows: number
  /** The last migration of the tables in it. */
  schema: string
}

/** The name of a backup's label. */
export function labelOf(file: string): string {
  return `${file}.json`
}

/** Writes the label of a backup that's complete. It appears at once, or not at all. */
export async function writeLabel(dataDir: string, file: string, label: BackupLabel): Promise<void> {
  const code = codeOf(await secretOf(dataDir), file, label)
  await writeAtOnce(labelOf(file), `${JSON.stringify({ ...label, hmac: code })}\n`, rename)
}

/**
 * What this server said about a backup when it made it. Undefined if there's no label, if it isn't ours or is for a
 * file of another name, or if the backup has another size by now. The file's content isn't read: see hasLabeledBytes.
 */
export async function readLabel(dataDir: string, file: string): Promise<BackupLabel | undefined> {
  const found = await stat(file).catch(() => undefined)
  const text = await readFile(labelOf(file), 'utf8').catch(() => undefined)
  if (!found?.isFile() || text === undefined) return undefined
  const { hmac, ...label } = parsed(text)
  const given = Buffer.from(hmac)
  const own = Buffer.from(codeOf(await secretOf(dataDir), file, label))
  if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
  return label.bytes === found.size ? label : undefined
}

/** Whether a backup still has the bytes that its label was written for. Reads all of it. */
export async function hasLabeledBytes(file: string, { sha256 }: BackupLabel): Promise<boolean> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex') === sha256
}

// The order of the fields is the order here, whatever it is in a file.
function codeOf(secret: Buffer, file: string, label: BackupLabel): string {
  const { created_at, sha256, bytes, tables, rows, schema } = label
  const said = JSON.stringify([basename(file), created_at, sha256, bytes, tables, rows, schema])
  return createHmac('sha256', secret).update(said).digest('hex')
}

/** Made at the first use. It's in no backup, so whoever has one can't label another. */
async function secretOf(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'backup-secret')
  const read = () => readFile(file, 'utf8').catch(() => '')
  if ((await read()) === '') {
    // If another process was faster, its secret counts.
    await writeAtOnce(file, randomBytes(32).toString('hex'), async (unfinished) => {
      await link(unfinished, file).catch(() => undefined)
      await rm(unfinished)
    })
  }
  const secret = Buffer.from(await read(), 'hex')
  if (secret.length !== 32)
    throw new Error(`${file} is damaged: delete it. Backups made before then need the command line.`)
  return secret
}

async function writeAtOnce(
  file: string,
  text: string,
  put: (unfinished: string, file: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`
  const handle = await open(unfinished, 'w', 0o600)
  await handle.writeFile(text).then(() => handle.sync())
  await handle.close()
  await put(unfinished, file)
  const folder = await open(dirname(file), 'r')
  await folder.sync()
  await folder.close()
}

/** Whatever isn't a label has no valid code. */
function parsed(text: string): BackupLabel & { hmac: string } {
  try {
    const value = JSON.parse(text) as Partial<BackupLabel & { hmac: string }> | null
    return { ...value, hmac: String(value?.hmac) } as BackupLabel & { hmac: string }
  } catch {
    return parsed('{}')
  }
}
