// Durations are whole minutes. The API and the screens use hours (docs/contract.md, HTTP).
import * as z from 'zod/mini'
import { formatCount, reader } from './reader.ts'
import { readingsOf } from './typed-number.ts'

export type Minutes = number & { readonly unit: 'minutes' }

/** The maximum length of a session or schedule: one day (docs/product-decisions.md, section 3). */
export const MAX_HOURS = 24

export function hours(minutes: Minutes): number {
  return minutes / 60
}

/** Formats minutes as a number of hours for their reader, such as 1.5, 0.25 or 2. */
export function formatHours(minutes: Minutes): string {
  return (Math.round((minutes / 60) * 100) / 100).toLocaleString(reader().locale, { useGrouping: false })
}

/** Formats hours from our API for display: "1.5 h". */
export function hoursInWords(hours: number): string {
  return `${formatHours((hours * 60) as Minutes)} h`
}

/**
 * The schema for a duration in hours, as a number or as typed text, from `least` to `most` in steps of `step`.
 * Parses to minutes.
 */
export function durationInHours(step: 0.25 | 0.5, least: number, missing: string, most = MAX_HOURS) {
  const stepMessage =
    step === 0.25 ? 'Use quarter hours, such as 0.75 or 1.5' : 'Use half hours, such as 0.5 or 1.5'
  return z.pipe(
    z.union([z.number({ error: missing }), z.string({ error: missing })], { error: missing }),
    z.transform((value, context): Minutes => {
      const readings = typeof value === 'number' ? [String(value)] : readingsOf(value)
      const fitting = readings.filter((reading) => problemWith(reading) === undefined)
      if (fitting.length === 1) return (Number(fitting[0]) * 60) as Minutes
      const problem = readings.map(problemWith).at(-1) ?? stepMessage
      const message =
        String(value).trim() === '' ? missing : fitting.length > 1 ? whichDuration(fitting) : problem
      context.issues.push({ code: 'custom', message, input: value })
      return z.NEVER
    }),
  )

  function problemWith(reading: string): string | undefined {
    const amount = Number(reading)
    if (!/^-?\d{1,4}(\.\d{1,4})?$/.test(reading)) return stepMessage
    if (amount < least) return `The shortest duration is ${least} hours`
    if (amount > most) return `The duration can be at most ${most} hours`
    return Number.isInteger(amount / step) ? undefined : stepMessage
  }
}

function whichDuration(readings: string[]): string {
  return `Is that ${readings.map((reading) => formatCount(Number(reading))).join(' or ')}?`
}
