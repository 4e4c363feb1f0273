// The brand's fonts for PDF files, with fallback fonts for names in other scripts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import bidiFactory, { type Bidi } from 'bidi-js'
import { create } from 'fontkit'
import { FROM_THE_RIGHT, shaped, type ShapedFont } from './shaping.server.ts'
import { unpackWoff } from './woff.server.ts'

export type Weight = 'text' | 'bold' | 'display'

/** Part of a line that's drawn with a single font file. */
interface Run {
  file: string
  text: string
}

interface Face {
  font: ShapedFont
  letters: Set<number>
}

const WEIGHTS: Record<Weight, number> = { text: 400, bold: 600, display: 700 }

/** A font family's package under @fontsource, and the part of it that has the letters. */
type Part = readonly [family: string, part: string]

/** docs/design/look.md, section 3: Gabarito for titles and figures, Figtree for everything else. */
const FIGTREE: Part[] = [
  ['figtree', 'latin'],
  ['figtree', 'latin-ext'],
]
const BRAND: Record<Weight, Part[]> = {
  text: FIGTREE,
  bold: FIGTREE,
  display: [['gabarito', 'latin'], ['gabarito', 'latin-ext'], ...FIGTREE],
}

/** The fonts for letters that the brand's fonts lack, by the Unicode name of their script. */
const SCRIPTS: Record<string, Part[]> = {
  Latin: [
    ['noto-sans', 'vietnamese'],
    ['noto-sans', 'latin-ext'],
  ],
  Cyrillic: [
    ['noto-sans', 'cyrillic'],
    ['noto-sans', 'cyrillic-ext'],
  ],
  Greek: [
    ['noto-sans', 'greek'],
    ['noto-sans', 'greek-ext'],
  ],
  Armenian: [['noto-sans-armenian', 'armenian']],
  Georgian: [['noto-sans-georgian', 'georgian']],
  Hebrew: [['noto-sans-hebrew', 'hebrew']],
  Arabic: [['noto-sans-arabic', 'arabic']],
  Thaana: [['noto-sans-thaana', 'thaana']],
  Ethiopic: [['noto-sans-ethiopic', 'ethiopic']],
  Devanagari: [['noto-sans', 'devanagari']],
  Bengali: [['noto-sans-bengali', 'bengali']],
  Gurmukhi: [['noto-sans-gurmukhi', 'gurmukhi']],
  Gujarati: [['noto-sans-gujarati', 'gujarati']],
  Oriya: [['noto-sans-oriya', 'oriya']],
  Tamil: [['noto-sans-tamil', 'tamil']],
  Telugu: [['noto-sans-telugu', 'telugu']],
  Kannada: [['noto-sans-kannada', 'kannada']],
  Malayalam: [['noto-sans-malayalam', 'malayalam']],
  Sinhala: [['noto-sans-sinhala', 'sinhala']],
  Thai: [['noto-sans-thai', 'thai']],
  Lao: [['noto-sans-lao', 'lao']],
  Khmer: [['noto-sans-khmer', 'khmer']],
  Myanmar: [['noto-sans-myanmar', 'myanmar']],
  Han: [['noto-sans-sc', 'chinese-simplified']],
  Hiragana: [['noto-sans-sc', 'chinese-simplified']],
  Katakana: [['noto-sans-sc', 'chinese-simplified']],
  Bopomofo: [['noto-sans-sc', 'chinese-simplified']],
  Hangul: [['noto-sans-kr', 'korean']],
  // Signs that belong to no script.
  Common: [
    ['noto-sans', 'latin'],
    ['noto-sans', 'latin-ext'],
    ['noto-emoji', 'emoji'],
    ['noto-sans-sc', 'chinese-simplified'],
  ],
}
const FONTS = Object.entries(SCRIPTS).map(([script, parts]) => ({
  letters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
  parts,
}))

export const FONT_FILES = [
  ...new Set(
    Object.entries(BRAND).flatMap(([weight, brand]) =>
      [...brand, ...Object.values(SCRIPTS).flat()].map((part) => fileOf(part, weight as Weight)),
    ),
  ),
]
/** Stands in for characters that aren't in any of the fonts. Noto Sans has a glyph for it. */
export const MISSING = '\uFFFD'
// The types declare a default export, but in Node.js the module itself is the function.
const bidi = (bidiFactory as unknown as () => Bidi)()
const faces = new Map<string, Face>()
/** Characters without a glyph that join letters, keep them apart, or style emoji. */
const JOINING = /^(?:\p{Join_Control}|\p{Variation_Selector})$/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// WOFF, not WOFF2, because PDF subsetting needs the original tables.
function fileOf([family, part]: Part, weight: Weight): string {
  return `@fontsource/${family}/files/${family}-${part}-${WEIGHTS[weight]}-normal.woff`
}

