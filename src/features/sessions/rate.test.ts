import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateAfterChange, rateThatApplies } from './rate.ts'
import { defaultRateOf, runningTotal } from './session-form.ts'

test("the rate that applies is the session's own, else the schedule's, else the student's, else the tutor's; 0 is a rate", () => {
  const all = { override: 80, schedule: 70, student: 60, tutor: 50 }
  assert.equal(rateThatApplies(all), 80)
  assert.equal(rateThatApplies({ ...all, override: null }), 70)
  assert.equal(rateThatApplies({ ...all, override: null, schedule: null }), 60)
  assert.equal(rateThatApplies({ tutor: 50 }), 50)
  assert.equal(rateThatApplies({ ...all, override: 0 }), 0)
  assert.equal(rateThatApplies({ ...all, override: null, schedule: null, student: 0 }), 0)
  assert.equal(rateThatApplies({}), null)
})

test('a changed session keeps its rate unless its tutor changes, or its student does and either one has a rate', () => {
  const before = { studentId: 'maya', tutorId: 'ingrid', student: null }
  const after = { studentId: 'maya', tutorId: 'ingrid', student: null, tutor: 99 }
  assert.equal(rateAfterChange(45, before, after), 45, 'the same people: the tutor may ask more by now')
  assert.equal(rateAfterChange(45, before, { ...after, tutorId: 'ben', tutor: 30 }), 30)
  assert.equal(rateAfterChange(45, before, { ...after, tutorId: 'ben', tutor: null }), null)
  assert.equal(
    rateAfterChange(45, before, { ...after, studentId: 'theo' }),
    45,
    'another child, the same rate',
  )
  assert.equal(rateAfterChange(45, before, { ...after, studentId: 'theo', student: 60 }), 60)
  assert.equal(rateAfterChange(60, { ...before, student: 60 }, { ...after, studentId: 'theo' }), 99)
})

test("the form's total follows the student, the tutor, the schedule and the rate that an edited session was logged with", () => {
  const students = [
    { id: 'maya', hourly_rate: null },
    { id: 'theo', hourly_rate: 60 },
  ]
  const tutors = [{ id: 'me', hourly_rate: 50 }]
  const form = { student_id: 'maya', tutor_id: 'me' }
  assert.equal(defaultRateOf(form, students, tutors), 50)
  assert.equal(defaultRateOf({ ...form, student_id: 'theo' }, students, tutors), 60)
  assert.equal(defaultRateOf({ ...form, student_id: 'theo', schedule_rate: 70 }, students, tutors), 70)
  assert.equal(defaultRateOf({ student_id: '', tutor_id: '' }, [], []), null)
  const kept = { student_id: 'maya', tutor_id: 'me', default_rate: 45 }
  assert.equal(defaultRateOf(form, students, tutors, kept), 45)
  assert.equal(defaultRateOf({ ...form, student_id: 'theo' }, students, tutors, kept), 60)
  assert.equal(
    defaultRateOf({ student_id: '', tutor_id: '' }, [], [], {
      student_id: null,
      tutor_id: null,
      default_rate: 45,
    }),
    45,
    'who taught and was taught may be gone',
  )
  assert.deepEqual(runningTotal({ duration: '1.5', hourly_rate: '' }, 45), {
    minutes: 90,
    rate: 4500,
    amount: 6750,
  })
  assert.equal(runningTotal({ duration: '1.5', hourly_rate: '' }, null), undefined)
})
