import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Guess, groupKey, guesser, type Roster } from './title.ts'

const FAMILY: Roster = {
  isPractice: false,
  students: ['Maya Łukasiewicz', 'Leo Łukasiewicz'],
  tutors: [
    { name: 'Ingrid Solberg', subjects: ['Math'] },
    { name: 'Mr. Becker', subjects: ['Piano'] },
    { name: 'Claire Dubois', subjects: ['French', 'Math'] },
  ],
}
const PRACTICE: Roster = {
  isPractice: true,
  students: ['Amelia Price', 'Amelia Khan', 'Noah Bennett', 'Ella Bennett', "Finn O'Connor", 'Zoë'],
  tutors: [{ name: 'Ruth Adeyemi', subjects: ['Chemistry'] }],
}

const guess = (title: string, roster = FAMILY, count = 10, minutes = 60): Guess =>
  guesser(roster)(title, count, minutes)

test('a title is sure if every word of it is understood and it says whose lesson it is', () => {
  for (const [title, student, tutor, subject] of [
    ['Maya math w/ Ingrid', 'Maya Łukasiewicz', 'Ingrid Solberg', 'Math'],
    ['INGRID – maya', 'Maya Łukasiewicz', 'Ingrid Solberg', undefined],
    ['Leo: piano lesson 12', 'Leo Łukasiewicz', 'Mr. Becker', 'Piano'],
    ["Maya's French tutoring", 'Maya Łukasiewicz', 'Claire Dubois', 'French'],
    ['Nachhilfe Maya (Frau Solberg)', 'Maya Łukasiewicz', 'Ingrid Solberg', undefined],
    ['Nachhilfe Klavier Leo', 'Leo Łukasiewicz', 'Mr. Becker', 'Piano'],
    ['Maya Lukasiewicz Becker', 'Maya Łukasiewicz', 'Mr. Becker', undefined],
  ] as const)
    assert.deepEqual(guess(title), { certainty: 'sure', students: [student], tutor, subject }, title)
})

test('no title that means something else is sure', () => {
  for (const title of [
    'Maya dentist',
    'Maya math test',
    'Leo Mathearbeit',
    'Leo piano',
    'Leo Klaviervorspiel',
    'Leo piano recital',
    'Piano tuner',
    'Dinner with Ingrid',
    'Pay Ingrid',
    'Ingrid',
    '1:1 Becker',
    'Math',
    'Leo soccer',
    'Maya & Leo pick up',
    'Leo',
    'No piano Leo',
    'Maya math w/ Ingrid CANCELED',
    'Maya math w/ Ingrid?',
    'Maya math w/ Ingrid (tentative)',
    '',
    '🎂',
  ])
    assert.notEqual(guess(title).certainty, 'sure', title)
  // Two tutors teach math, so someone has to say which.
  assert.deepEqual(guess('Maya math'), {
    certainty: 'likely',
    students: ['Maya Łukasiewicz'],
    tutor: undefined,
    subject: 'Math',
  })
  assert.notEqual(guess('Maya math w/ Ingrid', FAMILY, 1, 9 * 60).certainty, 'sure')
  assert.notEqual(guess('Maya math w/ Ingrid', FAMILY, 1, 5).certainty, 'sure')
})

test('a subject or "lesson" alone is asked about if it took place more than once', () => {
  for (const title of ['Theo maths', 'Lesson', 'Chess club'])
    assert.deepEqual(
      [guess(title, FAMILY, 1).certainty, guess(title, FAMILY, 2).certainty],
      ['unlikely', 'likely'],
    )
})

test('lessons that were canceled in their title stay out', () => {
  for (const title of ['Abgesagt: Maya Mathe Ingrid', 'No piano Leo', 'Maya math – ill'])
    assert.equal(guess(title).certainty, 'unlikely', title)
})

test('a practice takes a name with a subject, and asks about a name alone', () => {
  assert.deepEqual(guess('Amelia K chem', PRACTICE), {
    certainty: 'sure',
    students: ['Amelia Khan'],
    tutor: 'Ruth Adeyemi',
    subject: 'Chemistry',
  })
  assert.deepEqual(guess('Noah + Ella Bennett maths', PRACTICE).students.toSorted(), [
    'Ella Bennett',
    'Noah Bennett',
  ])
  assert.equal(guess('Finn OConnor physics', PRACTICE).certainty, 'sure')
  assert.equal(guess('Zoe lesson', PRACTICE).certainty, 'sure')
  assert.equal(guess('Zoe', PRACTICE).certainty, 'likely')
  assert.equal(guess('Noah & Ella Bennett', PRACTICE, 3).certainty, 'sure')
  assert.equal(guess('Amelia Price', PRACTICE, 2).certainty, 'likely')
  assert.equal(guess('Lunch Zoe', PRACTICE, 1).certainty, 'unlikely')
  assert.equal(guess('Dr Price', PRACTICE).certainty, 'unlikely')
})

test('two students who fit equally well are nobody', () => {
  const { certainty, students } = guess('Amelia chem', PRACTICE)
  assert.notEqual(certainty, 'sure')
  assert.deepEqual(students, [])
})

test('a name that is a child’s and a tutor’s is nobody’s', () => {
  const roster = { ...FAMILY, tutors: [{ name: 'Leo Becker', subjects: ['Piano'] }] }
  assert.equal(guess('Leo piano', roster).certainty, 'likely')
  assert.equal(guess('Maya piano with Leo', roster).certainty, 'likely')
})

test('titles with the same words are one group', () => {
  assert.equal(groupKey('Maya math w/ Ingrid'), groupKey('Math: Maya & Ingrid #4'))
  assert.notEqual(groupKey('Maya math w/ Ingrid'), groupKey('Maya math test w/ Ingrid'))
})
