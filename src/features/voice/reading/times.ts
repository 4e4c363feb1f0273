// Proposes lengths of time: stated ones, clock ranges, bare numbers, and combinations of two.
import { table, textAt, valueAt, type Word } from './line.ts'
import type { Candidate } from './candidates.ts'

const MOST_MINUTES = 1440
/** Speech engines write 'our' for 'hour'; it only counts after a number. */
const UNITS = table({ minute: 1, hour: 60, our: 60 })
const PARTS = table({ half: 30, quarter: 15 })

interface Length {
  minutes: number
  to: number
  type: string
}

/** Every length of time. */
export function timeCandidates(line: Word[]): Candidate[] {
  const said = line.flatMap((_, at) => lengthsAt(line, at).map((found) => ({ ...found, from: at })))
  const longest = said.filter(
    ({ from, to }) =>
      !said.some(
        (other) =>
          other.to >= to &&
          (other.from < from || (other.from === from && other.to > to && other.type !== 'open')),
      ),
  )
  const between = ranges(line)
  return [
    ...longest.map(({ from, to, minutes, type }) => candidate(from, to, minutes, type)),
    ...combined(longest),
    ...products(line, longest),
    ...between,
    ...withBreaks(between, longest),
    ...line.flatMap((word, at) =>
      word.value !== null &&
      word.value >= 5 &&
      word.value <= 240 &&
      Number.isInteger(word.value) &&
      !said.some(({ from, to }) => from <= at && at < to)
        ? [candidate(at, at + 1, word.value, 'bare')]
        : [],
    ),
  ].filter(({ value }) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_MINUTES)
}

const candidate = (from: number, to: number, minutes: number, type: string): Candidate => ({
  slot: 'minutes',
  from,
  to,
  value: Math.round(minutes),
  type,
})

/** The lengths that start at a word, in every reading. */
function lengthsAt(line: Word[], at: number): Length[] {
  const word = line[at]
  if (!word) return []
  const text = (place: number): string => textAt(line, place)
  const hasUnit = UNITS[text(at + 1)] === 60
  if (/^\d:\d\d$/.test(word.text) && (hasUnit || word.text.startsWith('0'))) {
    const [hours, minutes] = word.text.split(':').map(Number)
    return [{ minutes: (hours ?? 0) * 60 + (minutes ?? 0), to: at + (hasUnit ? 2 : 1), type: 'colon' }]
  }
  const part = partAt(line, at)
  if (part) return [part]
  const count = countAt(line, at)
  if (count) {
    const unitAt = /^(-|solid|full|whole|good|long|short|straight|quick)$/.test(text(count.to))
      ? count.to + 1
      : count.to
    const unit = UNITS[text(unitAt)]
    if (unit === undefined) return []
    // '1/17 hour and a half' is a date and a length.
    if (unit === 60 && count.value > 10) return []
    if (unit === 1) return [{ minutes: count.value, to: unitAt + 1, type: 'minutes' }]
    return withRest(line, unitAt + 1, count.value * 60)
  }
  if (word.text === 'hour')
    return withRest(line, at + 1, 60).map((length) => ({ ...length, type: `bare-${length.type}` }))
  return []
}

/** 'Half an hour', 'three quarters of an hour', '1/2 hour'. */
function partAt(line: Word[], at: number): Length | undefined {
  const text = (place: number): string => textAt(line, place)
  let place = at
  let times = 1
  if (line[place]?.value === 3 && /^quarters?$/.test(text(place + 1))) [times, place] = [3, place + 1]
  else if (text(place) === 'a' && PARTS[text(place + 1)]) place += 1
  const fraction = FRACTION[[text(place), text(place + 1), text(place + 2)].join('')]
  const minutes = fraction ?? PARTS[text(place).replace(/^quarters$/, 'quarter')]
  if (minutes === undefined) return undefined
  place += fraction === undefined ? 1 : 3
  while (/^(of|a|an|-|1)$/.test(text(place))) place += 1
  if (text(place) !== 'hour') return undefined
  return { minutes: minutes * times, to: place + 1, type: 'part' }
}
const FRACTION = table({ '1/2': 30, '1/4': 15, '3/4': 45 })

