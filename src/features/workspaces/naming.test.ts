import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf, titleOf } from './naming.ts'

test('a workspace is named after its owner, whose name stays as it was typed', () => {
  const theirs = { kind: 'family', role: 'parent', owner_name: 'ana Whitfield' } as const
  assert.equal(titleOf({ ...theirs, role: 'owner' }), 'Your family')
  assert.equal(titleOf({ kind: 'practice', role: 'owner', owner_name: null }), 'Your practice')
  assert.equal(titleOf(theirs), "ana Whitfield's family")
  assert.equal(titleOf({ ...theirs, owner_name: null }), 'A family you joined')
  assert.equal(nameOf({ kind: 'practice', role: 'assistant', owner_name: null }), 'a practice you joined')
})

test('a right-to-left name does not reverse the words next to it', () => {
  assert.equal(titleOf({ kind: 'family', role: 'viewer', owner_name: 'שירה' }), "\u2068שירה\u2069's family")
})
