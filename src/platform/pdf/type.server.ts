// The brand's letters for PDF files, with others behind them for names that it has no letters for.
import { fileURLToPath } from 'node:url'
import { openSync } from 'fontkit'

export type Weight = 'text' | 'bold' | 'display'

/** A part of a text that one font file can write. */
export interface Run {
  file: string
  text: string
}

interface Face {
  file: string
  letters: Set<number>
}

// DESIGN section 3: Gabarito for titles and figures, Figtree for the rest; Noto Sans writes Cyrillic, Greek, Vietnamese and Devanagari names.
const NOTO = ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese', 'latin-ext', 'devanagari', 'latin']
const FILES: Record<Weight, string[]> = {
  text: [...filesOf('figtree', ['latin', 'latin-ext'], 400), ...filesOf('noto-sans', NOTO, 400)],
  bold: [...filesOf('figtree', ['latin', 'latin-ext'], 600), ...filesOf('noto-sans', NOTO, 600)],
  display: [...filesOf('gabarito', ['latin', 'latin-ext'], 700), ...filesOf('figtree', ['latin', 'latin-ext'], 700), ...filesOf('noto-sans', NOTO, 700)],
}
const faces = new Map<Weight, Face[]>()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// WOFF and not WOFF2: the subset that goes into the PDF is cut out of the tables as they stand.
function filesOf(family: string, subsets: string[], weight: number): string[] {
  return subsets.map((subset) => fileURLToPath(import.meta.resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`)))
}

/** Splits a text by the fonts that have its letters; what no font has is written by the first, as a box. */
export function runsOf(text: string, weight: Weight): Run[] {
  // Every first font writes plain ASCII, which most texts are.
  if (/^[\x20-\x7e]*$/.test(text)) return [{ file: FILES[weight][0] ?? '', text }]
  const runs: Run[] = []
  // Marks without a picture, such as those that turn the reading direction, stay away.
  for (const segment of lettersOf(text.replaceAll(/(?!\u200D)\p{Cf}/gu, ''))) {
    const file = fileFor(segment, weight, runs.at(-1)?.file)
    const last = runs.at(-1)
    if (last?.file === file) last.text += segment
    else runs.push({ file, text: segment })
  }
  return runs
}

/** The letters of a text as people count them. */
export function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

// A space stays with the font before it, so that a run does not end at every word.
function fileFor(segment: string, weight: Weight, before: string | undefined): string {
  const points = [...segment].map((character) => character.codePointAt(0) ?? 0)
  const own = facesOf(weight)
  const has = ({ letters }: Face) => points.every((point) => letters.has(point) || point === 0x200d)
  const current = segment === ' ' ? own.find(({ file }) => file === before) : undefined
  return (current && has(current) ? current : (own.find(has) ?? own[0]))?.file ?? ''
}

function facesOf(weight: Weight): Face[] {
  const known = faces.get(weight) ?? FILES[weight].map((file) => ({ file, letters: new Set(lettersIn(file)) }))
  faces.set(weight, known)
  return known
}

function lettersIn(file: string): number[] {
  const font = openSync(file)
  return 'characterSet' in font ? font.characterSet : []
}
