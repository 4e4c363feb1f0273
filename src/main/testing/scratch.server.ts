// Folders for tests.
import {
  accessSync,
  chmodSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files in memory, on Linux. A test makes and removes a thousand files of a database, and waits for each that is flushed. */
const MEMORY = '/dev/shm'
/** What must be free there: a container's may hold 64 MB, and three tests at a time need a few hundred megabytes each at the most. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** An empty folder of its own, which the user that PostgreSQL runs as under root may pass. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'tutorlog-test-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Removes a folder, and the database files of its data folders that had to lie elsewhere: under root in a closed checkout. */
export function removeScratch(folder: string): void {
  for (const note of globSync('{.,*}/{.,data}/database-files-are-in.txt', { cwd: folder }))
    rmSync(readFileSync(join(folder, note), 'utf8').trim(), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH_BYTES
  } catch {
    return false
  }
}
