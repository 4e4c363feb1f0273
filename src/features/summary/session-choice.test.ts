import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '#features/sessions/session.ts'
import {
  actionsFor,
  afterTick,
  afterTickAll,
  deletionQuestion,
  deletionResult,
  NONE_TICKED,
} from './session-choice.ts'

const shown = ['a', 'b', 'c', 'd', 'e']
const press = { isRange: false }
const shift = { isRange: true }

test('a checkbox ticks one session, with Shift all from the last one pressed, and again unticks them', () => {
  const one = afterTick(NONE_TICKED, shown, 'd', press)
  assert.deepEqual([...one.ids], ['d'])
  const range = afterTick(one, shown, 'b', shift)
  assert.deepEqual([...range.ids].sort(), ['b', 'c', 'd'])
  const less = afterTick(range, shown, 'c', press)
  assert.deepEqual([...less.ids].sort(), ['b', 'd'])
  assert.deepEqual([...afterTick(less, shown, 'd', shift).ids], ['b'])
  // A range whose beginning isn't on screen anymore is only the session itself.
  assert.deepEqual([...afterTick({ ids: new Set(), last: 'gone' }, shown, 'c', shift).ids], ['c'])
})

test('the checkbox in the header ticks all that is shown, and nothing once all is ticked', () => {
  const some = afterTick(NONE_TICKED, shown, 'b', press)
  const all = afterTickAll(some, shown)
  assert.equal(all.ids.size, 5)
  assert.equal(afterTickAll(all, shown).ids.size, 0)
})

const session = (changes: Partial<Session> = {}): Session =>
  ({
    own_confirmation: 'confirmed',
    other_confirmation: 'none',
    is_shared: true,
    is_read_only: false,
    other_took_part: false,
    deletion_asked_by: null,
    ...changes,
  }) as Session
const waiting = session({
  own_confirmation: 'none',
  other_confirmation: 'confirmed',
  other_took_part: true,
})
const own = session({ is_shared: false })
const readOnly = session({ ...waiting, is_read_only: true })
const leaving = session({ deletion_asked_by: 'other', other_confirmation: 'confirmed' })

test('of several sessions, those that wait are confirmed, and all but read-only and leaving ones deleted', () => {
  const { toConfirm, toDelete } = actionsFor([waiting, own, readOnly, leaving])
  assert.deepEqual(toConfirm, [waiting])
  assert.deepEqual(toDelete, [waiting, own])
})

test('before several are deleted, the question says how many go and how many the other side is asked about', () => {
  assert.deepEqual(deletionQuestion([own, session()], 'Ingrid'), {
    title: 'Delete 2 sessions?',
    text: '2 sessions will be deleted for good.',
    confirmLabel: 'Delete',
  })
  assert.equal(deletionQuestion([waiting], 'Ingrid').title, 'Ask to delete 1 session?')
  assert.deepEqual(deletionQuestion([own, waiting, waiting], 'Ingrid'), {
    title: 'Delete 1, ask about 2?',
    text: '1 session will be deleted for good. 2 sessions stay in both logs until Ingrid agrees.',
    confirmLabel: 'Delete and ask',
  })
  assert.equal(deletionResult({ deleted: 1, asked: 2 }), '1 session deleted, 2 deletions requested')
})
