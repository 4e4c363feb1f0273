// Calendar dates as yyyy-MM-dd text: never an instant, so no time zone can move one (decisions, section 3).
import * as z from 'zod/mini'

/** A plain calendar date, yyyy-MM-dd. */
export type CalendarDay = string & { readonly format: 'yyyy-MM-dd' }

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** The date in a text, or undefined if it isn't on the calendar (2026-02-30) or its year isn't between 1900 and 2200. */
export function calendarDay(text: string): CalendarDay | undefined {
  const match = DAY.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined
  return text as CalendarDay
}

/** Days in a month of a year; months count from 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** The day some days later, or earlier if negative. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000)
    .toISOString()
    .slice(0, 10) as CalendarDay
}

/** The seven days of the week containing a day, Sunday first. */
export function weekOf(day: CalendarDay): CalendarDay[] {
  const sunday = addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay())
  return Array.from({ length: 7 }, (_, offset) => addDays(sunday, offset))
}

// A formatter costs far more to make than to use.
const formatters = new Map<string | undefined, Intl.DateTimeFormat>()

/** The calendar date in a time zone at an instant; in the machine's zone if none is given. */
export function dayIn(instant: Date, timeZone?: string): CalendarDay {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  // The machine's own zone may change while a page is open.
  if (timeZone !== undefined && formatters.size < 100) formatters.set(timeZone, formatter)
  return formatter.format(instant) as CalendarDay
}

/** A day as screens show it, for example "Tue, Nov 17, 2026"; the options are those of Intl.DateTimeFormat. */
export function formatDay(
  day: CalendarDay,
  options: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

/** The month of a day, yyyy-MM. */
export function monthOf(day: CalendarDay): string {
  return day.slice(0, 7)
}

/** The first and the last day of a month, yyyy-MM. */
export function daysOfMonth(month: string): { from: CalendarDay; to: CalendarDay } {
  const last = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
  return { from: `${month}-01` as CalendarDay, to: `${month}-${last}` as CalendarDay }
}

/** A date as the API sends and takes it. */
export const Day = z.pipe(
  z.string({ error: 'Enter a date' }),
  z.transform((text, context): CalendarDay => {
    const day = calendarDay(text)
    if (day) return day
    context.issues.push({
      code: 'custom',
      message: text === '' ? 'Enter a date' : 'There is no such date',
      input: text,
    })
    return z.NEVER
  }),
)
