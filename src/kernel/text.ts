// Schemas for text that people type. They trim it, limit its length, and reject control characters.
import * as z from 'zod/mini'

// PostgreSQL rejects NUL, and lone surrogates can't be encoded as UTF-8.
const REFUSED =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/**
 * The schema for required text of at most `most` characters after trimming. `missing` is the error for blank
 * text.
 */
export function requiredText(most: number, missing: string) {
  return z
    .string({ error: missing })
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(most, `Use at most ${most} characters`),
      withoutRefusedCharacters(),
    )
}

/** The schema for optional text. A missing, blank or null value parses to null. */
export function optionalText(most: number) {
  const given = z
    .string({ error: 'Enter text' })
    .check(z.trim(), z.maxLength(most, `Use at most ${most} characters`), withoutRefusedCharacters())
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
  return z.string({ error: missing }).check(
    z.trim(),
    z.minLength(1, missing),
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
  if (text.length > 254 || /[\s<>",;:\\()[\]]/.test(text)) return false
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
  return z.refine<string>(isStorable, "This text contains a character that can't be saved")
}
