// Folders for tests.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder of its own, which the user that PostgreSQL runs as under root may pass. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-test-'))
  chmodSync(folder, 0o711)
  return folder
}
