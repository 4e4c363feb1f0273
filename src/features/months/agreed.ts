// What a side agrees to when it asks to close a month or confirms that, as text that a passkey can sign. It's the
// page without what only its closing adds, such as the code (docs/page-format.md).
import type { MonthContent } from './month-page.ts'

/** A side's signature of the page by passkey. Everything but `key` is base64url. */
export interface PasskeyProof {
  /** The passkey's public key, as a JWK (RFC 7517). */
  key: { kty: string; crv?: string; x?: string; y?: string; n?: string; e?: string }
  /** The passkey signed the challenge SHA-256(nonce, newline, agreed text). */
  nonce: string
  authenticator_data: string
  client_data: string
  signature: string
}

type Agreed = Pick<
  MonthContent,
  'month' | 'currency' | 'family' | 'tutor' | 'sessions' | 'payments' | 'charges' | 'figures'
>

/** The facts of a month's page as JSON, always with the same members in the same order; lines by day and id. */
export function agreedText({
  month,
  currency,
  family,
  tutor,
  sessions,
  payments,
  charges,
  figures,
}: Agreed): string {
  return JSON.stringify({
    month,
    currency,
    family,
    tutor,
    sessions: sessions.toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      subject: row.subject,
      is_make_up: row.is_make_up ?? false,
      minutes: row.minutes,
      rate_cents: row.rate_cents,
      lesson_price_cents: row.lesson_price_cents ?? null,
      lesson_price_minutes: row.lesson_price_minutes ?? null,
      total_cents: row.total_cents,
      currency: row.currency,
      ...answersOf(row),
    })),
    payments: payments.toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      kind: row.kind,
      amount_cents: row.amount_cents,
      prepaid_minutes: row.prepaid_minutes,
      method: row.method,
      currency: row.currency,
      ...answersOf(row),
    })),
    charges: (charges ?? []).toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      reason: row.reason,
      label: row.label,
      amount_cents: row.amount_cents,
      currency: row.currency,
      ...answersOf(row),
    })),
    carried_over_cents: figures.carriedOver,
    sessions_cents: figures.sessions,
    covered_cents: figures.covered,
    other_cents: figures.other,
    paid_cents: figures.paid,
    due_cents: figures.balance,
    minutes_left: figures.left,
  })
}

const answersOf = (row: { family_at: string | null; practice_at: string | null }) => ({
  confirmed_by_family_at: row.family_at,
  confirmed_by_tutor_at: row.practice_at,
})

function byDay(a: { day: string; id: string }, b: { day: string; id: string }): number {
  return a.day + a.id < b.day + b.id ? -1 : 1
}
