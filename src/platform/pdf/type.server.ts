// The brand's fonts for PDF files, with fallback fonts for names in other scripts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import bidiFactory, { type Bidi } from 'bidi-js'
import { create, type Font } from 'fontkit'
import { unpackWoff } from './woff.server.ts'

export type Weight = 'text' | 'bold' | 'display'

/** Part of a line that's drawn with a single font file. */
export interface Run {
  file: string
  text: string
}

interface Face {
  font: Font
  letters: Set<number>
}

// DESIGN section 3: Gabarito for titles and figures, Figtree for everything else. The fallbacks cover names
// in Cyrillic, Greek, Vietnamese, Devanagari, Hebrew, Arabic, Chinese, Japanese and Korean, and emoji in
// notes.
const BRAND = ['latin', 'latin-ext']
const NOTO = [
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
  'latin-ext',
  'devanagari',
  'latin',
]
const FILES: Record<Weight, string[]> = {
  text: [...filesOf('figtree', BRAND, 400), ...othersOf(400)],
  bold: [...filesOf('figtree', BRAND, 600), ...othersOf(600)],
  display: [...filesOf('gabarito', BRAND, 700), ...filesOf('figtree', BRAND, 700), ...othersOf(700)],
}
/** All font files for PDFs; `node scripts/fonts.ts` copies them from their packages. */
export const FONT_FILES = [...new Set(Object.values(FILES).flat())]
/** Stands in for characters that aren't in any of the fonts. Noto Sans has a glyph for it. */
export const MISSING = '\uFFFD'
// The types declare a default export, but in Node.js the module itself is the function.
const bidi = (bidiFactory as unknown as () => Bidi)()
const faces = new Map<string, Face>()
/** Letters in the right-to-left scripts we have fonts for. */
const FROM_THE_RIGHT = /[\p{Script_Extensions=Hebrew}\p{Script_Extensions=Arabic}]/u
/** Glyphless characters that join or style emoji: the zero-width joiner and the variation selectors. */
const JOINING = /^(?:\u200D|\p{Variation_Selector})$/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// WOFF, not WOFF2, because PDF subsetting needs the original tables.
function filesOf(family: string, subsets: string[], weight: number): string[] {
  return subsets.map((subset) =>
    fileURLToPath(new URL(`fonts/${family}-${subset}-${weight}-normal.woff`, import.meta.url)),
  )
}

function othersOf(weight: number): string[] {
  return [
    ...filesOf('noto-sans', NOTO, weight),
    ...filesOf('noto-sans-hebrew', ['hebrew'], weight),
    ...filesOf('noto-sans-arabic', ['arabic'], weight),
    ...filesOf('noto-sans-sc', ['chinese-simplified'], weight),
    ...filesOf('noto-sans-kr', ['korean'], weight),
    ...filesOf('noto-emoji', ['emoji'], weight),
  ]
}

/**
 * Splits a line into runs by font, in visual order from left to right. Characters that aren't in any of the
 * fonts become MISSING.
 */
export function runsOf(text: string, weight: Weight): Run[] {
  // Most text is plain ASCII, which all main fonts cover.
  if (/^[\x20-\x7e]*$/.test(text)) return [{ file: FILES[weight][0] ?? '', text }]
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

/** A line's characters in visual order. Each has a flag for whether its run is drawn reversed. */
function fromLeftToRight(line: string): { segment: string; isBackwards: boolean }[] {
  // Drops invisible formatting characters such as direction marks.
  const text = line.replaceAll(/(?!\u200D)\p{Cf}/gu, '')
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
export function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

// A space uses the previous character's font, so that runs don't have to end at every word. The emoji font's
// spaces are much too wide, so it's never used for them.
function letterFor(
  segment: string,
  weight: Weight,
  before: string | undefined,
): { file: string; letter: string } {
  const files = FILES[weight]
  if (segment === ' ' && before !== undefined && before !== files.at(-1) && has(before, segment))
    return { file: before, letter: segment }
  const file = files.find((own) => has(own, segment))
  if (file !== undefined) return { file, letter: segment }
  return { file: files.find((own) => has(own, MISSING)) ?? '', letter: MISSING }
}

function has(file: string, segment: string): boolean {
  const { letters } = faceOf(file)
  return [...segment].every(
    (character) => letters.has(character.codePointAt(0) ?? 0) || JOINING.test(character),
  )
}

/** Opens a font file the first time it's needed. Most statements need only two. */
export function fontOf(file: string): Font {
  return faceOf(file).font
}

function faceOf(file: string): Face {
  const known = faces.get(file)
  if (known) return known
  const font = create(unpackWoff(readFileSync(file)))
  if (!('characterSet' in font)) throw new Error(`${file} contains several fonts`)
  const face = { font, letters: new Set(font.characterSet) }
  faces.set(file, face)
  return face
}
