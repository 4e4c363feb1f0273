import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINGER_MS, TIMEOUT_MS, WARNING_MS, warningAt } from './inactivity.ts'

const last = 1_000_000_000_000

test('A13: the warning shows for the last 15 minutes', () => {
  assert.equal(warningAt(last + TIMEOUT_MS - WARNING_MS - 1, last, false), undefined)
  assert.equal(warningAt(last + TIMEOUT_MS - WARNING_MS, last, false), 900)
  assert.equal(warningAt(last + TIMEOUT_MS - 1, last, true), 1)
  assert.equal(warningAt(last + TIMEOUT_MS, last, true), undefined)
})

test('A13: activity restarts the time at once, and the warning stays for 3 seconds after it', () => {
  assert.equal(warningAt(last, last, true), TIMEOUT_MS / 1000)
  assert.equal(warningAt(last + LINGER_MS - 1, last, true), TIMEOUT_MS / 1000 - 2)
  assert.equal(warningAt(last + LINGER_MS, last, true), undefined)
  assert.equal(warningAt(last + 1, last, false), undefined)
})
