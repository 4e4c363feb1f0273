// Splits a text into normalized words: plain letters, parsed numbers, and one spelling per unit or weekday.
// Nothing is interpreted yet.
import { plainSpelling } from '../name-spelling.ts'
import { numberAt } from '../spoken-number.ts'
import words from './words.json' with { type: 'json' }

export interface Word {
  /** Lowercase, plain letters, standard spelling; digits for a number; punctuation unchanged. */
  text: string
  /** As typed, without 's. */
  written: string
  start: number
  end: number
  /** What separates it from the previous word: nothing, a space, a comma or similar, or the end of a sentence. */
  gap: '' | ' ' | ',' | '.'
  isCapital: boolean
  isPossessive: boolean
  /** The value of a number; null for a time such as 4:30. */
  value: number | null
  isOrdinal: boolean
}

/** A lookup table without inherited keys such as 'constructor', so any word can be looked up. */
export function table<Value>(entries: Record<string, Value>): Record<string, Value | undefined> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries)
}

/** Inverts a table in words.json: maps each spelling to its key. */
export function byWord(table: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, spellings]) =>
      [key, ...spellings.split(' ')].map((word): [string, string] => [word, key]),
    ),
  )
}

const SPELLING = byWord(words.spellings)
/** Maximum words read; two minutes of speech is about 300. */
export const MOST_WORDS = 350
const PIECE = new RegExp(
  [
    String.raw`\bb4\b|\b2(?:day|nite|moro)\b|\bw/`,
    String.raw`\d{1,2}:\d\d(?!\d)|\d,\d{1,2}(?=\s?h)|\d+(?:,\d{3})*(?:\.\d+)?|\.\d+|[½¼¾]`,
    String.raw`\p{L}[\p{L}\p{M}\u200c\u200d]*(?:['’]\p{L}[\p{L}\p{M}]*)*`,
    String.raw`[-–—/@$£€&+?=~]`,
  ].join('|'),
  'gu',
)
const FRACTIONS = table({ '½': 0.5, '¼': 0.25, '¾': 0.75 })

/** The words in a text, with their positions. */
export function lineOf(text: string): Word[] {
  const line: Word[] = []
  let end = 0
  for (const match of text.matchAll(PIECE)) {
    const [written] = match
    const between = text.slice(end, match.index)
    const before = line.at(-1)
    const isDash = /^[-–—]$/.test(written)
    if (isDash && !joinsNumbers(text, match.index)) continue
    const gap = gapOf(text.slice(before?.end ?? 0, match.index), before?.written ?? '')
    end = match.index + written.length
    line.push(
      wordOf(written, match.index, line.length === 0 ? '.' : between === '' && gap === '' ? '' : gap, before),
    )
    if (line.length === MOST_WORDS * 2) break
  }
  return withNumbers(asMeant(line)).slice(0, MOST_WORDS)
}

/** Homophones that speech engines confuse, corrected by context. */
const HEARD: [around: RegExp, meant: string][] = [
  [/<won> (?:hour|half|and)/, 'one'],
  [/<too?> (?:hour|oclock)/, 'two'],
  [/(?:half|quarter|an|full|whole|one) <our>/, 'hour'],
  [/(?:from|at|between|until|to) <for> (?:to|until|and|oh|fifteen|thirty|forty|oclock|pm)/, 'four'],
  [/<for> (?:to|until|oclock|(?:oh|fifteen|thirty|forty) (?:to|until))/, 'four'],
  [/(?:from|at|until) <ate>/, 'eight'],
]

function asMeant(line: Word[]): Word[] {
  return line.map((word, at) => {
    const around = `${textAt(line, at - 1)} <${word.text}> ${textAt(line, at + 1)} ${textAt(line, at + 2)} `
    const meant = HEARD.find(([pattern]) => pattern.test(around))?.[1]
    return meant === undefined ? word : { ...word, text: meant }
  })
}

