import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { guessableReasons } from './guessable.ts'
import { isCommon, LIST_FILE, newPasswordHash, RECORD_BYTES } from './password.server.ts'

const MAYA = { email: 'maya.ortiz84@mail.brightside.example', fullName: 'Maya Ann Ortiz-Łukasz' }

test('A10: a password that contains the app’s name or the person’s own words is easy to guess', () => {
  const reasons: [string, RegExp][] = [
    ['Tutorlog2026!', /this app’s name/],
    ['my-Tutor-Log', /this app’s name/],
    ['MAYA-blue-lamp', /your name/],
    ['ortizortiz9', /your name/],
    ['lukasz.1984', /your name/],
    ['Łukasz.1984', /your name/],
    ['mayaannortizlukasz', /your name/],
    ['48zitro-ayam', /email address/],
    ['mayaortiz84!', /email address/],
    ['mail.brightside.example', /email address/],
    ['brightside1', /only of words/],
    ['ann-ann-1', /only of words/],
    ['Tutor2026!', /only of words/],
    ['parent&teacher', /only of words/],
  ]
  for (const [password, reason] of reasons)
    assert.match(guessableReasons(password, MAYA).join(), reason, password)
  const fine = [
    'greenhouse-41',
    'my tutor has 3 dogs',
    'planning-a-trip',
    'the brightside of 1987',
    'köttbullar 🍲 med',
    '7481 9203',
    'Ωραία-41',
  ]
  for (const password of fine) assert.deepEqual(guessableReasons(password, MAYA), [], password)
})

test('A10: names in other scripts count, and a name can’t make the check slow', () => {
  const yamada = { email: 'taro@kaisha.example', fullName: '山田 太郎' }
  assert.match(guessableReasons('山田太郎123', yamada).join(), /your name/)
  assert.match(guessableReasons('山田-2026', yamada).join(), /only of words/)
  const begun = performance.now()
  guessableReasons(`${'a'.repeat(255)}b`, { email: 'a@b.example', fullName: 'a aa aaa' })
  assert.ok(performance.now() - begun < 100)
})

test('A10: the list has the 100,000 most common passwords, in any case', () => {
  const list = readFileSync(LIST_FILE)
  assert.equal(list.length, 100_000 * RECORD_BYTES)
  for (let at = RECORD_BYTES; at < list.length; at += RECORD_BYTES)
    assert.ok(list.compare(list, at - RECORD_BYTES, at, at, at + RECORD_BYTES) > 0, `out of order at ${at}`)
  // From the first hundred, the first thousand, and further down to the last thousand.
  const common =
    'password 123456789 Football iloveyou TRUSTNO1 1qaz2wsx superman starwars princess1 LIVERPOOL qwerty123 ' +
    'changeme michelle1 liverpool1 1234qwer abcd1234 07071971 saleen1 xfgftd'
  for (const password of common.split(' ')) assert.ok(isCommon(password), password)
  for (let tries = 0; tries < 20_000; tries++) assert.ok(!isCommon(`greenhouse-${tries}`))
})

test('A10: every reason why a new password is refused is said at once', async () => {
  await assert.rejects(
    newPasswordHash('MICHELLE1', { email: 'x@y.example', fullName: 'Michelle' }),
    (error: Error) => {
      assert.match(error.message, /^This password is too easy to guess\. .*common passwords\. .*your name\.$/)
      return true
    },
  )
  await assert.rejects(newPasswordHash('ŁŁŁŁŁŁłł', MAYA), /same character/)
  assert.match(await newPasswordHash('greenhouse-41', MAYA), /^argon2id\$/)
})
