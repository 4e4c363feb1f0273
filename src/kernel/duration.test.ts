import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationInHours, formatHours, type Minutes } from './duration.ts'

const Session = durationInHours(0.25, 0, 'Please enter duration')

test('quarter hours become minutes, from a number or from text', () => {
  for (const [hours, minutes] of [
    [0, 0],
    [0.25, 15],
    ['1.50', 90],
    [24, 1440],
  ] as const)
    assert.equal(Session.parse(hours), minutes)
})

test('a duration that is too short, too long or not in quarter hours is refused, with the reason', () => {
  const message = (value: unknown) => Session.safeParse(value).error?.issues[0]?.message
  assert.equal(message(''), 'Please enter duration')
  assert.equal(message(undefined), 'Please enter duration')
  assert.match(message(0.3) ?? '', /quarter hours/)
  assert.match(message(-1) ?? '', /shortest/)
  assert.match(message(24.25) ?? '', /at most 24 hours/)
})

test('hours are shown without trailing zeros', () => {
  assert.deepEqual(
    [90, 60, 15].map((minutes) => formatHours(minutes as Minutes)),
    ['1.5', '1', '0.25'],
  )
})
