import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayItCounts, differencesOf, type RuleFacts, wholeRuleText } from './proposal-text.ts'

const THURSDAYS: RuleFacts = {
  day_of_week: 4,
  start_time: '16:00',
  duration: 1,
  hourly_rate: 50,
  frequency: 'weekly',
  custom_interval_days: null,
  start_date: '2026-11-05',
  end_date: null,
  time_zone: 'America/New_York',
  yours: null,
  is_active: true,
}
const money = (amount: number) => `$${amount.toFixed(2)}`

test('a whole rule is one line, without a rate if the usual one applies', () => {
  assert.equal(wholeRuleText(THURSDAYS, money), 'Thursdays at 4:00 PM, 1 h, weekly, $50.00 an hour')
  assert.equal(
    wholeRuleText({ ...THURSDAYS, hourly_rate: null, frequency: 'custom', custom_interval_days: 10 }, money),
    'Thursdays at 4:00 PM, 1 h, every 10 days',
  )
})

test('only what differs is set side by side', () => {
  assert.deepEqual(differencesOf(THURSDAYS, { ...THURSDAYS }, money), [])
  assert.deepEqual(
    differencesOf(
      THURSDAYS,
      { ...THURSDAYS, start_time: '16:30', hourly_rate: null, end_date: '2026-12-31', time_zone: null },
      money,
    ),
    [
      { name: 'When', one: 'Thursdays at 4:00 PM', other: 'Thursdays at 4:30 PM' },
      { name: 'Rate', one: '$50.00 an hour', other: 'Usual rate' },
      { name: 'Last day', one: 'None', other: 'Dec 31, 2026' },
      { name: 'Time zone', one: 'New York', other: 'Not set' },
    ],
  )
})

test('a changed rule counts from the day it is accepted, unless its first day is still to come', () => {
  assert.equal(dayItCounts(THURSDAYS, '2026-11-28'), undefined)
  assert.equal(dayItCounts({ ...THURSDAYS, start_date: '2026-12-03' }, '2026-11-28'), '2026-12-03')
})
