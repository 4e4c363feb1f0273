// Who was named: names as they are written first, then nicknames, then what sounds alike; never an everyday word for a name.
import {
  exactSpelling,
  hasOtherLetters,
  inLatinLetters,
  isFamilyFirst,
  namesWithin,
  plainSpelling,
} from './name-spelling.ts'
import { isNickname } from './nickname.ts'
import { alike, soundsOf } from './pronunciation.ts'
import { spellingOf, textOf, type Token } from './spoken-line.ts'
import { canBeName, isEnglishWord, isEverydayWord, isFamilyName, isGivenName } from './word-list.ts'

/** How surely a name was heard; below `SURE` it sounded alike only. */
export interface Match {
  id: string
  score: number
}
export const SURE = 0.9
const FULL = 1
const TITLED = 0.98
const GIVEN = 0.97
const FAMILY = 0.94
const NICK = 0.92
const SHORTENED = 0.88

/** Someone who was named, with everyone on the lists whom the name fits best. */
export interface SaidPerson {
  slot: 'person'
  students: Match[]
  tutors: Match[]
  /** The words that were said, as a name is written. */
  heard: string
  hasTitle: boolean
}

interface Person {
  id: string
  given: string
  family: string
  /** 'professor', where it is part of the name on the list. */
  title: string
  /** The same names in their own script: all of it in the order in which it is written, and its parts. */
  written: { full: string; given: string; family: string }
  /** The words of the name as they are on the list, but for upper and lower case. */
  exact: Set<string>
}

interface Lists {
  students: Person[]
  tutors: Person[]
  /** Every part of every name on the lists. */
  words: Set<string>
  /** Parts of names that a line spells otherwise, by that spelling: a 'Jun' among the people stands there as 'june'. */
  respelt: Map<string, string>
  /** All of them, as a line spells them. */
  spelt: Set<string>
}

const TITLES =
  /^(mister|missus|miss|doctor|professor|coach|madam|sir|teacher|tutor|senor|senora|senorita|madame|monsieur|frau|herr|auntie|uncle|sensei)$/
/** Words beside which a name stands. */
const BEFORE =
  /^(with|for|taught|tutored|tutors|helped|saw|met|by|child|student|tutor|son|daughter|kid|named|called|teacher|boy|girl|taking|gave|both|coached|paid|paying|name|niece|nephew|brother|sister)$/
const AFTER =
  /^(had|did|has|taught|tutored|tutors|worked|took|got|met|helped|came|finished|completed|studied|spent|saw|charged|charges|said|says|just|does|practiced|practised|attended|reviewed|covered|learned|started|wrapped|gets|went|showed|joined|received|enjoyed|struggled|really|and|was|@range|@minutes|@day|gave|coached|for|with|an?|half|[0-9.]+|about|who|only|also|already|finally)$/
const AFTER_MONTH =
  /^(had|did|has|taught|tutored|worked|took|got|met|helped|came|finished|completed|studied|spent|saw|charged|charges|said|says|just|and|who|was|with)$/
/** Verbs of the past: no month and no 'will' stands before one, so that a name must. */
const PAST =
  /^(had|did|taught|tutored|worked|met|saw|got|took|spent|finished|came|helped|charged|completed|studied|said)$/
const MONTH = /^(april|may|june|january|march|august)$/
const AUXILIARY = /^(will|may)$/

