import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chargesIn } from './spoken-charge.ts'

const FOLDER = new URL('../../../data/voice/', import.meta.url)

test('an amount with its currency and what it is for is a charge, and the rest is read without it', () => {
  const cases: [text: string, amount: number, unit: string, label: string, rest: string][] = [
    ['Maya an hour with David, plus 12 dollars for the book', 1200, '$', 'book', 'Maya an hour with David'],
    ['Maya an hour plus 12,50 euro for the book', 1250, '€', 'book', 'Maya an hour'],
    ['Maya an hour plus €12.50 for the math workbook.', 1250, '€', 'math workbook', 'Maya an hour.'],
    ['Maya an hour plus twelve dollars for her materials', 1200, '$', 'materials', 'Maya an hour'],
    ['Maya an hour and an extra £5 for parking', 500, '£', 'parking', 'Maya an hour'],
    [
      'Maya an hour. Plus 7 euros for the bus. She was tired.',
      700,
      '€',
      'bus',
      'Maya an hour. She was tired.',
    ],
    [
      'cost 40 an hour plus twenty five dollars for the book yesterday',
      2500,
      '$',
      'book',
      'cost 40 an hour yesterday',
    ],
    ['Maya an hour plus 12 dollars and 50 cents for the book', 1250, '$', 'book', 'Maya an hour'],
    ['Plus $12 for the books, Maya had an hour', 1200, '$', 'books', 'Maya had an hour'],
  ]
  for (const [text, amount, unit, label, rest] of cases) {
    const read = chargesIn(text)
    assert.deepEqual(
      read.charges.map((charge) => [charge.amount, charge.unit, charge.label, charge.isSure]),
      [[amount, unit, label, true]],
      text,
    )
    assert.equal(read.rest, rest, text)
  }
  assert.deepEqual(
    chargesIn('Maya an hour plus 12 dollars for the book and 5 dollars for gas').charges.map(
      ({ reason }) => reason,
    ),
    ['materials', 'travel'],
  )
})

test('whether a charge is owed is asked if other words leave it open', () => {
  for (const text of [
    'I already paid David, plus 12 dollars for the book',
    'Maya an hour, maybe plus 12 dollars for the book',
    'Maya an hour plus 12 dollars for the book, no wait, 15',
    'Maya an hour, 12 dollars for the book',
    'Maya an hour, not plus 12 dollars for the book',
  ])
    assert.deepEqual(
      chargesIn(text).charges.map(({ isSure }) => isSure),
      [false],
      text,
    )
})

test('what was not said certainly is not a charge', () => {
  for (const text of [
    'Maya an hour plus 12 for the book',
    'Maya an hour plus 12 dollars',
    'Maya an hour for 45 dollars, for the book report',
    'Maya an hour, 45 dollars for the book report',
    'Maya an hour plus 1,250 euro for the book',
    'Kenji owes me eleven dollars for the workbook',
    'I gave her 40 dollars for gas',
    'Maya an hour, 45 dollars for the lesson',
    'Maya got a b plus for the book',
    'Maya an hour plus many dollars for the book',
    'Maya an hour plus 0 dollars for the book',
  ])
    assert.deepEqual(chargesIn(text), { charges: [], rest: text }, text)
})

test('of the sentences that the reader learns from, only those with a charge are read differently', () => {
  const texts = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { text: string }).text)
  assert.ok(texts.length > 1000)
  assert.deepEqual(texts.filter((text) => chargesIn(text).charges.length > 0).sort(), [
    'aarav had piano with tom for an hour yesterday it was forty an hour plus ten dollars for the sheet music',
    'caitlyn had math with mark for an hour yesterday it cost fifty an hour plus five dollars for the workbook',
    'caitlyn had piano with anne for an hour yesterday it cost thirty five an hour plus five dollars for the book',
    "it's an hour to sam's house, 12 dollars for the bus",
  ])
})

test('a charge in yen or won is whole, and 1,250 yen can only be one amount', () => {
  const facts = (text: string) => chargesIn(text).charges.map(({ amount, unit }) => [amount, unit])
  assert.deepEqual(facts('Maya had an hour of math, plus 1,250 yen for the book'), [[125_000, '¥']])
  assert.deepEqual(facts('Maya had an hour of math, plus ¥900 for the book'), [[90_000, '¥']])
  assert.deepEqual(facts('Maya had an hour of math, plus 15,000 won for the book'), [[1_500_000, '₩']])
  assert.deepEqual(facts('Maya had an hour of math, plus 12.50 yen for the book'), [])
  assert.deepEqual(facts('Maya had an hour of math, plus 1,250 dollars for the book'), [])
})

test('charges are read in Spanish, too', () => {
  const cases: [text: string, amount: number, unit: string, label: string, isSure: boolean, rest: string][] =
    [
      [
        'Maya una hora con Inés, más 12,50 euros por el libro',
        1250,
        '€',
        'libro',
        true,
        'Maya una hora con Inés',
      ],
      ['maya una hora mas doscientos pesos de copias', 20_000, '$', 'copias', true, 'maya una hora'],
      ['Maya una hora y 5 € para el estacionamiento.', 500, '€', 'estacionamiento', false, 'Maya una hora.'],
      [
        'maya una hora ayer, ya pagué, más 30 pesos del taxi',
        3000,
        '$',
        'taxi',
        false,
        'maya una hora ayer, ya pagué',
      ],
      [
        'maya una hora más treinta y cinco dólares por el libro de inglés',
        3500,
        '$',
        'libro de inglés',
        true,
        'maya una hora',
      ],
    ]
  for (const [text, amount, unit, label, isSure, rest] of cases) {
    const read = chargesIn(text)
    assert.deepEqual(
      read.charges.map((charge) => [charge.amount, charge.unit, charge.label, charge.isSure]),
      [[amount, unit, label, isSure]],
      text,
    )
    assert.equal(read.rest, rest, text)
  }
  for (const text of [
    'maya una hora más 300 pesos',
    'me cobró 200 pesos por la hora',
    'maya una hora a 300 pesos de inglés',
  ])
    assert.deepEqual(chargesIn(text), { charges: [], rest: text }, text)
})
