// The days on which a calendar's event recurs (RFC 5545, section 3.3.10). It asks of each day in a range whether the
// rule includes it, so a rule without an end can't take longer than its range
// (docs/decisions/0050-a-calendar-as-the-log.md).

/** Days since 1970-01-01. */
export type DayNumber = number

export interface RecurrenceRule {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  count: number | undefined
  /** The last time, as the calendar writes it; undefined if the rule has no end. */
  until: string | undefined
  months: number[]
  /** Negative ones count from the end of the month. */
  monthDays: number[]
  weekdays: { weekday: number; nth: number }[]
  positions: number[]
  weekStart: number
}

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const KNOWN = new Set('FREQ INTERVAL COUNT UNTIL BYMONTH BYMONTHDAY BYDAY BYSETPOS WKST'.split(' '))

/** Reads an RRULE. Undefined if it's malformed, or of a kind that no lesson has, such as hourly. */
export function recurrenceRule(text: string): RecurrenceRule | undefined {
  const parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .filter(Boolean)
      .map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]),
  )
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'))
  const interval = wholeNumbers(parts.get('INTERVAL') ?? '1', 1, 10_000)?.[0]
  const count = wholeNumbers(parts.get('COUNT') ?? '', 1, 1_000_000)
  const months = wholeNumbers(parts.get('BYMONTH') ?? '', 1, 12)
  const monthDays = wholeNumbers(parts.get('BYMONTHDAY') ?? '', -31, 31)
  const positions = wholeNumbers(parts.get('BYSETPOS') ?? '', -366, 366)
  const weekdays = weekdaysOf(parts.get('BYDAY') ?? '')
  const weekStart = WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO')
  if (!frequency || !interval || !count || !months || !monthDays || !positions || !weekdays) return undefined
  const rule = { frequency, interval, count: count[0], until: parts.get('UNTIL') }
  const whole = { ...rule, months, monthDays, weekdays, positions, weekStart }
  return weekStart >= 0 && [...parts.keys()].every((part) => KNOWN.has(part)) && isSupported(whole)
    ? whole
    : undefined
}

function isSupported({ frequency, months, weekdays, positions }: RecurrenceRule): boolean {
  const isByMonth = frequency === 'MONTHLY' || (frequency === 'YEARLY' && months.length > 0)
  // A position in several months of a year counts from January.
  if (positions.length > 0 && !(isByMonth && (frequency === 'MONTHLY' || months.length === 1))) return false
  return isByMonth || weekdays.every(({ nth }) => nth === 0)
}

/** Undefined if one of them isn't a number in the range, or is 0. */
function wholeNumbers(text: string, least: number, most: number): number[] | undefined {
  const numbers = text.split(',').filter(Boolean).map(Number)
  return numbers.every((one) => Number.isInteger(one) && one !== 0 && one >= least && one <= most)
    ? numbers
    : undefined
}

function weekdaysOf(text: string): RecurrenceRule['weekdays'] | undefined {
  const weekdays = text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [, nth = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part.trim()) ?? []
      return { weekday: WEEKDAYS.indexOf(name), nth: Number(nth) }
    })
  return weekdays.every(({ weekday, nth }) => weekday >= 0 && Math.abs(nth) <= 53) ? weekdays : undefined
}

/**
 * The days from `from` to `to` on which an event that starts on `start` takes place. Its first day always counts,
 * as in all calendars.
 */
export function* daysOfRule(
  rule: RecurrenceRule,
  start: DayNumber,
  from: DayNumber,
  to: DayNumber,
): Generator<DayNumber> {
  const first = dateOf(start)
  let left = rule.count ?? Infinity
  // Only a count depends on the days before the range.
  for (let day = rule.count === undefined ? Math.max(start, from) : start; day <= to && left > 0; day++) {
    if (day !== start && !includes(rule, first, dateOf(day))) continue
    left--
    if (day >= from) yield day
  }
}

interface DateParts {
  day: DayNumber
  year: number
  month: number
  monthDay: number
  weekday: number
  monthLength: number
}

function dateOf(day: DayNumber): DateParts {
  const date = new Date(day * 86_400_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  return {
    day,
    year,
    month,
    monthDay: date.getUTCDate(),
    weekday: date.getUTCDay(),
    monthLength: new Date(Date.UTC(year, month, 0)).getUTCDate(),
  }
}

function includes(rule: RecurrenceRule, first: DateParts, date: DateParts): boolean {
  if (periodsBetween(rule, first, date) % rule.interval !== 0) return false
  if (rule.months.length > 0 && !rule.months.includes(date.month)) return false
  if (rule.positions.length > 0) return isAtPosition(rule, first, date)
  return isInSet(rule, first, date)
}

function periodsBetween({ frequency, weekStart }: RecurrenceRule, first: DateParts, date: DateParts): number {
  const years = date.year - first.year
  if (frequency === 'YEARLY') return years
  if (frequency === 'MONTHLY') return 12 * years + date.month - first.month
  if (frequency === 'DAILY') return date.day - first.day
  const weekOf = ({ day, weekday }: DateParts) => day - ((weekday - weekStart + 7) % 7)
  return (weekOf(date) - weekOf(first)) / 7
}

/** Whether the day of the month or the weekday fits; without either in the rule, those of the first day. */
function isInSet(rule: RecurrenceRule, first: DateParts, date: DateParts): boolean {
  const { frequency, monthDays, weekdays, months } = rule
  if (monthDays.length > 0 || weekdays.length > 0)
    return (
      (monthDays.length === 0 ||
        monthDays.includes(date.monthDay) ||
        monthDays.includes(date.monthDay - date.monthLength - 1)) &&
      (weekdays.length === 0 || weekdays.some((one) => isWeekday(one, date)))
    )
  if (frequency === 'DAILY') return true
  if (frequency === 'WEEKLY') return date.weekday === first.weekday
  const isMonth = frequency === 'MONTHLY' || months.length > 0 || date.month === first.month
  return isMonth && date.monthDay === first.monthDay
}

function isWeekday(
  { weekday, nth }: { weekday: number; nth: number },
  { weekday: own, monthDay, monthLength }: DateParts,
): boolean {
  if (weekday !== own) return false
  if (nth === 0) return true
  return nth > 0 ? Math.ceil(monthDay / 7) === nth : Math.ceil((monthLength - monthDay + 1) / 7) === -nth
}

function isAtPosition(rule: RecurrenceRule, first: DateParts, date: DateParts): boolean {
  const firstOfMonth = date.day - date.monthDay + 1
  const set = Array.from({ length: date.monthLength }, (_, at) => dateOf(firstOfMonth + at)).filter((one) =>
    isInSet(rule, first, one),
  )
  const at = set.findIndex(({ day }) => day === date.day)
  return at >= 0 && (rule.positions.includes(at + 1) || rule.positions.includes(at - set.length))
}
