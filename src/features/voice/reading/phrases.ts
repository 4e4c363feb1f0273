// Finds the phrases listed in phrases.json: times, amounts, and days as people say them. A row has a type, a
// pattern over normalized words with {name} for its parts, and an example.
import { HOLIDAY_NAME } from '../holiday.ts'
import { byWord, ENGLISH, type Language, LANGUAGES, type Table, TABLES } from './language.ts'
import type { Span, Word } from './line.ts'
import words from './words.json' with { type: 'json' }

export interface Phrase extends Span {
  type: string
  /** What the pattern's groups matched. */
  groups: Record<string, string | undefined>
}

const anyOf = (list: Iterable<string>): string =>
  [...list].sort((one, other) => other.length - one.length).join('|')
const PARTS: Record<string, string> = {
  days: anyOf(LANGUAGES.flatMap((language) => Object.keys(language.days))),
  spansOfDays: anyOf(Object.keys(words.spansOfDays)),
  counts: anyOf(Object.keys(words.counts)),
  weekdays: anyOf(byWord(words.weekdays).keys()),
  months: anyOf(byWord(words.months).keys()),
  free: anyOf(words.free),
  times: anyOf(words.times.split(' ')),
  beforeTimes: anyOf(words.beforeTimes.split(' ')),
  holidays: HOLIDAY_NAME,
}

function rowsOf({ rows, parts }: Language) {
  const all: Record<string, string> = { ...PARTS, ...parts }
  const withParts = (pattern: string): string =>
    pattern.replaceAll(/\{([a-z]\w*)\}/gi, (_, name: string) => withParts(all[name] ?? ''))
  return rows.map(({ table, type, pattern }) => {
    const edged = `(?<!\\p{Sc})(?:${withParts(pattern)})(?![\\p{L}\\p{M}\\d:']|[.,]\\d)`
    return { table, type, pattern: new RegExp(edged, 'uy') }
  })
}
const ROWS = new Map(LANGUAGES.map((language) => [language, rowsOf(language)]))

const GAPS = { '': ' ', ' ': ' ', ',': ', ', '.': '. ' }
const SIGN = /^[-/\p{Sc}]$/u

/** Every phrase in a line, by table. Phrases may overlap. */
export function phrasesIn(line: readonly Word[], language: Language = ENGLISH): Record<Table, Phrase[]> {
  const found = Object.fromEntries(TABLES.map((table) => [table, []])) as unknown as Record<Table, Phrase[]>
  const ends = new Map<number, number>()
  const starts: number[] = []
  let text = ''
  line.forEach((word, at) => {
    const isGlued = word.gap === '' && (SIGN.test(word.text) || SIGN.test(line[at - 1]?.text ?? ''))
    if (at > 0 && !isGlued) text += GAPS[word.gap]
    starts.push(text.length)
    text += word.text
    ends.set(text.length, at + 1)
  })
  starts.forEach((start, from) => {
    for (const { table, type, pattern } of ROWS.get(language) ?? []) {
      pattern.lastIndex = start
      const match = pattern.exec(text)
      const to = match && ends.get(pattern.lastIndex)
      if (match && to !== undefined && to !== null)
        found[table].push({ type, from, to, groups: match.groups ?? {} })
    }
  })
  return found
}
