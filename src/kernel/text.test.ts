import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  emailAddress,
  isEmailAddress,
  optionalEmailAddress,
  optionalText,
  requiredText,
  trimmed,
} from './text.ts'

/** Each is the only character of a name, or around one. */
const INVISIBLE = [
  '\u200b',
  '\u2060',
  '\u3164',
  '\u00ad',
  '\u200e',
  '\u200f',
  '\ufeff',
  '\u034f',
  '\u115f',
  '\u1160',
  '\uffa0',
  '\u2800',
  '\u180e',
  '\u17b4',
  '\u061c',
  '\u2064',
  '\ufe0f',
  '\u{e0020}',
  '\u{e0100}',
  '\u{1d159}',
  '\ufff9',
  '\u0085',
  '\u009f',
  '\u00a0',
  '\u3000',
  '\u2028',
  ' ',
  '\t',
]
const Name = requiredText(20, 'Name is required')

test('a name that nobody can see is missing', () => {
  for (const one of [...INVISIBLE, '\u200b\u3164 \u200e', INVISIBLE.join('')]) {
    assert.equal(Name.safeParse(one).error?.issues[0]?.message, 'Name is required', escape(one))
    assert.equal(optionalText(500).parse(one), null)
  }
})

test('a mark that turns the text around stays, and is no name by itself', () => {
  for (const mark of ['\u202e', '\u2066', '\u2069', '\u202c']) {
    assert.equal(Name.safeParse(`\u200b${mark}`).error?.issues[0]?.message, 'Name is required')
    assert.equal(trimmed(` ${mark}Maya${mark}\u200b`), `${mark}Maya${mark}`)
  }
})

test('what nobody can see is left out at both ends of a text, and stays inside', () => {
  for (const one of INVISIBLE) {
    assert.equal(trimmed(`${one}Maya${one}`), 'Maya', escape(one))
    assert.equal(trimmed(`${one}${one} Maya\u200bW ${one}`), 'Maya\u200bW', escape(one))
  }
})

test('a joiner or variant that changes the last letter stays', () => {
  for (const name of [
    'അനില്\u200d',
    'ശ്രീ\u200cകല',
    'می\u200cنا',
    'Maya 👩\u200d🔬',
    'Maya ❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '葛\u{e0100}',
    '1\ufe0f\u20e3',
  ])
    assert.equal(trimmed(` \u200b${name}\u200b `), name)
})

test('trimming twice changes nothing, and visible text stays as it is', () => {
  const part = fc.oneof(fc.constantFrom(...INVISIBLE, '\u200d', '\u200c', '❤', 'ന്', 'a'), fc.string())
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const once = trimmed(parts.join(''))
      assert.equal(trimmed(once), once)
      assert.equal(trimmed(`x${parts.join('')}x`), `x${parts.join('')}x`)
    }),
  )
})

test('I15: trimming ends for a long text made to hurt', () => {
  const text = 'a' + '\u200b'.repeat(1_000_000) + 'b'
  assert.equal(trimmed(text).length, text.length)
})

test('an email address is never taken with something invisible in it', () => {
  const Address = emailAddress('Please enter your email')
  for (const one of INVISIBLE) {
    assert.equal(isEmailAddress(`ann@exam${one}ple.com`), false, escape(one))
    assert.equal(Address.parse(`${one}ann@example.com${one}`), 'ann@example.com')
    assert.equal(optionalEmailAddress().parse(one), null)
  }
  for (const one of ['\0', '\ud800', '\udfff', '\u0007'])
    assert.equal(optionalEmailAddress().safeParse(`an${one}n@example.com`).success, false, escape(one))
})
