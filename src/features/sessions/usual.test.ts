import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySession, toWaiting } from './session-form.ts'
import { chipText, doubtAbout, lastOf, type Logged, loggedOf, startOf, usualOf } from './usual.ts'

const maya = { id: 'maya', name: 'Maya Whitfield' }
const theo = { id: 'theo', name: 'Theo Whitfield' }
const ingrid = { id: 'ingrid', name: 'Ingrid Lindqvist' }
const samuel = { id: 'samuel', name: 'Samuel Adeyemi' }

function lesson(
  student: string,
  tutor: string,
  subject: string,
  duration: string,
  date = '2026-11-16',
): Logged {
  return { student_id: student, tutor_id: tutor, subject, duration, date }
}

test('with one child and one tutor, both are chosen even before anything is logged', () => {
  assert.deepEqual(startOf([], [maya], [ingrid]), { student_id: 'maya', tutor_id: 'ingrid' })
  assert.deepEqual(startOf([], [maya, theo], [ingrid]), { tutor_id: 'ingrid' })
  assert.deepEqual(startOf([], [], []), {})
})

test('with several, the last logged pair is chosen, with the subject and duration of its last session', () => {
  const logged = [lesson('theo', 'samuel', 'Piano', '0.5'), lesson('maya', 'ingrid', 'Algebra', '1')]
  assert.deepEqual(startOf(logged, [maya, theo], [ingrid, samuel]), {
    student_id: 'theo',
    tutor_id: 'samuel',
    subject: 'Piano',
    duration: '0.5',
  })
})

test('a pair whose child or tutor is no longer on the list is not chosen', () => {
  const logged = [lesson('theo', 'samuel', 'Piano', '0.5'), lesson('maya', 'ingrid', 'Algebra', '1')]
  assert.equal(startOf(logged, [maya, { id: 'new' }], [ingrid, samuel]).student_id, 'maya')
  assert.deepEqual(usualOf(logged, [theo], [ingrid]), [])
})

test("choosing another pair fills in its last session's details, or nothing if it has no sessions", () => {
  const logged = [lesson('theo', 'samuel', 'Piano', '0.5'), lesson('theo', 'samuel', 'Theory', '1')]
  assert.deepEqual(lastOf(logged, 'theo', 'samuel'), { subject: 'Piano', duration: '0.5' })
  assert.equal(lastOf(logged, 'maya', 'samuel'), undefined)
})

test('the chips are the latest three combinations, each once, without sessions of 0 hours', () => {
  const logged = [
    lesson('maya', 'ingrid', 'Algebra', '0'),
    lesson('maya', 'ingrid', 'Algebra', '1'),
    lesson('maya', 'ingrid', 'algebra ', '1'),
    lesson('theo', 'samuel', 'Piano', '0.5'),
    lesson('maya', 'ingrid', 'Algebra', '1.5'),
    lesson('theo', 'ingrid', '', '1'),
  ]
  const chips = usualOf(logged, [maya, theo], [ingrid, samuel]).map((usual) =>
    chipText(usual, [maya, theo], [ingrid, samuel], false),
  )
  assert.deepEqual(chips, [
    'Maya, Ingrid, Algebra, 1 h',
    'Theo, Samuel, Piano, 0.5 h',
    'Maya, Ingrid, Algebra, 1.5 h',
  ])
})

test("a tutor's chips leave out the tutor, and people with the same first name keep their full names", () => {
  const other = { id: 'other', name: 'Maya Okafor' }
  const usual = { student_id: 'maya', tutor_id: 'self', subject: '', duration: '1' }
  assert.equal(chipText(usual, [maya, theo], [{ id: 'self', name: 'Me' }], true), 'Maya, 1 h')
  assert.equal(chipText(usual, [maya, other], [{ id: 'self', name: 'Me' }], true), 'Maya Whitfield, 1 h')
})

test('sessions waiting on the device count as logged last', () => {
  const fields = { ...emptySession('2026-11-17'), student_id: 'theo', tutor_id: 'samuel', subject: 'Piano' }
  const waiting = toWaiting('id', fields, { student: 'Theo', tutor: 'Samuel' }, 40, 1)
  assert.deepEqual(loggedOf([], [waiting])[0], {
    ...lesson('theo', 'samuel', 'Piano', '1', '2026-11-17'),
    schedule_id: undefined,
  })
})

test('0 hours or an exact duplicate gets a warning that says today, yesterday or the date', () => {
  const fields = { ...emptySession('2026-11-17'), student_id: 'maya', tutor_id: 'ingrid', subject: 'Algebra' }
  const doubt = (change: Partial<typeof fields>, logged: Logged[] = [], today = '2026-11-17') =>
    doubtAbout({ ...fields, ...change }, logged, today)
  const same = lesson('maya', 'ingrid', 'algebra', '1', '2026-11-17')
  assert.equal(doubt({ duration: '0' }), '0 h.')
  assert.equal(doubt({ duration: '0.00' }), '0 h.')
  assert.equal(doubt({ duration: '' }), undefined)
  assert.equal(doubt({}, [same]), 'Already logged today.')
  assert.equal(doubt({}, [same], '2026-11-18'), 'Already logged yesterday.')
  assert.equal(doubt({}, [same], '2026-11-30'), 'Already logged on Nov 17.')
  assert.equal(doubt({}, [same], '2027-01-30'), 'Already logged on Nov 17, 2026.')
  for (const change of [
    { duration: '1.5' },
    { subject: 'Geometry' },
    { date: '2026-11-16' },
    { student_id: 'theo' },
  ])
    assert.equal(doubt(change, [same]), undefined)
  assert.equal(doubt({ schedule_id: 'a' }, [{ ...same, schedule_id: 'b' }]), undefined)
})
