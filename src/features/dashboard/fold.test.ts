import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldedRows } from './fold.ts'

test('a phone shows two of nine waiting items, the most important kind first', () => {
  assert.deepEqual(foldedRows([{ count: 1 }, { count: 5 }, { count: 3 }]), [1, 1, 0])
  assert.deepEqual(foldedRows([{ count: 0 }, { count: 6 }, { count: 3 }]), [0, 2, 0])
})

test('three or fewer are all shown, because a button that hides one takes up as much space', () => {
  assert.equal(foldedRows([{ count: 2 }, { count: 1 }]), undefined)
  assert.equal(foldedRows([]), undefined)
})

test('a request takes up the space of two rows, and a second one is hidden behind the button', () => {
  const requests = { count: 2, height: 2 }
  assert.deepEqual(foldedRows([requests, { count: 4 }]), [1, 0])
})

test('a section too tall for the remaining space is not skipped', () => {
  assert.deepEqual(foldedRows([{ count: 1 }, { count: 1, height: 2 }, { count: 5 }]), [1, 0, 0])
})

test('without a month below, everything is shown', () => {
  assert.equal(foldedRows([{ count: 2, height: 2 }, { count: 40 }], Infinity), undefined)
})