/** The files that may have a letter, starting with the one to prefer. */
function filesFor(letter: string, weight: Weight): string[] {
  const own = FONTS.filter(({ letters }) => letters.test(letter)).flatMap(({ parts }) => parts)
  return [...BRAND[weight], ...own].map((part) => fileOf(part, weight))
}

/**
 * Splits a line into runs by font, in visual order from left to right. Characters that aren't in any of the
 * fonts become MISSING.
 */
export function runsOf(text: string, weight: Weight): Run[] {
  // Most text is plain ASCII, which all main fonts cover.
  if (/^[\x20-\x7e]*$/.test(text)) return [{ file: filesFor('', weight)[0] ?? '', text }]
  const runs: (Run & { isBackwards: boolean })[] = []
  for (const { segment, isBackwards } of fromLeftToRight(text)) {
    const last = runs.at(-1)
    const { file, letter } = letterFor(segment, weight, last?.file)
    // The renderer reverses the letters in a run but not the order of its words, so each right-to-left word
    // gets its own run.
    if (last?.file === file && last.isBackwards === isBackwards)
      last.text = isBackwards ? letter + last.text : last.text + letter
    else runs.push({ file, text: letter, isBackwards })
  }
  return runs.map(({ file, text: own }) => ({ file, text: own }))
}

/** True if the fonts have every character of a line. */
export function hasEveryLetter(line: string): boolean {
  return runsOf(line, 'text').every(({ text }) => !text.includes(MISSING))
}

/** A line's characters in visual order. Each has a flag for whether its run is drawn reversed. */
function fromLeftToRight(line: string): { segment: string; isBackwards: boolean }[] {
  // Drops invisible formatting characters such as direction marks.
  const text = line.replaceAll(/(?!\p{Join_Control})\p{Cf}/gu, '')
  const letters = Array.from(graphemes.segment(text))
  if (!FROM_THE_RIGHT.test(text)) return letters.map(({ segment }) => ({ segment, isBackwards: false }))
  // Documents are in English, so text next to a name stays in place regardless of the direction the name is
  // written in.
  const embedding = bidi.getEmbeddingLevels(text, 'ltr')
  const place = new Map(bidi.getReorderedIndices(text, embedding).map((index, at) => [index, at]))
  return letters
    .sort((one, other) => (place.get(one.index) ?? 0) - (place.get(other.index) ?? 0))
    .map(({ segment, index }) => {
      const isTurned = (embedding.levels[index] ?? 0) % 2 === 1
      return {
        segment: (isTurned && bidi.getMirroredCharacter(segment)) || segment,
        isBackwards: isTurned && FROM_THE_RIGHT.test(segment),
      }
    })
}

/** Splits text into characters the way people count them (grapheme clusters). */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

// A space uses the previous character's font, so that runs don't have to end at every word. The emoji font's
// spaces are much too wide, so it's never used for them.
function letterFor(
  segment: string,
  weight: Weight,
  before: string | undefined,
): { file: string; letter: string } {
  if (segment === ' ' && before !== undefined && !before.includes('emoji') && has(before, segment))
    return { file: before, letter: segment }
  const file = filesFor(segment, weight).find((own) => has(own, segment))
  if (file !== undefined) return { file, letter: segment }
  return { file: filesFor(MISSING, weight).find((own) => has(own, MISSING)) ?? '', letter: MISSING }
}

function has(file: string, segment: string): boolean {
  const { letters } = faceOf(file)
  return [...segment].every(
    (character) => letters.has(character.codePointAt(0) ?? 0) || JOINING.test(character),
  )
}

/** Opens a font file the first time it's needed. Most statements need only two. */
export function fontOf(file: string): ShapedFont {
  return faceOf(file).font
}

function faceOf(file: string): Face {
  const known = faces.get(file)
  if (known) return known
  const bytes = unpackWoff(readFileSync(fileURLToPath(import.meta.resolve(file))))
  const font = create(bytes)
  if (!('characterSet' in font)) throw new Error(`${file} contains several fonts`)
  const face = { font: shaped(font, bytes), letters: new Set(font.characterSet) }
  faces.set(file, face)
  return face
}
