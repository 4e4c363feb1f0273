import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { standingOf, waitsForYou, type Word, wordAfter, type WordChange } from './confirmation.ts'

const WORDS = ['none', 'confirmed', 'disputed'] as const
const CHANGES = ['confirm', 'withdraw', 'dispute'] as const
const GIVES: Record<WordChange, Word> = { confirm: 'confirmed', withdraw: 'none', dispute: 'disputed' }

test('D9: a word becomes confirmed only by confirming, and disputed only by disputing', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...CHANGES), { maxLength: 30 }), (changes) => {
      let word: Word = 'none'
      for (const change of changes) {
        const next: Word | undefined = wordAfter(word, change)
        if (next === undefined) continue
        assert.equal(next, GIVES[change])
        word = next
      }
    }),
  )
})

test('what stands already is not said twice, but a dispute may get another note', () => {
  for (const [word, change] of [
    ['confirmed', 'confirm'],
    ['none', 'withdraw'],
  ] as const)
    assert.equal(wordAfter(word, change), undefined)
  assert.equal(wordAfter('disputed', 'dispute'), 'disputed')
})

test('from every word a side can come to confirm, and take it back', () => {
  for (const word of WORDS) {
    assert.equal(wordAfter(word, 'confirm') ?? word, 'confirmed')
    assert.equal(wordAfter(word, 'withdraw') ?? word, 'none')
  }
})

test('D9: a session waits for a side until it has spoken, again once its dispute was answered, and when the other asks to delete it', () => {
  const waits = (own: Word, isAnswered = false, deletionAskedBy: 'you' | 'other' | null = null) =>
    waitsForYou({ own, isAnswered, deletionAskedBy })
  assert.deepEqual([waits('none'), waits('confirmed'), waits('disputed')], [true, false, false])
  assert.deepEqual([waits('confirmed', true), waits('disputed', true)], [false, true])
  for (const own of WORDS)
    for (const isAnswered of [true, false]) {
      assert.equal(waits(own, isAnswered, 'other'), true)
      assert.equal(waits(own, isAnswered, 'you'), false, 'the other side has to answer')
    }
})

test('the standing of a session follows from its fields, and what somebody asks to delete counts for neither', () => {
  const standing = (
    verified_by_tutor: boolean,
    status: string,
    is_shared: boolean,
    deletion_asked_by: 'you' | 'other' | null = null,
  ) => standingOf({ verified_by_tutor, status, is_shared, deletion_asked_by })
  for (const isShared of [true, false]) {
    assert.equal(standing(true, 'completed', isShared), 'verified', 'also once the two parted')
    for (const side of ['you', 'other'] as const)
      for (const status of ['completed', 'disputed'])
        assert.equal(standing(status === 'completed', status, isShared, side), 'leaving')
  }
  assert.equal(standing(false, 'disputed', true), 'disputed')
  assert.equal(standing(false, 'disputed', false), 'own', 'nobody is left to settle it with')
  assert.equal(standing(false, 'completed', true), 'waiting')
  assert.equal(standing(false, 'completed', false), 'own')
})
