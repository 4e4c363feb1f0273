// Names and short texts as strangers read them: in emails, in subjects, on emailed pages. Email programs turn anything that
// looks like an address into a link, and these were typed by someone else.

/** How many characters of a name a stranger reads; the rest is cut. */
export const LONGEST_NAME = 60

// Words joined by these become an address: http://x, mailto:x, a@b, \\server, <x>. In names they only ever end a word.
const JOINTS = /[:/\\@<>[\]()]+/g
// Invisible letters: Hangul fillers and the blank Braille cell.
const BLANKS = /[\s\u115F\u1160\u2800\u3164\uFFA0]+/gu
// Control characters, marks that change the direction or have no width, halves of a broken character, private characters.
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}]|(?!\s)\p{Cc}/gu
// A dot inside a word makes it a domain; Chinese and Japanese full stops count as dots in addresses.
const DOT_IN_WORD = /([.。])(?=[^\s.。])/gu
// Seven digits or more look like a phone number, whatever separates them.
const PHONE_NUMBER = /\+?\p{Nd}(?:[\s.-]{0,3}\p{Nd}){6,}/gu

/**
 * A name that no program turns into a link, on one line of at most 60 characters: "Dr.Ann" becomes "Dr. Ann" and
 * "evil.test" becomes "evil. test". If no letter of the name is left, the fallback is used.
 */
export function plainName(name: string | null | undefined, otherwise: string): string {
  const plain = (name ?? '')
    // Full-width and similar forms of letters and dots become the usual ones, so that no dot is missed.
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(JOINTS, ' ')
    .replaceAll(PHONE_NUMBER, ' ')
    .replaceAll(DOT_IN_WORD, '$1 ')
    .replaceAll(BLANKS, ' ')
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

/** What we greet someone with: the first word of a name, or the whole name if that word is a title; empty without a name. */
export function firstName(name: string | null | undefined): string {
  const plain = plainName(name, '')
  const [first = ''] = plain.split(' ')
  return first.endsWith('.') ? plain : first
}

// The same for a text: it keeps its lines, its parentheses, and times such as 5:30.
const JOINTS_IN_TEXT = /[\\@<>]+|\/{2,}/g
const COLON_IN_WORD = /(?<!\p{Nd}):(?=\S)/gu

/** A text that no program turns into a link, line by line; long numbers are broken up. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replaceAll(UNSEEN, '')
        .replaceAll(JOINTS_IN_TEXT, ' ')
        .replaceAll(COLON_IN_WORD, ': ')
        .replaceAll(PHONE_NUMBER, (number) => (number.match(/\p{Nd}{1,4}/gu) ?? []).join(', '))
        .replaceAll(DOT_IN_WORD, '$1 ')
        .replaceAll(BLANKS, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join('\n')
}
