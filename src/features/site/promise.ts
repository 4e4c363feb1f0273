// The numbers that the terms and the privacy policy promise; the jobs that keep a promise read its number here.

/** Months that the hash of an address tells of the trial it had, after its account is gone. */
export const TRIAL_MEMORY_MONTHS = 12
/** Days that a new account is free, unless the server is set otherwise (product.md section 9). */
export const TRIAL_DAYS = 45
/** Days until the data of a cancelled account is gone (product.md sections 1 and 9). */
export const DELETION_DAYS = 30
/** Months that session and usage logs are kept (product.md sections 1 and 9). */
export const LOG_MONTHS = 12
/** Days between the mail that announces new terms and the day they hold from (product.md sections 1 and 9). */
export const NOTICE_DAYS = 30
/** Years of age from which nobody has to consent for somebody (product.md section 1). */
export const LEAST_AGE = 18
/** Years of age below which nothing is collected from a child directly (product.md section 1). */
export const CHILD_AGE = 13
/** Days until the address of an invited friend is gone (promise P9). */
export const INVITED_DAYS = 30
/** Days until a message of the contact form is gone from the app. */
export const MESSAGE_DAYS = 30

/** The moment so many days before another. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * 86_400_000)
}
