import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMAIL_ZONE, type Everything, waitingSince } from './waiting-words.ts'

const since = (moment: string): Everything => ({
  waiting: [],
  proposals: [],
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
