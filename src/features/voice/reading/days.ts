// Proposes days. Each weekday or date gets every plausible reading; the model picks one.
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { dayOf, holiday, weekdayOf } from '../holiday.ts'
import type { Candidate } from './candidates.ts'
import { byWord, LANGUAGES, type Table } from './language.ts'
import { covers, numberIn, type Span, type Word } from './line.ts'
import type { Phrase } from './phrases.ts'
import words from './words.json' with { type: 'json' }

const WEEKDAYS = placesIn(words.weekdays)
const MONTHS = placesIn(words.months)
const DAYS = new Map(LANGUAGES.flatMap(({ days }) => Object.entries(days)))
const SPANS = new Map<string, number>(Object.entries(words.spansOfDays))
const COUNTS = new Map<string, number>(Object.entries(words.counts))

/** Maps each spelling to its row's index in a table. */
function placesIn(rows: Record<string, string>): Map<string, number> {
  const names = Object.keys(rows)
  return new Map([...byWord(rows)].map(([word, name]) => [word, names.indexOf(name)]))
}

/** A day, undefined if there's none, or null if it's unclear which one. */
type Reading = [type: string, day: CalendarDay | null | undefined]
type Groups = Phrase['groups']

/** Proposes every reading of every day. Those that give the same day are merged, and their types joined. */
export function dayCandidates(
  line: Word[],
  { days, beside }: Record<Table, Phrase[]>,
  today: CalendarDay,
): Candidate[] {
  const proposed = (from: number, to: number, readings: Reading[]): Candidate[] =>
    readings.flatMap(([type, value]) => (value === undefined ? [] : [{ slot: 'day', from, to, value, type }]))
  const unclear = days.filter(({ type }) => READINGS[type] === undefined)
  const words = days.filter(({ type }) => type === 'by')
  const plain = days.flatMap((phrase): Candidate[] => {
    const { type, from, to, groups } = phrase
    if (type === 'by' && isPartOf(phrase, words)) return []
    const isSpoken = type === 'ordinal' && !/^\d/.test(line[from]?.written ?? '')
    const readings = READINGS[type]?.(groups, today, isSpoken ? 'ordinal-word' : type)
    if (!readings) return isPartOf(phrase, unclear) ? [] : proposed(from, to, [[type, null]])
    const isPossible = !IN_FULL.test(type) || readings.some(([, day]) => day && day <= today)
    return proposed(from, to, isPossible ? readings : [...readings, ['impossible', null]])
  })
  const relative = beside.flatMap(({ type, from, to, groups }) =>
    plain
      .filter((day) => day.from === to && day.value !== null && !day.type.includes('next'))
      .flatMap((day) => proposed(from, day.to, [[type, besideDay(groups, day.value as CalendarDay)]])),
  )
  const same = Map.groupBy([...plain, ...relative], ({ from, to, value }) => `${from} ${to} ${value}`)
  return [...same.values()].map((all) =>
    Object.assign({}, ...all, { type: all.map(({ type }) => type).join('+') }),
  )
}

/** Dates with a month. If there hasn't been such a day, such as June 31, it's unclear which one was meant. */
const IN_FULL = /^(iso|slash|month-date|date-month)$/

const isPartOf = (one: Span, others: Span[]): boolean =>
  others.some((other) => covers(other, one) && !covers(one, other))

const countIn = (written: string | undefined): number =>
  COUNTS.get(written ?? '') ?? numberIn(written ?? '') ?? 1

/** How each type of phrase is read. */
const READINGS: Record<string, (groups: Groups, today: CalendarDay, type: string) => Reading[]> = {
  by: ({ day = '' }, today) => [[`by${DAYS.get(day)}`, addDays(today, DAYS.get(day) ?? 0)]],
  ago({ count, span = '' }, today) {
    const back = countIn(count) * (SPANS.get(span) ?? 0)
    return Number.isInteger(back) && back <= 366 ? [['ago', addDays(today, -back)]] : []
  },
  weekday: ({ weekday = '' }, today) => weekdayReadings(WEEKDAYS.get(weekday) ?? 0, today),
  slash: numericReadings,
  dash: numericReadings,
  dot: numericReadings,
  iso: ({ year, month, date }) => [['iso', dayOf(Number(year), Number(month), Number(date))]],
  'month-date': monthReadings,
  'date-month': monthReadings,
  'month-end': ({ month = '' }, today, type) => {
    const place = (MONTHS.get(month) ?? 0) + 1
    return around(today, type, (year) => dayOf(year, place, daysInMonth(year, place)))
  },
  ordinal: dateReadings,
  the: dateReadings,
  'weekday-date': dateReadings,
  holiday: ({ holiday: name = '' }, today, type) => around(today, type, (year) => holiday(name, year)),
}

