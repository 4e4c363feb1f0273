// The data folder, DATA_DIR.
import { mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates the data folder if it's missing. Only its owner has access. Throws a one-line Error with the folder
 * and the reason.
 */
export function makeDataFolder(dataDir: string): void {
  try {
    make(dataDir)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(
      `DATA_DIR is not valid: the folder ${dataDir} could not be created (${reason}). Choose a folder the server can write to.`,
      {
        cause: error,
      },
    )
  }
}

// Creates one level at a time. Node's recursive mkdir never returns if a parent, such as /proc, can't contain
// folders.
function make(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Below this much free space, the embedded database may be unable to save. */
const LEAST_ROOM_BYTES = 1024 * 1024

/** The first of the embedded database's folders that's low on disk space, or undefined if none is. */
export function fullFolder(dataDir: string): string | undefined {
  return [dataDir, databaseFolder(dataDir)].find((folder) => roomOf(folder) < LEAST_ROOM_BYTES)
}

/** How many bytes the embedded database may still take. Infinity if the operating system doesn't say. */
export function roomIn(dataDir: string): number {
  return Math.min(roomOf(dataDir), roomOf(databaseFolder(dataDir)))
}

/** Throws a one-line Error that names the folder if its disk is full. */
export function refuseFullDisk(dataDir: string): void {
  const full = fullFolder(dataDir)
  if (full) throw new Error(fullLine(full, 'has less than 1 MB left'))
}

/**
 * The error to report when startup fails: "disk full" if the disk has filled up in the meantime, otherwise
 * the original error.
 */
export function startFailure(error: unknown, dataDir: string): unknown {
  const full = fullFolder(dataDir)
  if (!full && !/ENOSPC|No space left on device/.test(String(error))) return error
  return new Error(fullLine(full ?? databaseFolder(dataDir), 'has no space for the database'), {
    cause: error,
  })
}

function fullLine(folder: string, how: string): string {
  return `The disk is full: the folder ${folder} ${how}. Free some space and start again.`
}

// If the server runs as root, the database may be in a different folder (see cluster-place.server.ts).
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
    // Either the folder doesn't exist yet, or the operating system can't report free space.
    return Infinity
  }
}
