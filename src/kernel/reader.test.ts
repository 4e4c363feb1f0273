import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type CalendarDay, formatDay, formatDays, formatMoment } from './calendar-day.ts'
import { formatHours, type Minutes } from './duration.ts'
import { cents, currencyOf, formatMoney, inCurrency } from './money.ts'
import { AMERICAN, readerIn, readFor, regionOfLanguage, regions } from './reader.ts'
import { currencyIn } from './region-currency.ts'
import { formatHour, formatTime } from './wall-clock.ts'

afterEach(() => readFor(() => AMERICAN))

const DAY = '2026-11-03' as CalendarDay

/** A day, two times and an amount in rupees as someone in this region reads them. */
function writtenIn(region: string): string[] {
  readFor(() => readerIn(region))
  return [
    formatDay(DAY),
    formatTime('09:05'),
    formatTime('16:30'),
    formatMoney(cents(12_345_650), currencyOf('INR')),
  ]
}

test('each English region reads its own dates, times and grouping', () => {
  assert.deepEqual(writtenIn('US'), ['Tue, Nov 3, 2026', '9:05 AM', '4:30 PM', '₹123,456.50'])
  assert.deepEqual(writtenIn('GB'), ['Tue, 3 Nov 2026', '09:05', '16:30', '₹123,456.50'])
  assert.deepEqual(writtenIn('AU').slice(0, 3), ['Tue, 3 Nov 2026', '9:05 am', '4:30 pm'])
  assert.deepEqual(writtenIn('CA').slice(0, 3), ['Tue, Nov 3, 2026', '9:05 a.m.', '4:30 p.m.'])
  assert.deepEqual(writtenIn('IN'), ['Tue, 3 Nov, 2026', '9:05 am', '4:30 pm', '₹1,23,456.50'])
  assert.deepEqual(writtenIn('ZA').slice(0, 3), ['Tue, 03 Nov 2026', '09:05', '16:30'])
  assert.deepEqual(writtenIn('IE').slice(0, 3), ['Tue 3 Nov 2026', '09:05', '16:30'])
  assert.deepEqual(writtenIn('NZ').slice(0, 3), ['Tue, 3 Nov 2026', '9:05 am', '4:30 pm'])
})

test('everyone else reads British English, with the hours and the first weekday of their region', () => {
  assert.deepEqual(writtenIn('DE'), writtenIn('GB'))
  assert.deepEqual(writtenIn('KR').slice(0, 3), ['Tue, 3 Nov 2026', '9:05 am', '4:30 pm'])
  const weekdays = ['US', 'GB', 'DE', 'JP', 'IN', 'EG'].map((region) => readerIn(region).firstWeekday)
  assert.deepEqual(weekdays, [0, 1, 1, 0, 0, 6])
})

test('hours of a day, ranges, moments and lengths follow the reader too', () => {
  const all = () => [
    [0, 9, 12, 23, 24, 25].map(formatHour),
    formatDays('2026-12-30' as CalendarDay, '2027-01-05' as CalendarDay),
    formatDays(DAY, DAY),
    formatMoment('2026-11-03T16:30:00Z', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    formatHours(90 as Minutes),
    inCurrency('Hourly rate ($)', currencyOf('USD')),
  ]
  assert.deepEqual(all(), [
    ['12 AM', '9 AM', '12 PM', '11 PM', '12 AM', '1 AM'],
    'Dec 30, 2026 – Jan 5, 2027',
    'Nov 3, 2026',
    'Nov 3, 2026, 4:30 PM',
    '1.5',
    'Hourly rate ($)',
  ])
  readFor(() => readerIn('DE'))
  assert.deepEqual(all(), [
    ['00:00', '09:00', '12:00', '23:00', '00:00', '01:00'],
    '30 Dec 2026 – 5 Jan 2027',
    '3 Nov 2026',
    '3 Nov 2026, 16:30',
    '1.5',
    'Hourly rate (US$)',
  ])
})

test('a region is guessed from the language of a browser, and its currency from the region', () => {
  const guessed = ['de-DE', 'de', 'en', 'ja-JP', 'zh-Hant-TW', 'es-419', 'not a language'].map(
    regionOfLanguage,
  )
  assert.deepEqual(guessed, ['DE', 'DE', 'US', 'JP', 'TW', undefined, undefined])
  const currencies = ['US', 'GB', 'DE', 'IN', 'JP', 'KR', 'AQ', null].map(currencyIn)
  assert.deepEqual(currencies, ['USD', 'GBP', 'EUR', 'INR', 'JPY', 'KRW', 'USD', 'USD'])
})

test('the list of regions has each place once, by its English name', () => {
  const names = regions('US').map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length > 240 && names.includes('Congo - Kinshasa') && !names.includes('European Union'))
})
