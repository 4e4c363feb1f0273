import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confidenceOf, type Reading } from './confidence.ts'

const named = { place: 0, id: 'a', score: 1, suggested: null }
const plain: Reading = {
  student: named,
  tutor: named,
  hasMinutes: true,
  saidMoney: false,
  hasRate: false,
  doubts: 0,
}

test('high takes both names, the time and no doubt', () => {
  assert.equal(confidenceOf(plain), 'high')
  assert.equal(confidenceOf({ ...plain, doubts: 1 }), 'medium')
  assert.equal(confidenceOf({ ...plain, tutor: null }), 'medium')
  assert.equal(confidenceOf({ ...plain, student: { ...named, score: 0.85 } }), 'medium')
  assert.equal(confidenceOf({ ...plain, saidMoney: true }), 'medium')
  assert.equal(confidenceOf({ ...plain, saidMoney: true, hasRate: true }), 'high')
})

test('low is no time, or nobody', () => {
  assert.equal(confidenceOf({ ...plain, hasMinutes: false }), 'low')
  assert.equal(confidenceOf({ ...plain, student: null, tutor: { ...named, id: null } }), 'low')
})
