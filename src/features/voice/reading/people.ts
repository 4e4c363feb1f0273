// Finds people: listed ones by name, nickname, initial, or sound, in any script, and names that aren't on a
// list.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import {
  exactSpelling,
  inLatinLetters,
  isFamilyFirst,
  otherSpellings,
  namesWithin,
} from '../name-spelling.ts'
import { isNickname } from '../nickname.ts'
import { alike } from '../pronunciation.ts'
import { canBeName, isEnglishWord, isEverydayWord, isGivenName } from '../word-list.ts'
import type { Candidate } from './candidates.ts'
import { byWord } from './language.ts'
import { covers, isTypo, overlaps, type Word } from './line.ts'
import words from './words.json' with { type: 'json' }

export interface Person {
  id: string
  name: string
  /** Whether this is the account's own tutor, 'You'. */
  isSelf?: boolean
  /** Words that were learned to mean them. */
  alsoCalled?: readonly string[]
}

const TITLES = byWord(words.titles)
const SELF = new Set(['i', 'me', 'my', 'myself', "i'm", 'we'])

/** How well words can match a name, best first. On the same words, a better match replaces a worse one. */
const RANKS = words.fits.split(' ')

interface Named {
  person: Person
  /** The name as stored, and its words without titles, in plain and in Latin letters. */
  exact: string
  parts: string[]
  latin: string[]
  /** Whether it may be written so in other letters. */
  forms: (said: string) => boolean
  titles: string[]
  learned: string[]
}

function named(person: Person): Named {
  const wordsOf = (name: string): string[] => name.split(/[\s.,()-]+/).filter(Boolean)
  const isPart = (word: string): boolean => !TITLES.has(word)
  const all = wordsOf(plainSpelling(person.name))
  return {
    person,
    exact: exactSpelling(person.name),
    parts: all.some(isPart) ? all.filter(isPart) : all,
    latin: wordsOf(inLatinLetters(person.name)).filter(isPart),
    forms: otherSpellings(all.filter(isPart).join(' ')),
    titles: all.flatMap((part) => TITLES.get(part) ?? []),
    learned: (person.alsoCalled ?? []).map((words) => plainSpelling(words).replaceAll('.', '')),
  }
}

const writtenIn = (words: Word[]): string => words.map(({ written }) => written).join(' ')

/** Words that may be a name, as typed and in plain letters, and the title before them. */
interface Mention {
  words: Word[]
  first: Word
  exact: string
  plain: string
  title: string | undefined
}

const startsWith = (parts: string[], word: string): boolean => parts.some((part) => part.startsWith(word))
/** Whether a word could be a misspelled or shortened name. */
const isOpen = ({ words, first, plain }: Mention): boolean =>
  words.length === 1 && plain.length > 1 && !first.isKnown
/** Whether a word is the beginnings of two names. */
const isBlend = (word: string, one: string, two: string): boolean =>
  [2, 3, 4, 5].some(
    (cut) => word.length > cut + 1 && one.startsWith(word.slice(0, cut)) && two.startsWith(word.slice(cut)),
  )
const withoutS = (word: string): string => word.replace(/(?<=..)s$/, '')

