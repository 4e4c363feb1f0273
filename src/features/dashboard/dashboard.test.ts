import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay } from '#kernel/calendar-day.ts'
import { type Dashboard, onboardingSteps, showsOnboarding, toConfirmThisWeek } from './dashboard.ts'

const empty: Dashboard = {
  total_students: 0,
  active_tutors: 0,
  active_schedules: 0,
  sessions_this_month: 0,
  sessions_to_confirm: 0,
  sessions_waiting: 0,
  session_pairs: 0,
  sessions_sent_back: 0,
  recent_sessions: [],
  due: [],
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

test("'This Week' counts classes that are over since Sunday, and none of the week before", () => {
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
    subject: null,
    hourly_rate: null,
    status: 'planned' as const,
    connection_id: null,
    session_id: null,
    last: null,
  }))
  const count = (today: string, time: string) => {
    const day = calendarDay(today)
    assert.ok(day)
    return toConfirmThisWeek({ sessions_to_confirm: 2, due }, day, time)
  }
  // Saturday, the last day of the week, before and after the class; Sunday, the first day of the next.
  assert.equal(count('2026-11-21', '17:59'), 4)
  assert.equal(count('2026-11-21', '18:00'), 5)
  assert.equal(count('2026-11-22', '00:00'), 2)
})
