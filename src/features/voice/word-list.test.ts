import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canBeName, isEverydayWord } from './word-list.ts'

test('everyday words are told apart from names', () => {
  for (const word of ['than', 'may', 'will', 'mark', 'grace', 'june', 'even', 'park', 'read'])
    assert.ok(isEverydayWord(word), word)
  for (const word of ['ethan', 'maya', 'chen', 'sarah', 'jamal', 'johnson', 'ruby', 'jack'])
    assert.ok(!isEverydayWord(word), word)
  for (const word of ['the', 'with', 'algebra', 'fractions', 'yesterday', 'struggled', "it's"])
    assert.ok(!canBeName(word), word)
  for (const word of ['olivia', 'henry', 'abernathy', 'tanaka', 'siobhan', 'grace'])
    assert.ok(canBeName(word), word)
})
