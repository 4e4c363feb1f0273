import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from './connection.ts'
import { likelyStudents, matchedTwice } from './matching.ts'

const child = (id: string, first_name: string, student_id: string | null = null): Person => ({
  id,
  first_name,
  student_id,
})

test('a child is matched with the student of the same first name only if neither side has that name twice', () => {
  const students = [
    { id: 's1', name: 'Maya Whitfield' },
    { id: 's2', name: 'Leo' },
    { id: 's3', name: 'Leo Park' },
    { id: 's4', name: 'anna' },
  ]
  assert.deepEqual(
    likelyStudents([child('a', 'Maya'), child('b', 'Leo'), child('c', 'Anna'), child('d', 'Zoe')], students),
    { a: 's1', b: '', c: 's4', d: '' },
  )
  assert.deepEqual(likelyStudents([child('a', 'Maya'), child('b', 'Maya')], students), { a: '', b: '' })
})

test('a matched child stays matched, and its student is not offered for another', () => {
  const students = [
    { id: 's1', name: 'Maya' },
    { id: 's2', name: 'Leo' },
  ]
  assert.deepEqual(likelyStudents([child('a', 'Leo', 's1'), child('b', 'Maya')], students), {
    a: 's1',
    b: '',
  })
})

test('two children with one student are told apart from children that become new students', () => {
  assert.deepEqual(matchedTwice({ a: 's1', b: 's1', c: '', d: '' }), ['a', 'b'])
  assert.deepEqual(matchedTwice({ a: 's1', b: 's2', c: '' }), [])
})
