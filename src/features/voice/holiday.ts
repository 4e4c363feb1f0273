// Days that people refer to by name instead of by date: American holidays, defined by rules.
import { addDays, type CalendarDay, calendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import holidays from './holidays.json' with { type: 'json' }

type Rule = (year: number) => CalendarDay | undefined

/**
 * The nth occurrence of a weekday in a month, or the last one if `nth` is -1. Weekdays are numbered starting
 * at 0 for Sunday.
 */
export function nthWeekday(
  year: number,
  month: number,
  weekday: number,
  nth: number,
): CalendarDay | undefined {
  const first = dayOf(year, month, 1)
  const last = dayOf(year, month, daysInMonth(year, month))
  if (!first || !last) return undefined
  if (nth < 0) return addDays(last, -((weekdayOf(last) - weekday + 7) % 7))
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7)
  return day <= last ? day : undefined
}

/** The day of the week for a date; 0 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** The calendar day for a year, month and day of the month; undefined if there isn't one. */
export function dayOf(year: number, month: number, date: number): CalendarDay | undefined {
  return calendarDay(
    `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`,
  )
}

/** Easter Sunday in the Gregorian calendar (the anonymous algorithm, Nature 1876). */
export function easter(year: number): CalendarDay | undefined {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e, f] = [Math.floor(b / 4), b % 4, Math.floor((b + 8) / 25)]
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, Math.floor(n / 31), (n % 31) + 1)
}

/**
 * Parses a rule from holidays.json, whose keys are patterns for names, longer ones first. Examples: 'on 12
 * 31', 'nth 11 4 4 1' (the day after the fourth Thursday in November; Sunday is 0), 'easter -2'.
 */
function ruleOf(rule: string): Rule {
  const [kind, ...numbers] = rule.split(' ')
  const [one = 0, two = 0, three = 0, more = 0] = numbers.map(Number)
  return (year) => {
    if (kind === 'on') return dayOf(year, one, two)
    const base = kind === 'easter' ? easter(year) : nthWeekday(year, one, two, three)
    return base && addDays(base, kind === 'easter' ? one : more)
  }
}
const HOLIDAYS = Object.entries(holidays).map(([names, rule]): [string, Rule] => [names, ruleOf(rule)])

/** A pattern that matches any holiday's name, without capturing groups. */
export const HOLIDAY_NAME = HOLIDAYS.map(([names]) => names).join('|')
const RULES = HOLIDAYS.map(([names, rule]): [RegExp, Rule] => [new RegExp(`^(?:${names})$`), rule])

/** A named holiday's date in a given year. */
export function holiday(name: string, year: number): CalendarDay | undefined {
  return RULES.find(([names]) => names.test(name))?.[1](year)
}
