// Splits a text into normalized words: plain letters, parsed numbers, and one spelling per unit or weekday.
// Nothing is interpreted yet.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { numberAt } from '../spoken-number.ts'
import { ENGLISH, type Language } from './language.ts'
import words from './words.json' with { type: 'json' }

/** Some of a line's words, [from, to). */
export interface Span {
  from: number
  to: number
}

export const overlaps = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from
export const covers = (one: Span, other: Span): boolean => one.from <= other.from && one.to >= other.to

export interface Word {
  /** Lowercase, plain letters, standard spelling; digits for a number; punctuation unchanged. */
  text: string
  /** As typed, without 's. */
  written: string
  start: number
  end: number
  /** What separates it from the word before: nothing, a space, a comma or similar, or a sentence's end. */
  gap: '' | ' ' | ',' | '.'
  isCapital: boolean
  isPossessive: boolean
  /** The value of a number; null for a time such as 4:30. */
  value: number | null
  isOrdinal: boolean
  /** Whether it's a word of the language that isn't a name. */
  isKnown: boolean
}

const FRACTIONS = new Map<string, number>(Object.entries(words.fractions))
/** Maximum words read; two minutes of speech is about 300. */
const MOST_WORDS = 350
const PIECES = [
  String.raw`\bb4\b|\b2(?:day|nite|moro)\b|\bw/`,
  String.raw`\d{1,2}:\d\d(?!\d)|\d,\d{1,2}(?=\s?h)|\d+,\d\d(?!\d)(?=\s?(?:\p{Sc}|eur))|(?<=\p{Sc}\s?)\d+,\d\d(?!\d)|[½¼¾]`,
  String.raw`\d{1,3}(?:\.\d{3})+(?![.,]?\d)|(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:(?:st|nd|rd|th)\b)?`,
  String.raw`\p{L}[\p{L}\p{M}\u200c\u200d]*(?:['’]\p{L}[\p{L}\p{M}]*)*`,
  // A dash only between numbers: '4-5', '4 pm - 5 pm', '3-14'.
  String.raw`(?<=(?:\d|\d\s?[hH]|\d\s?[apAP]\.?[mM]\.?|noon)\s?)[-–—](?=\s?(?:\d|noon))|[/@\p{Sc}&+?=~]`,
]

/** The words in a text, with their positions. */
export function lineOf(text: string, language: Language = ENGLISH): Word[] {
  const line: Word[] = []
  const pieces = new RegExp([...language.pieces, ...PIECES].join('|'), 'gu')
  for (const { 0: written, index } of text.matchAll(pieces)) {
    const before = line.at(-1)
    const gap = before ? gapOf(text.slice(before.end, index), before.written) : '.'
    const word = wordOf(written, index, gap, before, language)
    const [first = '', ...rest] = word.value === null ? word.text.split(' ') : [word.text]
    line.push({ ...word, text: first }, ...rest.map((more): Word => ({ ...word, text: more, gap: ' ' })))
    if (line.length === MOST_WORDS * 2) break
  }
  return withNumbers(asMeant(line, language), language).slice(0, MOST_WORDS)
}

/** Homophones, such as those that speech engines confuse, told apart by the words around them. */
function asMeant(line: Word[], { misheard }: Language): Word[] {
  return line.map((word, at) => {
    const around = `${textAt(line, at - 1)} <${word.text}> ${textAt(line, at + 1)} ${textAt(line, at + 2)} `
    return { ...word, text: misheard.find((one) => one.around.test(around))?.meant ?? word.text }
  })
}

function gapOf(between: string, before: string): Word['gap'] {
  if (/^(?:[-–—]|['’] )$/.test(between)) return ' '
  if (/[!?;\n]/.test(between)) return '.'
  // 'Hr. 30' is an abbreviation.
  if (between.startsWith('.') && /^\p{L}.{0,3}$/u.test(before)) return ' '
  if (/[.](?:\s|$)/.test(between)) return '.'
  return between.trim() === '' ? (between === '' ? '' : ' ') : ','
}

/** Parses digits; a comma before one or two of them is a decimal point, and a point before three isn't. */
export function numberIn(raw: string): number | null {
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$/.test(raw)
  const plain = /^\d+,\d{1,2}$/.test(raw) ? raw.replace(',', '.') : raw.replaceAll(isGrouped ? '.' : ',', '')
  return /^\d*\.?\d+$/.test(plain) ? Number(plain) : null
}

/** Words whose 's isn't a possessive. */
const CONTRACTED = /^(it|that|he|she|let|what|there|here|who|how|where|one)$/

function wordOf(raw: string, start: number, gap: Word['gap'], before: Word | undefined, of: Language): Word {
  const plain = plainSpelling(raw)
  const owner = /^(.{2,})'s$/.exec(plain)?.[1]
  const isPossessive = owner !== undefined && !CONTRACTED.test(owner)
  const bare = isPossessive ? owner : plain
  const isGlued = gap === '' && before !== undefined && /\d$/.test(before.text)
  const unit = !isGlued ? undefined : bare === 'm' ? 'minute' : /^[ap]$/.test(bare) ? `${bare}m` : undefined
  const word = of.meant.get(raw.toLowerCase()) ?? of.meant.get(bare)
  const value = FRACTIONS.get(raw) ?? numberIn(word ?? raw)
  const text = value === null ? (unit ?? word ?? weekdayMeant(bare) ?? bare) : (word ?? raw)
  const written = isPossessive ? raw.slice(0, -2) : raw
  const [end, isCapital] = [start + raw.length, /^\p{Lu}/u.test(raw)]
  const isKnown = of.known.has(bare) || of.known.has(text)
  return { text, written, start, end, gap, isCapital, isPossessive, value, isOrdinal: false, isKnown }
}

/** Corrects a misspelled weekday. */
function weekdayMeant(word: string): string | undefined {
  return word.endsWith('day') ? Object.keys(words.weekdays).find((day) => isTypo(word, day)) : undefined
}

const isTyped = ({ value, text, written }: Word): boolean => value !== null && text === written

/** Combines number words into numbers. */
function withNumbers(line: Word[], { joinsTens }: Language): Word[] {
  const result: Word[] = []
  for (let index = 0; index < line.length;) {
    const first = line[index] as Word
    const stretch = line.slice(index, index + 10)
    const stop = stretch.findIndex((word, place) => place > 0 && (word.gap !== ' ' || isTyped(word)))
    const texts = (stop < 0 ? stretch : stretch.slice(0, stop)).map(({ text }) => text)
    const isWhole = isTyped(first) && !/^(hundred|thousand)$/.test(texts[1] ?? '')
    const found = isWhole ? undefined : numberAt(texts, 0, joinsTens)
    const last = line[index + (found?.length ?? 1) - 1] ?? first
    const { value = first.value, isOrdinal = false } = found ?? {}
    const text = found ? `${value}${isOrdinal ? 'th' : ''}` : first.text
    result.push({ ...first, text, value, isOrdinal, end: last.end })
    index += found?.length ?? 1
  }
  return result
}

/** Whether two words differ by one letter added, dropped, or replaced, or by two swapped. */
export function isTypo(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one[0] !== other[0] || other.length < 4) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}

/** The word at an index, or '' past the end. */
export const textAt = (line: readonly Word[], place: number): string => line[place]?.text ?? ''
