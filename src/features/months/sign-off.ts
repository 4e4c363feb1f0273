// A sign-off: the record of a month with one tutor in which both sides confirmed every session. The statement
// shows its code.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Month } from '#features/sessions/session.ts'

/** Crockford's 32 digits and letters, which exclude lookalikes. Ten of them give 50 bits. */
export const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 10

export const NOT_CONFIRMED = {
  not_confirmed: { status: 409, title: "Some sessions this month aren't confirmed by both sides yet" },
} as const

const SignOff = z.object({
  month: z.string(),
  tutor_id: z.string(),
  code: z.string(),
  url: z.string(),
  signed_at: z.string(),
})
type SignOff = z.output<typeof SignOff>

export const SignOffMonth = endpoint({
  operation: 'SignOffMonth',
  summary:
    'Get the sign-off for a month with a tutor once both sides have confirmed everything; the same content always gets the same code',
  method: 'POST',
  path: '/api/v1/sign-offs',
  access: ['parent'],
  needsAllStudents: true,
  input: z.strictObject({ month: Month, tutor_id: z.uuid({ error: 'Please select a tutor' }) }),
  output: SignOff,
  refusals: NOT_CONFIRMED,
})

/**
 * A session in a sign-off: its facts, when it was confirmed, and the history entry that records the
 * confirmation.
 */
export interface SignedLine {
  session_id: string
  day: string
  minutes: number
  rate_cents: number | null
  total_cents: number | null
  /** ISO 8601. */
  logged_at: string
  confirmed_at: string
  /** The hash of the history entry that completed both confirmations, in hexadecimal. */
  confirmed_entry: string
}

/**
 * The text from which a sign-off's hash is computed: who confirmed what and when. The order of the lines
 * doesn't matter.
 */
export function signedText(month: string, tutorId: string, lines: SignedLine[]): string {
  const sorted = [...lines].sort((a, b) => (a.day + a.session_id < b.day + b.session_id ? -1 : 1))
  return [
    `${month} ${tutorId}`,
    ...sorted.map((line) =>
      [
        line.session_id,
        line.day,
        line.minutes,
        line.rate_cents ?? '-',
        line.total_cents ?? '-',
        line.logged_at,
        line.confirmed_at,
        line.confirmed_entry,
      ].join(' '),
    ),
  ].join('\n')
}

/** A code in two groups of five, which are easier to read aloud. */
export function shownCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/**
 * Parses a code as typed, with any spaces and dashes. Corrects letters that are easily confused. Undefined if it
 * can't be a code.
 */
export function codeIn(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((letter) => CODE_LETTERS.includes(letter))
    ? code
    : undefined
}
