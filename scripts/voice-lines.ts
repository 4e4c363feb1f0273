// Turns the labeled sentences into lines as people say them, with slots for names, such as 'i taught <STUDENT> for
// an hour'. The local speech engine's language model learns from them how people report lessons.
import { cents } from '#kernel/money.ts'
import { inLatinLetters } from '#features/voice/name-spelling.ts'
import { isNickname } from '#features/voice/nickname.ts'
import { amountInWords, TITLES, wordsOf } from '#features/voice/spoken-sentences.ts'
import type { Labeled, LabeledSession } from './voice-data.ts'

/** How abbreviations are said. */
const SAID: Record<string, string> = {
  hr: 'hour',
  hrs: 'hours',
  min: 'minutes',
  mins: 'minutes',
  w: 'with',
  mon: 'monday',
  tues: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  thurs: 'thursday',
  fri: 'friday',
  sat: 'saturday',
  sun: 'sunday',
  mr: 'mister',
  mrs: 'missus',
  ms: 'miss',
  dr: 'doctor',
  ok: 'okay',
  u: 'you',
  am: 'a m',
  pm: 'p m',
}
const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
/** What can only be a rate: dollars an hour. */
const RATE = new RegExp(
  `(?<=\\bat )((?:${TENS})(?: (?:five|fifty))?)(?=(?: dollars| bucks)? (?:an|per) hour)`,
  'g',
)
const SPOKEN_TITLES = new Set(Object.values(TITLES))
const PUNCTUATION = /[-/.,!?;:()"…—–]+/g

/**
 * The lines of all sentences that record a lesson, without duplicates. Leaves out sentences with numbers that
 * can be said in several ways, such as 1.5.
 */
export function spokenLines(all: readonly Labeled[]): string[] {
  const lines = all.filter(({ sessions }) => sessions.length > 0).map(lineOf)
  return [...new Set(lines.filter((line) => line !== undefined))]
}

function lineOf({ text, children, tutors, sessions }: Labeled): string | undefined {
  const said = inWordsOnly(text)
  if (!/^[a-z' ]+$/.test(said)) return undefined
  const names = tutors.map(({ name }) => name).filter((name) => name !== 'You')
  const parts: string[] = []
  for (const written of said.split(' ').filter(Boolean)) {
    const word = SAID[written] ?? written
    const bare = word.replace(/'s$/, '')
    const last = parts.at(-1) ?? ''
    if (isOneOf(children, bare)) {
      if (last.startsWith('<STUDENT')) parts.pop()
      parts.push(bare === word ? '<STUDENT>' : '<STUDENTS>')
    } else if (isOneOf(names, bare)) {
      if (last === '<TUTOR>' || SPOKEN_TITLES.has(last)) parts.pop()
      parts.push('<TUTOR>')
    } else parts.push(word)
  }
  return withSlots(parts.join(' '), sessions)
}

/** Marks the subjects and the rates, so that an account's own can take their place. */
function withSlots(line: string, sessions: readonly LabeledSession[]): string {
  const subjects = sessions.flatMap(({ subject }) => subject ?? []).map(inWordsOnly)
  return subjects
    .reduce(
      (text, subject) =>
        text.replace(new RegExp(`(?<![\\w'|<])${subject}(?![\\w'|>])`), `<SUBJECT|${subject}>`),
      line,
    )
    .replaceAll(RATE, '<RATE|$1>')
}

/** Whether the word is part of a name on the list, or short for a first name on it. */
function isOneOf(names: readonly string[], word: string): boolean {
  return names.some((name) =>
    wordsOf(name)
      .filter((part) => !SPOKEN_TITLES.has(part))
      .some((part, index) => part === word || (index === 0 && isNickname(word, part))),
  )
}

/** A text as it's said, in lowercase words. Other signs than letters stay only if nobody can say which words they mean. */
function inWordsOnly(text: string): string {
  return numbersInWords(inLatinLetters(text.toLowerCase()))
    .replaceAll(PUNCTUATION, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}

function numbersInWords(text: string): string {
  return text
    .replaceAll(/\$(\d{1,3})(?![.\d])/g, (_, dollars: string) => `${inWords(dollars)} dollars`)
    .replaceAll(/\b(\d{1,2}):(\d)(\d)\b/g, (_, hour: string, tens: string, ones: string) =>
      clockInWords(hour, tens, ones),
    )
    .replaceAll(/(?<![\d.])\d{1,3}(?![\d.]*\d)/g, (number) => ` ${inWords(number)} `)
}

function clockInWords(hour: string, tens: string, ones: string): string {
  if (tens !== '0') return `${inWords(hour)} ${inWords(tens + ones)}`
  return ones === '0' ? `${inWords(hour)} o'clock` : `${inWords(hour)} oh ${inWords(ones)}`
}

function inWords(number: string): string {
  return amountInWords(cents(Number(number) * 100))
}
