// How long temporary data is kept. A log is data recorded about how the app is used rather than entered by
// its owner: logins, emails, the payment provider's webhooks, administrators' views. Sessions are lessons,
// not logs.

/** How long a table's rows are kept: the number of days, and the time they're counted from. */
export const KEPT_DAYS = {
  /** Ended logins, counted from when they ended. */
  logins: 30,
  /** Used or expired links, counted from when they were used or expired. */
  auth_tokens: 1,
  /** Unconfirmed changes of address, counted from when they ended. */
  email_changes: 1,
  /** Invitations for members that nobody accepted, counted from when they ended. */
  member_invitations: 1,
  /** Unfinished sign-ins with Google, counted from when they ended. */
  oidc_flows: 1,
  /** Rate limit counters, counted from the end of their window. */
  rate_limits: 1,
  /**
   * Responses stored for retries, counted from when they were created. A device that was offline all summer
   * may still resend sessions it had already sent.
   */
  idempotency_keys: 90,
  /** Emails that were sent or failed for good, counted from when they were queued. */
  outbox: 30,
  /** The payment provider's webhooks, counted from when they arrived. */
  billing_events: 365,
  /** Administrators' views: a log kept for 12 months (product.md section 9). */
  admin_reads: 365,
  /**
   * Hashes of addresses that had a trial, kept for 12 months (the privacy policy), counted from when the
   * account was erased or changed its address.
   */
  first_trials: 365,
  /** Unconfirmed accounts, counted from the sign-up. */
  unconfirmed_accounts: 30,
} as const

export type KeptKind = keyof typeof KEPT_DAYS

/** The time before which rows of this kind are deleted. */
export function keptSince(kind: KeptKind, now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS[kind] * 86_400_000)
}
