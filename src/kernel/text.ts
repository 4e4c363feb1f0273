// Text that people type: trimmed, limited in length, free of characters that nobody types.
import * as z from 'zod/mini'

// PostgreSQL refuses NUL, and lone surrogates can't be stored as UTF-8.
const REFUSED =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** A required text, at most `most` characters long after trimming. */
export function requiredText(most: number, missing: string) {
  return z
    .string({ error: missing })
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(most, `Use at most ${most} characters`),
      isTypable(),
    )
}

/** An optional text; empty, blank and null all mean none and are parsed to null. */
export function optionalText(most: number) {
  const given = z
    .string({ error: 'Enter text' })
    .check(z.trim(), z.maxLength(most, `Use at most ${most} characters`), isTypable())
  return z.optional(
    z.nullable(
      z.pipe(
        given,
        z.transform((text): string | null => (text === '' ? null : text)),
      ),
    ),
  )
}

/** An email address in a common form, at most 254 characters (RFC 5321); trimmed, and otherwise kept as typed. */
export function emailAddress(missing: string) {
  return z.string({ error: missing }).check(
    z.trim(),
    z.minLength(1, missing),
    z.maxLength(254, 'Use at most 254 characters'),
    z.refine(
      (text) => text === '' || isEmailAddress(text),
      'Enter an email address such as name@example.com',
    ),
    isTypable(),
  )
}

/** The address for comparing: only A to Z are lowercased, so that no other letter matches one of them (promise A15). */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether a text looks like one email address; decided in linear time (promise I15). */
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

/** Whether the database can store a text, and no reader would be puzzled by what's in it. */
export function isStorable(text: string): boolean {
  return !REFUSED.test(text)
}

function isTypable() {
  return z.refine<string>(isStorable, "This text has a character that can't be saved")
}
