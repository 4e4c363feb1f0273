// Parses dates, times, durations and money in the formats people use in spreadsheets.
import { type CalendarDay, calendarDay } from '#kernel/calendar-day.ts'
import { CURRENCIES } from '#features/accounts/profile.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, centsOfText, type Currency, narrowSymbolOf } from '#kernel/money.ts'
import type { DateOrder } from './import.ts'

/** How to read dates that start with the day or the month. */
export interface DateOrders {
  /** 3/4/2026 and 3-4-2026. */
  slashed: DateOrder
  /** 3.4.2026. */
  dotted: DateOrder
}

// Matches "$", "CA$", "€", "kr", "CHF" and similar, and "/h" after a rate.
const MONEY_SIGNS = new RegExp(
  `\\s|(?:[acru]|hk|jp|mx|nz)?[a-z]?\\p{Sc}|${CURRENCIES.join('|')}|kr\\.?|zł|kč|(?:/|per) ?h(?:ou)?r?`,
  'giu',
)

/** Longer cells are text. */
const LONGEST = 60

/** Month names in English, German, Spanish and French, without accents. */
const MONTHS = [
  'jan january januar janner enero ene janvier janv',
  'feb february februar febrero fevrier fevr fev',
  'mar march marz mrz marzo mars',
  'apr april abril abr avril avr',
  'may mai mayo',
  'jun june juni junio juin',
  'jul july juli julio juillet juil',
  'aug august agosto ago aout',
  'sep sept september septiembre setiembre septembre',
  'oct october oktober okt octubre octobre',
  'nov november noviembre novembre',
  'dec december dezember dez diciembre dic decembre',
].map((names) => names.split(' '))
/** Words in a date that say nothing: Nov 3rd, 3 de noviembre de 2026. */
const IN_DATES = new Set(['st', 'nd', 'rd', 'th', 'of', 'de', 'del'])

/** The text in lower case and without accents. */
export function plainWords(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const TIME = String.raw`\d{1,2}(?::\d{2}){1,2}(?:\.\d+)?(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?`
const TIME_AFTER_DATE = new RegExp(`(?:,? +|T)(?:at )?(${TIME})(Z|[+-]\\d{2}:?\\d{2})?$`, 'i')

/**
 * Parses a date: 2026-11-17, 'Tue, Nov 17, 2026', 17-Nov-26, or, depending on the date order, 11/17/2026 or
 * 17.11.26. Ignores a time of day after the date.
 */
export function dayOf(cell: string, orders: DateOrders): CalendarDay | undefined {
  if (cell.length > LONGEST) return undefined
  const text = cell.trim().replace(TIME_AFTER_DATE, '')
  const year = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/.exec(text)
  if (year) return dayFrom(Number(year[1]), Number(year[3]), Number(year[4]))
  const short = /^(?:\p{L}+\.?,? )?(\d{1,2})(?:([/-])(\d{1,2})\2|\. ?(\d{1,2})\. ?)(\d{4}|\d{2})\.?$/u.exec(
    text,
  )
  if (!short) return dayWithMonthName(text)
  const [first, second] = [Number(short[1]), Number(short[3] ?? short[4])]
  const isMonthFirst = orders[short[2] ? 'slashed' : 'dotted'] === 'mdy'
  return dayFrom(fullYear(short[5] ?? ''), isMonthFirst ? first : second, isMonthFirst ? second : first)
}

function dayWithMonthName(text: string): CalendarDay | undefined {
  const numbers = text.match(/\d+/g) ?? []
  const words = (plainWords(text).match(/\p{L}+/gu) ?? []).filter((word) => !IN_DATES.has(word))
  // A weekday comes first.
  const month = MONTHS.findIndex((names) => names.includes(words.at(-1) ?? '')) + 1
  if (month === 0 || words.length > 2 || numbers.length !== 2) return undefined
  const [first = '', second = ''] = numbers
  const [year, day] = first.length === 4 ? [first, second] : [second, first]
  // "Unit 3, May 12" isn't a date.
  if (day.length > 2 || !(year.length === 4 || (year.length === 2 && words.length === 1))) return undefined
  return dayFrom(fullYear(year), month, Number(day))
}

function fullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year)
}

