import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MissedClass } from '#features/schedules/outcome.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import {
  askedFor,
  asksForSearch,
  findsMissed,
  foundInWords,
  isBackwards,
  isEmpty,
  missedDays,
  searchIn,
  withoutSearch,
  withSearch,
} from './search.ts'

const url = (text: string) => new URLSearchParams(text)

test('the address has the search, and what it cannot mean is left out', () => {
  const search = searchIn(url('q=zo%C3%AB&child=c1&state=waiting&outcome=&from=2026-02-30&to=2026-03-01'))
  assert.deepEqual(search, {
    q: 'zoë',
    child: 'c1',
    tutor: '',
    state: 'waiting',
    outcome: '',
    from: '',
    to: '2026-03-01',
  })
  assert.equal(searchIn(url('state=paid&outcome=lost')).state, '')
  assert.equal(searchIn(url(`q=${'x'.repeat(300)}`)).q.length, 100)
})

test("a month's filters are no search until something is typed, and then they narrow it", () => {
  const month = url('month=2026-03&child=c1')
  assert.equal(asksForSearch(month), false)
  const typed = withSearch(month, { q: 'essay' })
  assert.equal(asksForSearch(typed), true)
  assert.deepEqual(askedFor(searchIn(typed)), { search: 'essay', student_id: 'c1' })
  assert.equal(withoutSearch(typed).toString(), 'month=2026-03')
  assert.equal(withSearch(typed, { child: '' }).toString(), 'month=2026-03&q=essay')
  assert.equal(isEmpty(searchIn(url('q='))), true)
})

test("a person's page searches only what is theirs, whatever the address says", () => {
  const search = searchIn(url('q=x&child=other&tutor=t1'))
  assert.deepEqual(askedFor(search, { student_id: 'own' }), {
    search: 'x',
    student_id: 'own',
    tutor_id: 't1',
  })
})

test('a range that ends before it begins is told apart from one that is open', () => {
  const of = (from: string, to: string) => isBackwards({ from: from as CalendarDay, to: to as CalendarDay })
  assert.deepEqual(
    [of('2026-03-02', '2026-03-01'), of('2026-03-01', '2026-03-01'), of('', '2026-03-01')],
    [true, false, false],
  )
})

const MISSED: MissedClass = {
  schedule_id: 's1',
  date: '2026-03-03',
  original_date: '2026-03-03',
  start_time: '16:00',
  duration: 1,
  student_id: 'c1',
  student_name: 'Zoë Whitfield',
  tutor_id: 't1',
  tutor_name: 'Ingrid',
  subject: 'Chess',
  outcome: 'no_show',
  because: null,
  charge: null,
  is_waived: null,
}

test('a missed class is found by its people and subject, and by how it ended', () => {
  const finds = (query: string, scope = {}) => findsMissed(MISSED, searchIn(url(query)), scope)
  assert.equal(finds('outcome=missed&q=zoe+chess'), true)
  assert.equal(finds('outcome=no_show&child=c1'), true)
  assert.equal(finds('outcome=canceled_late'), false)
  assert.equal(finds('outcome=missed&q=math'), false)
  assert.equal(finds('outcome=missed', { student_id: 'c2' }), false)
})

test('missed classes are looked for in two years at most', () => {
  const today = '2026-03-01' as CalendarDay
  assert.deepEqual(missedDays(searchIn(url('')), today), { from: '2024-03-01', to: '2026-03-01' })
  assert.deepEqual(missedDays(searchIn(url('from=2020-01-01')), today), {
    from: '2020-01-01',
    to: '2021-12-31',
  })
  assert.deepEqual(missedDays(searchIn(url('from=2026-02-01&to=2026-02-28')), today), {
    from: '2026-02-01',
    to: '2026-02-28',
  })
})

test('the sum of a search says what it includes and leaves out, and currencies are never added', () => {
  const found = {
    sessions: 5,
    waiting: 2,
    left_out: 1,
    hours: 6.5,
    amounts: [
      { currency: 'USD' as Currency, amount: 180 },
      { currency: 'EUR' as Currency, amount: 90 },
    ],
  }
  assert.deepEqual(foundInWords(found), {
    total: '5 sessions found, 6.5 h, $180.00, €90.00',
    note: 'Includes 2 waiting. Leaves out 1 that isn’t right or that someone asked to delete.',
  })
  assert.deepEqual(foundInWords({ sessions: 1, waiting: 0, left_out: 1, hours: 0, amounts: [] }), {
    total: '1 session found',
    note: '',
  })
})
