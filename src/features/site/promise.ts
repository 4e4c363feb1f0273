// The numbers promised in the terms and the privacy policy; the jobs that keep a promise use these constants.

/** How many months we keep the hash of an address that had a trial, after its account is gone. */
export const TRIAL_MEMORY_MONTHS = 12
/** How many days a new account is free, unless the server is configured otherwise (product.md section 9). */
export const TRIAL_DAYS = 45
/** Days until a canceled account's data is gone (product.md sections 1 and 9). */
export const DELETION_DAYS = 30
/** How many months session and usage logs are kept (product.md sections 1 and 9). */
export const LOG_MONTHS = 12
/** Days between the email that announces new terms and the day they take effect (product.md sections 1 and 9). */
export const NOTICE_DAYS = 30
/** The age from which nobody's consent is needed (product.md section 1). */
export const LEAST_AGE = 18
/** The age below which nothing is collected from a child directly (product.md section 1). */
export const CHILD_AGE = 13
/** Days until an invited friend's address is gone (promise P9). */
export const INVITED_DAYS = 30
/** Days until a contact message is gone from the app. */
export const MESSAGE_DAYS = 30

/** The moment this many days before another. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * 86_400_000)
}