/** Marks everyone on the lists who is named in the line. */
export function claimPeople<Said>(
  line: Token<Said | SaidPerson>[],
  students: { id: string; name: string }[],
  tutors: { id: string; name: string }[],
): Token<Said | SaidPerson>[] {
  const people = { students: students.map(personOf), tutors: tutors.map(personOf) }
  const words = new Set(
    [...people.students, ...people.tutors].flatMap(({ given, family }) => [given, ...family.split(' ')]),
  )
  const respelt = new Map(
    [...words].flatMap((word) =>
      spellingOf(word) === word || words.has(spellingOf(word)) ? [] : [[spellingOf(word), word] as const],
    ),
  )
  const lists: Lists = { ...people, words, respelt, spelt: new Set([...words, ...respelt.keys()]) }
  const result: Token<Said | SaidPerson>[] = []
  for (let index = 0; index < line.length;) {
    const found =
      byWriting(line, index, lists) ??
      byTitle(line, index, lists) ??
      personAt(
        line,
        index,
        lists,
        result.at(-1)?.text === '@person' ||
          (result.at(-1)?.text === 'and' && result.at(-2)?.text === '@person'),
      )
    const [first, last] = [line[index], line[index + (found?.length ?? 1) - 1]]
    if (!first || !last) break
    if (found)
      result.push({
        ...first,
        text: '@person',
        end: last.end,
        isPossessive: last.isPossessive,
        said: found.said,
      })
    else result.push(first)
    index += found?.length ?? 1
  }
  return result
}