/** Whether a dash joins numbers: '4-5', '4 pm - 5 pm', '3-14'. */
function joinsNumbers(text: string, place: number): boolean {
  return (
    /(?:\d|\d\s?[ap]\.?m\.?|noon)\s?$/i.test(text.slice(Math.max(0, place - 8), place)) &&
    /^.\s?(?:\d|noon)/.test(text.slice(place))
  )
}

function gapOf(between: string, before: string): Word['gap'] {
  if (/^[-–—]$/.test(between)) return ' '
  if (/[!?;\n]/.test(between)) return '.'
  if (
    between.startsWith('.') &&
    /^.{1,4}$/.test(before) &&
    /^\p{L}/u.test(before) &&
    !/\.\s*\n/.test(between)
  )
    return ' '
  if (/[.](?:\s|$)/.test(between)) return '.'
  if (between.trim() !== '') return ','
  return between === '' ? '' : ' '
}

/** Parses digits; a comma before one or two of them is a decimal point. */
function numberIn(raw: string): number | null {
  if (raw.includes(':')) return null
  return Number(/^\d,\d{1,2}$/.test(raw) ? raw.replace(',', '.') : raw.replaceAll(',', ''))
}

function wordOf(raw: string, start: number, gap: Word['gap'], before: Word | undefined): Word {
  const end = start + raw.length
  const word = {
    written: raw,
    start,
    end,
    gap,
    isCapital: /^\p{Lu}/u.test(raw),
    isPossessive: false,
    isOrdinal: false,
  }
  if (raw in FRACTIONS) return { ...word, text: raw, value: FRACTIONS[raw] ?? null }
  if (/^[\d.]/.test(raw) && !/^2\p{L}/u.test(raw)) return { ...word, text: raw, value: numberIn(raw) }
  const plain = plainSpelling(raw)
  const [, owner] = /^(.{2,})'s$/.exec(plain) ?? []
  const isPossessive =
    owner !== undefined && !/^(it|that|he|she|let|what|there|here|who|how|where|one)$/.test(owner)
  const bare = isPossessive ? owner : plain
  const isGlued = gap === '' && before !== undefined && /\d$/.test(before.text)
  if (isGlued && /^(st|nd|rd|th)$/.test(bare)) return { ...word, text: 'th', value: null, isOrdinal: true }
  const unit = isGlued && bare === 'm' ? 'minute' : isGlued && /^[ap]$/.test(bare) ? `${bare}m` : undefined
  return {
    ...word,
    text: unit ?? SPELLING.get(bare) ?? bare,
    written: isPossessive ? raw.slice(0, -2) : raw,
    isPossessive,
    value: null,
  }
}

/** Combines number words into numbers, and '3' + 'rd' into one word. */
function withNumbers(line: Word[]): Word[] {
  const result: Word[] = []
  for (let index = 0; index < line.length;) {
    const first = line[index] as Word
    const before = result.at(-1)
    if (first.text === 'th' && first.isOrdinal && before?.value != null) {
      result[result.length - 1] = { ...before, end: first.end, isOrdinal: true, text: `${before.value}th` }
      index += 1
      continue
    }
    const stretch = line.slice(index, index + 10)
    const stop = stretch.findIndex((word, place) => place > 0 && word.gap !== ' ')
    const found = /^[\d.]/.test(first.text)
      ? undefined
      : numberAt(
          (stop < 0 ? stretch : stretch.slice(0, stop)).map(({ text }) => text),
          0,
        )
    const last = found && line[index + found.length - 1]
    if (found && last) {
      result.push({
        ...first,
        text: `${found.value}${found.isOrdinal ? 'th' : ''}`,
        end: last.end,
        value: found.value,
        isOrdinal: found.isOrdinal,
      })
      index += found.length
    } else {
      // Durations such as '1 ½' and '1 1/2' are parsed in times.ts.
      result.push(first)
      index += 1
    }
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
export function textAt(line: readonly Word[], place: number): string {
  return line[place]?.text ?? ''
}

/** The number at an index, or NaN if there isn't one. */
export function valueAt(line: readonly Word[], place: number): number {
  return line[place]?.value ?? NaN
}