/** The date some months from this one. */
function inMonth(today: CalendarDay, more: number, date: number): CalendarDay | undefined {
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 + more
  return dayOf(Math.floor(month / 12), (month % 12) + 1, date)
}

/** A weekday's readings: the latest, today, last calendar week's, one or two weeks earlier, the next, and any. */
function weekdayReadings(weekday: number, today: CalendarDay): Reading[] {
  const back = (weekdayOf(today) - weekday + 7) % 7
  const recent = addDays(today, -(back || 7))
  const lastWeek = addDays(today, -7 - ((weekdayOf(today) + 6) % 7) + ((weekday + 6) % 7))
  return [
    ['recent', recent],
    ['same', back === 0 ? today : undefined],
    ['lastweek', lastWeek],
    ['twoweeks', addDays(lastWeek, -7)],
    ['weekmore', addDays(recent, -7)],
    ['twomore', addDays(recent, -14)],
    ['next', addDays(today, 7 - back)],
    ['some', null],
  ]
}

/** The latest of these days up to today, another one in recent months, and the next one. */
function nearest(today: CalendarDay, type: string, days: Reading[1][]): Reading[] {
  const past = days.filter((day) => day && day <= today && day > addDays(today, -366))
  const latest = past.pop()
  return [
    [type, latest],
    [`${type}-before`, past.findLast((day) => day && day > addDays(today, -120))],
    [`${type}-next`, days.find((day) => day && day > today)],
  ]
}

/** A date in this year, the one before, or the next. */
function around(today: CalendarDay, type: string, dayIn: (year: number) => Reading[1]): Reading[] {
  const years = [-1, 0, 1].map((more) => Number(today.slice(0, 4)) + more)
  return nearest(today, type, years.map(dayIn))
}

/** A date with its year, or the dates around today. */
function dated(today: CalendarDay, type: string, [month, date]: [number, number], year?: string): Reading[] {
  if (year === undefined) return around(today, type, (guess) => dayOf(guess, month, date))
  return [[type, dayOf((Number(year) % 100) + 2000, month, date)]]
}

/** Two numbers as month and day, and as day and month. */
function numericReadings({ one, two, year }: Groups, today: CalendarDay, type: string): Reading[] {
  const [first, second] = [Number(one), Number(two)]
  return [
    ...dated(today, `${type}md`, [first, second], year),
    ...dated(today, `${type}dm`, [second, first], year),
  ]
}

function monthReadings({ month = '', date, year }: Groups, today: CalendarDay, type: string): Reading[] {
  return dated(today, type, [(MONTHS.get(month) ?? 0) + 1, Number(date)], year)
}

/** A date in this month, an earlier one, or the next. */
function dateReadings({ date }: Groups, today: CalendarDay, type: string): Reading[] {
  return nearest(
    today,
    type,
    [-3, -2, -1, 0, 1].map((more) => inMonth(today, more, Number(date))),
  )
}

/** 'The day before yesterday', 'a week ago Friday', 'two days after Christmas', 'the Friday before Easter'. */
function besideDay({ way, weekday, span = '', count }: Groups, day: CalendarDay): CalendarDay {
  const sign = /before|ago/.test(way ?? '') ? -1 : 1
  if (weekday === undefined) return addDays(day, sign * (SPANS.get(span) ?? 0) * countIn(count))
  const days = (sign * ((WEEKDAYS.get(weekday) ?? 0) - weekdayOf(day)) + 7) % 7
  return addDays(day, sign * (days || 7))
}