/** A count of hours or minutes: '2', '1.5', '1 1/2', 'an', 'one and a half', 'a couple of'. */
function countAt(line: Word[], at: number): { value: number; to: number } | undefined {
  const text = (place: number): string => textAt(line, place)
  const couple = text(at) === 'couple' ? at + 1 : text(at) === 'a' && text(at + 1) === 'couple' ? at + 2 : 0
  if (couple > 0) return { value: 2, to: text(couple) === 'of' ? couple + 1 : couple }
  if (/^(a|an)$/.test(text(at))) return { value: 1, to: at + 1 }
  const value = valueAt(line, at)
  if (Number.isNaN(value) || line[at]?.isOrdinal) return undefined
  const more = valueAt(line, at + 1)
  if (more > 0 && more < 1) return { value: value + more, to: at + 2 }
  const fraction = FRACTION[[text(at + 1), text(at + 2), text(at + 3)].join('')]
  if (fraction) return { value: value + fraction / 60, to: at + 4 }
  const times = valueAt(line, at + 2) === 3 ? 3 : 1
  const partAt = times === 3 || /^(a|an)$/.test(text(at + 2)) ? at + 3 : at + 2
  const part = text(at + 1) === 'and' ? PARTS[text(partAt).replace(/^quarters$/, 'quarter')] : undefined
  return part && text(partAt + 1) === 'hour'
    ? { value: value + (part * times) / 60, to: partAt + 1 }
    : { value, to: at + 1 }
}

/**
 * Reads what follows whole hours: 'and a half', '20 minutes', 'and 15', or nothing. A bare number may or may
 * not belong to it.
 */
function withRest(line: Word[], at: number, minutes: number): Length[] {
  const text = (place: number): string => textAt(line, place)
  const isOpen = (place: number): boolean =>
    line[place] !== undefined && line[place].gap !== '.' && line[place].gap !== ','
  const plain: Length = { minutes, to: at, type: 'hours' }
  let place = /^(and|plus)$/.test(text(at)) && isOpen(at) ? at + 1 : at
  if (!isOpen(place)) return [plain]
  const hasArticle = /^(a|an)$/.test(text(place))
  if (hasArticle) place += 1
  const times = line[place]?.value === 3 && /^quarters?$/.test(text(place + 1)) ? 3 : 1
  if (times === 3) place += 1
  const part = PARTS[text(place).replace(/^quarters$/, 'quarter')]
  if (part !== undefined && !(place === at && /^(past|to|after)$/.test(text(place + 1))))
    return [
      { minutes: minutes + part * times, to: place + (text(place + 1) === 'hour' ? 2 : 1), type: 'hours' },
    ]
  const more = line[place]?.value
  if (more == null || more >= 60 || !Number.isInteger(more)) return [plain]
  const gap = text(place + 1) === '-' ? place + 2 : place + 1
  if (text(gap) === 'minute') return [{ minutes: minutes + more, to: gap + 1, type: 'hours' }]
  return more >= 5 ? [plain, { minutes: minutes + more, to: place + 1, type: 'open' }] : [plain]
}

/** 'An hour plus an extra half hour', 'ten minutes short of an hour'. */
function combined(lengths: (Length & { from: number })[]): Candidate[] {
  return lengths.flatMap((one, index) =>
    lengths
      .slice(index + 1, index + 4)
      .flatMap((other) =>
        other.from < one.to || other.from - one.to > 7
          ? []
          : [
              candidate(one.from, other.to, one.minutes + other.minutes, 'sum'),
              candidate(one.from, other.to, Math.abs(one.minutes - other.minutes), 'difference'),
            ],
      ),
  )
}

