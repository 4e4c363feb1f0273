import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf } from './line.ts'
import { LANGUAGES, type Table } from './language.ts'
import { phrasesIn } from './phrases.ts'

test('every row finds its example', () => {
  for (const language of LANGUAGES)
    for (const { table, type, example } of language.rows) {
      const line = lineOf(example, language)
      assert.ok(
        phrasesIn(line, language)[table].some((phrase) => phrase.type === type && phrase.to === line.length),
        `${language.name} ${table} ${type}: ${example}`,
      )
    }
})

test('finds overlapping phrases, which begin and end with words', () => {
  const found = phrasesIn(lineOf('an hour and a half on 3/14, the day before yesterday, $45 an hour'))
  const spans = (table: Table) => found[table].map(({ type, from, to }) => `${type} ${from}-${to}`)
  assert.ok(['hours 0-2', 'hours 0-5'].every((span) => spans('lengths').includes(span)))
  assert.deepEqual(
    spans('days').filter((span) => !/^(unclear|open)/.test(span)),
    ['slash 6-9', 'by 11-13', 'by 12-13'],
  )
  assert.deepEqual(spans('beside'), ['beside 9-12', 'beside 10-12'])
  assert.deepEqual(spans('amounts').slice(-1), ['dollars 13-15'])
})
