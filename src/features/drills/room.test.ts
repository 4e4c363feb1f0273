import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesNeeded, whyNoRoom, whyStop } from './room.ts'

const MB = 1_000_000

test('F15: a drill needs room for the database once more, and half as much again if backups are encrypted', () => {
  assert.equal(bytesNeeded(100 * MB, false), 280 * MB)
  assert.equal(bytesNeeded(100 * MB, true), 330 * MB)
})

test('F15: a twentieth of the disk stays free, at least 200 MB and at most 2 GB', () => {
  const missing = (size: number, free: number) =>
    /(\S+ MB) more/.exec(whyNoRoom({ size, free }, 0) ?? '')?.[1]
  assert.deepEqual([missing(10_000 * MB, 500 * MB), missing(10_000 * MB, 499 * MB)], [undefined, '1 MB'])
  assert.deepEqual([missing(1000 * MB, 200 * MB), missing(1000 * MB, 150 * MB)], [undefined, '50 MB'])
  assert.deepEqual([missing(9e12, 2000 * MB), missing(9e12, 0)], [undefined, '2,000 MB'])
})

test('F15: a drill that runs stops once half of that is gone', () => {
  assert.equal(whyStop({ size: 10_000 * MB, free: 250 * MB }), undefined)
  assert.match(
    whyStop({ size: 10_000 * MB, free: 249 * MB }) ?? '',
    /stopped when only 249 MB of the disk were free/,
  )
})
