import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf } from './spoken-line.ts'
import { claimPeople, type SaidPerson } from './spoken-name.ts'
import { claimStrangers, type SaidStranger } from './stranger.ts'

const STUDENTS = [
  'Maya',
  'Ethan',
  'Siobhan',
  'William',
  'Jack',
  'Jackson',
  'Katherine Jones',
  'Aarav',
  'Jaylen',
]
const TUTORS = [
  'David Chen',
  'Sarah Johnson',
  'Sam Park',
  'Samantha Parker',
  'Mrs. Gupta',
  'Dr. Raj Patel',
  'Mark Stephens',
  "Peter O'Brien",
]
const list = (names: string[]): { id: string; name: string }[] => names.map((name) => ({ id: name, name }))

function named(text: string, students = STUDENTS, tutors = TUTORS): string[] {
  return claimPeople<SaidPerson>(lineOf(text), list(students), list(tutors)).flatMap(({ said }) =>
    said ? [[...said.students, ...said.tutors].map(({ id }) => id).join('+')] : [],
  )
}

test('exact names, nicknames, titles and what sounds alike', () => {
  const cases: [string, string[]][] = [
    ['maya had an hour with mister chen', ['Maya', 'David Chen']],
    ['katie with sarah johnson', ['Katherine Jones', 'Sarah Johnson']],
    ['billy worked with missus gupta', ['William', 'Mrs. Gupta']],
    ['doctor patel taught shivon', ['Dr. Raj Patel', 'Siobhan']],
    ['arav had raj', ['Aarav', 'Dr. Raj Patel']],
    ['maia with sara johnston', ['Maya', 'Sarah Johnson']],
    ['ethan with mister stevens', ['Ethan', 'Mark Stephens']],
    ['she von had an hour', ['Siobhan']],
    ['jay had an hour', ['Jaylen']],
    ["peter o'brien came", ["Peter O'Brien"]],
    ['jack with sam park', ['Jack', 'Sam Park']],
    ['jackson with samantha', ['Jackson', 'Samantha Parker']],
    ['will had an hour with mark', ['William', 'Mark Stephens']],
  ]
  for (const [text, names] of cases) assert.deepEqual(named(text), names, text)
})

test('a title or an initial tells the only tutor who is so called', () => {
  const tutors = ['Professor Haddad', 'Señora Quiroga', 'Coach Brandt', 'Mrs Adeyemi', 'Dr Fenwick']
  const cases: [string, string[]][] = [
    ['an hour with the professor', ['Professor Haddad']],
    ['the senora came', ['Señora Quiroga']],
    ['the coach had maya', ['Coach Brandt', 'Maya']],
    ['ethan with missus a', ['Ethan', 'Mrs Adeyemi']],
    ['senora quiroga came', ['Señora Quiroga']],
    ['the doctor saw ethan', ['Ethan']],
    ['an hour with mister a', ['Mrs Adeyemi']],
    ['we miss a lesson', []],
  ]
  for (const [text, names] of cases) assert.deepEqual(named(text, STUDENTS, tutors), names, text)
  assert.deepEqual(named('an hour with the professor', STUDENTS, ['Professor Haddad', 'Prof. Lindqvist']), [])
})

test('a name that is written like a month, and the end of a long name', () => {
  assert.deepEqual(named('nnamdi had jun ho', ['Nnamdi'], ['Jun-ho']), ['Nnamdi', 'Jun-ho'])
  assert.deepEqual(named('jan taught seun', ['Oluwaseun'], ['Jan']), ['Jan', 'Oluwaseun'])
  assert.deepEqual(named('an hour in june', ['Nnamdi'], ['Jun-ho']), [])
  assert.deepEqual(named('for the two hours', ['Theodore'], []), [])
})

test('a name of several words may be written as one', () => {
  assert.deepEqual(named('annemarie had miss vandenberg', ['Anne-Marie'], ['Ms. Van der Berg']), [
    'Anne-Marie',
    'Ms. Van der Berg',
  ])
  assert.deepEqual(named('joseluis had an hour', ['José-Luis', 'Jose'], []), ['José-Luis'])
})

test('everyday words are no names', () => {
  for (const text of [
    'better than last time',
    'she may need help',
    'he will do it',
    'mark my words',
    'even so',
    'it went on',
    'at the park',
    'a stack of jacks',
  ])
    assert.deepEqual(named(text), [], text)
})

test('another name is another person', () => {
  for (const text of [
    'olivia had an hour',
    'mister abernathy came',
    'sarah miller had an hour',
    'nathan had an hour',
    'aiden had an hour',
  ])
    assert.deepEqual(named(text), [], text)
  assert.deepEqual(named('oliver had an hour', ['Olivia'], []), [])
})

test('a name that two people bear is both of theirs', () => {
  assert.deepEqual(named('maya had an hour', ['Maya Smith', 'Maya Jones'], []), ['Maya Smith+Maya Jones'])
  assert.deepEqual(named('maya jones had an hour', ['Maya Smith', 'Maya Jones'], []), ['Maya Jones'])
})

test('names on no list are told where a name must stand', () => {
  const strangers = (text: string, teaches = false): [string, string][] =>
    claimStrangers<SaidStranger>(lineOf(text), teaches, { student: false, tutor: false }).flatMap(
      ({ said }) => (said ? [[said.role, said.heard] as [string, string]] : []),
    )
  assert.deepEqual(strangers('olivia had an hour with mister abernathy'), [
    ['student', 'Olivia'],
    ['tutor', 'Abernathy'],
  ])
  assert.deepEqual(strangers('i worked with jordan smith today', true), [['student', 'Jordan Smith']])
  for (const text of [
    'she had an hour with him',
    'worked with fractions',
    'help with geometry',
    'for free',
    'with the new one',
  ])
    assert.deepEqual(strangers(text), [], text)
})

test('names that are months or verbs are names where somebody on the lists must stand', () => {
  const people = (text: string): string[] => named(text, ['Will', 'Niamh'], ['Jun Ito', 'April Snow'])
  for (const text of ['niamh had jun from nine to ten', 'niamh saw jun on monday', 'niamh had jun, an hour'])
    assert.deepEqual(people(text), ['Niamh', 'Jun Ito'], text)
  for (const text of ['will/april 1h', 'will with april an hour'])
    assert.deepEqual(people(text), ['Will', 'April Snow'], text)
  for (const text of ['niamh had an hour on jun 5', 'niamh will have an hour in april'])
    assert.deepEqual(people(text), ['Niamh'], text)
})
