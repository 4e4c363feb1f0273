import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceState, usedSince } from './push.ts'

const BROWSER = { canPush: true, isIos: false, permission: 'granted' } as const
const ON = { is_on: true, is_subscribed: true, is_failing: false }
const OFF = { is_on: false, is_subscribed: false, is_failing: false }

test('what this device can say: from the browser first, then from the server', () => {
  assert.equal(deviceState({ ...BROWSER, canPush: false }, OFF), 'unsupported')
  assert.equal(deviceState({ ...BROWSER, canPush: false, isIos: true }, OFF), 'home-screen')
  assert.equal(deviceState({ ...BROWSER, isIos: true }, ON), 'on')
  assert.equal(deviceState({ ...BROWSER, permission: 'denied' }, ON), 'denied')
  assert.equal(deviceState({ ...BROWSER, permission: 'default' }, OFF), 'off')
  assert.equal(deviceState({ ...BROWSER, permission: 'default' }, ON), 'off')
  assert.equal(deviceState(BROWSER, OFF), 'off')
  assert.equal(deviceState(BROWSER, ON), 'on')
  assert.equal(deviceState(BROWSER, { ...ON, is_failing: true }), 'failing')
  assert.equal(deviceState(BROWSER, { ...ON, is_subscribed: false }), 'failing')
})

test('a device is used if something was opened or answered there within 14 days', () => {
  assert.equal(usedSince(new Date('2026-11-27T10:00:00Z')).toISOString(), '2026-11-13T10:00:00.000Z')
})
