import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { hasLabeledBytes, labelOf, readLabel, writeLabel } from './backup-label.server.ts'
import { keptBackups } from './kept-backups.server.ts'

const made: string[] = []
const CONTENT = 'a backup'
let dataDir: string
let file: string
beforeEach(async () => {
  made.push((dataDir = mkdtempSync(join(tmpdir(), 'tutorlog-label-'))))
  file = join(dataDir, 'daily-2026-11-28.gz')
  writeFileSync(file, CONTENT)
  await writeLabel(dataDir, file, label())
})
after(() => made.forEach((folder) => rmSync(folder, { recursive: true })))

function label() {
  return {
    created_at: '2026-11-28T02:50:00.000Z',
    sha256: createHash('sha256').update(CONTENT).digest('hex'),
    bytes: CONTENT.length,
    tables: 60,
    rows: 1234,
    schema: '0183-security-log.sql',
  }
}

test('F15: a backup’s label says what was written, and only its owner can read the secret', async () => {
  const read = await readLabel(dataDir, file)
  assert.deepEqual(read, label())
  assert.equal(await hasLabeledBytes(file, label()), true)
  for (const path of [labelOf(file), join(dataDir, 'backup-secret')])
    assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('F15: a file that changed, was renamed, or has no label or somebody else’s is none of ours', async () => {
  const text = readFileSync(labelOf(file), 'utf8')
  for (const changed of [
    text.replace('1234', '1235'),
    text.replace('02:50', '03:50'),
    text.replace(/"hmac":"./, '"hmac":"x'),
    text.replace(/,"hmac".*}/, '}'),
    '',
    'null',
    '{}',
  ]) {
    assert.notEqual(changed, text)
    writeFileSync(labelOf(file), changed)
    assert.equal(await readLabel(dataDir, file), undefined, changed)
  }
  writeFileSync(labelOf(file), text)
  const renamed = join(dataDir, 'daily-2026-11-29.gz')
  copyFileSync(file, renamed)
  copyFileSync(labelOf(file), labelOf(renamed))
  assert.equal(await readLabel(dataDir, renamed), undefined)
  writeFileSync(file, 'b backup')
  assert.equal(await hasLabeledBytes(file, label()), false)
  writeFileSync(file, 'longer than before')
  assert.equal(await readLabel(dataDir, file), undefined)
})

test('F15: a label made with another data folder’s secret doesn’t count', async () => {
  const other = mkdtempSync(join(tmpdir(), 'tutorlog-label-'))
  made.push(other)
  await writeLabel(other, file, label())
  assert.equal(await readLabel(dataDir, file), undefined)
  assert.deepEqual(await keptBackups(dataDir), [])
})
