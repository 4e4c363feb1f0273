import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findable, found, pagesFor } from './find.ts'

const all: Findable[] = [
  { kind: 'Sessions', id: 's', label: 'Algebra with Maya', detail: 'Nov 14' },
  { kind: 'Children', id: 'm', label: 'Maya Whitfield' },
  { kind: 'Children', id: 'j', label: 'José' },
  ...pagesFor('parent'),
]
const labels = (typed: string) => found(typed, all).map(({ label }) => label)

test('a few letters of a name find the child before the sessions', () => {
  assert.deepEqual(labels('may'), ['Maya Whitfield', 'Algebra with Maya'])
})

test('every typed word has to start a word, in any order and without accents', () => {
  assert.deepEqual(labels('nov alg'), ['Algebra with Maya'])
  assert.deepEqual(labels('jose'), ['José'])
  assert.deepEqual(labels('aya'), [])
})

test('a page is found by another word for it, and only by people who can open it', () => {
  assert.deepEqual(labels('balance'), ['Payments'])
  assert.deepEqual(
    found('students', pagesFor('tutor')).map(({ label }) => label),
    ['Students'],
  )
  assert.deepEqual(found('teachers', pagesFor('tutor')), [])
})

test('nothing typed finds nothing', () => {
  assert.deepEqual(labels('  '), [])
})
