import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOf } from '#platform/zoned-time.server.ts'
import { dayToTell, endedIn, mayRepeat, nextQuestion, nextReminder } from './reminder.ts'

const berlin = clockOf('Europe/Berlin')
const at = (text: string) => new Date(text)

test('no reminder goes out from 9 PM to 8 AM on the account’s clock, also when the clock is changed that night', () => {
  const cases = [
    ['2026-06-10T18:59:59Z', '2026-06-10T18:59:59Z'],
    ['2026-06-10T19:00:00Z', '2026-06-11T06:00:00Z'],
    ['2026-06-11T05:59:00Z', '2026-06-11T06:00:00Z'],
    ['2026-06-11T06:00:00Z', '2026-06-11T06:00:00Z'],
    // The clock goes forward on March 29 and back on October 25, 2026.
    ['2026-03-28T21:00:00Z', '2026-03-29T06:00:00Z'],
    ['2026-10-24T21:00:00Z', '2026-10-25T07:00:00Z'],
  ] as const
  for (const [now, expected] of cases)
    assert.deepEqual(nextReminder(at(now), null, berlin), at(expected), now)
  assert.deepEqual(
    nextReminder(at('2026-06-10T19:00:00Z'), null, clockOf('America/New_York')),
    at('2026-06-10T19:00:00Z'),
  )
})

test('two reminders to an account are at least an hour apart, and the later one waits for the morning', () => {
  const last = at('2026-06-10T12:00:00Z')
  assert.deepEqual(nextReminder(at('2026-06-10T12:30:00Z'), last, berlin), at('2026-06-10T13:00:00Z'))
  assert.deepEqual(nextReminder(at('2026-06-10T13:00:00Z'), last, berlin), at('2026-06-10T13:00:00Z'))
  const late = at('2026-06-10T18:30:00Z')
  assert.deepEqual(nextReminder(at('2026-06-10T18:45:00Z'), late, berlin), at('2026-06-11T06:00:00Z'))
})

test('after three questions in a row without an answer, the next one comes a week after the last', () => {
  const now = at('2026-06-10T12:00:00Z')
  const asked = (...answers: boolean[]) =>
    answers.map((isAnswered, days) => ({ at: at(`2026-06-0${8 - days}T12:00:00Z`), isAnswered }))
  const weekly = at('2026-06-15T12:00:00Z')
  assert.deepEqual(nextQuestion(now, null, asked(false, false), berlin), now)
  assert.deepEqual(nextQuestion(now, null, asked(false, false, false), berlin), weekly)
  assert.deepEqual(nextQuestion(now, null, asked(false, false, false, true), berlin), weekly)
  assert.deepEqual(nextQuestion(now, null, asked(false, false, true), berlin), now)
  assert.deepEqual(
    nextQuestion(at('2026-06-15T13:00:00Z'), null, asked(false, false, false), berlin),
    at('2026-06-15T13:00:00Z'),
  )
})

test('tomorrow’s classes are told between 6 and 9 PM', () => {
  assert.equal(dayToTell(at('2026-06-10T15:59:00Z'), berlin), undefined)
  assert.equal(dayToTell(at('2026-06-10T16:00:00Z'), berlin), '2026-06-11')
  assert.equal(dayToTell(at('2026-06-10T18:59:00Z'), berlin), '2026-06-11')
  assert.equal(dayToTell(at('2026-06-10T19:00:00Z'), berlin), undefined)
})

test('a look finds the classes that ended in the period, and the next look is when the next class ends', () => {
  const [a, b, c] = ['2026-06-10T10:00:00Z', '2026-06-10T12:00:00Z', '2026-06-11T10:00:00Z'].map((end) => ({
    endsAt: at(end),
  }))
  const horizon = at('2026-07-10T00:00:00Z')
  const look = (from: string, now: string) =>
    endedIn(
      [a, b, c].flatMap((one) => one ?? []),
      { from: at(from), now: at(now), horizon },
    )
  assert.deepEqual(look('2026-06-10T10:00:00Z', '2026-06-10T12:00:00Z'), { ended: [b], nextLook: c?.endsAt })
  assert.deepEqual(look('2026-06-10T09:00:00Z', '2026-06-12T12:00:00Z'), {
    ended: [a, b, c],
    nextLook: horizon,
  })
})

test('nothing is repeated to an account that has had four messages in its month', () => {
  assert.deepEqual([0, 3, 4, 5].map(mayRepeat), [true, true, false, false])
})
