// Proposes days. Each weekday or date gets every plausible reading; the model picks one.
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { dayOf, HOLIDAY_NAME, holiday, weekdayOf } from '../holiday.ts'
import type { Candidate } from './candidates.ts'
import { byWord, isTypo, table, textAt, valueAt, type Word } from './line.ts'
import words from './words.json' with { type: 'json' }

const WEEKDAYS = byWord(words.weekdays)
const WEEKDAY_NAMES = Object.keys(words.weekdays)
const MONTHS = byWord(words.months)
const MONTH_NAMES = Object.keys(words.months)
const DAYS = table<number>(words.days)
const SPANS = table<number>(words.spansOfDays)
const COUNTS = table<number>(words.counts)

/** The weekday a word names, Sunday = 0. */
export function weekdayIn(word: string): number | undefined {
  const name =
    WEEKDAYS.get(word) ??
    (word.length > 5 && word.endsWith('day') ? WEEKDAY_NAMES.find((day) => isTypo(word, day)) : undefined)
  return name === undefined ? undefined : WEEKDAY_NAMES.indexOf(name)
}

/** Proposes every reading of every day. Readings that give the same day are merged, and their types joined. */
export function dayCandidates(line: Word[], today: CalendarDay): Candidate[] {
  const found = line.flatMap((_, at) => [
    ...relativeAt(line, at, today),
    ...weekdayAt(line, at, today),
    ...numericAt(line, at, today),
    ...monthAt(line, at, today),
    ...ordinalAt(line, at, today),
    ...holidayAt(line, at, today),
  ])
  const all = [...found, ...beside(line, found)]
  const merged = new Map<string, Candidate>()
  for (const one of all) {
    const key = `${one.from} ${one.to} ${one.value}`
    const known = merged.get(key)
    merged.set(key, known ? { ...known, type: `${known.type}+${one.type}` } : one)
  }
  return [...merged.values()]
}

const candidate = (from: number, to: number, day: CalendarDay | undefined, type: string): Candidate[] =>
  day === undefined ? [] : [{ slot: 'day', from, to, value: day, type }]

/** Parses a count: '2', 'a', 'a couple of'. */
function countAt(line: Word[], at: number): { count: number; to: number } | undefined {
  const text = (place: number): string => textAt(line, place)
  const value = line[at]?.value
  if (value != null && Number.isInteger(value)) return { count: value, to: at + 1 }
  const count = COUNTS[text(at)]
  if (count === undefined) return undefined
  const next = COUNTS[text(at + 1)]
  if (next !== undefined && next > 1) return { count: next, to: text(at + 2) === 'of' ? at + 3 : at + 2 }
  return { count, to: text(at + 1) === 'of' ? at + 2 : at + 1 }
}

/** 'Yesterday', 'two weeks ago', 'a week ago', 'last week' (7 days back), 'this morning'. */
function relativeAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  const text = (place: number): string => textAt(line, place)
  const days = DAYS[text(at)]
  if (days !== undefined) return candidate(at, at + 1, addDays(today, days), text(at))
  if (/^(last)$/.test(text(at)) && /^(night|evening)$/.test(text(at + 1)))
    return candidate(at, at + 2, addDays(today, -1), 'lastnight')
  if (
    /^(this|just|right)$/.test(text(at)) &&
    /^(morning|afternoon|evening|am|pm|noon|now)$/.test(text(at + 1))
  )
    return candidate(at, at + 2, today, 'today')
  if (/^(last|past)$/.test(text(at)) && SPANS[text(at + 1)] === 7)
    return candidate(at, at + 2, addDays(today, -7), 'weekback')
  const counted = countAt(line, at)
  if (!counted) return []
  const { count, to } = counted
  if (text(to) === 'month' || text(to) === 'months')
    return text(to + 1) === 'ago' ? candidate(at, to + 2, monthsBack(today, count), 'ago') : []
  const unit = SPANS[text(to)]
  if (unit === undefined || count * unit > 366) return []
  if (/^(ago|back)$/.test(text(to + 1))) return candidate(at, to + 2, addDays(today, -unit * count), 'ago')
  return []
}

