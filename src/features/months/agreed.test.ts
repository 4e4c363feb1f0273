import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, currencyOf } from '#kernel/money.ts'
import { agreedText } from './agreed.ts'
import type { MonthContent } from './month-page.ts'

const USD = currencyOf('USD')
const session = (id: string, day: string): MonthContent['sessions'][number] => ({
  id,
  day: day as CalendarDay,
  minutes: 60 as Minutes,
  rate_cents: 4500 as Cents,
  total_cents: 4500 as Cents,
  currency: USD,
  subject: 'Algebra',
  first_name: 'Maya',
  family_at: '2026-11-03T10:00:00.000Z',
  practice_at: '2026-11-04T10:00:00.000Z',
})
const [first, second] = [session('b', '2026-11-03'), session('a', '2026-11-10')] as const
const page = {
  month: '2026-11',
  currency: USD,
  family: 'Jordan Whitfield',
  tutor: 'Ingrid Lindqvist',
  sessions: [first, second],
  payments: [],
  figures: {
    carriedOver: 0 as Cents,
    sessions: 9000 as Cents,
    covered: 0 as Cents,
    other: 0 as Cents,
    paid: 0 as Cents,
    balance: 9000 as Cents,
    left: 0 as Minutes,
  },
} satisfies Parameters<typeof agreedText>[0]

test('what a side agrees to depends neither on the order of lines nor on that of their members', () => {
  const turned = Object.fromEntries(Object.entries(first).toReversed()) as unknown as typeof first
  assert.equal(agreedText({ ...page, sessions: [second, turned] }), agreedText(page))
})

test('what a side agrees to changes with a cent, a day, an answer and a name', () => {
  const others = [
    { ...page, sessions: [{ ...first, total_cents: 4501 as Cents }, second] },
    { ...page, sessions: [{ ...first, day: '2026-11-04' as CalendarDay }, second] },
    { ...page, sessions: [{ ...first, practice_at: '2026-11-04T10:00:00.001Z' }, second] },
    { ...page, tutor: 'Ingrid Lindquist' },
    { ...page, figures: { ...page.figures, balance: 8999 as Cents } },
  ]
  const texts = new Set([page, ...others].map(agreedText))
  assert.equal(texts.size, 1 + others.length)
})
