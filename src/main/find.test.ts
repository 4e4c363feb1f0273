import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findable, found, pagesFor } from './find.ts'
import type { Reader } from './page-rights.ts'

const PARENT: Reader = {
  role: 'parent',
  canLog: true,
  canWrite: true,
  seesAmounts: true,
  hasAllStudents: true,
}
const TUTOR: Reader = { ...PARENT, role: 'tutor' }
const CAREGIVER: Reader = { ...PARENT, canWrite: false, seesAmounts: false, hasAllStudents: false }

const all: Findable[] = [
  { kind: 'Sessions', id: 's', label: 'Algebra with Maya', detail: 'Nov 14' },
  { kind: 'Children', id: 'm', label: 'Maya Whitfield' },
  { kind: 'Children', id: 'j', label: 'José' },
  ...pagesFor(PARENT),
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

test('an amount is found with or without its currency', () => {
  const charge: Findable = { kind: 'Charges', id: 'c', label: 'Reading book', detail: '€12.50, Nov 14' }
  for (const typed of ['12.50', '€12.50', '12,50', 'book 12'])
    assert.deepEqual(found(typed, [charge]), [charge], typed)
  assert.deepEqual(found('50.12.7', [charge]), [])
})

test('a name is found without the letters that a keyboard lacks', () => {
  for (const [name, typed] of [
    ['Łukasz', 'lukasz'],
    ['Søren', 'soren'],
    ['Anna Straße', 'strasse'],
    ['Đặng', 'dang'],
    ['Işıl', 'ISIL'],
    ['Lukasz', 'Łuk'],
    ['Ma\u200bya', 'maya'],
  ] as const)
    assert.equal(found(typed, [{ kind: 'Children', id: 'x', label: name }]).length, 1, name)
})

test('a page is found by another word for it, and only by people who can open it', () => {
  assert.deepEqual(labels('balance'), ['Payments'])
  assert.deepEqual(
    found('students', pagesFor(TUTOR)).map(({ label }) => label),
    ['Students'],
  )
  assert.deepEqual(found('teachers', pagesFor(TUTOR)), [])
})

test('nothing typed finds nothing', () => {
  assert.deepEqual(labels('  '), [])
})

test('T1: the search offers nobody a page that would refuse them: a caregiver finds no payments, a viewer no form', () => {
  const titles = (reader: Reader) => pagesFor(reader).map(({ label }) => label)
  const refused = (reader: Reader) => titles(PARENT).filter((title) => !titles(reader).includes(title))
  assert.deepEqual(refused(CAREGIVER), [
    'Summary',
    'Year',
    'Payments',
    'Closed months',
    'Receipts and invoices',
    'To confirm',
    'Import',
  ])
  assert.ok(titles(CAREGIVER).includes('Sessions'), 'their month, without amounts')
  assert.deepEqual(refused({ ...PARENT, hasAllStudents: false }), [
    'Year',
    'Payments',
    'Closed months',
    'Receipts and invoices',
    'Import',
  ])
  assert.deepEqual(refused({ ...PARENT, canLog: false, canWrite: false }), [
    'Add Session',
    'To confirm',
    'Import',
  ])
})
