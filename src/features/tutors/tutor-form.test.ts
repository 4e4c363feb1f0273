import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOwnRate } from './own-rate.ts'
import type { Tutor } from './tutor.ts'
import { fieldsOf, toNewTutor, toTutorChanges } from './tutor-form.ts'

const typed = {
  name: 'Ingrid Lindqvist',
  email: 'ingrid@example.com',
  phone: '555-0199',
  hourly_rate: '45.50',
  subjects: 'Algebra, Geometry',
  notes: 'Parks behind the house',
}

const emptied = { ...typed, email: '', phone: ' ', hourly_rate: ' ', subjects: ' ,', notes: '' }

test('a new tutor is sent as typed, with a list of subjects and without empty fields', () => {
  assert.deepEqual(toNewTutor(typed), { ...typed, hourly_rate: 45.5, subjects: ['Algebra', 'Geometry'] })
  assert.deepEqual(toNewTutor(emptied), { name: 'Ingrid Lindqvist' })
})

test('a changed tutor is sent as typed, and emptied fields are cleared, including the rate', () => {
  assert.deepEqual(toTutorChanges(typed), { ...typed, hourly_rate: 45.5, subjects: ['Algebra', 'Geometry'] })
  assert.deepEqual(toTutorChanges(emptied), { ...emptied, hourly_rate: null, subjects: [] })
})

test('saved values are shown in the form', () => {
  assert.deepEqual(
    fieldsOf(
      { ...typed, hourly_rate: 45.5, subjects: ['Algebra', 'Geometry'] } as unknown as Tutor,
      currencyOf('USD'),
    ),
    typed,
  )
})

test("a tutor's own rate is sent as a number, and cleared if the field was emptied", () => {
  assert.deepEqual(toOwnRate({ hourly_rate: '45' }), { hourly_rate: 45 })
  assert.deepEqual(toOwnRate({ hourly_rate: ' ' }), { hourly_rate: null })
})
