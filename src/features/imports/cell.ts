// Parses dates, times, hours and money in the formats people use in spreadsheets.
import { type CalendarDay, calendarDay } from '#kernel/calendar-day.ts'
import { CURRENCIES } from '#features/accounts/profile.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, centsOfText } from '#kernel/money.ts'
import type { DateOrder } from './import.ts'

// Matches "$", "CA$", "€", "kr", "CHF" and similar, and "/h" after a rate.
const MONEY_SIGNS = new RegExp(
  `\\s|(?:[acru]|hk|mx|nz)?[a-z]?\\p{Sc}|${CURRENCIES.join('|')}|kr\\.?|zł|kč|/ ?h(?:our)?`,
  'giu',
)

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The number (1 to 12) of the English month name in the text; undefined if there isn't one. */
export function monthNumber(text: string): number | undefined {
  const at = MONTHS.findIndex((month) => new RegExp(`\\b${month}[a-z]*\\b`, 'i').test(text))
  return at < 0 ? undefined : at + 1
}

/**
 * Parses a date: 2026-11-17, 'Tue, Nov 17, 2026', or, depending on the date order, 11/17/2026 or 17.11.26.
 * Ignores a time of day after the date.
 */
export function dayOf(cell: string, order: DateOrder): CalendarDay | undefined {
  const text = cell.replace(/[T ]\d{1,2}:\d{2}.*$/, '').trim()
  const year = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text)
  if (year) return dayFrom(Number(year[1]), Number(year[2]), Number(year[3]))
  const short = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text)
  if (short) {
    const [first, second, last] = [Number(short[1]), Number(short[2]), Number(short[3])]
    return dayFrom(
      last < 100 ? 2000 + last : last,
      order === 'mdy' ? first : second,
      order === 'mdy' ? second : first,
    )
  }
  const [, day] = /\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(text) ?? []
  const [, named] = /\b(\d{4})\b/.exec(text) ?? []
  const month = text.length < 40 ? monthNumber(text) : undefined
  return day && named && month ? dayFrom(Number(named), month, Number(day)) : undefined
}

function dayFrom(year: number, month: number, day: number): CalendarDay | undefined {
  return calendarDay(
    `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  )
}

/**
 * Parses a time, with or without a date before it: 16:30, 4:30 PM, 4pm. Returns HH:MM, null for an empty
 * cell, undefined if it isn't a time.
 */
export function clockOf(cell: string): string | null | undefined {
  const text = cell.trim().replace(/^\d{4}-\d{2}-\d{2}[T ]/, '')
  if (text === '') return null
  const [, hour, minute = '00', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*([ap])?\.?(?:m\.?)?$/i.exec(text) ?? []
  if (hour === undefined || (half === undefined && !/[:.h]/.test(text))) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || (half !== undefined && Number(hour) > 12)) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/**
 * Parses a duration into minutes: 1.5, 1,5, 1:30, '1 h 30 min', '90 min'. A bare number is in the column's
 * unit.
 */
export function minutesOf(cell: string, unit: 'hours' | 'minutes'): Minutes | undefined {
  const text = cell.toLowerCase().trim()
  const clock = /^(\d{1,2})[:h]([0-5]\d)$/.exec(text)
  if (clock) return (Number(clock[1]) * 60 + Number(clock[2])) as Minutes
  const parts =
    /^(?:(\d{1,2}(?:[.,]\d{1,4})?) ?h(?:ours?|rs?)?\.?)? ?(?:(\d{1,4}) ?m(?:in(?:utes|s)?)?\.?)?$/.exec(text)
  if (text !== '' && parts && (parts[1] ?? parts[2]))
    return wholeMinutes(toNumber(parts[1] ?? '0') * 60 + Number(parts[2] ?? 0))
  if (!/^\d{1,4}([.,]\d{1,4})?$/.test(text)) return undefined
  return wholeMinutes(toNumber(text) * (unit === 'hours' ? 60 : 1))
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'))
}

// Sessions need a whole number of minutes, so this returns undefined for anything else.
function wholeMinutes(minutes: number): Minutes | undefined {
  const rounded = Math.round(minutes)
  return Math.abs(minutes - rounded) < 1e-6 ? (rounded as Minutes) : undefined
}

/**
 * Parses an amount into cents: 45, $45.50, 1,234.50, 45,50 €. Returns null for an empty cell or a dash,
 * undefined if it isn't an amount.
 */
export function moneyOf(cell: string): Cents | null | undefined {
  const text = cell.replaceAll(MONEY_SIGNS, '')
  if (/^[-–—]?$/.test(text)) return null
  if (/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(text)) return centsOfText(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(text)) return centsOfText(text.replaceAll('.', '').replace(',', '.'))
  return centsOfText(text.replace(/^(\d+),(\d{1,2})$/, '$1.$2'))
}
