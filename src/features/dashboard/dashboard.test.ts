import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay } from '#kernel/calendar-day.ts'
import { type Currency, currencyOf } from '#kernel/money.ts'
import {
  type Dashboard,
  type MonthAmount,
  monthTotals,
  onboardingSteps,
  showsOnboarding,
  toConfirmThisWeek,
} from './dashboard.ts'

const empty: Dashboard = {
  total_students: 0,
  active_tutors: 0,
  active_schedules: 0,
  sessions_this_month: 0,
  month_amounts: [],
  sessions_to_confirm: 0,
  sessions_waiting: 0,
  session_pairs: 0,
  schedule_questions: 0,
  months_asked: [],
  sessions_sent_back: 0,
  recent_sessions: [],
  due: [],
  today: [],
  upcoming: [],
  needs_rate: false,
  has_sessions: false,
  has_schedules: false,
  has_verified_sessions: false,
  onboarding_dismissed: false,
}

test('the checklist shows while fewer than half of the steps are done, and until dismissed', () => {
  const shows = (state: Partial<Dashboard>, isDismissed = false) =>
    showsOnboarding(onboardingSteps('parent', { ...empty, ...state }), isDismissed)
  assert.equal(shows({}), true)
  assert.equal(shows({ total_students: 1 }), true)
  assert.equal(shows({ total_students: 1, active_tutors: 1 }), false)
  assert.equal(shows({}, true), false)
})

test('viewing the summary is never marked done', () => {
  for (const role of ['parent', 'tutor'] as const) {
    const steps = onboardingSteps(role, {
      ...empty,
      total_students: 1,
      active_tutors: 1,
      has_sessions: true,
      has_schedules: true,
      has_verified_sessions: true,
    })
    assert.deepEqual(
      steps.map((step) => step.isDone),
      [true, true, true, false],
    )
  }
})

test("'This Week' counts classes that have ended since Sunday, and none from the week before", () => {
  const due = ['2026-11-14', '2026-11-15', '2026-11-20', '2026-11-21'].map((date) => ({
    schedule_id: 's',
    date,
    original_date: date,
    start_time: '16:30',
    duration: 1.5,
    student_id: 'maya',
    student_name: 'Maya',
    tutor_id: 'you',
    tutor_name: 'You',
    time_zone: null,
    ends_at: null,
    yours: null,
    subject: null,
    hourly_rate: null,
    status: 'planned' as const,
    outcome: null,
    outcome_by: null,
    outcome_at: null,
    connection_id: null,
    is_shared: false,
    proposed: null,
    session_id: null,
    last: null,
  }))
  const count = (today: string, time: string) => {
    const day = calendarDay(today)
    assert.ok(day)
    return toConfirmThisWeek({ sessions_to_confirm: 2, due }, { today: day, time, now: new Date(0) })
  }
  // Saturday, the last day of the week, before and after the class; then Sunday, the first day of the next
  // week.
  assert.equal(count('2026-11-21', '17:59'), 4)
  assert.equal(count('2026-11-21', '18:00'), 5)
  assert.equal(count('2026-11-22', '00:00'), 2)
})

const [USD, EUR, CAD] = [currencyOf('USD'), currencyOf('EUR'), currencyOf('CAD')]
const some = (standing: MonthAmount['standing'], amount: number, more: Partial<MonthAmount> = {}) => ({
  standing,
  currency: USD,
  sessions: 1,
  amount,
  ...more,
})
/** A month's total as text: "637.88 = agreed 434.00 + waiting 158.88". */
const said = (amounts: MonthAmount[], own: Currency = USD) =>
  monthTotals(amounts, own).map(
    ({ currency, total, parts, leaving }) =>
      `${currency} ${total} = ${parts.map(({ part, amount }) => `${part} ${amount}`).join(' + ')}` +
      `${leaving.sessions ? `, without ${leaving.sessions}: ${leaving.amount}` : ''}`,
  )

test("the month's total is what is agreed, waiting and only yours, and what's not right is beside it", () => {
  assert.deepEqual(said([some('verified', 434), some('waiting', 158.88), some('disputed', 45)]), [
    'USD 59288 = agreed 43400 + waiting 15888 + not right 4500',
  ])
  assert.deepEqual(said([some('own', 20.1), some('verified', 0.2), some('own', 0.1)]), [
    'USD 2040 = agreed 20 + waiting 0 + only yours 2020',
  ])
  const all = (['verified', 'waiting', 'disputed', 'leaving', 'own'] as const).map((one) => some(one, 10.01))
  for (const { total, parts } of monthTotals(all, USD))
    assert.equal(
      parts.reduce((sum, { part, amount }) => (part === 'not right' ? sum : sum + amount), 0),
      total,
    )
})

test('without a connection, nothing is said about agreement', () => {
  assert.deepEqual(said([some('own', 45)]), ['USD 4500 = '])
  assert.deepEqual(said([]), ['USD 0 = '])
  // Sessions without a rate can also be waiting.
  assert.deepEqual(said([some('waiting', 0), some('own', 45)]), [
    'USD 4500 = agreed 0 + waiting 0 + only yours 4500',
  ])
})

test('sessions that one side asked to delete are in neither the total nor a part', () => {
  assert.deepEqual(said([some('verified', 60), some('leaving', 45, { sessions: 2 })]), [
    'USD 6000 = agreed 6000 + waiting 0, without 2: 4500',
  ])
})

test('amounts in several currencies are never added up: your own comes first', () => {
  const amounts = [
    some('verified', 40, { currency: EUR }),
    some('disputed', 10, { currency: EUR }),
    some('waiting', 30, { currency: CAD }),
  ]
  const others = ['CAD 3000 = agreed 0 + waiting 3000', 'EUR 4000 = agreed 4000 + waiting 0 + not right 1000']
  assert.deepEqual(said([...amounts, some('own', 5)]), ['USD 500 = ', ...others])
  assert.deepEqual(said(amounts), others, 'an own currency that no session is in is left out')
  assert.deepEqual(said(amounts, EUR), [others[1], others[0]])
})
