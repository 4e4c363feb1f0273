import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { unpackWoff } from './woff.server.ts'

const file = readFileSync(
  fileURLToPath(import.meta.resolve('@fontsource/figtree/files/figtree-latin-400-normal.woff')),
)

test('an unpacked font has the letters, the widths and the outlines of the packed one', () => {
  const [packed, plain] = [create(file) as Font, create(unpackWoff(file)) as Font]
  assert.deepEqual([plain.numGlyphs, plain.characterSet], [packed.numGlyphs, packed.characterSet])
  for (const point of plain.characterSet) {
    const [one, other] = [plain.glyphForCodePoint(point), packed.glyphForCodePoint(point)]
    assert.deepEqual(
      [one.advanceWidth, one.path.toSVG()],
      [other.advanceWidth, other.path.toSVG()],
      `U+${point.toString(16)}`,
    )
  }
})

test('a file that is not WOFF is refused', () => {
  assert.throws(
    () => unpackWoff(Buffer.from('wOF2 and so on, padded to the length of a header')),
    /isn't a WOFF file/,
  )
})
