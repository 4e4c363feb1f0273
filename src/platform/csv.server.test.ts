import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenCsv, csvFile, guardedCell, originalOf, readCsv } from './csv.server.ts'

test('I12: no cell starts a formula, and every text reads back unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({
          unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", '"', ',', ';', '\n', '＝', 'a'),
        }),
      ),
      (text) => {
        assert.doesNotMatch(guardedCell(text), /^[=+\-@\t\r\n＝＋－＠]/)
        assert.equal(originalOf(guardedCell(text)), text)
      },
    ),
  )
})

test('I12: names that look like formulas come back from a file unchanged', () => {
  const names = [
    '=HYPERLINK("http://x","y")',
    '+1',
    '-2+3',
    '@SUM(A1)',
    "'=already",
    "O'Neil",
    'a;=1+1',
    'two\nlines',
    'quo"te',
    'Łukasz, Jr.',
  ]
  const text = csvFile(
    ['Name', 'Amount ($)'],
    names.map((name) => [name, 1.5]),
  )
  assert.ok(text.startsWith('\uFEFF"Name"'))
  assert.deepEqual(
    readCsv(text)
      .slice(1)
      .map(({ cells }) => originalOf(cells[0] ?? '')),
    names,
  )
})

test('every record knows the line it starts on, with any kind of line break', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const lines = readCsv(
      ['Date,Notes', '2026-11-01,"two', 'lines"', '', ',', '2026-11-02,one'].join(end),
    ).map(({ line, cells }) => [line, ...cells])
    assert.deepEqual(
      lines,
      [
        [1, 'Date', 'Notes'],
        [2, '2026-11-01', 'two\nlines'],
        [6, '2026-11-02', 'one'],
      ],
      JSON.stringify(end),
    )
  }
})

test('semicolons and tabs work as separators too, and commas inside quotes do not count', () => {
  assert.deepEqual(readCsv('"a,b,c";d\n1,5;2')[1]?.cells, ['1,5', '2'])
  assert.deepEqual(readCsv('a\tb\n1\t2')[1]?.cells, ['1', '2'])
})

test('a misplaced quotation mark is reported with its line', () => {
  assert.throws(
    () => readCsv('a,b\n1,2\n"x"y,3\n'),
    (error) => error instanceof BrokenCsv && error.line === 3,
  )
})

test('I15: a malicious text is read in linear time', () => {
  for (const text of ['"'.repeat(100_000), ','.repeat(100_000), `"${'""'.repeat(50_000)}`]) {
    try {
      assert.ok(readCsv(text).length <= 1)
    } catch (error) {
      assert.ok(error instanceof BrokenCsv)
    }
  }
})
