// How long we keep what we keep for a while. A log is data recorded about the use of the app rather than entered by its
// owner: logins, emails, the payment provider's webhooks, administrators' views. Sessions are lessons, not logs.

/** After how many days a row of a table is deleted, and the moment they count from. */
export const KEPT_DAYS = {
  /** Ended logins; from their end. */
  logins: 30,
  /** Used or expired links; from their end. */
  auth_tokens: 1,
  /** Unconfirmed changes of address; from their end. */
  email_changes: 1,
  /** Invitations of members that nobody accepted; from their end. */
  member_invitations: 1,
  /** Unfinished sign-ins with Google; from their end. */
  oidc_flows: 1,
  /** Attempt counters; from the end of their window. */
  rate_limits: 1,
  /** Responses stored for retries; from when they were made. A device may have been away all summer with sessions it had already sent. */
  idempotency_keys: 90,
  /** Emails, sent or given up on; from when they were written. */
  outbox: 30,
  /** The payment provider's webhooks; from their arrival. */
  billing_events: 365,
  /** What administrators looked at: a log kept for 12 months (product.md section 9). */
  admin_reads: 365,
  /** Hashes of addresses that had a trial, 12 months (the privacy policy); from when the address became free. */
  first_trials: 365,
  /** Unconfirmed accounts; from the sign-up. */
  unconfirmed_accounts: 30,
} as const

export type KeptKind = keyof typeof KEPT_DAYS

/** The moment before which rows of a kind are deleted. */
export function keptSince(kind: KeptKind, now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS[kind] * 86_400_000)
}
