import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayName, initials, invitationIn } from './account.ts'
import { formatCountdown, inactivityAt } from './inactivity.ts'

test('the avatar shows initials of the name, else the first letter of the email, else U', () => {
  const of = (full_name: string | null, email: string) => initials({ full_name, email })
  assert.deepEqual(
    [
      of('Dana Whitfield', 'd@x.y'),
      of('Ana María de la Cruz', 'd@x.y'),
      of(null, 'kim@x.y'),
      of('', ''),
      of('Şule', 'x@y.z'),
    ],
    ['DW', 'AC', 'K', 'U', 'Ş'],
  )
})

test('the shown name is the full name, else the part of the email before the at sign, else User', () => {
  assert.deepEqual(
    [
      displayName({ full_name: 'Dana', email: 'd@x.y' }),
      displayName({ full_name: null, email: 'kim@x.y' }),
      displayName({ full_name: null, email: '' }),
    ],
    ['Dana', 'kim', 'User'],
  )
})

test('the warning comes 15 minutes before the end and counts down from 900 seconds; a device that wakes up late is past it at once', () => {
  const minute = 60_000
  assert.deepEqual(inactivityAt(104 * minute, 0), { phase: 'active' })
  assert.deepEqual(inactivityAt(105 * minute, 0), { phase: 'warning', secondsLeft: 900 })
  assert.deepEqual(inactivityAt(120 * minute, 0), { phase: 'expired' })
  assert.deepEqual(inactivityAt(9000 * minute, 0), { phase: 'expired' })
  assert.equal(formatCountdown(65), '1:05')
})

test('an invitation code is read from the address, and an invalid one is ignored', () => {
  assert.deepEqual(
    ['?ref=abc123&x=1', '?x=1&ref=%20abc123%20', '?ref=<script>', '?ref=', '', `?ref=${'a'.repeat(101)}`].map(
      invitationIn,
    ),
    ['abc123', 'abc123', undefined, undefined, undefined, undefined],
  )
})
