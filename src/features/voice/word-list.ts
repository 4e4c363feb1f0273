// Tells everyday English words apart from names, so that we don't hear a name where someone said an everyday
// word.
import { dictionary } from '@zxcvbn-ts/language-en'
import { namesWithNicknames } from './nickname.ts'
import names from './names.json' with { type: 'json' }

/** Everyday words that are also first or last names. They count as names only where a name is required. */
const BOTH = new Set(names.both.split(' '))
/**
 * Words treated primarily as names if someone has that name. They're never mistaken for another name that
 * only sounds similar.
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

/** Whether a word is a first name that people actually have. */
export function isGivenName(word: string): boolean {
  return GIVEN.has(word)
}

/** Whether a word is on the list of boys' first names. */
export function isMaleName(word: string): boolean {
  return BOYS.has(word)
}

/** Whether a word means something else in most sentences, even if it's somebody's name. */
export function isEverydayWord(word: string): boolean {
  return BOTH.has(word) || isAmong(word, 2500)
}

/**
 * Whether a word is English at all. If it is, it's never mistaken for a name that only sounds like it, unless
 * a name is required there.
 */
export function isEnglishWord(word: string): boolean {
  return BOTH.has(word) || NAME_FIRST.has(word) || isAmong(word, 5000)
}

/**
 * The list of English words comes from movies, so it includes names. To tell them apart, this checks for the
 * most common words and for known names.
 */
function isAmong(word: string, most: number): boolean {
  if (NAME_FIRST.has(word)) return false
  const rank = RANK.get(word) ?? Infinity
  return rank < most && !GIVEN.has(word) && !(rank > 1200 && (FAMILY.get(word) ?? Infinity) < 3000)
}

/**
 * Whether a word that isn't on anyone's list can be a name where a name is required. After a title, nearly
 * any word can.
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
