// The different ways to write the same name: with or without accents, in its own script or in Latin letters.
// Used by the reader, which compares names, and by the speech engines, which need Latin letters to pronounce
// them.

import { plainSpelling } from '#kernel/plain-spelling.ts'

/** Text as typed, ignoring case and the difference between the two ways to compose an accented letter. */
export function exactSpelling(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const CYRILLIC_AND_GREEK: Record<string, string> = Object.fromEntries(
  (
    'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r ' +
    'с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ' +
    'і:i є:ye ґ:g ј:j љ:lj њ:nj ћ:c ђ:dj џ:dz қ:k ғ:g ң:n ө:o ү:u ұ:u һ:h ә:a ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
)
/** The three parts of a Korean syllable in Revised Romanization, in Unicode order. */
const KOREAN = [
  'g,kk,n,d,tt,r,m,b,pp,s,ss,,j,jj,ch,k,t,p,h',
  'a,ae,ya,yae,eo,e,yeo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,eu,ui,i',
  ',k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t',
].map((part) => part.split(','))
const FIRST_SYLLABLE = 0xac00

/**
 * The plain spelling in Latin letters for phonetic alphabets: Cyrillic, Greek and Korean. Leaves other
 * scripts as they are.
 */
export function inLatinLetters(text: string): string {
  const kept = exactSpelling(text).replaceAll('ё', 'йо').replaceAll('ї', 'йи').replaceAll('й', 'y')
  return plainSpelling(kept)
    .replaceAll(/[\u0370-\u04ff]/g, (letter) => CYRILLIC_AND_GREEK[letter] ?? letter)
    .replaceAll(/[가-힣]/g, (syllable) => {
      const number = (syllable.codePointAt(0) ?? FIRST_SYLLABLE) - FIRST_SYLLABLE
      const parts = [Math.floor(number / 588), Math.floor(number / 28) % 21, number % 28]
      return parts.map((part, place) => KOREAN[place]?.[part] ?? '').join('')
    })
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
