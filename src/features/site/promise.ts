// The numbers promised in the terms and the privacy policy. The code that keeps each promise uses the same
// constant.

/** For how many months we keep the hash of an address that had a trial after its account has been erased. */
export const TRIAL_MEMORY_MONTHS = 12
/** Days of free trial, unless the server is configured otherwise (product.md section 9). */
export const TRIAL_DAYS = 45
/** Days until the data of a canceled account is erased (product.md sections 1 and 9). */
export const DELETION_DAYS = 30
/** For how many months session and usage logs are kept (product.md sections 1 and 9). */
export const LOG_MONTHS = 12
/** Days between the email that announces new terms and the day they take effect (product.md sections 1 and 9). */
export const NOTICE_DAYS = 30
/** The age from which users can agree to the terms without a parent or guardian (product.md section 1). */
export const LEAST_AGE = 18
/** No data is collected directly from children under this age (product.md section 1). */
export const CHILD_AGE = 13
/** Days until an invited friend's address is deleted (promise P9). */
export const INVITED_DAYS = 30
/** Days until a contact message is deleted from the app. */
export const MESSAGE_DAYS = 30

/** The time that's a number of days before the given one. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * 86_400_000)
}
