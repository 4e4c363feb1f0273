import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_NAME, plainName, plainText } from './plain-name.ts'

const plain = (name: string) => plainName(name, 'A family')

test('ordinary names stay as they were typed', () => {
  for (const name of [
    'J. R. Smith',
    'St. Mary',
    "O'Neil",
    'O’Brien',
    'Anna-Lena',
    '李明',
    'محمد',
    'Дима Ильин',
    'Işıl Weiß',
    'María José Ñ.',
    'Smith Jr.',
    'Family Smith & Sons, Inc.',
    'Nguyễn Thị Minh Khai',
    'שרה',
    '김민준',
    'The Whitfields 🙂',
    'می\u200cنا',
    'ශ්\u200dරීමා',
    'The Ilyins 👩\u200d👧',
  ])
    assert.equal(plain(name), name.normalize('NFKC'))
  assert.equal(plain('Dr.Ann'), 'Dr. Ann')
  assert.equal(plain('J.R. Smith'), 'J. R. Smith')
})

test('I18: nothing is left that email programs turn into a link', () => {
  for (const [name, read] of [
    ['Pay at http://evil.test now', 'Pay at http evil. test now'],
    ['evil.test', 'evil. test'],
    ['evil。test', 'evil。 test'],
    ['ｅｖｉｌ．ｔｅｓｔ', 'evil. test'],
    ['evil\u200b.\u200btest', 'evil. test'],
    ['pay@evil.test', 'pay evil. test'],
    ['mailto:pay@evil', 'mailto pay evil'],
    ['\\\\evil\\share', 'evil share'],
    ['10.0.0.1/pay', '10. 0. 0. 1 pay'],
    ['call +1 (900) 555-0199', 'call'],
    ['call +19005550199', 'call'],
    ['mum-9005550199', 'mum'],
    ['<evil.test>', 'evil. test'],
    ['Ann\r\nBcc: all@evil.test', 'Ann Bcc all evil. test'],
    ['\u202etset.live', 'tset. live'],
  ] as const)
    assert.equal(plain(name), read)
})

test('a name with nothing readable is replaced, and a long one is cut', () => {
  for (const name of ['', '...', '://', '\u200b\u2066', '\u3164', ' \n ', '—'])
    assert.equal(plain(name), 'A family')
  assert.equal(plainName(null, 'A friend'), 'A friend')
  assert.equal([...plain('𝒜'.repeat(500))].length, LONGEST_NAME)
  assert.equal(plain(`${'x'.repeat(58)} yy`), `${'x'.repeat(58)}…`)
})

test('I18: a text keeps its lines and clock times, and nothing in it is an address', () => {
  for (const [text, read] of [
    ['Page 84 (3 to 9)\nand 5:30 on Nov 3', 'Page 84 (3 to 9)\nand 5:30 on Nov 3'],
    ['http://evil.test/a', 'http: evil. test/a'],
    ['www.evil.test', 'www. evil. test'],
    ['pay@evil.test', 'pay evil. test'],
    ['<a href="x">', 'a href="x"'],
    ['tel:911', 'tel: 911'],
    ['555-123-4567', '555, 123, 4567'],
    ['ev\u200bil.test', 'evil. test'],
  ] as const)
    assert.equal(plainText(text), read)
})
