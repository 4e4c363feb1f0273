import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fontOf, MISSING, runsOf } from './type.server.ts'

const texts = (text: string) => runsOf(text, 'text').map((run) => run.text)
const families = (text: string) => [
  ...new Set(runsOf(text, 'bold').map(({ file }) => basename(file).replace(/-\d00-normal\.woff$/, ''))),
]

test('each name is set in a font that has its letters', () => {
  const expected: [string, string[]][] = [
    ['Maya O’Neill', ['figtree-latin']],
    ['Łukasz', ['figtree-latin-ext', 'figtree-latin']],
    ['Анна', ['noto-sans-cyrillic']],
    ['अनन्या', ['noto-sans-devanagari']],
    ['王小明', ['noto-sans-sc-chinese-simplified']],
    ['張偉', ['noto-sans-sc-chinese-simplified']],
    ['佐藤 さくら', ['noto-sans-sc-chinese-simplified']],
    ['김민준', ['noto-sans-kr-korean']],
    ['محمد علي', ['noto-sans-arabic-arabic']],
    ['שרה כהן', ['noto-sans-hebrew-hebrew']],
    ['🎓👩‍👩‍👧', ['noto-emoji-emoji']],
  ]
  for (const [name, fonts] of expected) {
    assert.deepEqual(families(name), fonts, name)
    for (const { file, text } of runsOf(name, 'bold'))
      assert.ok(
        fontOf(file)
          .layout(text)
          .glyphs.every(({ id }) => id !== 0),
        `${name}: every letter has a picture`,
      )
  }
})

test('each character that no font has is shown as a placeholder, never left out', () => {
  assert.deepEqual(texts('Ann สมชาย'), ['Ann ', MISSING.repeat(5)])
  const [run] = runsOf(MISSING, 'display')
  assert.ok(fontOf(run?.file ?? '').hasGlyphForCodePoint(0xfffd))
})

test('right-to-left words are in the right order next to other text', () => {
  assert.deepEqual(texts('שרה כהן'), ['כהן', ' ', 'שרה'])
  assert.deepEqual(texts('محمد علي (1.5 h)'), ['علي', ' ', 'محمد', ' ', '(1.5 h)'])
  assert.deepEqual(texts('שרה (כהן)'), ['(', 'כהן', ') ', 'שרה'], 'brackets are turned with their words')
})

test('direction marks change nothing', () => {
  assert.deepEqual(texts('\u202Egpj.Ann\u202C'), ['gpj.Ann'])
})
