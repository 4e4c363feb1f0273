import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  added,
  answered,
  due,
  edited,
  isStranded,
  looksSame,
  mayEdit,
  nextDue,
  retryDelayMs,
  shownIn,
  tried,
  tryAgain,
  verdictOf,
  type WaitingSession,
  without,
} from './waiting.ts'

const aWaiting = (id: string, more: Partial<WaitingSession> = {}): WaitingSession => ({
  id,
  input: { student_id: 's', tutor_id: 't', date: '2026-11-20', duration: '1' },
  shown: { student: 'Maya', tutor: 'Ingrid', date: '2026-11-20', hours: 1, subject: null, amount: 45 },
  tries: 0,
  notBefore: 0,
  ...more,
})
const idsOf = (queue: WaitingSession[]) => queue.map(({ id }) => id)
const refusal = { status: 422, code: 'unknown_student', title: 'This child is no longer on your list' }

test('only a stored session leaves the queue', () => {
  const queue = [aWaiting('a'), aWaiting('b')]
  assert.deepEqual(idsOf(answered(queue, 'a', { status: 201 }, 0)), ['b'])
  for (const status of [0, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504, 302])
    assert.deepEqual(idsOf(answered(queue, 'a', { status }, 0)), ['a', 'b'], String(status))
})

test('each response has one meaning', () => {
  const meanings = {
    stored: [200, 201],
    'signed-out': [401],
    'all-wait': [0, 408, 425, 429, 502, 503, 504],
    refused: [400, 402, 403, 404, 409, 413, 415, 422],
    later: [500, 501, 302],
  }
  for (const [verdict, statuses] of Object.entries(meanings))
    for (const status of statuses) assert.equal(verdictOf(status), verdict, String(status))
})

test("D13: sessions that the server refuses or fails on don't block the others", () => {
  let queue = [aWaiting('poisoned'), aWaiting('failing', { tries: 1 }), aWaiting('good')]
  queue = answered(queue, 'poisoned', { status: 422, problem: refusal }, 1000)
  queue = answered(queue, 'failing', { status: 500 }, 1000)
  assert.deepEqual(idsOf(due(queue, 1000)), ['good'])
  assert.deepEqual(queue[0]?.refusal, refusal)
  assert.deepEqual(idsOf(due(queue, 3000)), ['failing', 'good'])
  assert.equal(nextDue(without(queue, 'good')), 3000)
})

test('offline, only the number of attempts changes, and the order stays the same', () => {
  const queue = answered(tried([aWaiting('a'), aWaiting('b')], 'a'), 'a', { status: 0 }, 1000)
  assert.deepEqual(idsOf(due(queue, 1000)), ['a', 'b'])
  assert.equal(queue[0]?.tries, 1)
})

test('the delay between attempts grows from 2 seconds to 5 minutes, unless the server asks for another', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 8, 9, 50].map((tries) => retryDelayMs(tries)),
    [2000, 2000, 4000, 8000, 256_000, 300_000, 300_000],
  )
  assert.equal(retryDelayMs(1, 60), 60_000)
})

test('adding the same session twice adds it once', () => {
  assert.deepEqual(idsOf(added(added([], aWaiting('a')), aWaiting('a'))), ['a'])
})

test('a session that may have been stored keeps its content and id, and one that certainly was not may be edited', () => {
  assert.equal(mayEdit(aWaiting('a')), true)
  assert.equal(mayEdit(aWaiting('a', { tries: 1 })), false)
  assert.equal(mayEdit(aWaiting('a', { tries: 3, refusal })), true)
  assert.equal(
    mayEdit(aWaiting('a', { tries: 3, refusal: { ...refusal, status: 402, code: 'subscription_required' } })),
    false,
  )
  assert.deepEqual(idsOf(edited([aWaiting('a'), aWaiting('b')], 'a', aWaiting('c'))), ['c', 'b'])
  assert.deepEqual(idsOf(edited([aWaiting('a', { tries: 1 })], 'a', aWaiting('c'))), ['a'])
})

test('retrying a refused session sends it at once, under the same id', () => {
  const queue = tryAgain([aWaiting('a', { tries: 2, refusal, notBefore: 9000 })], 'a')
  assert.deepEqual([idsOf(due(queue, 0)), queue[0]?.refusal], [['a'], undefined])
})

test("a session is shown in the workspace it was logged in, and everywhere once it can't be sent anymore", () => {
  const lost = { status: 404, code: 'no_such_workspace', title: 'You are no member there' }
  let queue = [
    aWaiting('own', { workspace: 'family' }),
    aWaiting('other', { workspace: 'practice' }),
    aWaiting('of an older version'),
  ]
  assert.deepEqual(idsOf(shownIn(queue, 'family')), ['own', 'of an older version'])
  queue = answered(queue, 'other', { status: 404, problem: lost }, 0)
  assert.deepEqual(idsOf(shownIn(queue, 'family')), ['own', 'other', 'of an older version'])
  assert.deepEqual(queue.map(isStranded), [false, true, false])
  assert.deepEqual(queue.map(mayEdit), [true, false, true])
  assert.deepEqual(idsOf(due(queue, 0)), ['own', 'of an older version'])
})

test('a lesson that the other side may have logged, too, is sent once more as late, in the same place in the queue', () => {
  const problem = { status: 409, code: 'same_lesson', title: 'Is it the same?' }
  let queue = answered([aWaiting('a', { tries: 1 }), aWaiting('b')], 'a', { status: 409, problem }, 0)
  assert.deepEqual(queue.map(looksSame), [true, false])
  assert.deepEqual([idsOf(due(queue, 0)), nextDue(queue)], [['a', 'b'], 0])
  queue = tried(queue, 'a')
  assert.deepEqual([queue[0]?.input.is_late, queue[0]?.refusal], [true, undefined])
  // The second rejection is final. Otherwise, the session would be resent forever.
  queue = answered(queue, 'a', { status: 409, problem }, 0)
  assert.deepEqual(idsOf(due(queue, 0)), ['b'])
})
