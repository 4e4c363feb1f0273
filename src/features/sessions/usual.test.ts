import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { emptySession, toWaiting } from './session-form.ts'
import {
  chipText,
  dayInWords,
  doubtAbout,
  lastOf,
  type Logged,
  loggedOf,
  offersOf,
  onHome,
  startOf,
  usualDayOf,
  usualOf,
} from './usual.ts'

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
    chipText(usual, [maya, theo], [ingrid, samuel], false, TODAY),
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
  assert.equal(chipText(usual, [maya, theo], [{ id: 'self', name: 'Me' }], true, TODAY), 'Maya, 1 h')
  assert.equal(
    chipText(usual, [maya, other], [{ id: 'self', name: 'Me' }], true, TODAY),
    'Maya Whitfield, 1 h',
  )
})

test('sessions waiting on the device count as logged last', () => {
  const fields = { ...emptySession('2026-11-17'), student_id: 'theo', tutor_id: 'samuel', subject: 'Piano' }
  const waiting = toWaiting(
    'id',
    fields,
    { student: 'Theo', tutor: 'Samuel' },
    { price: null, currency: currencyOf('USD') },
    1,
  )
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

const TODAY = '2026-11-27' as CalendarDay // A Friday.
const weekly = (day: string, count: number, of = lesson('maya', 'ingrid', 'Math', '1')): Logged[] =>
  Array.from({ length: count }, (_, week) => ({ ...of, date: addDays(day as CalendarDay, -7 * week) }))
const daysOf = (logged: Logged[]) =>
  offersOf(logged, [maya, theo], [ingrid, samuel], TODAY).map(({ student_id: id, date }) => `${id} ${date}`)

test('one tap logs a pair’s usual lesson on its usual weekday, today or in the six days before', () => {
  assert.deepEqual(daysOf(weekly('2026-11-20', 3)), ['maya 2026-11-27'], 'on Fridays, and today is one')
  assert.deepEqual(daysOf(weekly('2026-11-19', 3)), ['maya 2026-11-26'], 'on Thursdays: yesterday')
  assert.deepEqual(daysOf(weekly('2026-11-21', 1)), ['maya 2026-11-27'], 'one lesson is no rhythm yet: today')
  const twice = [...weekly('2026-11-24', 3), ...weekly('2026-11-19', 3)]
  assert.deepEqual(daysOf(twice), ['maya 2026-11-26'], 'Tuesdays and Thursdays, and Tuesday is logged')
})

test('no tap logs a lesson again: a pair’s day that has any lesson is out', () => {
  const logged = weekly('2026-11-20', 3)
  const today = (more: Partial<Logged>) => [
    { ...lesson('maya', 'ingrid', 'Math', '1', TODAY), ...more },
    ...logged,
  ]
  for (const more of [{}, { subject: 'Reading' }, { duration: '2' }, { duration: '0' }])
    assert.deepEqual(daysOf(today(more)), [])
  assert.deepEqual(daysOf(today({ student_id: 'theo' })), ['theo 2026-11-26', 'maya 2026-11-27'])
  assert.deepEqual(
    daysOf([lesson('maya', 'ingrid', 'Math', '1', TODAY)]),
    ['maya 2026-11-26'],
    'without a rhythm, after today comes yesterday',
  )
})

test('what is not usual, or needs more than a tap, is not offered', () => {
  assert.deepEqual(daysOf(weekly('2026-10-16', 5)), [], 'no lesson for five weeks')
  const changed = (more: Partial<Logged>) => {
    const [last, ...before] = weekly('2026-11-20', 3)
    return [{ ...last, ...more } as Logged, ...before]
  }
  assert.deepEqual(daysOf(changed({ schedule_id: 'one' })), [], 'its classes ask by themselves')
  assert.deepEqual(daysOf(changed({ hasOwnRate: true })), [], 'its rate was typed')
  assert.deepEqual(daysOf(changed({ student_id: 'gone' })), ['maya 2026-11-27'], 'only people on the lists')
})

test('home offers only today and yesterday, and yesterday only if it is the usual day', () => {
  const home = (logged: Logged[]) => onHome(offersOf(logged, [maya, theo], [ingrid, samuel], TODAY), TODAY)
  assert.deepEqual(
    home(weekly('2026-11-19', 3)).map(({ date }) => date),
    ['2026-11-26'],
  )
  assert.deepEqual(
    home(weekly('2026-11-23', 1)).map(({ date }) => date),
    ['2026-11-27'],
  )
  assert.deepEqual(home(weekly('2026-11-17', 3)), [], 'Tuesday is too long ago to guess')
  assert.deepEqual(home([lesson('maya', 'ingrid', 'Math', '1', TODAY)]), [])
})

test('the last usual weekday of a pair is offered beside the date, also if it is logged', () => {
  assert.equal(usualDayOf(weekly('2026-11-24', 3), 'maya', 'ingrid', TODAY), '2026-11-24')
  assert.equal(usualDayOf(weekly('2026-11-20', 3), 'maya', 'ingrid', TODAY), '2026-11-27')
  assert.equal(usualDayOf(weekly('2026-11-24', 1), 'maya', 'ingrid', TODAY), undefined)
  assert.equal(usualDayOf(weekly('2026-11-24', 3), 'theo', 'ingrid', TODAY), undefined)
})

test('a day is said in a word, and days before yesterday by their weekday', () => {
  assert.deepEqual(
    ['2026-11-27', '2026-11-26', '2026-11-24'].map((day) => dayInWords(day as CalendarDay, TODAY)),
    ['today', 'yesterday', 'on Nov 24'],
  )
  const usual = { student_id: 'maya', tutor_id: 'ingrid', subject: 'Reading', duration: '1' }
  const text = (date: string) =>
    chipText({ ...usual, date: date as CalendarDay }, [maya], [ingrid], false, TODAY)
  assert.equal(text('2026-11-26'), 'Maya, Ingrid, Reading, 1 h, yesterday')
  assert.equal(text('2026-11-24'), 'Maya, Ingrid, Reading, 1 h, Tuesday')
})