/** The ways that words fit a name. If they fit in several, the first in `RANKS` counts. */
const FITS: Record<string, (mention: Mention, name: Named) => boolean> = {
  exact: (mention, { exact }) => mention.exact === exact,
  full: ({ plain }, { parts }) =>
    plain === parts.join(' ') || (/ ./.test(plain) && parts.join(' ').startsWith(`${plain} `)),
  given: ({ plain }, { parts }) => plain === (isFamilyFirst(parts[0] ?? '') ? parts.at(-1) : parts[0]),
  family: ({ plain }, { parts }) => parts.includes(plain),
  learned: ({ plain }, { learned }) => learned.includes(plain),
  nick: ({ plain }, { parts }) => parts.some((part) => isNickname(plain, part)),
  latin: ({ first, words, plain }, { forms }) =>
    (!isEverydayWord(plain) || (first.isCapital && first.gap !== '.')) && forms(writtenIn(words)),
  initials({ plain, title }, { parts }) {
    if (plain.length === 1) return title !== undefined && startsWith(parts, plain)
    const said = plain.includes(' ') ? plain.split(' ') : [...plain]
    const fits = (one: string, at: number): boolean =>
      one === parts[at] || (one.length === 1 && parts[at]?.startsWith(one) === true)
    return said.length === parts.length && said.every(fits)
  },
  // 'Juanpa' is Juan Pablo.
  joined: (mention, { parts: [one = '', two = '', ...rest] }) =>
    [one, two, ...rest].includes(mention.plain.replaceAll(' ', '')) ||
    (isOpen(mention) && !isEnglishWord(mention.plain) && isBlend(mention.plain, one, two)),
  // 'Oli', or 'Beas' with a missing apostrophe.
  start: (mention, { parts }) =>
    isOpen(mention) &&
    ((!isEverydayWord(mention.plain) && startsWith(parts, mention.plain)) ||
      parts.some((part) => part === withoutS(mention.plain) || isNickname(withoutS(mention.plain), part))),
  typo: (mention, { parts }) =>
    isOpen(mention) &&
    mention.plain.length > 3 &&
    (!isEnglishWord(mention.plain) || mention.first.isCapital || mention.title !== undefined) &&
    parts.some((part) => isTypo(mention.plain, part)),
  common: (mention, { parts }) =>
    isOpen(mention) && mention.plain.length > 2 && startsWith(parts, mention.plain),
  // 'a' and 'i' are words, not initials.
  letter: ({ first, plain }, { parts }) =>
    first.isCapital && first.gap !== '' && /^[^ai]$/u.test(plain) && parts[0]?.startsWith(plain) === true,
  'small-letter': ({ first, plain }, { parts }) =>
    first.gap !== '' && /^[^ai]$/u.test(plain) && parts[0]?.startsWith(plain) === true,
  title: ({ plain }, { titles }) => titles.some((title) => title === TITLES.get(plain)),
  self: ({ words, first }, { person, parts }) =>
    words.length === 1 && SELF.has(first.text) && (person.isSelf === true || SELF.has(parts.join(' '))),
}

type Who = 'child' | 'tutor'

/** Everyone on a list whom the line may name. If two people match equally well, the value is null. */
export function personCandidates(line: Word[], people: Person[], slot: Who): Candidate[] {
  const list = people.map(named)
  const found = line.flatMap((_, at) => [
    ...[3, 2, 1].flatMap((length) => fitsAt(line, at, length, list, slot)),
    ...nearAt(line, at, list, slot),
  ])
  const kept = found.filter((one) => !found.some((other) => other !== one && replaces(other, one)))
  return [
    ...kept,
    ...within(line, list, slot),
    ...(slot === 'child' && people.length > 1 ? roles(line, people) : []),
  ]
}

const rankOf = (type: string): number => RANKS.indexOf(type)
const isClear = ({ type }: Candidate): boolean => rankOf(type) <= rankOf('typo')
const isGlued = ({ type, from, to }: Candidate): boolean => type.startsWith('near') && to > from + 1

/** Whether a better match on the same words makes this one irrelevant. */
function replaces(other: Candidate, one: Candidate): boolean {
  // 'Of Emily' means Emily.
  if (isGlued(one) && isClear(other) && overlaps(one, other)) return true
  if (!covers(other, one)) return false
  const longer = other.to - other.from > one.to - one.from
  if (longer && isGlued(other)) return !isClear(one)
  return longer || rankOf(other.type) < rankOf(one.type)
}

function fitsAt(line: Word[], from: number, length: number, list: Named[], slot: Who): Candidate[] {
  const [to, words] = [from + length, line.slice(from, from + length)]
  const [first] = words
  if (!first || words.length < length || words.slice(1).some(({ gap }) => /[.,]/.test(gap))) return []
  const plain = words.map(({ written }) => plainSpelling(written).replaceAll('.', '')).join(' ')
  const [exact, title] = [exactSpelling(writtenIn(words)), TITLES.get(line[from - 1]?.text ?? '')]
  const mention = { words, first, exact, plain, title }
  const fitting = (type: string): Named[] => list.filter((name) => FITS[type]?.(mention, name))
  const fit = RANKS.find((one) => fitting(one).length > 0)
  if (fit === undefined) return []
  const type = fit === 'learned' ? 'nick' : fit
  // 'Wei' may be Wei Chen, and 张伟 as well.
  const others = fitting(/given|family|nick/.test(fit) ? 'latin' : fit)
  const foreign = others.filter(({ exact }) => !/[a-z]/.test(exact))
  const all = [...new Set([...fitting(fit), ...foreign])]
  // If a title was said, the person with that title takes precedence over others with the same name.
  const titled = all.filter(({ titles }) => titles.some((one) => one === title))
  const [one, other] = titled.length > 0 ? titled : all
  const value = other ? null : (one?.person.id ?? null)
  return [{ slot, from, to, value, type, isShared: other !== undefined, written: writtenIn(words) }]
}