function monthsBack(day: CalendarDay, count: number): CalendarDay | undefined {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count
  return dayOf(Math.floor(month / 12), (month % 12) + 1, Number(day.slice(8)))
}

/**
 * Readings of a weekday: the latest one, today, last calendar week's, one or two weeks further back, and the
 * next one.
 */
function weekdayAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  const weekday = weekdayIn(line[at]?.text ?? '')
  if (weekday === undefined) return []
  const back = ((weekdayOf(today) - weekday + 6) % 7) + 1
  const recent = addDays(today, -back)
  const inWeek = (weeks: number): CalendarDay =>
    addDays(today, -((weekdayOf(today) + 6) % 7) + weeks * 7 + ((weekday + 6) % 7))
  return [
    ...candidate(at, at + 1, recent, 'recent'),
    ...(weekdayOf(today) === weekday ? candidate(at, at + 1, today, 'same') : []),
    ...candidate(at, at + 1, inWeek(-1), 'lastweek'),
    ...candidate(at, at + 1, inWeek(-2), 'twoweeks'),
    ...candidate(at, at + 1, addDays(recent, -7), 'weekmore'),
    ...candidate(at, at + 1, addDays(recent, -14), 'twomore'),
    ...candidate(at, at + 1, addDays(recent, 7 + (weekdayOf(today) === weekday ? 7 : 0)), 'next'),
  ]
}

/** The latest such date up to today, and the next one after it. */
function around(
  today: CalendarDay,
  dayIn: (year: number) => CalendarDay | undefined,
): { past?: CalendarDay; next?: CalendarDay } {
  const year = Number(today.slice(0, 4))
  const days = [year - 1, year, year + 1].flatMap((guess) => dayIn(guess) ?? [])
  return { past: days.findLast((day) => day <= today), next: days.find((day) => day > today) }
}

function dated(
  from: number,
  to: number,
  today: CalendarDay,
  type: string,
  dayIn: (year: number) => CalendarDay | undefined,
): Candidate[] {
  const { past, next } = around(today, dayIn)
  return [...candidate(from, to, past, type), ...candidate(from, to, next, `${type}-next`)]
}

/** '3/14', '3-14', '3.14', '14/3/26', '2026-03-14'. */
function numericAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  const dotted = /^(\d{1,2})\.(\d{1,2})$/.exec(textAt(line, at))
  if (dotted) return bothWays(at, at + 1, Number(dotted[1]), Number(dotted[2]), 'dot-', today)
  const sign = textAt(line, at + 1)
  const isGlued = (place: number): boolean => line[place]?.gap === ''
  const isDated = /^[-/]$/.test(sign) && isGlued(at + 1) && isGlued(at + 2)
  const [one, two] = [valueAt(line, at), valueAt(line, at + 2)]
  const isPart = sign === '/' && /^(of|an?|hour)$/.test(textAt(line, at + 3)) && one < two && two <= 4
  if (!isDated || Number.isNaN(one) || Number.isNaN(two) || isPart) return []
  const year = /^[-/]$/.test(textAt(line, at + 3)) && isGlued(at + 3) ? valueAt(line, at + 4) : NaN
  if (one > 1900) return candidate(at, at + 5, dayOf(one, two, year), 'iso')
  const kind = sign === '/' ? '' : 'dash-'
  if (Number.isNaN(year)) return bothWays(at, at + 3, one, two, kind, today)
  const whole = year < 100 ? 2000 + year : year
  return [
    ...candidate(at, at + 5, dayOf(whole, one, two), `${kind}mdy`),
    ...candidate(at, at + 5, dayOf(whole, two, one), `${kind}dmy`),
  ]
}

/** Reads two numbers as month/day and as day/month. */
function bothWays(
  from: number,
  to: number,
  one: number,
  two: number,
  kind: string,
  today: CalendarDay,
): Candidate[] {
  return [
    ...dated(from, to, today, `${kind}md`, (year) => dayOf(year, one, two)),
    ...dated(from, to, today, `${kind}dm`, (year) => dayOf(year, two, one)),
  ]
}

