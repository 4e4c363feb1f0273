import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FONT_FILES, fontOf, MISSING, runsOf } from './type.server.ts'

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
    ['สมชาย', ['noto-sans-thai-thai']],
    ['தமிழ்ச்செல்வி', ['noto-sans-tamil-tamil']],
    ['లక్ష్మి', ['noto-sans-telugu-telugu']],
    ['প্রিয়াঙ্কা', ['noto-sans-bengali-bengali']],
    ['પ્રિયા', ['noto-sans-gujarati-gujarati']],
    ['ਗੁਰਪ੍ਰੀਤ', ['noto-sans-gurmukhi-gurmukhi']],
    ['ಕೃಷ್ಣ', ['noto-sans-kannada-kannada']],
    ['ശ്രീകുമാർ', ['noto-sans-malayalam-malayalam']],
    ['ක්‍රිෂ්ණ', ['noto-sans-sinhala-sinhala']],
    ['ნინო', ['noto-sans-georgian-georgian']],
    ['Հովհաննես', ['noto-sans-armenian-armenian']],
    ['አበበ', ['noto-sans-ethiopic-ethiopic']],
    ['ស្រីមុំ', ['noto-sans-khmer-khmer']],
    ['ຫຼວງ', ['noto-sans-lao-lao']],
    ['အောင်', ['noto-sans-myanmar-myanmar']],
    ['ପ୍ରିୟା', ['noto-sans-oriya-oriya']],
    ['އަޙްމަދު', ['noto-sans-thaana-thaana']],
    ['می‌خواهم', ['noto-sans-arabic-arabic']],
  ]
  for (const [name, fonts] of expected) {
    assert.deepEqual(families(name), fonts, name)
    for (const { file, text } of runsOf(name, 'bold'))
      assert.ok(
        fontOf(file)
          .layout(text)
          .glyphs.every(({ id }) => id.parts.every(({ glyph }) => glyph !== 0)),
        `${name}: every letter has a picture`,
      )
  }
})

test('each character that no font has is shown as a placeholder, never left out', () => {
  assert.deepEqual(texts('Ann ᏣᎳᎩ'), ['Ann ', MISSING.repeat(3)])
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

test('every font comes with a package that a server installs', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const file of FONT_FILES) {
    assert.ok(existsSync(fileURLToPath(import.meta.resolve(file))), file)
    const [scope, family] = file.split('/')
    assert.ok(`${scope}/${family}` in dependencies, file)
  }
})