function personOf({ id, name }: { id: string; name: string }): Person {
  const words = exactSpelling(name)
    .replace(/\(.*?\)|["“”]/g, '')
    .split(/[\s.,\p{Pd}]+/u)
    .filter((word) => word !== '' && !/^(jr|sr|ii|iii|phd|md)$/.test(word))
  const person = (given: string, family: string, title: string): Person => ({
    id,
    given: inLatinLetters(given),
    family: inLatinLetters(family),
    title,
    written: {
      full: plainSpelling(words.join(' ')),
      given: plainSpelling(given),
      family: plainSpelling(family),
    },
    exact: new Set(words),
  })
  const spelt = spellingOf(plainSpelling(words[0] ?? ''))
  const title = TITLES.test(spelt) && !/^(?:tutor|teacher)$/.test(spelt) ? spelt : ''
  const [given = '', ...rest] = title !== '' && words.length > 1 ? words.slice(1) : words
  if (title !== '' && /^(?:van|von|de|del|della|di|da|du|la|le|der|den|al|el|bin|st)$/.test(given))
    return person('', [given, ...rest].join(' '), title)
  if (title !== '' && rest.length === 0) return person('', given, title)
  if (isFamilyFirst(given) && rest.length > 0) return person(rest.join(' '), given, title)
  return person(given, rest.join(' '), title)
}

/** A name with letters beyond a to z, as it is on a list: no English word is written like this, so that it may stand anywhere. */
function byWriting<Said>(
  line: readonly Token<Said>[],
  index: number,
  lists: Lists,
): { said: SaidPerson; length: number } | undefined {
  for (const length of [4, 3, 2, 1]) {
    const span = line.slice(index, index + length)
    const isSpan = span.every(
      ({ said, breaks, written }, place) =>
        said === undefined && written !== undefined && (place === 0 || breaks === ''),
    )
    if (span.length < length || !isSpan || !span.some(({ written }) => hasOtherLetters(written ?? '')))
      continue
    const spoken = span.map(({ written }) => plainSpelling(written ?? '')).join(' ')
    const fits = (people: Person[], isTutor: boolean): Match[] =>
      top(people, span, ({ written: { full, given, family } }) =>
        spoken === full ? FULL : spoken === given ? GIVEN : isTutor && spoken === family ? FAMILY : 0,
      )
    const said = { students: fits(lists.students, false), tutors: fits(lists.tutors, true) }
    if (said.students.length + said.tutors.length > 0)
      return { said: { slot: 'person', ...said, heard: heardIn(span), hasTitle: false }, length }
  }
  return undefined
}

/** What was said, as a name: in capitals where it was read, and as it was typed where it holds letters beyond a to z. */
export function heardIn(span: readonly Token[], words = span.map(({ text }) => text)): string {
  return span.some(({ written }) => hasOtherLetters(written ?? ''))
    ? span.map(({ text, written }) => written ?? text).join(' ')
    : asName(words)
}

/** Titles that tell one person from the others by themselves; 'the doctor' is somebody else. */
const TELLING_TITLE =
  /^(professor|coach|senor|senora|senorita|madame|monsieur|herr|frau|sensei|auntie|uncle)$/
const INITIALLED = /^(mister|missus|miss|doctor|professor|coach|senor|senora)$/

/** 'The professor', 'Mrs. A': the only tutor on the list who is so called. */
function byTitle<Said>(
  line: readonly Token<Said>[],
  index: number,
  { tutors }: Lists,
): { said: SaidPerson; length: number } | undefined {
  const [first, second, third] = [line[index], line[index + 1], line[index + 2]]
  if (!first || !second || first.said !== undefined || second.said !== undefined || second.breaks !== '')
    return undefined
  const isTitle =
    first.text === 'the' &&
    TELLING_TITLE.test(second.text) &&
    !(
      third?.breaks === '' &&
      tutors.some(({ given, family }) => third.text === given || family.split(' ').includes(third.text))
    )
  const isInitial =
    INITIALLED.test(first.text) &&
    /^[a-z]$/.test(second.text) &&
    (second.isCapital || /^(?:mister|missus)$/.test(first.text) || !/^[aiu]$/.test(second.text)) &&
    (third === undefined || third.breaks !== '' || third.said !== undefined || !canBeName(third.text))
  const fits = isTitle
    ? tutors.filter(({ title }) => title === second.text)
    : isInitial
      ? tutors.filter(({ family }) => family.startsWith(second.text))
      : []
  const [only, other] = fits
  if (!only || other) return undefined
  return {
    said: {
      slot: 'person',
      students: [],
      tutors: [{ id: only.id, score: NICK }],
      heard: asName([first.text, second.text]),
      hasTitle: true,
    },
    length: 2,
  }
}

function personAt<Said>(
  line: readonly Token<Said>[],
  index: number,
  lists: Lists,
  followsPerson: boolean,
): { said: SaidPerson; length: number } | undefined {
  const first = line[index]
  if (!first || first.said !== undefined) return undefined
  const hasTitle = TITLES.test(first.text) && line[index + 1]?.breaks === ''
  const start = hasTitle ? index + 1 : index
  let best: { said: SaidPerson; length: number; score: number } | undefined
  for (const length of [3, 2, 1]) {
    const span = line.slice(start, start + length)
    if (
      span.length < length ||
      span.some(
        (token, place) =>
          token.said !== undefined ||
          !/^[a-z']+$/.test(token.text) ||
          (place > 0 && (token.breaks !== '' || span[place - 1]?.isPossessive)),
      )
    )
      continue
    const words = span.map((token) => lists.respelt.get(token.text) ?? token.text)
    // Everyday English that is part of nobody's name is passed over quickly: a family may have hundreds of names on its lists.
    if (
      !hasTitle &&
      !words.some((word) => lists.words.has(word) || canBeName(word)) &&
      !mayStand(line, start, length, lists.spelt, followsPerson)
    )
      continue
    const stands =
      hasTitle && !/^(tutor|teacher)$/.test(first.text)
        ? true
        : mayStand(line, start, length, lists.spelt, followsPerson)
    if (!stands && length === 1 && lists.respelt.has(span[0]?.text ?? '')) continue
    const fits = (people: Person[], isTutor: boolean): Match[] =>
      top(people, span, (person) =>
        scoreOf(
          words,
          person,
          hasTitle && !/^(tutor|teacher)$/.test(first.text),
          isTutor,
          stands,
          lists.words.has(line[start + length]?.text ?? '') ? undefined : line[start + length],
        ),
      )
    const said = {
      students: hasTitle && first.text !== 'tutor' ? [] : fits(lists.students, false),
      tutors: fits(lists.tutors, true),
    }
    const score = Math.max(said.students[0]?.score ?? 0, said.tutors[0]?.score ?? 0)
    if (score > (best?.score ?? 0))
      best = {
        said: {
          slot: 'person',
          ...said,
          heard: heardIn(span, words),
          hasTitle,
        },
        length: length + start - index,
        score,
      }
  }
  return best
}

/** Whom a span of the line fits best; of several, those whose names are typed letter by letter: Zoë and Zoe are two children. */
function top(people: Person[], span: readonly Token[], scoreOf: (person: Person) => number): Match[] {
  const scored = people.map((person) => ({ person, score: scoreOf(person) })).filter(({ score }) => score > 0)
  const most = Math.max(0, ...scored.map(({ score }) => score))
  const best = scored.filter(({ score }) => score >= most - 0.005)
  const exact = best.filter(({ person }) =>
    span.every(({ written }) => written !== undefined && person.exact.has(exactSpelling(written))),
  )
  return (exact.length > 0 ? exact : best).map(({ person: { id }, score }) => ({ id, score }))
}

/** 'Anh Thu' is no Thursday: where two words of a name of the lists stand, they are read as they are written; and names are taken apart from words written on to them. */
export function keepNames<Said extends { slot: string }>(
  whole: readonly Token<Said>[],
  transcript: string,
  people: readonly { name: string }[],
): Token<Said>[] {
  const listed = people.flatMap(({ name }) => name.split(/\s+/))
  const line = whole.flatMap((token) => apart(token, listed))
  const written = line.map(({ start, end }) => plainSpelling(transcript.slice(start, end)).replace(/'s$/, ''))
  const names = people
    .flatMap(({ name }) =>
      plainSpelling(name)
        .split(/\s+/)
        .map((word, index, words) => [words[index - 1] ?? '', word]),
    )
    .filter(([before, word]) => before !== '' && SHORT_DAY.test(word ?? ''))
  const kept = new Set(
    names.flatMap((words) =>
      written.flatMap((_, at) =>
        words.every((word, index) => written[at + index] === word)
          ? words.map((__, index) => at + index)
          : [],
      ),
    ),
  )
  return line.map((token, at) => (kept.has(at) ? { ...token, text: written[at] ?? token.text } : token))
}
const SHORT_DAY = /^(?:mon|tues?|weds?|thu|thurs?|fri|sat|sun)$/

/** The names of the lists within a word whose script writes words without blanks; what is left of the word no rule can read. */
function apart<Said>(token: Token<Said>, listed: readonly string[]): Token<Said>[] {
  const { written } = token
  const names = written === undefined ? [] : namesWithin(written, listed)
  if (written === undefined || names.length === 0) return [token]
  return names.map(([from, to], place) => {
    const isLast = to === written.length
    const name = written.slice(from, to)
    return {
      ...token,
      text: plainSpelling(name),
      written: name,
      start: token.start + from,
      end: isLast ? token.end : token.start + to,
      isPossessive: token.isPossessive && isLast,
      breaks: place === 0 ? token.breaks : '',
    }
  })
}

/** Whether a word that is an everyday word as well may be meant as a name here. */
function mayStand(
  line: readonly Token[],
  start: number,
  length: number,
  listed: Set<string>,
  followsPerson: boolean,
): boolean {
  const [before, first, after] = [line[start - 1], line[start], line[start + length]]
  if (!first) return false
  const isMonth = MONTH.test(first.text)
  const isAuxiliary = AUXILIARY.test(first.text)
  const isMixedCase = line.some((token) => !token.isCapital && /^[a-z]/.test(token.text))
  if (first.isCapital && isMixedCase && first.breaks !== '.' && !isMonth) return true
  if (line[start + length - 1]?.isPossessive) return true
  // A month stands by itself only behind 'in', 'for' and the like: not between two commas, and not before a length of time.
  if (first.breaks !== '' && after !== undefined && after.breaks !== '' && !isMonth && !isAuxiliary)
    return true
  if (isMonth && first.breaks !== '' && (after === undefined || after.breaks !== '') && start > 0) return true
  if (
    isMonth &&
    before &&
    /^(for|by|met|saw|taught|helped)$/.test(before.text) &&
    isTimeAt(line, start + length)
  )
    return true
  // 'Niamh had Jun from nine to ten': somebody on the list, by exactly this name.
  if (listed.has(first.text) && before && MET.test(before.text) && isWhole(line, start + length)) return true
  if (
    listed.has(first.text) &&
    first.breaks !== '' &&
    after?.breaks !== '' &&
    (isMonth || isAuxiliary) &&
    first.isCapital
  )
    return true
  if (listed.has(first.text) && isPaired(line, start, start + length, listed)) return true
  const follows = after !== undefined && after.breaks === ''
  if (follows && PAST.test(after.text) && !/^(an?|the|his|her|my|in)$/.test(before?.text ?? '')) return true
  if (
    follows &&
    (isMonth || isAuxiliary ? AFTER_MONTH : AFTER).test(after.text) &&
    !/^(an?|the|his|her|in|on|i|we|you|it|they|he|she|to|this|that)$/.test(before?.text ?? '')
  )
    return true
  if (
    before &&
    BEFORE.test(before.text) &&
    !(isMonth && /^(for|by|met|paid|paying|both|saw)$/.test(before.text))
  )
    return true
  // 'Grace Mr. Chen algebra one hour': names in a row.
  return (
    !isAuxiliary &&
    !isMonth &&
    (followsPerson || (follows && (listed.has(after.text) || TITLES.test(after.text))))
  )
}

/** Verbs of having somebody for a lesson. */
const MET = /^(?:had|has|saw|see|sees|got|have|having|seeing|visited|joined)$/

/** 'Will/April', 'April with Will': two of the lists side by side. */
function isPaired(line: readonly Token[], start: number, end: number, listed: Set<string>): boolean {
  const joins = (place: number): boolean => /^(?:per|with|and|plus|x)$/.test(line[place]?.text ?? '')
  return (
    (joins(end) && listed.has(line[end + 1]?.text ?? '')) ||
    (joins(start - 1) && listed.has(line[start - 2]?.text ?? ''))
  )
}

/** Whether what follows a name is when and how long, or nothing. */
function isWhole(line: readonly Token[], place: number): boolean {
  const next = line[place]
  return (
    next === undefined ||
    next.breaks !== '' ||
    next.said !== undefined ||
    /^(?:for|from|on|at|from|again|then|online|here|over|yesterday|today|both|between|until|about|[0-9:.]+(?:th)?|an?|half|@[a-z]+)$/.test(
      next.text,
    )
  )
}

/** Whether a length of time begins at a place: 'an hour', '45 minutes', 'half an hour'. */
function isTimeAt(line: readonly Token[], place: number): boolean {
  return /^(?:an?|about|1|half|[0-9.]+) (?:an? |and a half )?(?:hour|half hour|minute|couple)/.test(
    textOf(line.slice(place, place + 4)),
  )
}

function scoreOf(
  words: string[],
  person: Person,
  hasTitle: boolean,
  isTutor: boolean,
  stands: boolean,
  next: Token | undefined,
): number {
  const families = person.family.split(' ')
  const lastFamily = families.at(-1) ?? ''
  const spoken = words.join(' ')
  if (words.length > 1) {
    if (person.given !== '' && spoken === `${person.given} ${person.family}`) return FULL
    if (hasTitle && spoken === person.family) return TITLED
    if (!hasTitle && person.given !== '' && spoken === person.given.replaceAll('-', ' ')) return GIVEN
    if (words.length > 2 || person.given === '' || person.family === '')
      return joined(words, person, stands, hasTitle)
    const [one = '', two = ''] = words
    if (one === person.given && families.includes(two)) return FULL
    const given =
      one === person.given
        ? 1
        : isNickname(one, person.given)
          ? 0.97
          : isEnglishWord(one) && !stands
            ? 0
            : alike(one, person.given)
    if (given < 0.78) return joined(words, person, stands, hasTitle)
    const family = families.includes(two)
      ? 1
      : isEnglishWord(two) && !isFamilyName(two)
        ? Math.max(...families.map((name) => (alike(two, name) === 1 ? 0.99 : 0)))
        : Math.max(...families.map((name) => alike(two, name)))
    if (given < 0.78 || family < 0.8 || given + family < 1.7) return joined(words, person, stands, hasTitle)
    // Two names that nearly fit together outweigh one name alone that fits a little better.
    return given + family > 1.96 ? 0.985 : 0.85 + (given + family - 1.7) / 2
  }
  const [word = ''] = words
  if (word.length < 2) return 0
  const isEveryday = isEverydayWord(word)
  if (isEveryday && !stands) return 0
  const isOtherFamily =
    next !== undefined &&
    next.breaks === '' &&
    !hasTitle &&
    person.family !== '' &&
    person.given !== '' &&
    /^[a-z]+$/.test(next.text) &&
    isFamilyName(next.text) &&
    Math.max(...families.map((name) => alike(next.text, name))) < 0.8
  if (hasTitle && (word === lastFamily || families.includes(word))) return TITLED
  if (word === person.given) return isOtherFamily && !AFTER.test(next.text) ? 0 : GIVEN
  if ((word === lastFamily || families.includes(word)) && isTutor) return FAMILY
  if (word === lastFamily) return 0
  // 'Annemarie' for Anne-Marie, 'Vanderberg' for van der Berg.
  if (
    person.given !== '' &&
    person.family !== '' &&
    word === `${person.given}${person.family}`.replaceAll(' ', '')
  )
    return GIVEN
  if (families.length > 1 && (hasTitle || isTutor) && alike(word, families.join('')) >= 0.9) return 0.9 * 0.99
  if (person.given !== '' && isNickname(word, person.given)) return isOtherFamily ? 0 : NICK
  // 'Kris' for Christopher: the same by its sound.
  if (
    word.length >= 4 &&
    stands &&
    !isEnglishWord(word) &&
    !isGivenName(word) &&
    !isOtherFamily &&
    soundsOf(person.given).startsWith(soundsOf(word)) &&
    soundsOf(word).length >= 4
  )
    return SHORTENED
  // 'Jay' for Jaylen, 'Seun' for Oluwaseun: the beginning or the end of a name serves as its short form, less surely.
  if (
    word.length >= 4 &&
    stands &&
    person.given.length >= word.length + 3 &&
    person.given.endsWith(word) &&
    !isEnglishWord(word) &&
    !isOtherFamily
  )
    return SHORTENED
  if (
    word.length >= 3 &&
    !/^(?:the|and|for|has|her|his|she|are|was|one|ten|all|any|our|not)$/.test(word) &&
    person.given.length >= word.length + 2 &&
    person.given.startsWith(word) &&
    (isGivenName(word) || stands) &&
    !isOtherFamily
  )
    return SHORTENED
  // 'Jay' for Jae: a name that is a word is still heard where it sounds exactly like a name on the lists.
  if (
    !hasTitle &&
    stands &&
    !isEveryday &&
    isEnglishWord(word) &&
    person.given !== '' &&
    alike(word, person.given) === 1
  )
    return 0.9 * 0.99
  if (!hasTitle && (isEveryday || isEnglishWord(word) || (!stands && !canBeName(word)))) return 0
  if (word.length < 3 || isOtherFamily) return 0
  const given = person.given === '' ? 0 : alike(word, person.given)
  const family = person.family === '' || !(hasTitle || isTutor) ? 0 : alike(word, lastFamily)
  const likeness = hasTitle ? Math.max(family, given - 0.05) : Math.max(given, family - 0.03)
  // Another first name that people bear is another person, unless it sounds the same.
  const least = isGivenName(word) && !hasTitle ? 0.93 : hasTitle ? 0.84 : 0.85
  return likeness >= least ? likeness * 0.9 : 0
}

/** One name heard as two words ('she von' for Siobhan). */
function joined(words: string[], person: Person, stands: boolean, hasTitle: boolean): number {
  const name = hasTitle ? person.family : person.given
  if (
    !stands ||
    words.length < 2 ||
    (words.length > 2 && !hasTitle) ||
    name.length < 4 ||
    (!hasTitle && words.some((word) => isGivenName(word))) ||
    words.every((word) => word.length < 3)
  )
    return 0
  const likeness = alike(words.join(''), name)
  return likeness >= (hasTitle ? 0.9 : 0.94) ? likeness * 0.88 : 0
}

/** A name as it is written. */
export function asName(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
