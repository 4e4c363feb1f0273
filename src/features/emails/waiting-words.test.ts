import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import { EMAIL_ZONE } from '#kernel/time-zone.ts'
import { type Everything, waitingSince, wordsOfDay } from './waiting-words.ts'

const since = (moment: string): Everything => ({
  waiting: [],
  proposals: [],
  terms: [],
  classes: [],
  canceled: [],
  closed: [],
  payments: [],
  months: [{ side: 'practice', connection_id: 'c', month: '2026-10', asked_at: new Date(moment) }],
})

test("a reminder names the asker's date, even if it was sent on an American evening", () => {
  const [evening] = waitingSince(since('2026-11-04T02:30:00Z'), 'Ingrid', EMAIL_ZONE)
  assert.match(
    evening ?? '',
    /^The oldest item has been waiting since November 3\. .* Ingrid sees “No answer since Nov 3”\.$/,
  )
  const [utc] = waitingSince(since('2026-11-04T02:30:00Z'), 'Ingrid', 'Europe/Berlin')
  assert.match(utc ?? '', /waiting since November 4\./, "the reader's own date")
  const [morning] = waitingSince(since('2026-11-04T08:30:00Z'), 'Ingrid', EMAIL_ZONE)
  assert.match(morning ?? '', /waiting since November 4\./)
})

test('a proposal is told with what it changes, and without a link that the other side wrote', () => {
  const now = { day: '2026-11-03' as CalendarDay, minutes: 60 as Minutes, rate_cents: 5200 as Cents }
  const told = (first_name: string, proposed: typeof now | null) =>
    wordsOfDay(
      {
        waiting: [],
        payments: [],
        terms: [],
        classes: [],
        canceled: [],
        closed: [],
        months: [],
        proposals: [
          {
            connection_id: 'c',
            first_name,
            currency: 'USD' as Currency,
            now,
            proposed,
            asked_at: new Date('2026-11-04T02:30:00Z'),
          },
        ],
      },
      'Ingrid',
      () => 'Ingrid',
    )?.paragraphs
  assert.deepEqual(told('Maya', { ...now, minutes: 45 as Minutes }), [
    'Ingrid says about Nov 3, Maya: 45 minutes instead of 60, $39.00 instead of $52.00. You can accept that with one tap.',
  ])
  assert.doesNotMatch(told('evil.example.com/now', null)?.join() ?? '', /evil\.example\.com/)
})
