import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { readCsv } from '#platform/csv.server.ts'
import { recognizeColumns } from './columns.ts'
import { type Answer, answerFor, missingIn, patternsOf, tableOf } from './pattern.ts'
import type { Roster } from './title.ts'

const FAMILY: Roster = {
  isPractice: false,
  students: ['Maya', 'Leo'],
  tutors: [{ name: 'Ingrid', subjects: ['Math'] }],
}
const group = (title: string, minutes: number, ...days: string[]) => ({
  key: title,
  title,
  occurrences: days.map((day) => ({ day: day as CalendarDay, start: '16:30', minutes })),
})

test('sure lessons come first, then those to ask about, then the others, each by how many they are', () => {
  const groups = [
    group('Dentist', 30, '2026-01-05', '2026-01-06', '2026-01-07'),
    group('Piano', 30, '2026-01-05'),
    group('Math', 30, '2026-01-05', '2026-01-06'),
    group('Maya math Ingrid', 60, '2026-01-05'),
  ]
  assert.deepEqual(
    patternsOf(groups, FAMILY).map(({ title, guess }) => `${title}: ${guess.certainty}`),
    ['Maya math Ingrid: sure', 'Math: likely', 'Piano: likely', 'Dentist: unlikely'],
  )
})

test('the table has one line for each child, by day, and an import recognizes its columns', () => {
  const [lesson, both] = [
    group('Maya math Ingrid', 60, '2026-01-12', '2026-01-05'),
    group('Math, "both"', 45, '2026-01-06'),
  ].flatMap((one) => patternsOf([one], FAMILY))
  assert.ok(lesson && both)
  const answers = new Map<unknown, Answer>([
    [both, { isLesson: true, students: ['\'Ma"ya, jr', 'Leo', 'Leo', ''], tutor: '=Ingrid', minutes: 30 }],
  ])
  const table = tableOf([lesson, both], (one) => answers.get(one) ?? answerFor(one), false)
  const [header, ...lines] = readCsv(table).map(({ cells }) => cells)
  assert.ok(header)
  assert.deepEqual(recognizeColumns(header, lines), {
    date: 0,
    start_time: 1,
    minutes: 2,
    student: 3,
    tutor: 4,
    subject: 5,
  })
  assert.deepEqual(
    lines.map((cells) => cells.join('|')),
    [
      '2026-01-05|16:30|60|Maya|Ingrid|Math',
      "2026-01-06|16:30|30|''Ma\"ya, jr|=Ingrid|Math",
      '2026-01-06|16:30|30|Leo|=Ingrid|Math',
      '2026-01-12|16:30|60|Maya|Ingrid|Math',
    ],
  )
})

test('what has to be answered first: who, by whom, and how long if it’s no quarter hour', () => {
  const [short] = patternsOf([group('Piano', 50, '2026-01-05')], FAMILY)
  assert.ok(short)
  const answer: Answer = { isLesson: true, students: [''], tutor: '', minutes: undefined }
  assert.equal(missingIn(short, { ...answer, isLesson: false }, false), undefined)
  assert.equal(missingIn(short, answer, false), 'student')
  assert.equal(missingIn(short, { ...answer, students: ['Maya'] }, false), 'tutor')
  assert.equal(missingIn(short, { ...answer, students: ['Maya'] }, true), 'minutes')
  assert.equal(
    missingIn(short, { ...answer, students: ['Maya'], tutor: 'Tom', minutes: 45 }, false),
    undefined,
  )
})
