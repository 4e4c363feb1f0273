// Names and short texts as strangers read them: in emails, in their subjects, on emailed pages. Email programs turn whatever
// looks like an address into a link, and somebody else typed these.

/** Characters of a name that a stranger gets to read; what is longer is cut. */
export const LONGEST_NAME = 60

// Joined by these, words become an address: http://x, mailto:x, a@b, \\server, <x>. They end words in names, and nothing else.
const JOINTS = /[:/\\@<>[\]()]+/g
// Letters that show nothing: Hangul fillers and the blank Braille cell.
const BLANKS = /[\s\u115F\u1160\u2800\u3164\uFFA0]+/gu
// Controls, marks that turn the direction or have no width, parts of a broken character, private characters.
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}]|(?!\s)\p{Cc}/gu
// A dot inside a word makes a domain of it; the full stops of Chinese and Japanese count as dots in addresses.
const DOT_IN_WORD = /([.。])(?=[^\s.。])/gu
// Seven digits and more are a number to call, whatever stands between them.
const PHONE_NUMBER = /\+?\p{Nd}(?:[\s.-]{0,3}\p{Nd}){6,}/gu

/**
 * A name that no program makes a link of, in one line of at most 60 characters: "Dr.Ann" becomes "Dr. Ann" and
 * "evil.test" becomes "evil. test". A name of which no letter is left is the one given instead.
 */
export function plainName(name: string | null | undefined, otherwise: string): string {
  const plain = (name ?? '')
    // Wide and other forms of letters and dots become the common ones, so that no dot is overlooked.
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

/** What somebody is greeted by: the first word of a name, or all of it where that is a title; empty without a name. */
export function firstName(name: string | null | undefined): string {
  const plain = plainName(name, '')
  const [first = ''] = plain.split(' ')
  return first.endsWith('.') ? plain : first
}

// The same for a text: it keeps its lines, its parentheses, and clock times such as 5:30.
const JOINTS_IN_TEXT = /[\\@<>]+|\/{2,}/g
const COLON_IN_WORD = /(?<!\p{Nd}):(?=\S)/gu

/** A text that no program makes a link of, line by line; a long number is told in parts. */
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
