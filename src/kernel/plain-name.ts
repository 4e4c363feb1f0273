// Makes names and short text safe to show to strangers, in emails, subjects and emailed pages. Email programs
// turn anything that looks like an address into a link, so otherwise anyone could use their name to put a
// link into an email from us.

/** The maximum number of characters of a name to show; longer names are cut off. */
export const LONGEST_NAME = 60

// Characters that turn the words around them into a link or an address: http://x, mailto:x, a@b, \\server,
// <x>. No name needs them.
const LINK_CHARACTERS = /[:/\\@<>[\]()]+/g
// Invisible letters: Hangul fillers and the blank Braille pattern.
const BLANK = /[\s\u115F\u1160\u2800\u3164\uFFA0]+/gu
// Control characters, direction and zero-width marks, lone surrogates, private-use characters.
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}]|(?!\s)\p{Cc}/gu
// A dot inside a word makes it look like a domain. In addresses, Chinese and Japanese full stops count as
// dots.
const DOT_IN_WORD = /([.。])(?=[^\s.。])/gu
// Seven or more digits look like a phone number, no matter how they're separated.
const PHONE_NUMBER = /\+?\p{Nd}(?:[\s.-]{0,3}\p{Nd}){6,}/gu

/**
 * A name on one line of at most 60 characters, with nothing that an email program would turn into a link:
 * "Dr.Ann" becomes "Dr. Ann" and "evil.test" becomes "evil. test". Returns `otherwise` if nothing readable is
 * left.
 */
export function plainName(name: string | null | undefined, otherwise: string): string {
  const plain = (name ?? '')
    // NFKC turns full-width and similar letters and dots into the usual ones, so that no dot is missed.
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(LINK_CHARACTERS, ' ')
    .replaceAll(PHONE_NUMBER, ' ')
    .replaceAll(DOT_IN_WORD, '$1 ')
    .replaceAll(BLANK, ' ')
    .trim()
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
 * The name to use in a greeting: the first word, or the whole name if that word is a title. Empty if there's
 * no name.
 */
export function firstName(name: string | null | undefined): string {
  const plain = plainName(name, '')
  const [first = ''] = plain.split(' ')
  return first.endsWith('.') ? plain : first
}

// Like LINK_CHARACTERS, but for longer text, which keeps its parentheses and times such as 5:30.
const LINK_CHARACTERS_IN_TEXT = /[\\@<>]+|\/{2,}/g
const COLON_IN_WORD = /(?<!\p{Nd}):(?=\S)/gu

/**
 * Removes anything from a text that an email program would turn into a link. Keeps line breaks and splits
 * long numbers.
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
