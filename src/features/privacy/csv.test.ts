import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

/**
 * Parses one line according to the documented rules: removes quotes, turns doubled quotes into single ones,
 * and removes one leading apostrophe.
 */
function readLine(line: string): string[] {
  return [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) =>
    cell.replaceAll('""', '"').replace(/^'/, ''),
  )
}

test('I12: no cell is opened as a formula, and every text is read back unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1 }),
          fc.constantFrom(
            '=1+1',
            '+1',
            '-1',
            '@a',
            '\tx',
            '\rx',
            "'x",
            '"',
            ',',
            '\r\n',
            '=cmd|"/c calc"!A0',
          ),
        ),
        { minLength: 1 },
      ),
      (texts) => {
        const line = csvLine(texts)
        assert.deepEqual(readLine(line), texts)
        for (const [, cell = ''] of line.matchAll(/"((?:[^"]|"")*)"(?:,|\r)/g))
          assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
      },
    ),
  )
})

test('numbers stay numbers, missing values stay empty, and lists are JSON', () => {
  assert.equal(csvLine([67.5, null, true, ['a', 'b'], '']), '67.5,,true,"[""a"",""b""]",""\r\n')
})
