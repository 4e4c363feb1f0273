import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { alike } from './pronunciation.ts'

test('spellings of one name sound alike, other names do not', () => {
  for (const pair of [
    'shivon siobhan',
    'shawn sean',
    'kaitlin caitlyn',
    'sara sarah',
    'davis davies',
    'stevens stephens',
    'kowalsky kowalski',
    'dimitri dmitri',
    'maia maya',
    'ana anna',
    'lukas lucas',
  ]) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(alike(one, other) >= 0.93, pair)
  }
  for (const pair of [
    'olivia oliver',
    'mia maya',
    'nathan ethan',
    'anna hannah',
    'may maya',
    'aiden jayden',
    'mary maria',
    'chang chen',
  ]) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(alike(one, other) < 0.9, pair)
  }
})

test('similarity is between 0 and 1 and the same both ways', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), maxLength: 12 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      const likeness = alike(one, other)
      assert.ok(likeness >= 0 && likeness <= 1)
      assert.ok(Math.abs(likeness - alike(other, one)) < 1e-9)
      assert.equal(alike(one, one), 1)
    }),
  )
})