/** 'June 9', '9th of June', 'the 9th June', 'the last day of June'. */
function monthAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  const name = MONTHS.get(line[at]?.text ?? '')
  if (name === undefined) return []
  const month = MONTH_NAMES.indexOf(name) + 1
  const isDate = (place: number): boolean => {
    const value = line[place]?.value
    return value != null && Number.isInteger(value) && value >= 1 && value <= 31
  }
  const isNear = (place: number): boolean => !/[.,]/.test(line[place]?.gap ?? '.')
  const on = (from: number, to: number, date: number, type: string): Candidate[] => {
    const year = line[to]?.value
    return year != null && year >= 2000 && year < 2100
      ? candidate(from, to + 1, dayOf(year, month, date), type)
      : dated(from, to, today, type, (guess) => dayOf(guess, month, date))
  }
  const after = line[at + 1]?.text === 'the' ? at + 2 : at + 1
  const before = line[at - 1]?.text === 'of' ? at - 2 : at - 1
  return [
    ...(isDate(after) && isNear(after) ? on(at, after + 1, line[after]?.value ?? 0, 'month-date') : []),
    ...(isDate(before) && isNear(at) ? on(before, at + 1, line[before]?.value ?? 0, 'date-month') : []),
    ...(line[before]?.text === 'day' || line[before]?.text === 'last'
      ? dated(before, at + 1, today, 'month-end', (year) => dayOf(year, month, daysInMonth(year, month)))
      : []),
  ]
}

/** 'The 3rd', 'on the 14', 'mon 10': a date in this month, an earlier one, or the next. */
function ordinalAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  const word = line[at]
  const before = line[at - 1]?.text ?? ''
  if (!word || word.value === null || !Number.isInteger(word.value) || word.value < 1 || word.value > 31)
    return []
  const kind = word.isOrdinal
    ? /^\d/.test(word.written)
      ? 'ordinal'
      : 'ordinal-word'
    : before === 'the'
      ? 'the'
      : weekdayIn(before) !== undefined
        ? 'weekday-date'
        : undefined
  if (kind === undefined) return []
  const date = word.value
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1
  const days = [-3, -2, -1, 0, 1].flatMap(
    (more) => dayOf(Math.floor((month + more) / 12), ((month + more) % 12) + 1, date) ?? [],
  )
  const past = days.filter((day) => day <= today)
  return [
    ...candidate(at, at + 1, past.at(-1), kind),
    ...candidate(at, at + 1, past.at(-2), `${kind}-before`),
    ...candidate(
      at,
      at + 1,
      days.find((day) => day > today),
      `${kind}-next`,
    ),
  ]
}

const HOLIDAY = new RegExp(`^(?:${HOLIDAY_NAME})$`)
function holidayAt(line: Word[], at: number, today: CalendarDay): Candidate[] {
  for (let length = 4; length >= 1; length -= 1) {
    const name = line
      .slice(at, at + length)
      .map(({ text }) => text)
      .join(' ')
    if (line.length >= at + length && HOLIDAY.test(name))
      return dated(at, at + length, today, 'holiday', (year) => holiday(name, year))
  }
  return []
}

/**
 * 'The day before yesterday', 'two days after Christmas', 'the Friday before Easter', 'a week ago
 * Monday'.
 */
function beside(line: Word[], found: Candidate[]): Candidate[] {
  const text = (place: number): string => textAt(line, place)
  return found.flatMap(({ from, to, value, type }) => {
    const day = value as CalendarDay
    const way = text(from - 1) === 'before' ? -1 : /^(after|since|from)$/.test(text(from - 1)) ? 1 : 0
    if (way === 0 || /next/.test(type)) return []
    const unit = SPANS[text(from - 2)]
    const weekday = weekdayIn(text(from - 2))
    if (weekday !== undefined) {
      const days = (way * (weekday - weekdayOf(day)) + 7) % 7 || 7
      return candidate(from - 2, to, addDays(day, way * days), 'weekday-beside')
    }
    if (unit === undefined) return []
    const counted = [from - 5, from - 4, from - 3]
      .map((at) => ({ at, ...countAt(line, at) }))
      .find((one) => one.to === from - 2)
    return candidate(counted?.at ?? from - 2, to, addDays(day, way * unit * (counted?.count ?? 1)), 'beside')
  })
}
