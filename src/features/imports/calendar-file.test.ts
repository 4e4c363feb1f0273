import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { calendarsInZip, inSlices, unfolded } from './calendar-file.ts'

const CALENDAR = 'BEGIN:VCALENDAR\r\nX-WR-CALNAME:Family\r\nEND:VCALENDAR\r\n'

test('the calendars in an archive are found, with their names', async () => {
  const archive = zipSync({
    'a/karin@example.com.ics': strToU8(CALENDAR.replace('X-WR-CALNAME:Family\r\n', '')),
    'family.ics': strToU8(CALENDAR),
    'broken.ics': strToU8('not a calendar'),
    'readme.txt': strToU8('hello'),
  })
  const found = await calendarsInZip(archive)
  assert.deepEqual(
    found?.map(({ name }) => name),
    ['karin@example.com', 'Family'],
  )
})

test('other archives, and broken ones, have no calendars', async () => {
  assert.equal(await calendarsInZip(zipSync({ 'xl/workbook.xml': strToU8('<a/>') })), undefined)
  assert.equal(await calendarsInZip(strToU8('PK\u0003\u0004 broken')), undefined)
  assert.equal(await calendarsInZip(strToU8(CALENDAR)), undefined)
})

test('a fold inside a character is undone, and other files stay as they are', () => {
  const folded = [
    ...strToU8('BEGIN:VCALENDAR\r\nSUMMARY:Zo'),
    0xc3,
    13,
    10,
    32,
    0xab,
    ...strToU8('\r\nEND:VCALENDAR'),
  ]
  assert.equal(
    new TextDecoder('utf-8', { fatal: true }).decode(unfolded(Uint8Array.from(folded))),
    'BEGIN:VCALENDAR\r\nSUMMARY:Zoë\r\nEND:VCALENDAR',
  )
  const table = strToU8('Date,Notes\n 2026-01-01,x\n')
  assert.equal(unfolded(table), table)
})

test('long work lets the page work in between, and stops when it is no longer wanted', async () => {
  function* work() {
    for (let at = 0; at < 40; at++) {
      const end = performance.now() + 2
      while (performance.now() < end);
      yield at / 40
    }
    return 'done'
  }
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const progress: number[] = []
  assert.equal(await inSlices(work(), new AbortController().signal, (done) => progress.push(done)), 'done')
  clearInterval(timer)
  assert.ok(turns >= 3, `${turns} turns`)
  assert.deepEqual(
    progress,
    progress.toSorted((one, other) => one - other),
  )
  const abort = new AbortController()
  assert.equal(await inSlices(work(), abort.signal, () => abort.abort()), undefined)
})
