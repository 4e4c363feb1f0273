// Generates random sentences with the account's names, subjects and rates from lines that people have said. The local
// speech engine builds its language model from them.
import type { Cents } from '#kernel/money.ts'
import { inLatinLetters } from './name-spelling.ts'
import { nicknamesOf } from './nickname.ts'

export interface SpokenNames {
  /** The names of the account's children or students, spelled the way they are on its list. */
  students: string[]
  tutors: string[]
  /** Subjects from the tutors' records. */
  subjects: string[]
  /** The tutors' hourly rates. */
  rates: Cents[]
}

interface Choice {
  total: number
  items: { weight: number; item: string }[]
}

function choiceOf(items: { weight: number; item: string }[]): Choice {
  return { total: items.reduce((sum, { weight }) => sum + weight, 0), items }
}

/** A place for a name, or for a subject or a rate along with the author's own words for it. */
const SLOT = /<([A-Z]+)(?:\|([^>]*))?>/g
/** How often a subject or a rate is the account's own instead of the author's. */
const OWN_SHARE = 0.5

/**
 * Random sentences in lowercase. The same names always produce the same sentences.
 * @param lines sentences with slots, such as 'i taught <STUDENT> <SUBJECT|piano> for an hour'
 */
export function spokenSentences(listed: SpokenNames, lines: readonly string[], count: number): string[] {
  const names = pronounceable(listed)
  const random = randomFrom(count)
  const own: Record<string, Choice> = {
    STUDENT: choiceOf(
      names.students.length ? names.students.flatMap(studentForms) : [{ weight: 1, item: 'my student' }],
    ),
    STUDENTS: choiceOf(
      names.students.length
        ? names.students.map((name) => ({ weight: 1, item: possessive(wordsOf(name)[0] ?? '') }))
        : [{ weight: 1, item: "my student's" }],
    ),
    TUTOR: choiceOf(
      names.tutors.length ? names.tutors.flatMap(tutorForms) : [{ weight: 1, item: 'the tutor' }],
    ),
    RATE: choiceOf(names.rates.map((rate) => ({ weight: 1, item: amountInWords(rate) }))),
    SUBJECT: choiceOf(names.subjects.map((subject) => ({ weight: 1, item: wordsOf(subject).join(' ') }))),
  }
  const pick = ({ total, items }: Choice): string | undefined => {
    let at = random() * total
    return items.find(({ weight }) => (at -= weight) < 0)?.item ?? items.at(-1)?.item
  }
  const fill = (_: string, slot: string, authors?: string): string => {
    const choice = own[slot]
    if (choice && (authors === undefined || random() < OWN_SHARE)) return pick(choice) ?? authors ?? ''
    return authors ?? ''
  }
  return Array.from({ length: count }, () =>
    (lines[Math.floor(random() * lines.length)] ?? '').replaceAll(SLOT, fill),
  )
}

/** Titles as they're written and spoken. */
export const TITLES: Record<string, string> = {
  mr: 'mister',
  mrs: 'missus',
  ms: 'miss',
  miss: 'miss',
  dr: 'doctor',
  prof: 'professor',
  professor: 'professor',
  doctor: 'doctor',
  coach: 'coach',
  mister: 'mister',
  missus: 'missus',
}