/** '4 to 5:45 with a 15 minute break', '10-11 then 12-1'. */
function withBreaks(ranges: Candidate[], lengths: (Length & { from: number })[]): Candidate[] {
  const whole = ranges.filter(({ type }) => type === 'range')
  const more = [...lengths.map(({ from, to, minutes, type }) => candidate(from, to, minutes, type)), ...whole]
  return whole.flatMap((range) =>
    more
      .filter(
        ({ from, to }) =>
          (from >= range.to && from - range.to < 16) || (to <= range.from && range.from - to < 8),
      )
      .flatMap((other) => {
        const [from, to] = [Math.min(range.from, other.from), Math.max(range.to, other.to)]
        const minutes = Number(range.value)
        return [
          candidate(from, to, minutes - Number(other.value), 'range-difference'),
          ...(other.from >= range.to
            ? [candidate(from, to, minutes + Number(other.value), 'range-sum')]
            : []),
        ]
      }),
  )
}

/** 'Two 45-minute lessons', '2 x 30 minutes'. */
function products(line: Word[], lengths: (Length & { from: number })[]): Candidate[] {
  return lengths.flatMap(({ from, to, minutes }) =>
    [from - 1, from - 2, from - 3, from - 4].flatMap((at) => {
      const count = line[at]?.text === 'double' ? 2 : line[at]?.value
      return count != null && Number.isInteger(count) && count >= 2 && count <= 5
        ? [candidate(at, to, minutes * count, 'product')]
        : []
    }),
  )
}

interface Clock {
  from: number
  to: number
  /** Minutes on a 12-hour clock. */
  minutes: number
  /** Minutes since midnight, if am or pm is known. */
  ofDay: number | undefined
  isBare: boolean
  /** Whether it starts with 'half' or 'quarter'. */
  isPhrase: boolean
}

/** Ranges between two clock times, adjacent or some words apart. */
function ranges(line: Word[]): Candidate[] {
  const all = line.flatMap((_, at) => clocksAt(line, at))
  // The 'four' in 'half four' isn't a time of its own; the one in 'four thirty' may be.
  const clocks = all.filter(
    ({ from, to }) => !all.some((other) => other.isPhrase && other.from < from && other.to >= to),
  )
  const isShort = ({ from, to }: Clock): boolean =>
    clocks.some((other) => other.from === from && other.to > to)
  return clocks.flatMap((one) =>
    clocks.flatMap((other) => {
      const words = other.from - one.to
      if (words < 0 || words > 14) return []
      const join = textAt(line, other.from - 1)
      const isBetween = join === 'and' && textAt(line, one.from - 1) === 'between'
      const isJoined = words <= 2 && (/^(-|until|to)$/.test(join) || isBetween)
      if (!isJoined && one.isBare && other.isBare && words > 8) return []
      const minutes = (other.minutes - one.minutes + 720) % 720
      const way = isJoined ? 'range' : one.isBare && other.isBare ? 'bare-pair' : 'pair'
      const type = isShort(one) || isShort(other) ? `short-${way}` : way
      return [
        ...(minutes >= 10 && minutes <= 480
          ? [{ ...candidate(one.from, other.to, minutes, type), start: startOf(one, other, minutes) }]
          : []),
        // 'Stayed until 5:30, started at 4:15'.
        ...(way === 'pair' && minutes >= 240 ? [candidate(one.from, other.to, 720 - minutes, 'turned')] : []),
      ]
    }),
  )
}

/** Few lessons start before 8:00, so 'from 4' means the afternoon and 'from 9' the morning. */
const EARLIEST = 8 * 60

