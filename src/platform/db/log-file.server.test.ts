import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  openSync,
  closeSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { boundLog } from './log-file.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'postgres.log')
const day = (count: number) => new Date(Date.parse('2026-01-01T12:00:00Z') + count * 86_400_000)
const line = '2026-01-01 12:00:00.000 UTC [1] LOG:  database system is ready\n'

test('a log that is not there, empty, small or young stays as it is', () => {
  boundLog(file, day(0))
  writeFileSync(file, '')
  boundLog(file, day(400))
  writeFileSync(file, line)
  boundLog(file, day(29))
  assert.equal(readFileSync(file, 'utf8'), line)
  assert.ok(!existsSync(`${file}.old`))
})

test('P2: lines of the database are gone some 60 days after they were written', () => {
  boundLog(file, day(31))
  assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(`${file}.old`, 'utf8')], ['', line])
  appendFileSync(file, line.replace('2026-01-01', '2026-02-01'))
  boundLog(file, day(62))
  assert.doesNotMatch(readFileSync(`${file}.old`, 'utf8'), /2026-01-01/)
})

test('a log that gets too large is cleared, and processes that have it open keep writing', () => {
  const opened = openSync(file, 'a')
  writeSync(opened, line.repeat(70_000))
  boundLog(file, day(0))
  writeSync(opened, line)
  closeSync(opened)
  assert.equal(readFileSync(file, 'utf8'), line)
  assert.ok(readFileSync(`${file}.old`).length > 4_000_000)
})
