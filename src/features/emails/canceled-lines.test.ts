import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { canceledSubject, type CanceledClass, tellingCanceled } from './canceled-lines.ts'

const aClass = (day: string, more: Partial<CanceledClass> = {}): CanceledClass => ({
  connection_id: 'one',
  side: 'practice',
  first_name: 'Maya',
  day: day as CalendarDay,
  recorded_at: new Date('2026-12-01T12:00:00Z'),
  ...more,
})
const lines = (...classes: CanceledClass[]) =>
  tellingCanceled(classes, (id) => (id === 'one' ? 'Dana' : 'Lee'))

test('what was canceled in one step is told in one line', () => {
  assert.deepEqual(lines(aClass('2026-12-22')), ['Dana canceled the class on Tue, Dec 22 (Maya).'])
  assert.deepEqual(
    lines(
      aClass('2026-12-22'),
      aClass('2026-12-24', { first_name: 'Leo' }),
      aClass('2026-12-29'),
      aClass('2026-12-31', { first_name: 'Leo' }),
    ),
    ['Dana canceled 4 classes from Tue, Dec 22 to Thu, Dec 31 (Maya, Leo).'],
  )
  assert.deepEqual(lines(aClass('2026-12-22'), aClass('2026-12-22')), [
    'Dana canceled 2 classes on Tue, Dec 22 (Maya).',
  ])
  assert.deepEqual(lines(aClass('2026-12-22', { first_name: null })), [
    'Dana canceled the class on Tue, Dec 22.',
  ])
})

test('each step and each family has a line of its own, and a long list says how much more there is', () => {
  const later = new Date('2026-12-01T12:01:00Z')
  assert.deepEqual(
    lines(
      aClass('2026-12-22'),
      aClass('2026-12-23', { recorded_at: later }),
      aClass('2026-12-24', { connection_id: 'two' }),
    ),
    [
      'Dana canceled the class on Tue, Dec 22 (Maya).',
      'Dana canceled the class on Wed, Dec 23 (Maya).',
      'Lee canceled the class on Thu, Dec 24 (Maya).',
    ],
  )
  const many = lines(
    ...Array.from({ length: 23 }, (_, at) => aClass('2026-12-22', { recorded_at: new Date(at) })),
  )
  assert.deepEqual([many.length, many.at(-1)], [21, '3 more classes were canceled.'])
})

test('the subject counts the classes', () => {
  assert.equal(canceledSubject([aClass('2026-12-22')], 'Dana'), 'Dana canceled a class')
  assert.equal(
    canceledSubject([aClass('2026-12-22'), aClass('2026-12-24')], 'Dana'),
    'Dana canceled 2 classes',
  )
})
