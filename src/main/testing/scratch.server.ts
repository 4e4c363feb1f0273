// Folders for tests.
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder of its own, which the user that PostgreSQL runs as under root may pass. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-test-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Removes a folder, and the database files of its data folders that had to lie elsewhere: under root in a closed checkout. */
export function removeScratch(folder: string): void {
  for (const note of globSync('{.,*}/{.,data}/database-files-are-in.txt', { cwd: folder }))
    rmSync(readFileSync(join(folder, note), 'utf8').trim(), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
