import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { readTextFile } from './text-file.ts'

const textIn = (bytes: Uint8Array) => {
  const found = readTextFile(bytes)
  return 'text' in found ? found.text : undefined
}
const adviceFor = (bytes: Uint8Array) => {
  const found = readTextFile(bytes)
  return 'advice' in found ? found.advice : undefined
}
const samplesOf = (bytes: Uint8Array) => {
  const found = readTextFile(bytes)
  return 'candidates' in found ? found.candidates.map(({ sample }) => sample) : []
}
/** ASCII, with single bytes between angle brackets: Zo<EB>. */
const bytesOf = (text: string) =>
  Uint8Array.from(text.match(/<[0-9A-F]{2}>|[\s\S]/g) ?? [], (part) =>
    part.length === 4 ? Number.parseInt(part.slice(1, 3), 16) : part.charCodeAt(0),
  )
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint8Array(isBigEndian ? bytes.swap16() : bytes)
}

test('UTF-8 and marked UTF-16 are read without a question', () => {
  const text = 'Date,Student\n2026-11-03,Łukasz'
  for (const bytes of [
    strToU8(text),
    strToU8(`\uFEFF${text}`),
    utf16(`\uFEFF${text}`),
    utf16(`\uFEFF${text}`, true),
    strToU8('plain'),
  ])
    assert.ok([text, 'plain'].includes(textIn(bytes) ?? ''))
})

test('a file in another encoding asks which names look right, the likeliest first', () => {
  for (const [bytes, right] of [
    ['A,<A3>ukasz\nB,Ma<B3>gorzata', 'Łukasz, Małgorzata'],
    ['A,Franti<9A>ek\nB,<8E>ofie\nC,Ond<F8>ej', 'František, Žofie, Ondřej'],
    ['A,Zo<91>\nB,Andr<8E>', 'Zoë, André'],
    ['A,Mar<92>a\nB,Mu<96>oz', 'María, Muñoz'],
    ['A,Zo<EB>\nB,J<F6>rg', 'Zoë, Jörg'],
    ['A,<C8><E2><E0><ED>', 'Иван'],
    ['A,<D5><C5><CE><B0>', '张伟'],
  ] as const) {
    const samples = samplesOf(bytesOf(bytes))
    assert.ok(samples.includes(right), `${right}: ${samples.join(' | ')}`)
    assert.ok(samples.length >= 2 && samples.length <= 5)
    assert.equal(new Set(samples).size, samples.length)
  }
  // In both of these, the first words are the same.
  const late = samplesOf(bytesOf('Zo<EB>,J<F6>rg,Ren<E9>,J<FC>rgen,M<E4>x,Bj<F6>rn,S<F6>ren,<A3>ukasz'))
  for (const name of ['Łukasz', '£ukasz'])
    assert.ok(late.includes(`Zoë, Jörg, René, Jürgen, Mäx, Björn, ${name}`), late.join(' | '))
  assert.equal(samplesOf(bytesOf('A,<A3>ukasz'))[0], 'Łukasz')
  assert.equal(samplesOf(bytesOf('A,Andr<8E>'))[0], 'André')
})

test('UTF-16 without a mark asks, too', () => {
  for (const text of ['Date,Student\n2026-11-03,Łukasz', 'Date,Student\n2026-11-03,Maya'])
    for (const isBigEndian of [false, true]) {
      const found = readTextFile(utf16(text, isBigEndian))
      assert.ok('candidates' in found)
      assert.equal(found.candidates[0]?.text, text)
    }
})

test('a workbook, a PDF or another file that is not text says how to get a CSV file', () => {
  const zip = (...names: string[]) =>
    zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x'.repeat(9000))])), { level: 0 })
  for (const [bytes, advice] of [
    [zip('[Content_Types].xml', 'docProps/app.xml', 'xl/workbook.xml'), /Excel.*CSV UTF-8.*Google Sheets/],
    [bytesOf('<D0><CF><11><E0><A1><B1><1A><E1><00><00>'), /Excel/],
    [zip('mimetype-application/vnd.oasis.opendocument.spreadsheet', 'content.xml'), /LibreOffice.*Text CSV/],
    [zip('preview.jpg', 'Index/Document.iwa'), /Numbers.*Export To, CSV/],
    [zip('word/document.xml'), /isn't text/],
    [bytesOf('%PDF-1.7\n<E2><E3><CF><D3>'), /PDF.*copy the table/],
    [bytesOf('<89>PNG<0D><0A><1A><0A><00><00><00><0D>'), /isn't text/],
    [bytesOf('  <!DOCTYPE html>\n<table>'.replaceAll('<', '<3C>')), /web page.*CSV UTF-8/],
  ] as const)
    assert.match(adviceFor(bytes) ?? '', advice)
})
