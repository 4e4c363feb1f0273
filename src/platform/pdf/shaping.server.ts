// Puts HarfBuzz in place of the PDF library's own shaping, which misplaces vowel signs and conjuncts in many
// scripts. Glyphs that belong together become one glyph that stands for their first character. Glyphs without
// outlines stand for the others, so that copied text is the original text even where signs trade places or merge.
import type { Font, Subset } from 'fontkit'
import * as harfbuzz from 'harfbuzzjs'

/** A glyph of the font, and where it's drawn, in font units. */
interface Part {
  glyph: number
  x: number
  y: number
}

/** What's drawn together, and the text it stands for. */
interface Group {
  parts: Part[]
  text: string
  advanceWidth: number
}

interface Position {
  xAdvance: number
  yAdvance: number
  xOffset: number
  yOffset: number
}

/** Groups from left to right, as the PDF library expects glyphs. It scales the positions itself. */
interface ShapedRun {
  glyphs: { id: Group; codePoints: number[]; advanceWidth: number }[]
  positions: Position[]
  readonly advanceWidth: number
}

/** What the PDF library uses of a font. */
export type ShapedFont = Omit<Font, 'layout' | 'createSubset'> & {
  layout: (text: string) => ShapedRun
  createSubset: () => GroupSubset
}

/** Letters in the right-to-left scripts we have fonts for. */
export const FROM_THE_RIGHT =
  /[\p{Script_Extensions=Hebrew}\p{Script_Extensions=Arabic}\p{Script_Extensions=Thaana}]/u

/** A font whose text HarfBuzz shapes. `bytes` is the same font's file. */
export function shaped(font: Font, bytes: Buffer): ShapedFont {
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes).buffer)))
  const withGroups = Object.create(font, { maxp: { value: forGroups(font) } }) as Font
  return Object.assign(Object.create(font) as Font, {
    layout: (text: string) => layout(font, shaper, text),
    createSubset: () => createSubset(withGroups),
  })
}

function layout(font: Font, shaper: harfbuzz.Font, text: string): ShapedRun {
  const groups = groupsOf(font, shaper, text)
  const positions = groups.map(({ advance }) => ({ xAdvance: advance, yAdvance: 0, xOffset: 0, yOffset: 0 }))
  return {
    glyphs: groups.map(({ group }) => ({
      id: group,
      codePoints: Array.from(group.text, (character) => character.codePointAt(0) ?? 0),
      advanceWidth: group.advanceWidth,
    })),
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
    },
  }
}

/** The groups of a text, and how far each moves the next one, which is its width unless kerning changes it. */
function groupsOf(font: Font, shaper: harfbuzz.Font, text: string): Placed[] {
  const buffer = new harfbuzz.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  harfbuzz.shape(shaper, buffer)
  const infos = buffer.getGlyphInfos()
  const positions = buffer.getGlyphPositions()
  const starts = [...new Set(infos.map(({ cluster }) => cluster))]
  const ends = new Map(starts.toSorted((a, b) => a - b).map((start, at, all) => [start, all[at + 1]]))
  return starts.flatMap((start) => {
    const parts: Part[] = []
    let advance = 0
    for (const [at, { codepoint: glyph, cluster }] of infos.entries()) {
      const place = positions[at]
      if (cluster !== start || !place) continue
      parts.push({ glyph, x: advance + place.xOffset, y: place.yOffset })
      advance += place.xAdvance
    }
    const [only] = parts
    const advanceWidth = isPlain(parts) && only ? font.getGlyph(only.glyph).advanceWidth : advance
    return withText({ parts, advanceWidth }, advance, text.slice(start, ends.get(start)))
  })
}

interface Placed {
  group: Group
  advance: number
}

/**
 * A group whose glyph stands for the first character, and one without glyphs for the rest. Readers turn
 * right-to-left text around letter by letter, so there, the rest is on the left, each letter by itself.
 */
