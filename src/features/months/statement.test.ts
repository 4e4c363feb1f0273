import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { CURRENCIES } from '#features/accounts/profile.ts'
import { cents, currencyOf, formatMoney } from '#kernel/money.ts'
import { MISSING, runsOf } from '#platform/pdf/type.server.ts'
import { daysInWords, fileNameOf } from './statement.ts'

const [from, to] = ['2026-11-01' as CalendarDay, '2026-11-30' as CalendarDay]

test('a whole month is called by its name, and other ranges by their first and last day', () => {
  assert.equal(daysInWords(from, to), 'November 2026')
  assert.equal(daysInWords('2026-11-03' as CalendarDay, '2026-12-01' as CalendarDay), 'Nov 3 – Dec 1, 2026')
  assert.equal(
    daysInWords('2025-12-03' as CalendarDay, '2026-01-01' as CalendarDay),
    'Dec 3, 2025 – Jan 1, 2026',
  )
  assert.equal(daysInWords(to, to), 'Nov 30, 2026')
})

test("the file name says who and which days it's about", () => {
  assert.equal(fileNameOf(from, to, 'Ingrid Lindqvist', 'pdf'), 'Tutorlog Ingrid Lindqvist 2026-11.pdf')
  assert.equal(fileNameOf(from, from, undefined, 'csv'), 'Tutorlog 2026-11-01 to 2026-11-01.csv')
})

test('every currency that can be chosen can be printed', () => {
  for (const code of CURRENCIES)
    for (const weight of ['text', 'bold', 'display'] as const)
      assert.doesNotMatch(
        runsOf(formatMoney(cents(-123_450), currencyOf(code)), weight)
          .map(({ text }) => text)
          .join(''),
        new RegExp(MISSING),
        code,
      )
})
