// Schemas for text that people type. They trim it, limit its length, and reject control characters.
import * as z from 'zod/mini'

// PostgreSQL rejects NUL, and lone surrogates can't be encoded as UTF-8.
const REFUSED =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

export const UNSTORABLE = "This text contains a character that can't be saved"

/** Letters and symbols that look like a space. A class for regular expressions with the flag "u". */
export const BLANK_LETTERS = String.raw`\u115F\u1160\u2800\u3164\uFFA0\u{1D159}`
/** Characters that Unicode says to ignore when they can't be shown, and other controls. */
const ZERO_WIDTH = String.raw`\p{Default_Ignorable_Code_Point}\u0080-\u009F\uFFF9-\uFFFB`
const INVISIBLE = String.raw`\s${BLANK_LETTERS}${ZERO_WIDTH}`
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u')
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u')
const EACH_BLANK_LETTER = new RegExp(`[${BLANK_LETTERS}]`, 'gu')
const EACH_ZERO_WIDTH = new RegExp(`[${ZERO_WIDTH}]`, 'gu')
const CHANGES_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/
/**
 * Characters that change how the letter before them looks, so they stay with it: a joiner after a vowel sign or
 * virama, and the variant of an emoji or of a Chinese, Mongolian, Burmese or Phags-pa letter.
 */
const CHANGES_LETTER = new RegExp(
  String.raw`^(?:\p{M}[\u200C\u200D]|\p{Extended_Pictographic}\uFE0F?[\u{E0020}-\u{E007F}]*|` +
    String.raw`[\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}]\p{Variation_Selector})`,
  'u',
)

/**
 * Text without what can't be seen at its start and end. What only changes the direction of the rest stays.
 * Empty if nothing can be seen.
 */
export function trimmed(text: string): string {
  if (!VISIBLE.test(text)) return ''
  const letters = [...text]
  const stays = (letter: string) => VISIBLE.test(letter) || CHANGES_DIRECTION.test(letter)
  const [first, last] = [letters.findIndex(stays), letters.findLastIndex(stays)]
  const [end = letters[last]] = CHANGES_LETTER.exec(letters.slice(last).join('')) ?? []
  return letters.slice(first, last).join('') + end
}

/** Text on one line, with single spaces and only what can be seen. */
export function visibleOnly(text: string): string {
  return text
    .replaceAll(EACH_BLANK_LETTER, ' ')
    .replaceAll(EACH_ZERO_WIDTH, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Like z.trim, but also trims characters that can't be seen. */
const trim = () => z.overwrite<string>(trimmed)

/**
 * The schema for required text of at most `most` characters after trimming. `missing` is the error for blank
 * text.
 */
export function requiredText(most: number, missing: string) {
  return z
    .string({ error: missing })
    .check(
      trim(),
      z.minLength(1, missing),
      z.maxLength(most, `Use at most ${most} characters`),
      withoutRefusedCharacters(),
    )
}

/** The schema for optional text. A missing, blank or null value parses to null. */
export function optionalText(most: number) {
  return orNull(
    z
      .string({ error: 'Enter text' })
      .check(trim(), z.maxLength(most, `Use at most ${most} characters`), withoutRefusedCharacters()),
  )
}

function orNull(given: z.ZodMiniString<string>) {
  return z.optional(
    z.nullable(
      z.pipe(
        given,
        z.transform((text): string | null => (text === '' ? null : text)),
      ),
    ),
  )
}

/**
 * The schema for an email address of at most 254 characters (RFC 5321). It's trimmed, but otherwise stays as
 * typed.
 */
export function emailAddress(missing: string) {
  return addressOrBlank(missing).check(z.minLength(1, missing))
}

/** The schema for an optional email address. A missing, blank or null value parses to null. */
export function optionalEmailAddress() {
  return orNull(addressOrBlank('Enter an email address'))
}

function addressOrBlank(missing: string) {
  return z.string({ error: missing }).check(
    trim(),
    z.maxLength(254, 'Use at most 254 characters'),
    z.refine(
      (text) => text === '' || isEmailAddress(text),
      'Enter an email address such as name@example.com',
    ),
    withoutRefusedCharacters(),
  )
}

/**
 * An address in the form used for comparisons. Only A to Z are lowercased, so lookalike letters never match
 * (promise A15).
 */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** True if the text looks like one email address. Takes linear time (promise I15). */
export function isEmailAddress(text: string): boolean {
  if (text.length > 254 || /[<>",;:\\()[\]]/.test(text) || HAS_INVISIBLE.test(text)) return false
  const at = text.indexOf('@')
  if (at < 1 || at > 64 || at !== text.lastIndexOf('@')) return false
  const labels = text.slice(at + 1).split('.')
  return (
    labels.length > 1 &&
    labels.every(
      (label) => label.length > 0 && label.length < 64 && !label.startsWith('-') && !label.endsWith('-'),
    ) &&
    !text.startsWith('.') &&
    !text.includes('..') &&
    text[at - 1] !== '.'
  )
}

/**
 * True if the text has none of the characters that we reject: invisible control characters, and characters
 * that the database can't store.
 */
export function isStorable(text: string): boolean {
  return !REFUSED.test(text)
}

function withoutRefusedCharacters() {
  return z.refine<string>(isStorable, UNSTORABLE)
}
