import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opaqueString, passwordProblem, TOO_LONG, TOO_SHORT } from './password.ts'

test('A10: a password is the same text, whichever way a system types its accents and spaces', () => {
  // The examples of RFC 8265, section 4.3, and more kinds of space and accent.
  const same: [string, string][] = [
    ['correct horse battery staple', 'correct\u2003horse\u00a0battery\u3000staple'],
    ['\u03c0\u00df\u00e5', '\u03c0\u00dfa\u030a'],
    ['Jack of \u2666s', 'Jack\u1680of\u2009\u2666s'],
    ['Se\u00f1or-G\u00e4rtner', 'Sen\u0303or-Ga\u0308rtner'],
    ['\u1ea5\u1ead ti\u1ebfng Vi\u1ec7t', 'a\u0302\u0301a\u0323\u0302 tie\u0302\u0301ng Vie\u0323\u0302t'],
    ['\u210c\u00c5', '\u210c\u212b'],
    ['\ud55c\uae00', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
  ]
  for (const [composed, typed] of same) assert.equal(opaqueString(typed), composed)
  const different = [
    'Password',
    'password',
    'passwo\u211bd',
    'passw\uff4frd',
    'pass word',
    'pass  word',
    ' password',
  ]
  assert.equal(new Set(different.map(opaqueString)).size, different.length)
  assert.equal(opaqueString('👩‍👧 ❤️ köttbullar'), '👩‍👧 ❤️ köttbullar')
})

test('A10: characters of a new password are counted after normalization, as people count them', () => {
  assert.equal(passwordProblem('e\u0301'.repeat(5)), TOO_SHORT)
  assert.equal(passwordProblem('e\u0301'.repeat(6)), undefined)
  assert.equal(passwordProblem('🍲'.repeat(5)), TOO_SHORT)
  assert.equal(passwordProblem('🍲'.repeat(256)), undefined)
  assert.equal(passwordProblem('a\u0323\u0302'.repeat(256)), undefined)
  for (const text of ['x'.repeat(257), 'e\u0301'.repeat(257), '🍲'.repeat(257), 'x'.repeat(1e6)])
    assert.equal(passwordProblem(text), TOO_LONG)
})

test('A10: a new password has no control characters and no half of a character', () => {
  for (const character of ['\t', '\n', '\0', '\x7f', '\u0085', '\ud83c'])
    assert.match(passwordProblem(`green${character}house-41`) ?? '', /control characters/)
})
