// Time zones, by their IANA names, such as "America/New_York".
import * as z from 'zod/mini'

/** Whether this is an IANA time zone. Offsets such as "+05:00" aren't. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

export const TimeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'Choose a time zone from the list'))

/** All time zones to choose from, in alphabetical order. Includes `own`, which may be an older name of one. */
export function timeZones(own: string | null): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(own ? [own] : [])])].sort()
}

/**
 * The time zone for dates in emails to someone whose own isn't known. It gives the right date for both evenings
 * in the Americas and daytime in Europe.
 */
export const EMAIL_ZONE = 'America/New_York'
