// Tells which language a text is in by its words, as texts are short, misspelled and full of names. Libraries that count
// letters refuse one English sentence in ten.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import foreign from './foreign.json' with { type: 'json' }
import { ENGLISH, type Language, OVER_ENGLISH } from './reading/language.ts'
import { isEnglishWord } from './word-list.ts'

const FOREIGN = Object.values(foreign).map((words) => new Set(words.split(' ').map(plainSpelling)))
const SHARED = new Set(OVER_ENGLISH.flatMap(({ shared }) => shared.split(' ')))
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu

/**
 * The language that most words are in; undefined if it's none of these. Names and what several languages write alike
 * say nothing. A capital may begin a name.
 */
export function languageOf(text: string, names: string[]): Language | undefined {
  const listed = new Set(names.flatMap((name) => plainSpelling(name).match(WORD) ?? []))
  const telling = (text.match(WORD) ?? [])
    .map((written) => ({ written, word: plainSpelling(written) }))
    .filter(({ word }) => !listed.has(word) && !SHARED.has(word))
  const isOver = (word: string): boolean => OVER_ENGLISH.some(({ own }) => own.has(word))
  const words = telling.map(({ word }) => word)
  const english = words.filter((word) => !isOver(word) && (ENGLISH.known.has(word) || isEnglishWord(word)))
  const known = [...english, ...words.filter(isOver)]
  const rest = telling.filter(({ word }) => !known.includes(word))
  const unknown = rest.filter(({ written }) => /^[^\p{Lu}].|\p{Lo}/u.test(written)).length
  const isForeign = FOREIGN.some((theirs) => {
    const told = rest.filter(({ word }) => word.length > 1 && theirs.has(word)).length
    return told >= 2 && told + unknown / 2 > known.filter((word) => !theirs.has(word)).length
  })
  if (isForeign || (unknown >= 4 && known.length === 0)) return undefined
  const counts = OVER_ENGLISH.map(({ own }) => words.filter((word) => own.has(word)).length)
  const most = Math.max(...counts)
  return most * 2 > english.length ? OVER_ENGLISH[counts.indexOf(most)] : ENGLISH
}