function withText(drawn: Omit<Group, 'text'>, advance: number, text: string): Placed[] {
  const [first = '', ...others] = text
  const isBackwards = FROM_THE_RIGHT.test(text)
  const rest = isBackwards ? others.reverse() : [others.join('')]
  const blanks = rest
    .filter((own) => own !== '')
    .map((own) => ({ group: { parts: [], text: own, advanceWidth: 0 }, advance: 0 }))
  const main = { group: { ...drawn, text: first }, advance }
  return isBackwards ? [...blanks, main] : [main, ...blanks]
}

function isPlain([first, ...more]: Part[]): boolean {
  return more.length === 0 && first?.x === 0 && first.y === 0
}

/** A subset of a font's glyphs, to which each group adds one. */
type GroupSubset = Omit<Subset, 'includeGlyph'> & { includeGlyph: (id: Group) => number }

/** What fontkit's subset does inside. */
interface TrueTypeSubset {
  glyphs: (number | Group)[]
  glyf: Uint8Array[]
  loca: { offsets: number[] }
  hmtx: { metrics: { advance: number; bearing: number }[] }
  offset: number
  includeGlyph: (glyph: number) => number
  _addGlyph: (glyph: number) => number
}

function createSubset(font: Font): GroupSubset {
  const subset = font.createSubset() as unknown as TrueTypeSubset
  const numbers = new Map<string, number>()
  const include = subset.includeGlyph.bind(subset)
  const add = subset._addGlyph.bind(subset)
  return Object.assign(subset as unknown as GroupSubset, {
    includeGlyph: (id: number | Group): number => {
      if (typeof id === 'number') return include(id)
      const key = JSON.stringify(id)
      const number = numbers.get(key) ?? subset.glyphs.push(id) - 1
      numbers.set(key, number)
      return number
    },
    _addGlyph: (id: number | Group): number => {
      if (typeof id === 'number') return add(id)
      const [first] = id.parts
      if (isPlain(id.parts) && first) return add(first.glyph)
      const { bytes, bearing } = first ? compositeOf(font, id.parts, include) : BLANK
      subset.glyf.push(bytes)
      subset.loca.offsets.push(subset.offset)
      subset.hmtx.metrics.push({ advance: id.advanceWidth, bearing })
      subset.offset += bytes.length
      return subset.glyf.length - 1
    },
  })
}

const BLANK = { bytes: new Uint8Array(), bearing: 0 }

/** Flags of a part of a composite glyph: its place is given, in words; more parts follow. */
const [IN_WORDS, IS_PLACE, HAS_MORE] = [0x1, 0x2, 0x20]

/** A composite glyph (OpenType, table glyf). */
function compositeOf(font: Font, parts: Part[], include: (glyph: number) => number) {
  const boxes = parts.map(({ glyph, x, y }) => {
    const { minX, minY, maxX, maxY } = font.getGlyph(glyph).bbox
    return [minX + x, minY + y, maxX + x, maxY + y].map((one) => (Number.isFinite(one) ? one : 0))
  })
  const edge = (at: number, most: (...all: number[]) => number) =>
    Math.round(most(...boxes.map((box) => box[at] ?? 0)))
  const bytes = new DataView(new ArrayBuffer(10 + 8 * parts.length))
  const words = [-1, edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)]
  words.forEach((word, at) => bytes.setInt16(2 * at, word))
  parts.forEach(({ glyph, x, y }, at) => {
    const start = 10 + 8 * at
    bytes.setUint16(start, IN_WORDS | IS_PLACE | (at < parts.length - 1 ? HAS_MORE : 0))
    bytes.setUint16(start + 2, include(glyph))
    bytes.setInt16(start + 4, x)
    bytes.setInt16(start + 6, y)
  })
  return { bytes: new Uint8Array(bytes.buffer), bearing: words[1] ?? 0 }
}

/** The font's limits, raised for composite glyphs of composite glyphs. */
function forGroups(font: Font) {
  const { maxp } = font as unknown as { maxp: Record<string, number> }
  return {
    ...maxp,
    maxComponentDepth: (maxp.maxComponentDepth ?? 0) + 1,
    maxComponentElements: 64,
    maxCompositePoints: 4096,
    maxCompositeContours: 512,
  }
}
