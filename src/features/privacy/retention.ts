// How long temporary data is kept. A log is data about how the app is used (logins, emails, the payment
// provider's webhooks, administrators' views), as opposed to data that its owner enters. Sessions are
// lessons, not logs.

/** How many days each kind of data is kept, and when the count starts. */
export const KEPT_DAYS = {
  /** Days after a login ends. */
  logins: 30,
  /** Days after a link is used or expires. */
  auth_tokens: 1,
  /** Days after an unconfirmed change of address expires. */
  email_changes: 1,
  /** Days after an unaccepted member invitation expires. */
  member_invitations: 1,
  /** Days after an unfinished sign-in with Google expires. */
  oidc_flows: 1,
  /** Days after an unanswered challenge for a passkey expires. */
  passkey_challenges: 1,
  /** Days after setting up a second step is begun, if it isn't finished. */
  second_steps: 1,
  /** Days after a link for "This wasn't me" expires. */
  not_me_links: 1,
  /** Days after it happened. The security log is kept for 12 months. */
  security_events: 365,
  /** Days after a rate limit counter's window ends. */
  rate_limits: 1,
  /**
   * Days after a response is stored for retries. A device that was offline all summer may still resend
   * sessions it had already sent.
   */
  idempotency_keys: 90,
  /** Days after an email is queued. Applies to emails that were sent or failed for good. */
  outbox: 30,
  /** Days after a webhook from the payment provider arrives. */
  billing_events: 365,
  /** Days after a backup is restored for trial. */
  restore_drills: 365,
  /**
   * Days after an administrator views someone's data. This log is kept for 12 months (docs/product.md,
   * section 9).
   */
  admin_reads: 365,
  /**
   * Days after an account is erased or changes its address. Hashes of addresses that had a trial are kept for
   * 12 months (the privacy policy).
   */
  first_trials: 365,
  /**
   * Days after an account is erased. Until then, restoring a backup erases it again, so no older backup may be
   * restored in the browser. The server itself keeps none for longer than 30 days.
   */
  erasures: 90,
  /** Days after sign-up, for accounts that were never confirmed. */
  unconfirmed_accounts: 30,
} as const

export type KeptKind = keyof typeof KEPT_DAYS

/** The time before which rows of this kind are deleted. */
export function keptSince(kind: KeptKind, now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS[kind] * 86_400_000)
}
