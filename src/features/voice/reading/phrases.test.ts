import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf } from './line.ts'
import { phrasesIn, type Table } from './phrases.ts'
import phrases from './phrases.json' with { type: 'json' }

test('every row finds its example', () => {
  for (const [table, rows] of Object.entries(phrases.tables))
    for (const [type, , example = ''] of rows) {
      const line = lineOf(example)
      const found = phrasesIn(line)[table as Table]
      assert.ok(
        found.some((phrase) => phrase.type === type && phrase.to === line.length),
        `${table} ${type}: ${example}`,
      )
    }
})

test('finds overlapping phrases, which begin and end with words', () => {
  const found = phrasesIn(lineOf('an hour and a half on 3/14, the day before yesterday, $45 an hour'))
  const spans = (table: Table) => found[table].map(({ type, from, to }) => `${type} ${from}-${to}`)
  assert.ok(['hours 0-2', 'hours 0-5'].every((span) => spans('lengths').includes(span)))
  assert.deepEqual(
    spans('days').filter((span) => !/^(unclear|open)/.test(span)),
    ['slash 6-9', 'by 12-13'],
  )
  assert.deepEqual(spans('beside'), ['beside 9-12', 'beside 10-12'])
  assert.deepEqual(spans('amounts').slice(-1), ['dollars 13-15'])
})
