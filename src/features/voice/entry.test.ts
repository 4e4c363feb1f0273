import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import { extractSession, type ExtractionInput } from './extraction.ts'

const BOOKS: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-11-20' as CalendarDay,
  students: ['Amara', 'Dmitri', 'Luiza', 'Kenji'].map((name) => ({ id: name.toLowerCase(), name })),
  tutors: [{ id: 'priscilla', name: 'Priscilla Oyelaran', rate: 5000 as Cents, subjects: [] }],
}
const read = (transcript: string) => {
  const { studentId, day, minutes, rate, sessionsHeard } = extractSession({ ...BOOKS, transcript })
  return [studentId, day?.slice(5), minutes, rate, sessionsHeard]
}

test('entries without a verb are sessions', () => {
  const cases: [string, unknown[]][] = [
    ['Kenji, Mon, 1h15, mechanics review. $75 total.', ['kenji', '11-16', 75, 6000, 1]],
    ['Thurs 11/19 Luiza 4:00-5:00, limits + continuity, usual rate', ['luiza', '11-19', 60, null, 1]],
    ['30 min zoom w Luiza thurs bc her wifi died', ['luiza', '11-19', 30, null, 1]],
    ['amara yesterday an hour and a quarter we finished the surds chapter', ['amara', '11-19', 75, null, 1]],
    ['Dmitri, Wed, one hour, chapter 6 problems, needs to practise more', ['dmitri', '11-18', 60, null, 1]],
    ['luiza two hours tuesday because of the exam next week', ['luiza', '11-17', 120, null, 1]],
    ['luiza, yesterday, an hour, past tense, no homework done again', ['luiza', '11-19', 60, null, 1]],
    ['kenji one hour sunday make up for the one i cancelled', ['kenji', '11-15', 60, null, 1]],
    ['amara saturday forty five minutes instead of the hour', ['amara', '11-14', 45, null, 1]],
    ["Dmitri Mon 90' projectile motion, 75", ['dmitri', '11-16', 90, 5000, 1]],
    ['Sat - Amara 10-11:30 essay structure', ['amara', '11-14', 90, null, 1]],
    ['Backlog: Amara Tue 1 hr; Kenji Wed 1 hr', ['amara', '11-17', 60, null, 2]],
    ['amara wednesday one hour sorry not amara kenji', ['kenji', '11-18', 60, null, 1]],
  ]
  for (const [text, expected] of cases) assert.deepEqual(read(text), expected, text)
})

test('entries of other things with the same names are none', () => {
  for (const text of [
    'Kenji dentist thurs 1 hr',
    'Kenji mock exam Mon 1h15 at school',
    'Luiza swimming wed 4-5',
    'Kenji Thursday 4-5?',
    'Kenji next Mon 4-5',
    'Amara Wed 1 hr piano exam',
    'Dmitri Tue 1h moved to Fri',
    'Kenji Sunday 2h homework',
    'Kenji prep monday one hour',
    'Kenji Tue 1h with the other tutor',
    'Kenji, Thurs, 2h, theatre with school',
    'Amara Wed 1hr if her mum agrees',
    'kenji essay marking monday forty five minutes',
    'Kenji Mon 4-5 to be confirmed',
    'Kenji Tue 1 hr careers talk',
    'Kenji Mon 5h shift, bakery',
    'Kenji Mon 1h - he forgot',
    'Kenji Sat 2h, Ikea with her parents',
    'Amara Mon 4-5, Kenji Tue 4-5, new timetable from September',
  ])
    assert.deepEqual(read(text), [null, undefined, null, null, 0], text)
})

test('what tutors say who keep their own books', () => {
  const cases: [string, unknown[]][] = [
    ['kenji came on monday for forty five minutes', ['kenji', '11-16', 45, null, 1]],
    ['okay just finished with kenji this morning one hour on trig', ['kenji', '11-20', 60, null, 1]],
    ['got thirty bucks off amara for an hour on monday', ['amara', '11-16', 60, 3000, 1]],
    ['dmitri was on zoom with me monday for an hour', ['dmitri', '11-16', 60, null, 1]],
    ['just wrapped dmitri hour and a half on rhetoric', ['dmitri', '11-20', 90, null, 1]],
    ['had dmitri last nite for an hour', ['dmitri', '11-19', 60, null, 1]],
  ]
  for (const [text, expected] of cases) assert.deepEqual(read(text), expected, text)
  for (const text of ['kenji came home at four', 'had amara two hours at the dentist today'])
    assert.equal(read(text)[0], null, text)
})
