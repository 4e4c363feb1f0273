import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SIDE_OF, wordAfter, type WordEvent, wordOf, type WordState } from './word.ts'

const EVENTS = Object.keys(SIDE_OF) as WordEvent[]
const steps = fc.array(
  fc.record({
    event: fc.constantFrom(...EVENTS),
    side: fc.constantFrom('tutor' as const, 'family' as const),
  }),
  { maxLength: 30 },
)

/** Every state that a sequence passes through, with the event that led there. */
function walk(
  sequence: { event: WordEvent; side: 'tutor' | 'family' }[],
): { before: WordState; event: WordEvent; side: string; after: WordState }[] {
  let state: WordState = 'unverified'
  return sequence.flatMap(({ event, side }) => {
    const after = wordAfter(state, event, side)
    if (after === undefined) return []
    const step = { before: state, event, side, after }
    state = after
    return [step]
  })
}

test('D9: a session turns verified only by the tutor, and disputed only by the tutor', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      for (const { before, after, side, event } of walk(sequence)) {
        if (after !== before && after !== 'unverified') assert.equal(side, 'tutor')
        if (after === 'verified' && before !== 'verified') assert.equal(event, 'confirm')
      }
    }),
  )
})

test('D9: a change of what was confirmed always takes the word back; notes and subject never do', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      for (const { before, after, event } of walk(sequence)) {
        if (event === 'change') assert.equal(after, 'unverified')
        if (event === 'describe') assert.equal(after, before)
      }
    }),
  )
})

test('from every state the two can come to an agreement', () => {
  for (const state of ['unverified', 'verified', 'disputed'] as const)
    assert.equal(wordAfter(state, 'confirm', 'tutor'), 'verified')
  assert.equal(wordAfter('disputed', 'answer', 'family'), 'unverified')
  assert.equal(wordAfter('verified', 'answer', 'family'), undefined)
})

test('the state of a session follows from its fields', () => {
  assert.deepEqual(
    [
      wordOf({ verified_by_tutor: true, status: 'completed' }),
      wordOf({ verified_by_tutor: false, status: 'disputed' }),
      wordOf({ verified_by_tutor: false, status: 'completed' }),
    ],
    ['verified', 'disputed', 'unverified'],
  )
})
