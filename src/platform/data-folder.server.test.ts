import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDataFolder } from './data-folder.server.ts'

test('a data folder is created with its parents, for its owner only, and an existing one is kept', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tutorlog-folder-'))
  t.after(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'a', 'b')
  makeDataFolder(folder)
  makeDataFolder(folder)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  writeFileSync(join(root, 'file'), '')
  for (const impossible of [join(root, 'file', 'x'), '/proc/nowhere/data'])
    assert.throws(
      () => makeDataFolder(impossible),
      (error: Error) =>
        error.message.startsWith('DATA_DIR is not valid') &&
        error.message.includes(impossible) &&
        !error.message.includes('\n'),
    )
})
