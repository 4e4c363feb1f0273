import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { sharedFromWords } from './shared-from.ts'

test('a connection says from which day it shares sessions, with the year if it is not this one', () => {
  const today = '2026-11-22' as CalendarDay
  assert.equal(sharedFromWords(null, today), 'all sessions')
  assert.equal(sharedFromWords('2026-11-01', today), 'sessions from Nov 1')
  assert.equal(sharedFromWords('2025-11-01', today), 'sessions from Nov 1, 2025')
})
