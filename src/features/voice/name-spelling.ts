// The different ways to write the same name: with or without accents, in its own script or in Latin letters.
// Used by the reader, which compares names, and by the speech engines, which need Latin letters to pronounce
// them.

import anyAscii from 'any-ascii'
import { plainSpelling } from '#kernel/plain-spelling.ts'

/** Text as typed, ignoring case and the difference between the two ways to compose an accented letter. */
export function exactSpelling(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const pairs = (list: string): [string, string][] =>
  list.split(' ').map((pair) => pair.split(':') as [string, string])

/** Chinese family names that are read differently from the same characters elsewhere. */
const FAMILY_READINGS = new Map(
  pairs(
    '曾:zeng 单:shan 單:shan 解:xie 仇:qiu 查:zha 区:ou 區:ou 朴:piao 盖:ge 蓋:ge 覃:qin 翟:zhai 乐:yue 樂:yue ' +
      '缪:miao 繆:miao 洗:xian 种:chong 召:shao 折:she 员:yun 秘:bi 繁:po 郇:xun 能:nai 黑:he 吕:lv 呂:lv 祭:zhai',
  ),
)
const TWO_CHARACTERS =
  /^(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|东方|東方|皇甫|尉迟|尉遲|公孙|公孫|慕容|令狐|夏侯|司徒|长孙|長孫|宇文|端木|独孤|南宫|西门)(?=.)/u

/** The three parts of a Korean syllable in Revised Romanization, in Unicode order. */
const KOREAN = [
  'g,kk,n,d,tt,r,m,b,pp,s,ss,,j,jj,ch,k,t,p,h',
  'a,ae,ya,yae,eo,e,yeo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,eu,ui,i',
  ',k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t',
].map((part) => part.split(','))
const FIRST_SYLLABLE = 0xac00

/** A Chinese name in pinyin, with the family name as a word of its own: 张伟 is 'zhang wei'. */
function inPinyin(name: string): string {
  const length = TWO_CHARACTERS.test(name) ? 2 : 1
  const [family, given] = [name.slice(0, length), name.slice(length)]
  const first = FAMILY_READINGS.get(family) ?? anyAscii(family)
  return `${first} ${anyAscii(given)}`.toLowerCase().trim()
}

/**
 * The plain spelling in Latin letters. Leaves Arabic and Hebrew as they are, because they're written without vowels.
 */
export function inLatinLetters(text: string): string {
  const kept = exactSpelling(text).replaceAll('ё', 'йо').replaceAll('ї', 'йи').replaceAll('й', 'y')
  return plainSpelling(kept)
    .replaceAll(/[가-힣]/g, (syllable) => {
      const number = (syllable.codePointAt(0) ?? FIRST_SYLLABLE) - FIRST_SYLLABLE
      const parts = [Math.floor(number / 588), Math.floor(number / 28) % 21, number % 28]
      return parts.map((part, place) => KOREAN[place]?.[part] ?? '').join('')
    })
    .replaceAll(/\p{Script=Han}+/gu, inPinyin)
    .replaceAll(/[^\P{L}\p{Script=Latin}\p{Script=Arabic}\p{Script=Hebrew}][\p{L}\p{M}]*/gu, (word) =>
      anyAscii(word).toLowerCase(),
    )
}

/** How the letters of Arabic, Persian and Hebrew are written in Latin letters, as a pattern. Vowels go in between. */
const SEMITIC = new Map(
  pairs(
    'ا:[aeiou]+ ب:b+ ت:t+ ث:th|t|s ج:j+|g|dj ح:h+ خ:kh?|h د:d+ ذ:dh|z|d ر:r+ ز:z+ س:s+|c ش:sh|ch ص:s+ ض:d+h?|z ط:t+ ' +
      "ظ:z|dh ع:'? غ:gh?|r ف:f+|ph ق:q|k+|g|c ك:k+|c|q ل:l+ ـ:l? م:m+ ن:n+ ه:h+ و:w|v|ou|oo?|u ي:yy?|ie?|e[eiy]?|a[iy] ء:'? " +
      'پ:p+ چ:ch گ:g+ ژ:zh|j א:[aeiou]* ב:b+|v ג:g+ ד:d+ ה:h+ ו:v|w|oo?|u ז:z+ ח:ch|k?h ט:t+ י:y|i|ee? כ:k+h?|c|ch ך:k?h|ch ' +
      "ל:l+ מ:m+ ם:m ס:s+ נ:n+ ן:n ע:'? פ:p+|f|ph ף:f צ:t?z|ts ץ:t?z|ts ק:k+|q|c ר:r+ ש:sh?|ch ת:th?",
  ),
)

/** The article in Abdurrahman, which is spelled Abdulrahman, too. */
const SILENT_L = /ال(?=[تثدذرزسشصضطظن])/g

function soundOf(letter: string, isFirst: boolean, isLast: boolean): string {
  const sound = SEMITIC.get(letter)
  if (sound === undefined)
    return anyAscii(letter)
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase()
  if (isFirst && 'عע'.includes(letter)) return "[aeiou']+"
  if (isLast && 'هה'.includes(letter)) return '[aeo]h?'
  return `(?:${sound}${isLast && letter === 'ي' ? '|a' : ''})[aeiou']{0,2}`
}

/** The ways a name may be written in Latin letters, without spaces: its words, or all of them in either order. */
export function latinForms(name: string): RegExp {
  const words = inLatinLetters(name)
    .split(/[\s.,()-]+/)
    .filter(Boolean)
  const patterns = words.map((word) => {
    const letters = [
      ...word
        .replaceAll(/([^a-z])\1/gu, '$1')
        .replace(/^عا/, 'ا')
        .replaceAll(SILENT_L, 'اـ'),
    ]
    return letters.map((letter, at) => soundOf(letter, at === 0, at === letters.length - 1)).join('')
  })
  return new RegExp(
    `^(?:${[...patterns, patterns.join(''), patterns.toReversed().join('')].join('|')})$`,
    'u',
  )
}

/** Names are shorter than this. Longer words would take long to compare. */
const LONGEST = 40

// Drawn-out letters are shortened, because a name of vowels could share out a long run of them in millions of ways.
function fits(forms: RegExp, latin: string): boolean {
  const short = latin
    .replaceAll(/[ '-]/g, '')
    .replaceAll(/(.)\1{2,}/g, '$1$1')
    .replaceAll(/[aeiou]{4,}/g, (run) => run.slice(0, 3))
  return short.length <= LONGEST && forms.test(short)
}

/** Tells whether words may be a name in other letters: Wei Zhang is 张伟, and محمد is Mohammed. */
export function otherSpellings(name: string): (said: string) => boolean {
  const forms = latinForms(name)
  const words = inLatinLetters(name).split(/[\s.,()-]+/)
  return (said) => {
    const latin = inLatinLetters(said)
    const isForeign = /^[^\sa-z]+$/.test(latin)
    return isForeign ? words.some((word) => fits(latinForms(latin), word)) : fits(forms, latin)
  }
}

/** Scripts written without spaces between words, and Korean, which attaches particles to names. */
const UNSPACED = new RegExp(
  `[${['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('')}]`,
  'u',
)

/** Whether a word in a name is in a script that puts the family name first. */
export function isFamilyFirst(word: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)
}

/**
 * Finds names in unspaced scripts inside a word. Returns [start, end) offsets within the word; empty for
 * other scripts.
 */
export function namesWithin(word: string, names: readonly string[]): [number, number][] {
  if (!UNSPACED.test(word)) return []
  const listed = names
    .map((name) => name.normalize('NFC'))
    .filter((name) => name.length > 1 && UNSPACED.test(name))
    .sort((one, other) => other.length - one.length)
  const found: [number, number][] = []
  for (let at = 0; at < word.length;) {
    const name = listed.find((candidate) => word.startsWith(candidate, at))
    if (name) found.push([at, at + name.length])
    at += name?.length ?? 1
  }
  return found
}
