// How long what is kept for a while is kept. A log is what was noted about the use of the app and not entered by its
// owner: logins, mails, notices of the payment provider, the administrators' looks. Sessions are lessons, and no log.

/** Days after which a row of a table goes, and the moment that they count from. */
export const KEPT_DAYS = {
  /** Logins that have ended; their end. */
  logins: 30,
  /** Links that were used or are too old; their end. */
  auth_tokens: 1,
  /** Changes of address that were not confirmed; their end. */
  email_changes: 1,
  /** Invitations of members that nobody took; their end. */
  member_invitations: 1,
  /** Sign-ins with Google that nobody finished; their end. */
  oidc_flows: 1,
  /** Counts of tries; the end of their window. */
  rate_limits: 1,
  /** Answers kept for a retry; their making. A device may have been away for a summer with sessions that it had sent already. */
  idempotency_keys: 90,
  /** Mails, sent or given up; their writing. */
  outbox: 30,
  /** Notices of the payment provider; their arrival. */
  billing_events: 365,
  /** Administrators' looks: a log of 12 months (product.md section 9). */
  admin_reads: 365,
  /** Hashes of addresses that had a trial, 12 months (the privacy policy); the moment that the address became free. */
  first_trials: 365,
  /** Accounts that nobody confirmed; the sign-up. */
  unconfirmed_accounts: 30,
} as const

export type KeptKind = keyof typeof KEPT_DAYS

/** The moment before which things of a kind go. */
export function keptSince(kind: KeptKind, now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS[kind] * 86_400_000)
}
