// Finds people: listed ones by name, nickname, initial, or sound, in any script, and names that aren't on a
// list.
import { exactSpelling, inLatinLetters, isFamilyFirst, namesWithin, plainSpelling } from '../name-spelling.ts'
import { isNickname } from '../nickname.ts'
import { alike } from '../pronunciation.ts'
import { canBeName, isEnglishWord, isEverydayWord, isGivenName } from '../word-list.ts'
import type { Candidate } from './candidates.ts'
import { byWord, isTypo, type Word } from './line.ts'
import words from './words.json' with { type: 'json' }

export interface Person {
  id: string
  name: string
  /** Whether this is the account's own tutor, 'You'. */
  isSelf?: boolean
}

const TITLES = byWord(words.titles)
const SELF = new Set(['i', 'me', 'my', 'myself', "i'm", 'we'])
const KNOWN = new Set([
  ...Object.entries(words.spellings).flatMap(([key, more]) => [key, ...more.split(' ')]),
  ...Object.values(words.weekdays).flatMap((more) => more.split(' ')),
  ...Object.values(words.months).flatMap((more) => more.split(' ')),
  ...words.subjects,
  ...TITLES.keys(),
])

/** How well words can match a name, best first. On the same words, a better match replaces a worse one. */
const RANKS = words.fits.split(' ')

interface Named {
  person: Person
  /** The name's words without titles, in plain letters; `exact` is as stored. */
  parts: string[]
  exact: string
  latin: string[]
  titles: string[]
}

function named(person: Person): Named {
  const all = plainSpelling(person.name)
    .replaceAll(/[.,()]/g, ' ')
    .split(/[\s-]+/)
    .filter(Boolean)
  const parts = all.filter((part) => !TITLES.has(part))
  return {
    person,
    parts: parts.length > 0 ? parts : all,
    exact: exactSpelling(person.name),
    latin: inLatinLetters(person.name)
      .replaceAll(/[.,()]/g, ' ')
      .split(/[\s-]+/)
      .filter((part) => part !== '' && !TITLES.has(part)),
    titles: all.flatMap((part) => TITLES.get(part) ?? []),
  }
}

/**
 * Everyone on a list whom the line may name. If two people match equally well, the value is null and `said`
 * has the name.
 */
export function personCandidates(line: Word[], people: Person[], slot: 'child' | 'tutor'): Candidate[] {
  const list = people.map(named)
  const found = line.flatMap((_, at) => [
    ...[3, 2, 1].flatMap((length) => fitsAt(line, at, length, list, slot)),
    ...nearAt(line, at, list, slot),
  ])
  const kept = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          ((other.from <= one.from && other.to >= one.to && beats(other, one)) ||
            // 'Of Emily' means Emily.
            (isGlued(one) &&
              rankOf(other.type) <= rankOf('typo') &&
              other.from < one.to &&
              other.to > one.from)),
      ),
  )
  return [
    ...kept,
    ...within(line, list, slot),
    ...(slot === 'child' && people.length > 1 ? roles(line, people) : []),
  ]
}

const isGlued = ({ type, from, to }: Candidate): boolean =>
  type === 'joined' || type === 'blend' || (type.startsWith('near') && to > from + 1)
const rankOf = (type: string): number => RANKS.indexOf(type)
function beats(other: Candidate, one: Candidate): boolean {
  const longer = other.to - other.from - (one.to - one.from)
  const weak = rankOf('joined')
  if (longer > 0 && isGlued(other)) return rankOf(one.type) > rankOf('typo')
  if (longer > 0) return rankOf(other.type) < weak || rankOf(one.type) >= weak
  return longer === 0 && rankOf(other.type) < rankOf(one.type)
}

function fitsAt(
  line: Word[],
  at: number,
  length: number,
  list: Named[],
  slot: 'child' | 'tutor',
): Candidate[] {
  if (
    at + length > line.length ||
    line.slice(at + 1, at + length).some(({ gap }) => gap === '.' || gap === ',')
  )
    return []
  const words = line.slice(at, at + length)
  if (words.some(({ value, written }) => value !== null && !/^\p{L}/u.test(written))) return []
  const behindTitle = TITLES.get(line[at - 1]?.text ?? '')
  const fits = list.flatMap((name) => {
    const fit = fitOf(words, name, behindTitle)
    return fit ? [{ name, fit }] : []
  })
  const best = Math.min(...fits.map(({ fit }) => rankOf(fit)))
  const winners = fits.filter(({ fit }) => rankOf(fit) === best)
  // If a title was said, the person with that title wins over others with the same name.
  const titled = behindTitle ? winners.filter(({ name }) => name.titles.includes(behindTitle)) : []
  const meant = titled.length > 0 ? titled : winners
  const first = meant[0]
  if (!first) return []
  const said = words.map(({ written }) => written).join(' ')
  const shared = meant.length > 1
  return [
    {
      slot,
      from: at,
      to: at + length,
      value: shared ? null : first.name.person.id,
      type: first.fit,
      isShared: shared,
      said,
    },
  ]
}

