import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { Currency } from '#kernel/money.ts'
import { askingClasses, classesSubject, type MailedClass } from './class-lines.ts'

const about = { connection_id: 'one', side: 'family', asked_at: new Date('2026-12-01T12:00:00Z') } as const
const now = {
  day_of_week: 1,
  start_time: '15:30',
  duration: 1,
  hourly_rate: 40,
  frequency: 'weekly',
  custom_interval_days: null,
  start_date: '2026-09-07',
  end_date: null,
  time_zone: null,
  yours: null,
  is_active: true,
} as const
const moved: MailedClass = {
  ...about,
  day: '2026-12-07' as CalendarDay,
  place: { date: '2026-12-08', start_time: '16:00', yours: null },
}
const rule: MailedClass = {
  ...about,
  now,
  rule: { ...now, day_of_week: 2, hourly_rate: 45 },
  currency: Currency.parse('EUR'),
}

test('an email says which class should be when, and what a changed rule changes', () => {
  const text = (one: MailedClass) => askingClasses([one], () => 'Ingrid').join()
  assert.equal(
    text(moved),
    'For the class on Mon, Dec 7, Ingrid proposes Tue, Dec 8 at 4:00 PM. It stays as it is until you agree.',
  )
  assert.equal(text({ ...moved, place: null }), 'Ingrid would like the class on Mon, Dec 7 to be as planned.')
  assert.equal(
    text(rule),
    'Ingrid proposes a change of your classes on Mondays at 3:30 PM: Tuesdays at 3:30 PM, €45.00 an hour. They stay as they are until you agree.',
  )
})

test('the subject says what is proposed, and a long list says how much more there is', () => {
  assert.equal(classesSubject([moved], 'Ingrid'), 'Ingrid proposes another time for a class')
  assert.equal(classesSubject([rule], 'Ingrid'), 'Ingrid proposes changes of your classes')
  const many = askingClasses(
    Array.from({ length: 23 }, () => moved),
    () => 'Ingrid',
  )
  assert.equal(many.length, 21)
  assert.equal(many.at(-1), 'Changes of 3 more classes are waiting for you.')
})
