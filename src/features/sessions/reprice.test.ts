import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { cents } from '#kernel/money.ts'
import {
  differenceInWords,
  firstDayToReprice,
  lapseInWords,
  leftOutInWords,
  type PricedSession,
  repriced,
  repriceTitle,
  stillRepriced,
} from './reprice.ts'

const FROM = cents(4500)
const TO = cents(4830)
let ids = 0

function lesson(day: string, more: Partial<PricedSession> = {}): PricedSession {
  const minutes = more.minutes ?? (60 as Minutes)
  return {
    id: `session-${++ids}`,
    version: 3,
    day: day as CalendarDay,
    minutes,
    rate_override_cents: null,
    tutor_rate_cents: FROM,
    total_cents: cents((4500 * minutes) / 60),
    currency: 'USD' as PricedSession['currency'],
    has_nearer_rate: false,
    other_says: 'none',
    status: 'completed',
    verified_by_tutor: false,
    connection_id: 'connection',
    deletion_by: null,
    is_held: false,
    is_read_only: false,
    is_closed: false,
    other_name: 'Ingrid',
    ...more,
  }
}

test('a corrected rate changes the sessions with the old default rate, each rounded half up', () => {
  const quarter = lesson('2026-11-10', { minutes: 15 as Minutes, total_cents: cents(1125) })
  const first = lesson('2026-11-03', { minutes: 90 as Minutes, total_cents: cents(6750) })
  const result = repriced([quarter, first], { old_rate: FROM, new_rate: TO })
  assert.deepEqual(
    result.sessions.map(({ id }) => id),
    [quarter.id, first.id],
  )
  // 12.075 is rounded to 12.08, and 72.45 is exact.
  assert.deepEqual(result.differences, [{ currency: 'USD', amount: 5.78 }])
  assert.equal(result.first_date, '2026-11-03')
})

test('sessions that had no rate get one, and each currency has a sum of its own', () => {
  const none = { tutor_rate_cents: null, total_cents: null }
  const { differences } = repriced(
    [
      lesson('2026-11-03', none),
      lesson('2026-11-04', { ...none, currency: 'EUR' as PricedSession['currency'] }),
      lesson('2026-11-05'),
    ],
    { old_rate: null, new_rate: TO },
  )
  assert.deepEqual(differences, [
    { currency: 'USD', amount: 48.3 },
    { currency: 'EUR', amount: 48.3 },
  ])
  assert.equal(differenceInWords(differences), '+$48.30 and +€48.30')
  assert.equal(differenceInWords([{ currency: 'USD' as PricedSession['currency'], amount: -3.3 }]), '−$3.30')
})

test('what keeps its rate is named with its reason, by month if the month is closed', () => {
  const stays: [Partial<PricedSession>, string][] = [
    [{ rate_override_cents: cents(5000) }, '1 has its own rate.'],
    [{ has_nearer_rate: true }, '1 has its own rate.'],
    [{ tutor_rate_cents: cents(4000) }, '1 has another rate.'],
    [{ status: 'disputed' }, '1 is marked Not right: answer it first.'],
    [{ is_held: true }, '1 may be logged twice: answer “Same lessons?” first.'],
    [{ deletion_by: 'other' }, '1 is about to be deleted.'],
    [{ connection_id: null, verified_by_tutor: true }, '1 was agreed before sharing ended.'],
    [{ is_read_only: true }, '1 stays: the other person closed their account.'],
  ]
  for (const [more, words] of stays) {
    const { sessions, left_out: left } = repriced([lesson('2026-11-03', more)], {
      old_rate: FROM,
      new_rate: TO,
    })
    assert.deepEqual([sessions, leftOutInWords(left)], [[], words])
  }
  const { left_out: left } = repriced(
    [
      lesson('2026-10-06', { is_closed: true }),
      lesson('2026-10-13', { is_closed: true }),
      lesson('2026-09-01', { is_closed: true }),
      lesson('2026-11-03', { rate_override_cents: cents(5000) }),
    ],
    { old_rate: FROM, new_rate: TO },
  )
  assert.equal(
    leftOutInWords(left),
    '1 in September 2026 stays: the month is closed. 2 in October 2026 stay: the month is closed. 1 has its own rate.',
  )
})

test('a session that has the new rate already is neither changed nor named', () => {
  const has = [
    lesson('2026-11-03', { tutor_rate_cents: TO }),
    lesson('2026-11-04', { rate_override_cents: TO }),
  ]
  const { sessions, left_out: left, first_date: first } = repriced(has, { old_rate: FROM, new_rate: TO })
  assert.deepEqual([sessions, left, first], [[], [], null])
})

test('the offer says whose confirmations no longer count', () => {
  const confirmed = (name: string | null) =>
    lesson('2026-11-03', { other_says: 'confirmed', other_name: name })
  const said = (sessions: PricedSession[]) =>
    lapseInWords(repriced(sessions, { old_rate: FROM, new_rate: TO }).confirmed_by, 'the family')
  assert.equal(said([lesson('2026-11-03')]), undefined)
  assert.equal(
    said([confirmed('Ingrid'), confirmed('Ingrid'), lesson('2026-11-03')]),
    '2 confirmed sessions must be confirmed again by Ingrid, even if you undo this.',
  )
  assert.equal(
    said([confirmed(null)]),
    '1 confirmed session must be confirmed again by the family, even if you undo this.',
  )
  assert.equal(
    said([confirmed('Dana'), confirmed('Ben'), confirmed('Ana')]),
    '3 confirmed sessions must be confirmed again by 3 families, even if you undo this.',
  )
})

test('the title counts the sessions and names the first day, with its year if it was another', () => {
  const now = new Date('2027-01-05T12:00:00Z')
  const two = repriced([lesson('2027-01-03'), lesson('2026-12-03')], { old_rate: FROM, new_rate: TO })
  assert.equal(repriceTitle(two, now), 'Also for 2 sessions since Dec 3, 2026?')
  assert.equal(
    repriceTitle(repriced([lesson('2027-01-03')], { old_rate: FROM, new_rate: TO }), now),
    'Also for 1 session since Jan 3?',
  )
  assert.equal(repriceTitle(repriced([], { old_rate: FROM, new_rate: TO }), now), 'No sessions to change')
  assert.equal(repriceTitle({ ...two, is_too_many: true }, now), 'More than 500 sessions')
  assert.equal(firstDayToReprice('2027-01-05' as CalendarDay), '2026-12-01')
})

test('only sessions at the version that somebody saw still change', () => {
  const [same, newer, other] = [lesson('2026-11-03'), lesson('2026-11-04'), lesson('2026-11-05')]
  const seen = [
    { id: same.id, version: 3 },
    { id: newer.id, version: 2 },
  ]
  assert.deepEqual(stillRepriced([same, newer, other], seen, { old_rate: FROM, new_rate: TO }), [same.id])
})
