// Which words are everyday English and which are names: a name must not be heard where an everyday word was said.
import { dictionary } from '@zxcvbn-ts/language-en'
import { namesWithNicknames } from './nickname.ts'
import names from './names.json' with { type: 'json' }

/** Everyday words that are first or family names as well: they count as a name only where a name must stand. */
const BOTH = new Set(names.both.split(' '))
/**
 * Words that are a name first wherever someone bears it: nothing that only sounds like another name is heard in
 * them.
 */
const NAME_FIRST = new Set(names.nameFirst.split(' '))
const MALE = names.male.split(' ')
const ALSO = names.also.split(' ')

const RANK = new Map(dictionary['commonWords-en']?.map((word, rank) => [String(word), rank]))
const FAMILY = new Map(dictionary['lastnames-en']?.map((word, rank) => [String(word), rank]))
const BOYS = new Set(MALE)
const GIVEN = new Set([
  ...namesWithNicknames(),
  ...MALE,
  ...ALSO,
  ...(dictionary['firstnames-en'] ?? []).map(String),
])

/** Whether a word is a first name that people bear. */
export function isGivenName(word: string): boolean {
  return GIVEN.has(word)
}

/** Whether a word is on the list of boys' first names. */
export function isMaleName(word: string): boolean {
  return BOYS.has(word)
}

/** Whether a word means something else in most sentences, even where someone bears it as a name. */
export function isEverydayWord(word: string): boolean {
  return BOTH.has(word) || isAmong(word, 2500)
}

/**
 * Whether a word is English at all: then no name that only sounds like it is heard in it, unless a name must stand
 * there.
 */
export function isEnglishWord(word: string): boolean {
  return BOTH.has(word) || NAME_FIRST.has(word) || isAmong(word, 5000)
}

/**
 * The list of English words comes from films, so that it holds names; the commonest words and the names that are
 * known settle it.
 */
function isAmong(word: string, most: number): boolean {
  if (NAME_FIRST.has(word)) return false
  const rank = RANK.get(word) ?? Infinity
  return rank < most && !GIVEN.has(word) && !(rank > 1200 && (FAMILY.get(word) ?? Infinity) < 3000)
}

/**
 * Whether a word that is on nobody's list can be a name where a name must stand; behind a title nearly every word
 * can.
 */
export function canBeName(word: string, behindTitle = false): boolean {
  if (!/^[a-z]+(?:'[a-z]{3,})?$/.test(word) || NEVER.has(word)) return false
  const isRareAndBorne = (RANK.get(word) ?? Infinity) > 8000 && (FAMILY.get(word) ?? Infinity) < 40_000
  return (
    behindTitle ||
    GIVEN.has(word) ||
    BOTH.has(word) ||
    NAME_FIRST.has(word) ||
    isRareAndBorne ||
    !isAmong(word, 30_000)
  )
}
const NEVER = new Set(names.never.split(' '))