function dayFrom(year: number, month: number, day: number): CalendarDay | undefined {
  return calendarDay(
    `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  )
}

/** Whether the text is a date in either order. */
export function isDate(cell: string): boolean {
  return (['mdy', 'dmy'] as const).some(
    (order) => dayOf(cell, { slashed: order, dotted: order }) !== undefined,
  )
}

const SLASHED = /^(?:\p{L}+\.?,? )?(\d{1,2})[/-](\d{1,2})[/-]/u
const DOTTED = /^(?:\p{L}+\.?,? )?(\d{1,2})\. ?(\d{1,2})\./u

/** Whether a date is written like 3.4.2026. */
export function isDotted(date: string): boolean {
  return DOTTED.test(date)
}

/**
 * Guesses from the dates whether the month or the day comes first. If both are possible, assumes the month
 * in 3/4/2026 and the day in 3.4.2026.
 */
export function guessDateOrders(dates: readonly string[]): DateOrders {
  const guess = (pattern: RegExp, otherwise: DateOrder): DateOrder => {
    const found = dates.map((date) => pattern.exec(date)).filter((match) => match !== null)
    if (found.some(([, first]) => Number(first) > 12)) return 'dmy'
    return found.some(([, , second]) => Number(second) > 12) ? 'mdy' : otherwise
  }
  return {
    slashed: guess(SLASHED, 'mdy'),
    dotted: guess(DOTTED, 'dmy'),
  }
}

/**
 * Parses a time, with or without a date before it: 16:30, 4:30 PM, 4pm. Returns HH:MM, null for an empty
 * cell, undefined if it isn't a time.
 */
export function clockOf(cell: string): string | null | undefined {
  if (cell.length > LONGEST) return undefined
  const after = TIME_AFTER_DATE.exec(cell.trim())
  // A time in UTC or with an offset may be another time where the lesson took place.
  if (after?.[2]) return undefined
  const text = after?.[1] ?? cell.trim()
  if (text === '') return null
  const [, hour, minute = '00', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?(?: ?uhr)?$/i.exec(text) ?? []
  if (hour === undefined || (half === undefined && !/[:.h]/i.test(text))) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || (half !== undefined && Number(hour) > 12)) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** Parses two times in one cell: 16:00-17:30, '4 to 5:30 PM'. Undefined if there aren't two. */
export function clockRangeOf(cell: string): { start: string; end: string } | undefined {
  const [first = '', second = '', ...more] = cell.trim().split(/ ?[-–—] ?| (?:to|until|bis|a) /)
  const end = clockOf(second)
  if (!end || more.length > 0) return undefined
  const half = /[ap]\.?m?\.?$/i.exec(second)?.[0]
  if (half === undefined || /[ap]/i.test(first)) {
    const start = clockOf(/^\d{1,2}$/.test(first) ? `${first}:00` : first)
    return start ? { start, end } : undefined
  }
  // In "11-1 PM", the first time is in the morning.
  const same = clockOf(`${first} ${half}`)
  const start = same && same > end ? clockOf(`${first} ${/p/i.test(half) ? 'am' : 'pm'}`) : same
  return start ? { start, end } : undefined
}

const FRACTION = /(?:(\d{1,2})[ -])?(\d{1,2})\/(\d{1,2})/g
const HOURS = String.raw`h|hrs?|hours?|std|stunden?|horas?|heures?`
const MINUTES = String.raw`m|mins?|minutes?|minuten?|minutos?`
const CLOCK_DURATION = new RegExp(`^(\\d{1,2})[:h]([0-5]\\d)(?::([0-5]\\d))?(?: ?(?:${HOURS})\\.?)?$`)
const SPELLED_DURATION = new RegExp(
  `^(?:(\\d{1,2}(?:[.,]\\d{1,4})?) ?(?:${HOURS})\\.?)?,?(?: (?:and|&|und|y|et))? ?` +
    `(?:(\\d{1,4}) ?(${MINUTES})?\\.?)?$`,
)

/**
 * Parses a duration into minutes: 1.5, 1,5, 1 ½, 1:30, 01:30:00, '1 h 30 min', '90 min'. A bare number is in
 * the column's unit.
 */
export function minutesOf(cell: string, unit: 'hours' | 'minutes'): Minutes | undefined {
  if (cell.length > LONGEST) return undefined
  const text = decimalFractions(cell.toLowerCase().trim())
  const clock = CLOCK_DURATION.exec(text)
  if (clock) return wholeMinutes(Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60)
  if (/^\d{1,4}([.,]\d{1,4})?$/.test(text)) return wholeMinutes(toNumber(text) * (unit === 'hours' ? 60 : 1))
  const [, hours, minutes, minutesUnit] = SPELLED_DURATION.exec(text) ?? []
  if (hours === undefined && minutesUnit === undefined) return undefined
  return wholeMinutes(toNumber(hours ?? '0') * 60 + Number(minutes ?? 0))
}

/** Replaces fractions by decimals: '1 ½' and '1 1/2' become 1.5. */
function decimalFractions(text: string): string {
  return text
    .replaceAll(/(\d?)\s*([¼-¾⅐-⅞])/g, '$1 $2')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .trim()
    .replaceAll(FRACTION, (_, whole: string | undefined, over: string, under: string) =>
      String(Number(whole ?? 0) + Number(over) / Number(under)),
    )
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'))
}

// Sessions need a whole number of minutes, so this returns undefined for anything else.
function wholeMinutes(minutes: number): Minutes | undefined {
  const rounded = Math.round(minutes)
  return Math.abs(minutes - rounded) < 1e-6 ? (rounded as Minutes) : undefined
}

/** Yen and won as their signs: 3000 yen, 3000円 and ￥3000 are ¥. */
function withSigns(text: string): string {
  return text.replaceAll(/(?<=\d) ?(?:yen\b|円)|￥/giu, '¥').replaceAll(/(?<=\d) ?(?:won\b|원)|￦/giu, '₩')
}

/** An amount's text without its currency. A minus behind it, and parentheses around it, become a minus in front. */
export function plainMoney(cell: string): string {
  const text = withSigns(cell)
    .replaceAll(MONEY_SIGNS, '')
    // Swiss prices: 45.–
    .replace(/(?<=\d)[.,][-–—]+$/, '')
  const [, size] = /^(?:\((.+)\)|[-−–](.+)|(.+)[-−–])$/.exec(text)?.filter(Boolean) ?? []
  return size === undefined ? text : `-${size}`
}

/**
 * Parses an amount into cents: 45, $45.50, 1,234.50, 1'234.50, 45,50 €. Returns null for an empty cell or a
 * dash, undefined if it isn't an amount.
 */
export function moneyOf(cell: string, currency: Currency): Cents | null | undefined {
  const text = plainMoney(cell)
  if (/^[-–—]?$/.test(text)) return null
  // Files have amounts with two decimals or none, so a comma before three digits separates thousands.
  return centsOfText(/^\d{1,3},\d{3}$/.test(text) ? text.replace(',', '') : text, currency)
}

const CODES = new RegExp(`\\b(?:${CURRENCIES.join('|')})\\b`, 'u')
// "CA" of "CA$" and "C" of "C$" are the country.
const SIGN = /([A-Z]{0,2})(\p{Sc})|\b(kr|zł|kč)/iu

/**
 * The currency that an amount or a column's name mentions, as it's written there, if it's another one: "€" or
 * "CAD" where amounts are in US dollars. "$" and "kr" fit every dollar and every krone.
 */
export function otherCurrencyIn(text: string, currency: Currency): string | undefined {
  const [code] = CODES.exec(text) ?? []
  if (code) return code === currency ? undefined : code
  const [written, country = '', sign = written] = SIGN.exec(withSigns(text)) ?? []
  if (written === undefined || sign === undefined) return undefined
  const own = narrowSymbolOf(currency)
  const isSame = written.toLowerCase() === own.toLowerCase()
  return isSame || (sign === own && currency.startsWith(country.charAt(0).toUpperCase()))
    ? undefined
    : written
}
