import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cents } from '#kernel/money.ts'
import { amountInWords, listenFor, spokenSentences, wordsOf } from './spoken-sentences.ts'

test('a name is written for speech in lower case and plain letters, with its title in full', () => {
  assert.deepEqual(wordsOf('Dr. Raj Patel'), ['doctor', 'raj', 'patel'])
  assert.deepEqual(wordsOf('Łukasz O’Brien-Şule'), ['lukasz', "o'brien", 'sule'])
  assert.deepEqual(wordsOf('李明'), [])
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

const LINES = ['just finished with <STUDENT> an hour of fractions', '<TUTOR> came and we paid in cash']

test('the sentences are the same for the same names, contain only words, and mention everyone', () => {
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
    'ninety minutes',
    'dollars an hour',
    'fifty two fifty',
    'a hundred and five',
  ])
    assert.ok(all.includes(` ${spoken} `), spoken)
})

test("three of four sentences are lines that people have said, with the account's names", () => {
  const names = { students: ['Maya'], tutors: ['Olu'], subjects: [], rates: [] }
  const sentences = spokenSentences(names, LINES, 400)
  const from = (line: string) => sentences.filter((sentence) => sentence === line).length
  const [own, others] = [
    from('just finished with maya an hour of fractions'),
    from('olu came and we paid in cash'),
  ]
  assert.ok(own > 100 && others > 50, `${own} and ${others}`)
  assert.ok(sentences.every((sentence) => !/[<>]/.test(sentence)))
})

test('sentences exist for an empty account, too', () => {
  assert.deepEqual(listenFor({ students: [], tutors: [], subjects: [], rates: [] }).words, [])
  assert.ok(
    spokenSentences({ students: [], tutors: [], subjects: [], rates: [] }, [], 100).some((sentence) =>
      sentence.includes('my student'),
    ),
  )
})
