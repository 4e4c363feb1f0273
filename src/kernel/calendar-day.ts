// Calendar dates as yyyy-MM-dd text. They're never instants, so no time zone can shift them
// (docs/product-decisions.md, section 3).
import * as z from 'zod/mini'
import { reader } from './reader.ts'

export type CalendarDay = string & { readonly format: 'yyyy-MM-dd' }

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * Parses a yyyy-MM-dd date. Returns undefined if the date doesn't exist (2026-02-30) or its year isn't
 * between 1900 and 2200.
 */
export function calendarDay(text: string): CalendarDay | undefined {
  const match = DAY.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined
  return text as CalendarDay
}

/** The number of days in a month. January is 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000)
    .toISOString()
    .slice(0, 10) as CalendarDay
}

/** The seven days of the week that contains the given day. Weeks start on Sunday (0) unless said otherwise. */
export function weekOf(day: CalendarDay, firstWeekday = 0): CalendarDay[] {
  const first = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() - firstWeekday + 7) % 7))
  return Array.from({ length: 7 }, (_, offset) => addDays(first, offset))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Cached because creating a formatter takes far longer than using it.
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  if (formatters.size < 400) formatters.set(key, formatter)
  return formatter
}

/** Formats a timestamp the way its reader writes dates and times. */
export function formatMoment(moment: string | Date, options: Intl.DateTimeFormatOptions): string {
  const { locale, hourCycle } = reader()
  const words = formatterOf(locale, { hourCycle, ...options }).format(new Date(moment))
  // The narrow space before AM and PM is in few fonts.
  return words.replaceAll('\u202F', ' ')
}

/** A timestamp like "Nov 30, 2026, 2:05 PM EST": the same in every reader's own time zone. */
export function formatMomentIn(moment: string, timeZone: string): string {
  return formatMoment(moment, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
}

/**
 * The calendar date of an instant in a time zone. The default is the machine's time zone, which may change
 * while a page is open.
 */
export function dayIn(instant: Date, timeZone?: string): CalendarDay {
  if (timeZone === 'UTC') return instant.toISOString().slice(0, 10) as CalendarDay
  if (timeZone === undefined) return asDay(instant.getFullYear(), instant.getMonth() + 1, instant.getDate())
  const formatter = formatterOf('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  // No locale reliably formats dates as yyyy-MM-dd. For example, en-CA doesn't in WebKit.
  const parts = formatter.formatToParts(instant)
  const part = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value)
  return asDay(part('year'), part('month'), part('day'))
}

function asDay(year: number, month: number, day: number): CalendarDay {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` as CalendarDay
}

/** Formats a date for its reader, by default like "Tue, Nov 17, 2026" in the United States. */
export function formatDay(
  day: CalendarDay,
  options: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
): string {
  return formatterOf(reader().locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/**
 * Formats the days from one to another, such as "Nov 15 – 21, 2026" in the United States. What they have in common is
 * written once.
 */
export function formatDays(from: CalendarDay, to: CalendarDay): string {
  const format = formatterOf(reader().locale, {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const words = format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
  // Thin spaces around the dash are in few fonts.
  return words.replaceAll(/\s*–\s*/g, ' – ')
}

export function monthOf(day: CalendarDay): string {
  return day.slice(0, 7)
}

/** The first and last days of a yyyy-MM month. */
export function daysOfMonth(month: string): { from: CalendarDay; to: CalendarDay } {
  const last = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
  return { from: `${month}-01` as CalendarDay, to: `${month}-${last}` as CalendarDay }
}

export const Day = z.pipe(
  z.string({ error: 'Enter a date' }),
  z.transform((text, context): CalendarDay => {
    const day = calendarDay(text)
    if (day) return day
    context.issues.push({
      code: 'custom',
      message: text === '' ? 'Enter a date' : "This date doesn't exist",
      input: text,
    })
    return z.NEVER
  }),
)
