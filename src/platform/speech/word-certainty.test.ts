import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsureIn } from './word-certainty.ts'

const REPORT = 'stdin 1 0.10 0.30 maya 0.991\nstdin 1 0.40 0.20 had(2) 0.800\nstdin 1 0.60 0.20 forty 0.310\nstdin 1 0.80 0.30 minutes 1.000\n'

test('words below the least probability are found where they stand in the text', () => {
  assert.deepEqual(unsureIn('maya had forty minutes', REPORT, 0.5), [{ from: 9, to: 14 }])
  assert.deepEqual(unsureIn('maya had forty minutes', REPORT, 0.9), [{ from: 5, to: 8 }, { from: 9, to: 14 }])
})

test('a report without words, or of other words, leaves nothing in doubt', () => {
  for (const report of ['', '\n', 'stdin 1 0.1 0.2 other 0.1\n', 'garbage']) assert.deepEqual(unsureIn('maya had forty minutes', report, 0.5), [])
})
