import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, timeZones } from './time-zone.ts'

test('only IANA names are time zones', () => {
  for (const name of ['America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC'])
    assert.ok(isTimeZone(name), name)
  for (const name of ['', '+05:00', 'Mars/Olympus', 'America/New York', "UTC'; --"])
    assert.ok(!isTimeZone(name), name)
})

test('the zone in use is always on the list', () => {
  assert.ok(timeZones('Asia/Calcutta').includes('Asia/Calcutta'))
  assert.ok(timeZones(null).every(isTimeZone))
})
