import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dashboard, onboardingSteps, showsOnboarding } from './dashboard.ts'

const empty: Dashboard = {
  total_students: 0,
  active_tutors: 0,
  active_schedules: 0,
  sessions_this_month: 0,
  sessions_to_confirm: 0,
  sessions_sent_back: 0,
  sessions_proposed: 0,
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
