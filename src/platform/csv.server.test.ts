import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvFile, guardedCell, originalOf, readCsv } from './csv.server.ts'

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

test('the separator is told by all lines, not by a title, and a line such as sep=; states it', () => {
  for (const text of [
    'Lessons, fall, winter, 2026\na;b\n1,5;2,5\n3,5;4',
    'sep=;\na,b;c\n1,5;2',
    '"sep=;"\r\na,b;c\r\n1,5;2',
    '\uFEFFsep=;\r\na,b;c\r\n1,5;2',
  ])
    assert.deepEqual(readCsv(text).at(-1)?.cells.length, 2, text)
  assert.deepEqual(readCsv('sep=;\na;b')[0], { line: 2, cells: ['a', 'b'] })
  assert.deepEqual(readCsv('a,b,c\n1,"x; y",2\n1,x; y; z,2')[2]?.cells, ['1', 'x; y; z', '2'])
})

test('a quotation mark that does not enclose its cell is text', () => {
  for (const separator of ['\t', ',', ';'])
    assert.deepEqual(
      readCsv(
        ['a|b', '5" ruler|1', '"Ada" Lovelace|2', '"Maya|3', '"x"y|"quoted"', '"two\nlines"|"""all"""']
          .join('\n')
          .replaceAll('|', separator),
      ).map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a', 'b'],
        [2, '5" ruler', '1'],
        [3, '"Ada" Lovelace', '2'],
        [4, '"Maya', '3'],
        [5, '"x"y', 'quoted'],
        [6, 'two\nlines', '"all"'],
      ],
    )
  assert.deepEqual(readCsv('a, "b, c"\n1, 2')[0]?.cells, ['a', 'b, c'])
})

test('I15: a malicious text is read in linear time', () => {
  for (const text of [
    '"'.repeat(100_000),
    ','.repeat(100_000),
    `"${'""'.repeat(50_000)}`,
    '"a""'.repeat(30_000),
    `"a${',""b'.repeat(30_000)}`,
  ]) {
    assert.ok(readCsv(text).length <= 1)
  }
})
