import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Student } from './student.ts'
import { fieldsOfChild, fieldsOfStudent, toChild, toStudent } from './student-form.ts'

const child = { name: 'Maya', grade: '8th Grade', notes: 'Likes fractions' }
const student = { ...child, hourly_rate: '45.50' }

test('a child sends name, grade and notes, and no rate', () => {
  assert.deepEqual(toChild(child), child)
  assert.deepEqual(toChild({ ...child, grade: '', notes: '' }), { name: 'Maya', grade: '', notes: '' })
  assert.deepEqual(toChild(student), child)
})

test('a student sends the rate too, and a cleared rate is cleared', () => {
  assert.deepEqual(toStudent(student), { ...child, hourly_rate: 45.5 })
  assert.deepEqual(toStudent({ ...student, hourly_rate: ' ' }), { ...child, hourly_rate: null })
})

test('saved values are shown in the form', () => {
  const saved = { ...child, hourly_rate: 45.5 } as Student
  assert.deepEqual([fieldsOfChild(saved), fieldsOfStudent(saved, currencyOf('USD'))], [child, student])
  assert.deepEqual(fieldsOfStudent(undefined, currencyOf('USD')), {
    name: '',
    grade: '',
    notes: '',
    hourly_rate: '',
  })
})
