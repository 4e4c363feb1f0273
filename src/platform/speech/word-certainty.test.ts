import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsIn } from './word-certainty.ts'

test('each word of the report is found where it stands in the text; silence and noise are passed over', () => {
  const report = 'stdin 1 0.10 0.30 maya 0.991\nstdin 1 0.40 0.10 <sil> 0.500\nstdin 1 0.50 0.20 had(2) 0.800\nstdin 1 0.70 0.20 forty 0.310\n'
  assert.deepEqual(wordsIn('maya had forty minutes', report), [{ from: 0, to: 4, probability: 0.991 }, { from: 5, to: 8, probability: 0.8 }, { from: 9, to: 14, probability: 0.31 }])
})

test('a report without words, or of other words, tells nothing', () => {
  for (const report of ['', '\n', 'stdin 1 0.1 0.2 other 0.1\n', 'garbage', 'stdin 1 0.1 0.2 maya nonsense']) assert.deepEqual(wordsIn('maya had forty minutes', report), [])
})
