// Exports, and the program in them that checks them, for tests.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Caller } from '../testing.server.ts'

export async function exportOf(who: Pick<Caller, 'call'>, headers = {}): Promise<Buffer> {
  const { status, bytes, body } = await who.call('POST', '/api/v1/export', {}, headers)
  assert.equal(status, 200, JSON.stringify(body))
  return bytes
}

/** Runs the checker that's in an export. */
export const checked = (zip: Uint8Array) => checkedBy(zip, zip)

/**
 * Runs the checker that's in one export on another, which may be damaged.
 * @param options for Node
 * @param keys what a server publishes as its keys
 */
export function checkedBy(
  own: Uint8Array,
  zip: Uint8Array,
  options: string[] = [],
  keys?: unknown,
): { code: number | null; lines: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  const [checker, file] = [join(folder, 'verify.mjs'), join(folder, 'export.zip')]
  try {
    const only = unzipSync(own, { filter: ({ name }) => name === 'verify.mjs' })
    writeFileSync(checker, only['verify.mjs'] ?? '')
    writeFileSync(file, zip)
    const keysFile = join(folder, 'keys.json')
    if (keys) writeFileSync(keysFile, JSON.stringify(keys))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...options, checker, file, ...(keys ? [keysFile] : [])],
      { encoding: 'utf8' },
    )
    assert.equal(stderr, '')
    return { code: status, lines: stdout.trim().split('\n') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
