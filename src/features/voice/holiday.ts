// The days that people name instead of dating them: American holidays, by rule.
import { addDays, type CalendarDay, calendarDay, daysInMonth } from '#kernel/calendar-day.ts'

type Rule = (year: number) => CalendarDay | undefined

/** The first, second, ... weekday of a month, or the last one for -1; weekdays count from Sunday, 0. */
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

/** The weekday of a day, counted from Sunday, 0. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** The day of a date in numbers, if there is such a one. */
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

const on =
  (month: number, date: number): Rule =>
  (year) =>
    dayOf(year, month, date)
const nth =
  (month: number, weekday: number, which: number): Rule =>
  (year) =>
    nthWeekday(year, month, weekday, which)
const fromEaster =
  (days: number): Rule =>
  (year) => {
    const sunday = easter(year)
    return sunday && addDays(sunday, days)
  }
const thanksgiving = nth(11, 4, 4)
const day =
  (rule: Rule, days: number): Rule =>
  (year) => {
    const base = rule(year)
    return base && addDays(base, days)
  }

/** Patterns over a spoken line, the longer names first, each with the day in a year. */
const HOLIDAYS: [string, Rule][] = [
  ['new year eve|new years eve', on(12, 31)],
  ['new year day|new years day|new years|new year', on(1, 1)],
  ['christmas eve|xmas eve', on(12, 24)],
  ['christmas day|christmas|xmas', on(12, 25)],
  ['boxing day', on(12, 26)],
  ['black friday', day(thanksgiving, 1)],
  ['thanksgiving eve', day(thanksgiving, -1)],
  ['thanksgiving day|thanksgiving', thanksgiving],
  ['halloween', on(10, 31)],
  ['valentine day|valentines day|valentine|valentines', on(2, 14)],
  ['twelfth night|12th night', on(1, 5)],
  ['epiphany|three kings day|3 kings day', on(1, 6)],
  ['(?:burns night|burns day)', on(1, 25)],
  ['candlemas', on(2, 2)],
  ['super ?bowl(?: sunday)?', nth(2, 0, 2)],
  ['lincoln birthday', on(2, 12)],
  ['(?:saint|st) (?:george|georges) day', on(4, 23)],
  ['(?:saint|st) (?:david|davids) day', on(3, 1)],
  ['(?:saint|st) (?:andrew|andrews) day', on(11, 30)],
  ['(?:saint|st) (?:stephen|stephens) day', on(12, 26)],
  ['canada day', on(7, 1)],
  ['bastille day', on(7, 14)],
  ['tax day', on(4, 15)],
  ['(?:guy fawkes|bonfire)(?: (?:night|day))?', on(11, 5)],
  ['remembrance day|armistice day', on(11, 11)],
  ['all saints day', on(11, 1)],
  ['all souls day|(?:the )?day of the dead', on(11, 2)],
  ['cyber monday', day(thanksgiving, 4)],
  ['giving tuesday', day(thanksgiving, 5)],
  ['(?:early )?may bank holiday(?: monday)?', nth(5, 1, 1)],
  ['(?:spring|late may|whitsun) bank holiday(?: monday)?', nth(5, 1, -1)],
  ['(?:august|summer) bank holiday(?: monday)?', nth(8, 1, -1)],
  ['easter bank holiday(?: monday)?', fromEaster(1)],
  ['shrove tuesday|pancake (?:day|tuesday)|mardi gras|fat tuesday', fromEaster(-47)],
  ['maundy thursday|holy thursday', fromEaster(-3)],
  ['holy saturday|easter saturday', fromEaster(-1)],
  ['ascension(?: day)?', fromEaster(39)],
  ['pentecost|whit sunday', fromEaster(49)],
  ['whit monday', fromEaster(50)],
  ['mothering sunday', fromEaster(-21)],
  ['(?:saint|st) (?:patrick|patricks|pattys|paddys) day', on(3, 17)],
  ['april fool day|april fools day|april fools', on(4, 1)],
  ['may day', on(5, 1)],
  ['cinco de mayo', on(5, 5)],
  ['pi day', on(3, 14)],
  ['flag day', on(6, 14)],
  ['patriots day', nth(4, 1, 3)],
  ['memorial day weekend', nth(5, 1, -1)],
  ['earth day', on(4, 22)],
  ['groundhog day', on(2, 2)],
  ['juneteenth', on(6, 19)],
  ['independence day|4th of july|july 4th', on(7, 4)],
  ['(?:veteran|veterans) day', on(11, 11)],
  ['(?:martin luther king|martin luther king jr|martin luther king junior|mlk)(?: day)?', nth(1, 1, 3)],
  ['(?:president|presidents) day', nth(2, 1, 3)],
  ['memorial day', nth(5, 1, -1)],
  ['labor day|labour day', nth(9, 1, 1)],
  ['columbus day|(?:indigenous people|indigenous peoples) day', nth(10, 1, 2)],
  ['(?:mother|mothers) day', nth(5, 0, 2)],
  ['(?:father|fathers) day', nth(6, 0, 3)],
  ['good friday', fromEaster(-2)],
  ['easter monday', fromEaster(1)],
  ['easter sunday|easter day|easter', fromEaster(0)],
  ['ash wednesday', fromEaster(-46)],
  ['palm sunday', fromEaster(-7)],
]

/** A pattern for any holiday's name, without capturing groups. */
export const HOLIDAY_NAME = HOLIDAYS.map(([names]) => names).join('|')
const RULES = HOLIDAYS.map(([names, rule]): [RegExp, Rule] => [new RegExp(`^(?:${names})$`), rule])

/** The day of a named holiday in a year. */
export function holiday(name: string, year: number): CalendarDay | undefined {
  return RULES.find(([names]) => names.test(name))?.[1](year)
}
