import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Code, readCode, recoveryCode } from './second-step.ts'

test('a code of an app is six digits, however they are typed', () => {
  for (const typed of ['123456', ' 123 456 ', '123-456', '１２３４５６', '12 34 56'])
    assert.deepEqual(readCode(typed), { kind: 'app', text: '123456' }, typed)
})

test('a recovery code may be typed in capitals, without its dash, and with letters that look like its digits', () => {
  for (const typed of ['0a1bc-def23', '0A1BC DEF23', 'oalbcdef23', 'OAIBC–DEF23'])
    assert.deepEqual(readCode(typed), { kind: 'recovery', text: '0a1bcdef23' }, typed)
})

test('anything else is no code', () => {
  for (const typed of ['', '12345', '1234567', '0a1bc-def2', '0a1bc-def2u', '0a1bc-def233', '12345٦', '😀'])
    assert.equal(readCode(typed), undefined, typed)
})

test('I1: whatever is typed as a code can be read or refused', () => {
  fc.assert(fc.property(fc.string({ maxLength: 100, unit: 'binary' }), (typed) => (readCode(typed), true)))
  assert.equal(Code.safeParse('x'.repeat(101)).success, false)
  assert.equal(Code.safeParse('   ').success, false)
})

test('every recovery code is read as itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 10, maxLength: 16 }), (random) => {
      const code = recoveryCode(random)
      assert.match(code, /^[0-9a-z]{5}-[0-9a-z]{5}$/)
      assert.deepEqual(readCode(code), { kind: 'recovery', text: code.replace('-', '') })
    }),
  )
})