/** A name's words as they're spoken: lowercase, in plain Latin letters, with titles spelled out. */
export function wordsOf(name: string): string[] {
  return inLatinLetters(name)
    .split(/[^a-z']+/)
    .map((word) => word.replaceAll(/^'+|'+$/g, ''))
    .filter(Boolean)
    .map((word) => TITLES[word] ?? word)
}

/** Leaves out names that have no Latin letters, because an English engine can't know how to pronounce 李明. */
function pronounceable(names: SpokenNames): SpokenNames {
  const hasWords = (text: string): boolean => wordsOf(text).length > 0
  return {
    ...names,
    students: names.students.filter(hasWords),
    tutors: names.tutors.filter(hasWords),
    subjects: names.subjects.filter(hasWords),
  }
}

function studentForms(name: string): { weight: number; item: string }[] {
  const words = wordsOf(name)
  const [first = ''] = words
  const forms =
    words.length > 1
      ? [
          { weight: 6, item: first },
          { weight: 2, item: words.join(' ') },
        ]
      : [{ weight: 8, item: first }]
  return [...forms, ...shortForms(first)]
}

function possessive(word: string): string {
  return word === '' ? '' : `${word}'s`
}

/** A few nicknames for a first name. Together, they're a sixteenth as likely as the name itself. */
function shortForms(first: string): { weight: number; item: string }[] {
  const short = nicknamesOf(first).slice(0, MOST_NICKNAMES)
  return short.map((item) => ({ weight: 0.5 / short.length, item }))
}
const MOST_NICKNAMES = 2

function tutorForms(name: string): { weight: number; item: string }[] {
  const words = wordsOf(name)
  const spoken = Object.values(TITLES)
  const title = spoken.includes(words[0] ?? '') ? words[0] : undefined
  const [first = '', ...rest] = title ? words.slice(1) : words
  const last = rest.at(-1) ?? (title ? first : undefined)
  const forms = [{ weight: title && !rest.length ? 1 : 5, item: first }, ...shortForms(first)]
  if (rest.length) forms.push({ weight: 5, item: [first, ...rest].join(' ') })
  if (title) forms.push({ weight: 4, item: `${title} ${last}` }, { weight: 1, item: words.join(' ') })
  else if (last)
    for (const form of ['mister', 'missus', 'miss']) forms.push({ weight: 2, item: `${form} ${last}` })
  if (last && title !== 'doctor') forms.push({ weight: 0.5, item: `doctor ${last}` })
  if (last) forms.push({ weight: 0.3, item: `coach ${last}` }, { weight: 0.3, item: `coach ${first}` })
  return forms
}

// Mulberry32, because it's short, random enough for picking sentences, and gives the same result on every
// machine.
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** An amount as people say it before 'dollars', such as 'fifty two fifty' or 'a hundred and five'. */
export function amountInWords(amount: Cents): string {
  const [dollars, rest] = [Math.floor(amount / 100), amount % 100]
  const below = (number: number): string =>
    number < 20
      ? (SMALL[number] ?? '')
      : [TENS[Math.floor(number / 10) - 1], number % 10 ? SMALL[number % 10] : ''].filter(Boolean).join(' ')
  const whole =
    dollars < 100
      ? below(dollars)
      : [
          dollars < 200 ? 'a hundred' : `${SMALL[Math.floor(dollars / 100)] ?? 'nine'} hundred`,
          dollars % 100 ? `and ${below(dollars % 100)}` : '',
        ]
          .filter(Boolean)
          .join(' ')
  return rest === 0 ? whole : `${whole} ${below(rest)}`
}

/**
 * Enough sentences for every name to appear next to most of the words that can surround it: every line about four
 * times, with different names.
 */
export const SENTENCES = 40_000

/**
 * The names and sentences a speech engine should expect for an account. The sentences are created elsewhere,
 * because that takes 0.1 s.
 */
export function vocabularyOf(names: SpokenNames): {
  names: string[]
  subjects: string[]
  rates: Cents[]
  words: string[]
} {
  return {
    names: [...names.students, ...names.tutors],
    subjects: [...new Set(names.subjects)],
    rates: names.rates,
    words: [
      ...new Set([
        ...[...names.students, ...names.tutors, ...names.subjects]
          .flatMap(wordsOf)
          .flatMap((word) => [word, ...nicknamesOf(word).slice(0, MOST_NICKNAMES)]),
        ...names.students.map((name) => possessive(wordsOf(name)[0] ?? '')).filter(Boolean),
      ]),
    ],
  }
}
