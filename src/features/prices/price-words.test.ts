import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { isolated } from '#kernel/isolate.ts'
import { cents, currencyOf } from '#kernel/money.ts'
import { priceExplained, whyPrice } from './price-words.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const EUR = currencyOf('EUR')
const family = { student: 'Maya Whitfield', tutor: 'Ingrid Lindqvist' }
const practice = { student: 'Maya W.', tutor: undefined }
const pair = {
  cents: cents(3250),
  lesson_minutes: 45,
  source: 'pair' as const,
  since: '2026-09-01' as CalendarDay,
}
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

test('a price says whose it is and since when, to the family and to the tutor', () => {
  assert.equal(
    plain(priceExplained(pair, family, EUR, NOW)),
    "Ingrid's price for Maya since Sep 1: €32.50 per lesson of 45 min",
  )
  assert.equal(plain(whyPrice(pair, practice, NOW)), 'Your price for Maya since Sep 1')
  assert.equal(
    plain(whyPrice({ ...pair, since: '2025-09-01' as CalendarDay }, family, NOW)),
    "Ingrid's price for Maya since Sep 1, 2025",
  )
  const hourly = { cents: cents(4500), lesson_minutes: null, since: null }
  const why = (source: Parameters<typeof whyPrice>[0]['source'], people = family) =>
    plain(priceExplained({ ...hourly, source }, people, EUR, NOW))
  assert.equal(why('tutor'), "Ingrid's usual rate: €45.00/hour")
  assert.equal(why('tutor', practice as never), 'Your usual rate: €45.00/hour')
  assert.equal(why('student', practice as never), 'Your price for Maya: €45.00/hour')
  assert.equal(why('schedule'), "The schedule's rate: €45.00/hour")
  assert.equal(why('override'), "This session's own rate: €45.00/hour")
  assert.equal(why(null), 'The price as it was logged: €45.00/hour')
  assert.ok(whyPrice(pair, family, NOW).includes(isolated('Maya')), 'names keep to themselves in any script')
})
