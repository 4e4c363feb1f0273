import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, nameKey } from './names.ts'

test('two names that look the same are the same name', () => {
  for (const [one, other] of [
    ['Maya', 'Maya\u200b'],
    ['Maya', '\u2060ma\u00adya\u200e'],
    ['Maya', '\u3164Maya\u2800'],
    ['Maya Whitfield', 'MAYA\u00a0\u200b  whitfield'],
    ['Maya Whitfield', 'Maya\u3164Whitfield'],
    ['José', 'Jose\u0301'],
    ['Ｍａｙａ', 'Maya'],
    ['می\u200cنا', 'مینا'],
    ['❤\ufe0f', '❤'],
  ] as const)
    assert.equal(nameKey(one), nameKey(other), escape(other))
  for (const [one, other] of [
    ['Maya', 'Mayra'],
    ['Anna Lena', 'Annalena'],
    ['Jose', 'José'],
    ['کمال', 'جمال'],
  ] as const)
    assert.notEqual(nameKey(one), nameKey(other))
})

test('names with accents and other Latin letters are between the names without', () => {
  const sorted = [
    'Adam',
    'Ángel',
    'Anna',
    'Åsa',
    'Bo',
    'Çelik',
    'Dan',
    'Đorđe',
    'Emil',
    'Éva',
    'Ida',
    'Lukas',
    'Łukasz',
    'Luna',
    'Maya',
    'Ola',
    'Øystein',
    'Özil',
    'Štefan',
    'Tom',
    'Żaneta',
    'Zoë',
    'Ωmega',
    'Аня',
    'Яна',
    'שרה',
    'محمد',
    'अनु',
    '李明',
  ]
  assert.deepEqual([...sorted].reverse().sort(compareNames), sorted)
})