/** Minimum likeness for a word that only resembles a name. */
const LEAST_NEAR = 0.5
/** The listed person whose name most resembles one or two words. */
function nearAt(line: Word[], at: number, list: Named[], slot: 'child' | 'tutor'): Candidate[] {
  const likest = (length: number): { name: Named; likeness: number } | undefined => {
    const words = line.slice(at, at + length)
    const said = words.map(({ text }) => text).join('')
    const isOpen = ({ text, value, isCapital, gap }: Word, place: number): boolean =>
      value === null &&
      !KNOWN.has(text) &&
      (place === 0 || gap === ' ') &&
      (length > 1 || !isEverydayWord(text) || (isCapital && gap !== '.'))
    if (words.length < length || said.length < 3 || !/^[a-z']+$/.test(said) || !words.every(isOpen))
      return undefined
    if (length > 1 && words.every(({ text }) => isEverydayWord(text))) return undefined
    const all = list
      .map((name) => ({
        name,
        likeness: Math.max(
          0,
          ...[...name.parts, ...name.latin].map((part) => (/^[a-z']+$/.test(part) ? alike(said, part) : 0)),
        ),
      }))
      .sort((one, other) => other.likeness - one.likeness)
    const [best, next] = all
    return best && best.likeness >= LEAST_NEAR && best.likeness > (next?.likeness ?? 0) ? best : undefined
  }
  const [one, two] = [likest(1), likest(2)]
  const isTwo = two !== undefined && two.likeness > Math.max(0.6, (one?.likeness ?? 0) + 0.1)
  const best = isTwo ? two : one
  if (!best) return []
  const to = at + (isTwo ? 2 : 1)
  const said = line
    .slice(at, to)
    .map(({ written }) => written)
    .join(' ')
  const type = `near${Math.min(8, Math.floor(best.likeness * 10))}`
  return [{ slot, from: at, to, value: best.name.person.id, type, said }]
}

/** Drops weak resemblances where someone on the other list is clearly named. */
export function withoutNear(list: Candidate[], others: Candidate[]): Candidate[] {
  return list.filter(
    (one) =>
      !one.type.startsWith('near') ||
      !others.some(({ type, from, to }) => from < one.to && to > one.from && rankOf(type) < rankOf('sound')),
  )
}

/** How well words match a name; undefined if they don't. */
function fitOf(words: Word[], name: Named, behindTitle: string | undefined): string | undefined {
  const { parts, exact } = name
  const plain = words.map((word) => plainSpelling(word.written).replaceAll('.', ''))
  if (exactSpelling(words.map(({ written }) => written).join(' ')) === exact) return 'exact'
  if (parts.length > 1 && plain.join(' ') === parts.join(' ')) return 'full'
  const [first] = words
  if (plain.length === 1 && first) return wordFit(first, plain[0] ?? '', name, behindTitle)
  const isInitials = plain.every(
    (one, place) => one === parts[place] || (one.length === 1 && parts[place]?.startsWith(one)),
  )
  if (plain.length === parts.length && isInitials) return 'initials'
  return joinedFit(plain, parts, behindTitle !== undefined)
}

function wordFit(
  { text, written, isCapital, gap }: Word,
  word: string,
  { person, parts, latin, titles }: Named,
  behindTitle: string | undefined,
): string | undefined {
  if (parts.length > 1 && word === parts.map((part) => part[0]).join('')) return 'initials'
  if ((person.isSelf || SELF.has(parts.join(' '))) && SELF.has(text)) return 'self'
  if (parts.includes(word)) return partFit(word, parts)
  if (parts.some((part) => isNickname(word, part))) return 'nick'
  if (latin.includes(inLatinLetters(written))) return 'latin'
  if (titles.some((title) => title === TITLES.get(word))) return 'title'
  if (word.length === 1)
    return gap === '' ? undefined : letterFit(word, parts, isCapital, behindTitle !== undefined)
  if (KNOWN.has(word)) return undefined
  const isName = isCapital && gap !== '.'
  return beginningFit(word, parts) ?? soundFit(word, parts, latin, isName, behindTitle !== undefined)
}

/** 'Ms. P', 'R.', 'b'. The letters a and i are words. */
function letterFit(
  letter: string,
  parts: string[],
  isCapital: boolean,
  hasTitle: boolean,
): string | undefined {
  if (hasTitle) return parts.some((part) => part.startsWith(letter)) ? 'initials' : undefined
  if (/^[ai]$/.test(letter) || !parts[0]?.startsWith(letter)) return undefined
  return isCapital ? 'letter' : 'small-letter'
}

function partFit(word: string, parts: string[]): string {
  if (parts.length === 1) return 'fold'
  const given = isFamilyFirst(parts[0] ?? '') ? parts.at(-1) : parts[0]
  return given === word ? 'given' : 'family'
}

/** 'Oli', or 'Beas' with a missing apostrophe. */
function beginningFit(word: string, parts: string[]): string | undefined {
  const owner = /^(.{2,})s$/.exec(word)?.[1]
  if (owner !== undefined && parts.some((part) => part === owner || isNickname(owner, part))) return 'start'
  if (!parts.some((part) => part.length > word.length && part.startsWith(word))) return undefined
  if (!isEverydayWord(word)) return 'start'
  return word.length > 2 ? 'common' : undefined
}

/** A typo, another spelling of the same sound, or at least the same first three letters. */
function soundFit(
  word: string,
  parts: string[],
  latin: string[],
  isCapital: boolean,
  hasTitle: boolean,
): string | undefined {
  if (word.length < 3 || (isEnglishWord(word) && !isCapital && !hasTitle)) return undefined
  if (word.length >= 4 && parts.some((part) => isTypo(word, part))) return 'typo'
  const likeness = Math.max(
    0,
    ...[...parts, ...latin].map((part) => (/^[a-z']+$/.test(part) ? alike(word, part) : 0)),
  )
  // A title is followed by a family name: 'mr jen' isn't Jennifer.
  if (likeness >= (isGivenName(word) && !hasTitle ? 0.9 : 0.78)) return 'sound'
  const isStem = parts.some((part) => part.slice(0, 3) === word.slice(0, 3))
  return isStem && !isGivenName(word) ? 'stem' : undefined
}

/** One name heard as two or three words, such as 'my head' for Mayhead; a blend is a looser match. */
function joinedFit(words: string[], parts: string[], hasTitle: boolean): string | undefined {
  const joined = words.join('')
  if (joined.length < 3 || !/^[a-z']+$/.test(joined)) return undefined
  const likeness = Math.max(...parts.map((part) => (part.length < 3 ? 0 : alike(joined, part))))
  if (joined.length > 4 && likeness > 0.95) return 'joined'
  if (words.some((word) => KNOWN.has(word)) || words.every((word) => word.length < 2)) return undefined
  if (parts.includes(joined)) return 'joined'
  const isOther = words.some((word) => isGivenName(word))
  if (joined.length > 3 && likeness >= (hasTitle ? 0.86 : 0.9) && !isOther) return 'joined'
  return joined.length > 4 && likeness >= 0.78 ? 'blend' : undefined
}

const ROLES = new Set([...words.roles.male, ...words.roles.female])
/** 'My daughter' may be any of the children. */
function roles(line: Word[], people: Person[]): Candidate[] {
  return line.flatMap(({ written }, at): Candidate[] =>
    ROLES.has(written.toLowerCase())
      ? people.map(({ id, name }) => ({
          slot: 'child',
          from: at,
          to: at + 1,
          value: id,
          type: 'role',
          said: name,
        }))
      : [],
  )
}

/** Finds names inside words, for scripts that don't put spaces between words. */
function within(line: Word[], list: Named[], slot: 'child' | 'tutor'): Candidate[] {
  const names = list.flatMap(({ person, parts }) =>
    [person.name, ...parts].map((name) => ({ id: person.id, name: name.normalize('NFC') })),
  )
  return line.flatMap((word, at) =>
    namesWithin(
      word.written.normalize('NFC'),
      names.map(({ name }) => name),
    ).flatMap(([start, end]): Candidate[] => {
      const said = word.written.normalize('NFC').slice(start, end)
      const ids = new Set(names.filter(({ name }) => name === said).map(({ id }) => id))
      const [id = null] = ids
      return said === word.written
        ? []
        : [{ slot, from: at, to: at + 1, value: ids.size === 1 ? id : null, type: 'within', said }]
    }),
  )
}

/** Finds names that aren't on any list. */
export function strangerCandidates(line: Word[], taken: Candidate[]): Candidate[] {
  const isTaken = (at: number): boolean =>
    taken.some(({ from, to, type }) => from <= at && at < to && rankOf(type) <= rankOf('latin'))
  const isName = (at: number): boolean => {
    const word = line[at]
    if (
      !word ||
      isTaken(at) ||
      word.value !== null ||
      KNOWN.has(word.text) ||
      !/^\p{L}{2}/u.test(word.written)
    )
      return false
    const behindTitle = TITLES.has(line[at - 1]?.text ?? '')
    const capital = word.isCapital && word.gap !== '.' && !isEverydayWord(word.text)
    return capital || behindTitle || (canBeName(word.text) && (isGivenName(word.text) || word.isCapital))
  }
  return line.flatMap((word, at): Candidate[] => {
    if (!isName(at) || isName(at - 1)) return []
    let to = at + 1
    while (to < at + 3 && isName(to) && line[to]?.gap === ' ') to += 1
    const type = TITLES.has(line[at - 1]?.text ?? '')
      ? 'titled'
      : isGivenName(word.text)
        ? 'borne'
        : 'capital'
    return [
      {
        slot: 'stranger',
        from: at,
        to,
        value: null,
        type,
        said: line
          .slice(at, to)
          .map(({ written }) => written)
          .join(' '),
      },
    ]
  })
}
