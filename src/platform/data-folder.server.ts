// The folder that DATA_DIR names.
import { mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates the data folder if it's missing, for its owner only. Throws an Error whose one line gives DATA_DIR, the folder and
 * the reason.
 */
export function makeDataFolder(dataDir: string): void {
  try {
    make(dataDir)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(
      `DATA_DIR is not valid: the folder ${dataDir} cannot be made (${reason}). Name a folder that can be written to.`,
      {
        cause: error,
      },
    )
  }
}

// One level at a time: if the parent takes no folders, as in /proc, Node's recursive mkdir never returns.
function make(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Someone else was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** With less room than this the embedded database cannot be relied on to save anything. */
const LEAST_ROOM_BYTES = 1024 * 1024

/** The folder, of those that the embedded database writes to, whose disk is full; undefined where there is room. */
export function fullFolder(dataDir: string): string | undefined {
  return [dataDir, databaseFolder(dataDir)].find((folder) => roomOf(folder) < LEAST_ROOM_BYTES)
}

/** Throws an Error with one line that names the folder whose disk is full. */
export function refuseFullDisk(dataDir: string): void {
  const full = fullFolder(dataDir)
  if (full) throw new Error(fullLine(full, 'has less than 1 MB left'))
}

/** What a start failed of: a disk that became full meanwhile, or what it says itself. */
export function startFailure(error: unknown, dataDir: string): unknown {
  const full = fullFolder(dataDir)
  if (!full && !/ENOSPC|No space left on device/.test(String(error))) return error
  return new Error(fullLine(full ?? databaseFolder(dataDir), 'has no room for the database'), {
    cause: error,
  })
}

function fullLine(folder: string, how: string): string {
  return `The disk is full: the folder ${folder} ${how}. Make room, and start again.`
}

// Root's database may lie elsewhere; see cluster-place.server.ts.
function databaseFolder(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, 'database-files-are-in.txt'), 'utf8').trim()
  } catch {
    return dataDir
  }
}

function roomOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // Not there yet, or a system that does not say.
    return Infinity
  }
}
