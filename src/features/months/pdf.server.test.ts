import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents, Currency } from '#kernel/money.ts'
import type { MonthContent } from './month-page.ts'
import { renderMonth } from './pdf.server.ts'

const said = { family_at: '2026-10-03T10:00:00Z', practice_at: '2026-10-03T12:00:00Z' }
const currency = 'USD' as Currency

/** A month with lessons in the first few days and payments in the last week. */
function month(lessons: number, payments: number): MonthContent {
  const day = (number: number) => `2026-09-${String(number).padStart(2, '0')}` as CalendarDay
  return {
    format: 1,
    month: '2026-09',
    currency,
    family: 'Dana Whitfield',
    tutor: 'Ingrid Halvorsen',
    sessions: Array.from({ length: lessons }, (_, at) => ({
      ...said,
      id: `session ${at}`,
      day: day(at + 1),
      minutes: 60 as Minutes,
      rate_cents: 5200 as Cents,
      total_cents: 5200 as Cents,
      currency,
      subject: 'Math',
      first_name: 'Maya',
    })),
    payments: Array.from({ length: payments }, (_, at) => ({
      ...said,
      id: `payment ${at}`,
      day: day(at + 24),
      kind: 'payment' as const,
      amount_cents: 15600 as Cents,
      prepaid_minutes: null,
      method: 'transfer' as const,
      currency,
      first_name: null,
    })),
    figures: {
      carriedOver: 0 as Cents,
      sessions: (lessons * 5200) as Cents,
      paid: (payments * 15600) as Cents,
      balance: 0 as Cents,
      covered: 0 as Cents,
      other: 0 as Cents,
      left: 0 as Minutes,
    },
    asked_by: 'practice',
    asked_at: '2026-10-03T12:00:00Z',
    closed_at: '2026-10-04T12:00:00Z',
    code: 'ABCDE-FGHJK',
    url: 'https://tutorlog.example/verify/ABCDE-FGHJK',
  }
}

const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length

test('a usual month fits on one page, and a long one continues on the next', async () => {
  assert.equal(pagesOf(await renderMonth(month(10, 1), null)), 1)
  assert.equal(pagesOf(await renderMonth(month(25, 4), null)), 2)
})
