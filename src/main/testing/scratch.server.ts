// Temporary folders for tests.
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

/**
 * On Linux, a folder in memory. A test creates and deletes a thousand database files, and waits for each to
 * be flushed.
 */
const MEMORY = '/dev/shm'
/**
 * How much free space is required. A container may have only 64 MB, and three tests in parallel use a few
 * hundred megabytes each.
 */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** A new empty folder that PostgreSQL's user can access even if the tests run as root. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'tutorlog-test-'))
  chmodSync(folder, 0o711)
  return folder
}

/**
 * Deletes a folder. Also deletes database files that are elsewhere because root ran the tests in a checkout
 * that other users can't access.
 */
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
