import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyOf } from '#kernel/money.ts'
import type { ListedStudent } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { emptySession, type SessionFields } from './session-form.ts'
import { othersIn, partsInWords, partsOf, sumOf, toSeveral } from './siblings.ts'

const EUR = currencyOf('EUR')
const student = (id: string, name: string, prices: ListedStudent['prices'] = []) =>
  ({ id, name, hourly_rate: null, prices, families: [] }) as unknown as ListedStudent
const students = [
  student('theo', 'Theo'),
  student('maya', 'Maya', [
    {
      id: 'p',
      student_id: 'maya',
      tutor_id: 'ingrid',
      from: '2026-09-01',
      amount: 32.51,
      lesson_minutes: 45,
      version: 1,
    },
  ]),
  student('ana', 'Ana'),
]
const tutors = [{ id: 'ingrid', hourly_rate: 45 }] as Tutor[]
const fields: SessionFields = {
  ...emptySession('2026-11-17', 'ingrid'),
  student_id: 'theo',
  duration: '0,75',
  others: 'maya',
}
const parts = (more: Partial<SessionFields>, currency = EUR) =>
  partsOf({ ...fields, ...more }, students, tutors, currency).map(({ name, amount }) => [name, amount])

test('each of several children pays its own price, or they share that of the first by name, who pays the odd cent', () => {
  assert.deepEqual(parts({}), [
    ['Maya', 3251],
    ['Theo', 3375],
  ])
  assert.deepEqual(parts({ price_for: 'shared' }), [
    ['Maya', 1626],
    ['Theo', 1625],
  ])
  // Ana is the first by name, and has no price of her own: the tutor's counts.
  assert.deepEqual(parts({ price_for: 'shared', others: 'maya ana' }), [
    ['Ana', 1125],
    ['Maya', 1125],
    ['Theo', 1125],
  ])
  assert.deepEqual(parts({ price_for: 'shared', hourly_rate: '50,02' }), [
    ['Maya', 1876],
    ['Theo', 1876],
  ])
  // A whole yen.
  assert.deepEqual(parts({ price_for: 'shared', hourly_rate: '1001', duration: '1' }, currencyOf('JPY')), [
    ['Maya', 50_100],
    ['Theo', 50_000],
  ])
  assert.deepEqual(parts({ others: '' }), [])
  assert.deepEqual(parts({ others: 'theo' }), [], 'nobody is in a lesson twice')
})

test('what they pay is said by name and in all, and each is sent as a session of its own', () => {
  const both = partsOf(fields, students, tutors, EUR)
  assert.equal(partsInWords(both, EUR)?.replaceAll(/[\u2066-\u2069]/g, ''), 'Maya €32.51 and Theo €33.75')
  assert.equal(sumOf(both), 6626)
  assert.equal(partsInWords([{ name: 'Maya', amount: null }], EUR), undefined)
  assert.equal(sumOf([{ name: 'Maya', amount: null }]), null)
  const sent = toSeveral({ ...fields, others: 'maya ana', makes_up: 'missed', connection_id: 'family' })
  assert.deepEqual(
    sent.map(({ student_id, tutor_id, date, duration, makes_up, connection_id }) => [
      student_id,
      tutor_id,
      date,
      duration,
      makes_up,
      connection_id,
    ]),
    [
      ['theo', 'ingrid', '2026-11-17', 0.75, 'missed', 'family'],
      ['maya', 'ingrid', '2026-11-17', 0.75, undefined, undefined],
      ['ana', 'ingrid', '2026-11-17', 0.75, undefined, undefined],
    ],
  )
  assert.deepEqual(othersIn({ others: ' maya  theo', student_id: 'theo' }), ['maya'])
})
