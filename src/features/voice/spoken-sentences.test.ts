import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenFor, spokenSentences, wordsOf } from './spoken-sentences.ts'

test('a name is spoken in lower case and plain letters, with its title in full', () => {
  assert.deepEqual(wordsOf('Dr. Raj Patel'), ['doctor', 'raj', 'patel'])
  assert.deepEqual(wordsOf("Łukasz O’Brien-Şule"), ['lukasz', "o'brien", 'sule'])
  assert.deepEqual(wordsOf('李明'), [])
})

test('the sentences are the same for the same names, hold nothing but words, and name everybody', () => {
  const names = { students: ['Maya', 'Siobhan Lee'], tutors: ['Dr. Raj Patel', 'Mrs. Gupta'], subjects: ['Algebra II'] }
  const sentences = spokenSentences(names, 2000)
  assert.deepEqual(sentences, spokenSentences(names, 2000))
  for (const sentence of sentences) assert.match(sentence, /^[a-z']+( [a-z']+)*$/)
  const all = sentences.join(' ')
  for (const spoken of ['maya', 'siobhan lee', 'doctor patel', 'raj patel', 'missus gupta', 'algebra ii', 'ninety minutes', 'dollars an hour']) assert.ok(all.includes(` ${spoken} `), spoken)
})

test('an empty account is listened to all the same', () => {
  assert.deepEqual(listenFor({ students: [], tutors: [], subjects: [] }).words, [])
  assert.ok(spokenSentences({ students: [], tutors: [], subjects: [] }, 100).some((sentence) => sentence.includes('my student')))
})
