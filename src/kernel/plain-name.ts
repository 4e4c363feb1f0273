// Makes names and short text safe to show to strangers in emails, subject lines and emailed pages. Email
// programs turn anything that looks like an address into a link. Without this, people could put a link into
// our emails by using it as their name.

import { BLANK_LETTERS } from './text.ts'

/** How many characters of a name are shown. The rest is cut off. */
export const LONGEST_NAME = 60

// Characters that turn the words around them into a link or an address: http://x, mailto:x, a@b, \\server,
// <x>. No name needs them.
const LINK_CHARACTERS = /[:/\\@<>[\]()]+/g
const BLANK = new RegExp(`[\\s${BLANK_LETTERS}]+`, 'gu')
// Joiners inside words of scripts that need them, and between the parts of an emoji.
const JOINER =
  String.raw`(?<=[\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}])[\u200C\u200D](?=\p{L})|` +
  String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})`
// Control characters, direction and zero-width marks, lone surrogates, private-use characters.
const INVISIBLE = new RegExp(String.raw`(?!${JOINER})(?:[\p{Cf}\p{Cs}\p{Co}]|(?!\s)\p{Cc})`, 'gu')
// A dot inside a word makes it look like a domain. Chinese and Japanese full stops work as dots in addresses
// too.
const DOT_IN_WORD = /([.。])(?=[^\s.。])/gu
// Seven or more digits look like a phone number, whatever separates them.
const PHONE_NUMBER = /\+?\p{Nd}(?:[\s.-]{0,3}\p{Nd}){6,}/gu

/**
 * A name on a single line of at most 60 characters, without anything that an email program would turn into a
 * link: "Dr.Ann" becomes "Dr. Ann", and "evil.test" becomes "evil. test". If nothing readable is left,
 * returns `otherwise`.
 */
export function plainName(name: string | null | undefined, otherwise: string): string {
  const plain = (name ?? '')
    // NFKC turns full-width and similar letters and dots into their ordinary forms, so that no dot gets
    // missed.
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(LINK_CHARACTERS, ' ')
    .replaceAll(PHONE_NUMBER, ' ')
    .replaceAll(DOT_IN_WORD, '$1 ')
    .replaceAll(BLANK, ' ')
    // A removed number may leave a hyphen behind.
    .replaceAll(/^[\s-]+|[\s-]+$/g, '')
  const letters = [...plain]
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(plain)) return otherwise
  return letters.length > LONGEST_NAME
    ? `${letters
        .slice(0, LONGEST_NAME - 1)
        .join('')
        .trimEnd()}…`
    : plain
}

/**
 * What to call someone in a greeting: the first word of the name, or all of it if the first word is a title.
 * Empty if there's no name.
 */
export function firstName(name: string | null | undefined): string {
  const plain = plainName(name, '')
  const [first = ''] = plain.split(' ')
  return first.endsWith('.') ? plain : first
}

// Like LINK_CHARACTERS, but for longer text. Parentheses and times such as 5:30 can stay.
const LINK_CHARACTERS_IN_TEXT = /[\\@<>]+|\/{2,}/g
const COLON_IN_WORD = /(?<!\p{Nd}):(?=\S)/gu

/**
 * Changes text so that email programs won't turn any of it into a link. Keeps line breaks, and splits long
 * numbers.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replaceAll(INVISIBLE, '')
        .replaceAll(LINK_CHARACTERS_IN_TEXT, ' ')
        .replaceAll(COLON_IN_WORD, ': ')
        .replaceAll(PHONE_NUMBER, (number) => (number.match(/\p{Nd}{1,4}/gu) ?? []).join(', '))
        .replaceAll(DOT_IN_WORD, '$1 ')
        .replaceAll(BLANK, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join('\n')
}
