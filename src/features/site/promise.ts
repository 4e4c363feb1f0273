// The numbers promised in the terms and the privacy policy. The code that keeps each promise uses the same
// constant.

/**
 * How many months we keep the hash of an address that was used for a trial, counted from when its account was
 * erased.
 */
export const TRIAL_MEMORY_MONTHS = 12
/**
 * The length of the free trial in days, unless the server is configured differently (docs/product.md, section
 * 9).
 */
export const TRIAL_DAYS = 45
/** The number of days until a canceled account's data is erased (docs/product.md, sections 1 and 9). */
export const DELETION_DAYS = 30
/** The number of months for which session and usage logs are kept (docs/product.md, sections 1 and 9). */
export const LOG_MONTHS = 12
/**
 * The number of days from the email that announces new terms to the day they take effect (docs/product.md,
 * sections 1 and 9).
 */
export const NOTICE_DAYS = 30
/**
 * The age at which users can agree to the terms without a parent or guardian (docs/product.md, section 1).
 */
export const LEAST_AGE = 18
/** No data is collected directly from children under this age (docs/product.md, section 1). */
export const CHILD_AGE = 13
/** The number of days until an invited friend's address is deleted (promise P9). */
export const INVITED_DAYS = 30
/** The number of days until the app deletes a contact message. */
export const MESSAGE_DAYS = 30

export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * 86_400_000)
}
