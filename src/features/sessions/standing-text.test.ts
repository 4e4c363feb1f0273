import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Said, sidesOf } from './standing-text.ts'

const said = (changes: Partial<Said>): Said => ({
  own_confirmation: 'confirmed',
  other_confirmation: 'none',
  verified_by_tutor: false,
  status: 'completed',
  deletion_asked_by: null,
  ...changes,
})

test('a tick belongs to the side whose word it is, and the words tell who is waited for', () => {
  const line = (changes: Partial<Said>, reader: 'parent' | 'tutor') => {
    const { words, by } = sidesOf(said(changes), reader, 'Ingrid')
    return [words, ...by]
  }
  assert.deepEqual(line({}, 'parent'), ['Waiting for tutor', 'parent'])
  assert.deepEqual(line({}, 'tutor'), ['Waiting for the family', 'tutor'])
  const theirs = { own_confirmation: 'none', other_confirmation: 'confirmed' } as const
  assert.deepEqual(line(theirs, 'parent'), ['Waiting for you', 'tutor'])
  assert.deepEqual(line(theirs, 'tutor'), ['Waiting for you', 'parent'])
  assert.deepEqual(line({ own_confirmation: 'none' }, 'parent'), ['Waiting for you'])
  const both = { verified_by_tutor: true, other_confirmation: 'confirmed' } as const
  assert.deepEqual(line(both, 'tutor'), ['Verified', 'parent', 'tutor'])
})

test('what is sent back or to be deleted says by whom', () => {
  const line = (changes: Partial<Said>, reader: 'parent' | 'tutor') => {
    const { words, badge } = sidesOf(said(changes), reader, reader === 'parent' ? 'Ingrid' : undefined)
    return [words, badge]
  }
  const sentBack = { status: 'disputed' } as const
  assert.deepEqual(line({ ...sentBack, other_confirmation: 'disputed' }, 'parent'), ['Sent back', 'danger'])
  assert.deepEqual(line({ ...sentBack, own_confirmation: 'disputed' }, 'tutor'), [
    'You sent it back',
    'danger',
  ])
  assert.deepEqual(line({ deletion_asked_by: 'you' }, 'tutor'), ['You asked to delete it', 'warn'])
  assert.deepEqual(line({ deletion_asked_by: 'other' }, 'parent'), ['Ingrid asks to delete it', 'warn'])
  assert.deepEqual(line({ deletion_asked_by: 'other' }, 'tutor'), ['The family asks to delete it', 'warn'])
})
