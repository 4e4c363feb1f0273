import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cents } from '#kernel/money.ts'
import { amountInWords, vocabularyOf, spokenSentences, wordsOf } from './spoken-sentences.ts'

test('a name is written for speech in lower case and plain letters, with its title in full', () => {
  assert.deepEqual(wordsOf('Dr. Raj Patel'), ['doctor', 'raj', 'patel'])
  assert.deepEqual(wordsOf('Łukasz O’Brien-Şule'), ['lukasz', "o'brien", 'sule'])
  assert.deepEqual(wordsOf('李明'), ['li', 'ming'])
  assert.deepEqual(wordsOf('محمد'), [])
})

test('an amount is spoken in words', () => {
  assert.deepEqual(
    [500, 1900, 4500, 5250, 9000, 10000, 11500, 22050].map((amount) => amountInWords(amount as Cents)),
    [
      'five',
      'nineteen',
      'forty five',
      'fifty two fifty',
      'ninety',
      'a hundred',
      'a hundred and fifteen',
      'two hundred and twenty fifty',
    ],
  )
})

const LINES = [
  'just finished with <STUDENT> an hour of <SUBJECT|fractions>',
  '<TUTOR> came for <STUDENTS> lesson at <RATE|forty> dollars an hour',
]

test('the sentences are the same for the same names, contain only words, and mention everyone, every subject and every rate', () => {
  const names = {
    students: ['Maya', 'Siobhan Lee'],
    tutors: ['Dr. Raj Patel', 'Mrs. Gupta'],
    subjects: ['Algebra II'],
    rates: [5250, 10500] as Cents[],
  }
  const sentences = spokenSentences(names, LINES, 2000)
  assert.deepEqual(sentences, spokenSentences(names, LINES, 2000))
  for (const sentence of sentences) assert.match(sentence, /^[a-z']+( [a-z']+)*$/)
  const all = sentences.join(' ')
  for (const spoken of [
    'maya',
    'siobhan lee',
    'doctor patel',
    'raj patel',
    'missus gupta',
    'algebra ii',
    "siobhan's",
    'fifty two fifty',
    'a hundred and five',
  ])
    assert.ok(all.includes(` ${spoken} `), spoken)
})

test("a subject or a rate is the account's own in half of the sentences, and the author's in the others", () => {
  const names = { students: ['Maya'], tutors: ['Olu'], subjects: ['Falconry'], rates: [5250] as Cents[] }
  const sentences = spokenSentences(names, LINES, 400)
  const count = (words: string) => sentences.filter((sentence) => sentence.includes(words)).length
  for (const words of ['of falconry', 'of fractions', 'at fifty two fifty', 'at forty'])
    assert.ok(count(words) > 60, `${words}: ${count(words)}`)
  assert.ok(sentences.every((sentence) => !/[<>|]/.test(sentence)))
})

test('sentences exist for an empty account, too', () => {
  assert.deepEqual(vocabularyOf({ students: [], tutors: [], subjects: [], rates: [] }).words, [])
  assert.deepEqual(
    [...new Set(spokenSentences({ students: [], tutors: [], subjects: [], rates: [] }, LINES, 100))].sort(),
    [
      'just finished with my student an hour of fractions',
      "the tutor came for my student's lesson at forty dollars an hour",
    ],
  )
})