/** How much a word resembles one of a person's names, from 0 to 1. */
function likeness(word: string, { parts, latin }: Named): number {
  const names = [...parts, ...latin].filter((part) => /^[a-z']+$/.test(part))
  return Math.max(0, ...names.map((part) => (part === word ? 1 : alike(word, part))))
}

/** The person whose name one or two words resemble most: 'my head' for Mayhead. The type says how much. */
function nearAt(line: Word[], from: number, list: Named[], slot: Who): Candidate[] {
  const isRare = ({ text, isCapital, gap }: Word): boolean =>
    !isEverydayWord(text) || (isCapital && gap !== '.')
  const near = [1, 2].flatMap((length) => {
    const words = line.slice(from, from + length)
    const said = words.map(({ text }) => text).join('')
    const isOneName = words.slice(1).every(({ gap }) => gap === ' ') && words.some(isRare)
    const isName = isOneName && words.every(({ value, isKnown }) => value === null && !isKnown)
    if (!isName || words.length < length || !/^[a-z']{3,}$/.test(said)) return []
    return list.map((name) => ({ name, words, like: likeness(said, name) - 0.1 * (length - 1) }))
  })
  const [best, ...others] = near.sort((one, other) => other.like - one.like)
  const next = others.find(({ name }) => name !== best?.name)
  if (!best || best.like < 0.5 || best.like <= (next?.like ?? 0)) return []
  const { words, like, name } = best
  const isSure = words.length === 1 && like >= (isGivenName(words[0]?.text ?? '') ? 0.9 : 0.78)
  const isSound =
    isSure && words.some((word) => !isEnglishWord(word.text) || (word.isCapital && word.gap !== '.'))
  const type = isSound ? 'sound' : `near${Math.min(8, Math.floor(like * 10))}`
  return [{ slot, from, to: from + words.length, value: name.person.id, type, written: writtenIn(words) }]
}

/** Drops weak matches where someone on the other list is clearly named. */
export function withoutNear(list: Candidate[], others: Candidate[]): Candidate[] {
  const clear = others.filter(isClear)
  return list.filter((one) => !one.type.startsWith('near') || !clear.some((other) => overlaps(one, other)))
}

const ROLES = new Set([...words.roles.male, ...words.roles.female])
/** 'My daughter' may be any of the children. */
function roles(line: Word[], people: Person[]): Candidate[] {
  return line.flatMap(({ text, isKnown, ...word }, from) => {
    const isRole = ROLES.has(isKnown ? text : word.written.toLowerCase())
    return (isRole ? people : []).map(({ id: value, name: written }): Candidate => {
      return { slot: 'child', from, to: from + 1, value, type: 'role', written }
    })
  })
}

/** Finds names inside words, for scripts that don't put spaces between words. */
function within(line: Word[], list: Named[], slot: Who): Candidate[] {
  const names = list.flatMap(({ person: { id, name }, parts }) =>
    [name, ...parts].map((part) => ({ id, part: part.normalize('NFC') })),
  )
  const parts = names.map(({ part }) => part)
  return line.flatMap(({ written }, from) => {
    const word = written.normalize('NFC')
    return namesWithin(word, parts).flatMap(([start, end]): Candidate[] => {
      const part = word.slice(start, end)
      const [id = null, other] = new Set(names.flatMap((one) => (one.part === part ? one.id : [])))
      if (part === word) return []
      return [{ slot, from, to: from + 1, value: other ? null : id, type: 'within', written: part }]
    })
  })
}

/** Finds names that aren't on any list. */
export function strangerCandidates(line: Word[], taken: Candidate[]): Candidate[] {
  const clear = taken.filter(({ type }) => rankOf(type) <= rankOf('latin'))
  const isTitled = (at: number): boolean => TITLES.has(line[at - 1]?.text ?? '')
  const isName = (at: number): boolean => {
    const word = line[at]
    if (!word || word.value !== null || word.isKnown || !/^\p{L}{2}/u.test(word.written)) return false
    if (clear.some(({ from, to }) => from <= at && at < to)) return false
    if (isTitled(at) || (word.isCapital && word.gap !== '.' && !isEverydayWord(word.text))) return true
    return canBeName(word.text) && (isGivenName(word.text) || word.isCapital)
  }
  return line.flatMap((word, from): Candidate[] => {
    if (!isName(from) || isName(from - 1)) return []
    let to = from + 1
    while (to < from + 3 && isName(to) && line[to]?.gap === ' ') to += 1
    const type = isTitled(from) ? 'titled' : isGivenName(word.text) ? 'borne' : 'capital'
    return [{ slot: 'stranger', from, to, value: null, type, written: writtenIn(line.slice(from, to)) }]
  })
}