/** The start time of a range, HH:MM. If neither am nor pm was said, assumes usual lesson hours. */
function startOf(one: Clock, other: Clock, minutes: number): string {
  const ended = other.ofDay === undefined ? undefined : (other.ofDay - minutes + 1440) % 1440
  const at = one.ofDay ?? ended ?? one.minutes + (one.minutes < EARLIEST ? 720 : 0)
  return [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * The clock times that start at a word: '4', '4:30', 'four thirty', 'half past four', 'quarter to 5 pm',
 * 'noon', '1630'.
 */
function clocksAt(line: Word[], at: number): Clock[] {
  const text = textAt(line, at)
  const value = valueAt(line, at)
  if (/^(noon|midday|midnight)$/.test(text)) return [clock(line, at, at + 1, 12 * 60)]
  const [, hours, minutes] = /^(\d{1,2})[:.](\d\d)$/.exec(line[at]?.written ?? '') ?? []
  if (Number(hours) < 24 && Number(minutes) < 60)
    return [clock(line, at, at + 1, Number(hours) * 60 + Number(minutes))]
  if (/^(?:[01]?\d|2[0-3])[0-5]\d$/.test(text) && value % 5 === 0)
    return [clock(line, at, at + 1, Math.floor(value / 100) * 60 + (value % 100))]
  return [...besideHour(line, at), ...fromHour(line, at)]
}

/** A clock time; bare if only an hour was said. */
function clock(line: Word[], from: number, to: number, minutes: number, isBare = false): Clock {
  const next = textAt(line, to)
  const hasHalf = /^(am|pm|oclock|ish|a\.m|p\.m)$/.test(next)
  return {
    from,
    to: hasHalf ? to + 1 : to,
    minutes: (minutes + 1440) % 720,
    ofDay: ofDay(line, from, to, (minutes + 1440) % 1440),
    isPhrase: textAt(line, from) in PARTS,
    isBare: isBare && !hasHalf,
  }
}

/** Minutes since midnight if the text settles am or pm: 'pm', 'in the morning', 16:30, 0730, noon. */
function ofDay(line: Word[], from: number, to: number, minutes: number): number | undefined {
  const behind = [0, 1, 2].map((more) => textAt(line, to + more)).join(' ')
  const [, half] = /^(?:oclock )?(?:in the )?(a\.?m|p\.?m|morning|afternoon|evening)\b/.exec(behind) ?? []
  if (half) return (minutes % 720) + (/^[pe]|^af/.test(half) ? 720 : 0)
  if (/^(noon|midday|midnight)$/.test(textAt(line, from))) return textAt(line, from) === 'midnight' ? 0 : 720
  return minutes >= 780 || /^0\d/.test(line[from]?.written ?? '') ? minutes : undefined
}

function isHour(line: Word[], at: number): boolean {
  const value = valueAt(line, at)
  const most = /^(from|to|until|at|-)$/.test(textAt(line, at - 1)) ? 23 : 12
  return value >= 1 && value <= most && Number.isInteger(value) && !line[at]?.isOrdinal
}

/** 'Half past four', 'ten to five', and 'half four', which also means 4:30. */
function besideHour(line: Word[], at: number): Clock[] {
  const minutes = PARTS[textAt(line, at)] ?? valueAt(line, at)
  if (!(minutes > 0 && minutes < 60)) return []
  const hasUnit = textAt(line, at + 1) === 'minute'
  const way = textAt(line, hasUnit ? at + 2 : at + 1)
  const hourAt = hasUnit ? at + 3 : at + 2
  const hour = isHour(line, hourAt) ? valueAt(line, hourAt) * 60 : NaN
  const isHalfHour = textAt(line, at) === 'half' && isHour(line, at + 1)
  return [
    ...(/^(past|after)$/.test(way) && hour > 0 ? [clock(line, at, hourAt + 1, hour + minutes)] : []),
    ...(/^(to|of|before|until)$/.test(way) && hour > 0 && (minutes < 30 || hasUnit)
      ? [clock(line, at, hourAt + 1, hour - minutes)]
      : []),
    ...(isHalfHour ? [clock(line, at, at + 2, valueAt(line, at + 1) * 60 + 30)] : []),
  ]
}

/** 'Four thirty', 'five oh five', 'four'. */
function fromHour(line: Word[], at: number): Clock[] {
  if (!isHour(line, at)) return []
  const hour = valueAt(line, at) * 60
  const next = /^(0|oh)$/.test(textAt(line, at + 1)) ? at + 2 : at + 1
  const minutes = line[at + 1]?.gap === ' ' ? valueAt(line, next) : NaN
  const isSpoken = minutes >= 5 && minutes < 60 && Number.isInteger(minutes)
  return [
    ...(isSpoken ? [clock(line, at, next + 1, hour + minutes)] : []),
    clock(line, at, at + 1, hour, true),
  ]
}
