import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { numberAt } from './spoken-number.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function spoken(value: number): string {
  if (value < 20) return ONES[value] ?? ''
  if (value < 100) return `${TENS[Math.floor(value / 10)]}${value % 10 ? ` ${ONES[value % 10]}` : ''}`
  if (value < 1000)
    return `${ONES[Math.floor(value / 100)]} hundred${value % 100 ? ` and ${spoken(value % 100)}` : ''}`
  return `${spoken(Math.floor(value / 1000))} thousand${value % 1000 ? ` ${spoken(value % 1000)}` : ''}`
}

test('every number up to ten thousand is read from words and from digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), (value) => {
      const words = spoken(value).split(' ')
      assert.deepEqual(numberAt(words, 0), { value, isOrdinal: false, length: words.length })
      assert.equal(numberAt([value.toLocaleString('en-US')], 0)?.value, value)
    }),
  )
})

test('ordinals, articles and decimals', () => {
  const cases: [string, number, boolean][] = [
    ['twenty third', 23, true],
    ['thirtieth', 30, true],
    ['3rd', 3, true],
    ['a hundred and five', 105, false],
    ['hundred', 100, false],
    ['one point five', 1.5, false],
    ['point five', 0.5, false],
    ['2.25', 2.25, false],
    ['1,200', 1200, false],
  ]
  for (const [text, value, isOrdinal] of cases)
    assert.deepEqual(numberAt(text.split(' '), 0), { value, isOrdinal, length: text.split(' ').length }, text)
})

test("a number ends where the next one begins, and other words aren't numbers", () => {
  assert.deepEqual(numberAt(['four', 'thirty'], 0)?.length, 1)
  assert.deepEqual(numberAt(['one', 'twenty', 'five'], 1)?.value, 25)
  for (const word of ['a', 'an', 'half', 'quarter', 'maya', ''])
    assert.equal(numberAt([word, 'hour'], 0), undefined, word)
})

test('in other languages, words become digits, and tens may be joined', () => {
  const cases: [string, number][] = [
    ['30 and 5', 35],
    ['200 50', 250],
    ['12 thousand 500', 12_500],
    ['100 20 thousand', 120_000],
    ['thousand 500', 1500],
  ]
  for (const [text, value] of cases)
    assert.deepEqual(
      numberAt(text.split(' '), 0, true),
      { value, isOrdinal: false, length: text.split(' ').length },
      text,
    )
  assert.equal(numberAt(['4', 'and', '30'], 0, true)?.length, 1)
  assert.equal(numberAt(['30', 'and', '5'], 0)?.length, 1)
})
