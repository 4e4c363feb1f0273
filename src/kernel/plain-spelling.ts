// The spelling in which words are searched for, and names compared with what was said.

/**
 * Latin letters that Unicode doesn't decompose into a letter and an accent, and apostrophes and dashes that
 * look alike.
 */
const PLAIN: Record<string, string> = Object.fromEntries(
  (
    'ß:ss æ:ae œ:oe ø:o đ:d ð:d þ:th ł:l ı:i ħ:h ŋ:ng ŧ:t ə:a ɓ:b ɗ:d ƙ:k ɖ:d ƴ:y ɛ:e ɔ:o ɨ:i ʉ:u ƶ:z ' +
    'ς:σ ی:ي ى:ي ک:ك ة:ه ' +
    "’:' ‘:' `:' ´:' ʻ:' ʼ:' ‐:- ‒:- –:- —:-"
  )
    .split(' ')
    .map((pair) => pair.split(':')),
)
/**
 * Latin, Greek and Cyrillic accents, Hebrew points, and Arabic vowel signs, all of which people tend to leave
 * out, and characters that can't be seen.
 */
const LEFT_OUT = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text in lowercase with plain letters, without changing the script: Łukasz and lukasz, Weiß and weiss, and
 * Семён and семен become the same.
 */
export function plainSpelling(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(LEFT_OUT, '')
    .toLowerCase()
    .replaceAll(LEFT_OUT, '')
    .replaceAll(/[^\x00-\x7f]|[`]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}
