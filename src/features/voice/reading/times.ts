// Proposes lengths of time: stated lengths, clock ranges, bare numbers, and combinations of two.
import type { Candidate } from './candidates.ts'
import { numberIn, type Span, textAt, type Word } from './line.ts'
import type { Table } from './language.ts'
import type { Phrase } from './phrases.ts'
import words from './words.json' with { type: 'json' }

/** Lengths that were stated explicitly. */
export const PLAIN_LENGTH = /^(bare-)?(hours|minutes|part|colon|open)$/
const HOURS = new Map<string, number>(Object.entries(words.hours))

/** How many hours or minutes were said: '2', 'a couple of', 'and three quarters'. */
function amountIn(written: string | undefined): number {
  const plain = written?.replace(/^and (?:an? |the )?| (?:of|minute)$/g, '') ?? ''
  return plain === '' ? 0 : (HOURS.get(plain) ?? numberIn(plain) ?? 0)
}

const minutesIn = (part = ''): number => amountIn(part) * (HOURS.has(part) ? 60 : 1)

/** Every length of time. */
export function timeCandidates(line: Word[], { lengths, clocks }: Record<Table, Phrase[]>): Candidate[] {
  const spans = lengths.map((phrase) => lengthOf(phrase))
  const isPart = ({ from, to }: Candidate, of: Candidate): boolean =>
    of.to >= to && (of.from < from || (of.from === from && of.to > to && !of.type.endsWith('open')))
  const between = ranges(line, clocks.map(clockOf))
  // In '9h00 to 10h30', neither is a length.
  const isClock = ({ from, to }: Candidate): boolean =>
    clocks.some((clock) => clock.type === 'hours' && clock.from <= from && clock.to >= to)
  const longest = spans.filter((one) => !isClock(one) && !spans.some((other) => isPart(one, other)))
  return [
    ...longest,
    ...combined([...longest, ...between.filter(({ type }) => type === 'range')]),
    ...products(line, longest),
    ...between,
    ...line.flatMap(({ value }, at) => {
      const isLength = value !== null && value >= 5 && value <= 240
      const isSaid = spans.some(({ from, to }) => from <= at && at < to)
      return isLength && !isSaid ? [candidate(at, at + 1, value, 'bare')] : []
    }),
  ].filter(({ value }) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= 1440)
}

function candidate(from: number, to: number, value: number, type: string): Candidate {
  return { slot: 'minutes', from, to, value, type }
}

function lengthOf({ from, to, type, groups }: Phrase): Candidate {
  const isBare = type !== 'minutes' && groups.hours === undefined
  const hours = isBare ? 1 : amountIn(groups.hours)
  const parts = amountIn(groups.part) + amountIn(groups.more)
  const minutes = 60 * (hours + parts) + amountIn(groups.minutes) - minutesIn(groups.less)
  return candidate(from, to, Math.round(minutes), isBare ? `bare-${type}` : type)
}

/** 'An hour plus an extra half hour', '4 to 5:45 with a 15 minute break', '10-11 then 12-1'. */
function combined(lengths: Candidate[]): Candidate[] {
  return lengths.flatMap((one) =>
    lengths.flatMap((other) => {
      const isRange = one.type === 'range' || other.type === 'range'
      const words = other.from - one.to
      if (words < 0 || words > (isRange ? 15 : 7)) return []
      const [first, second] = [Number(one.value), Number(other.value)]
      const kind = isRange ? 'range-' : ''
      return [
        candidate(one.from, other.to, first + second, `${kind}sum`),
        candidate(one.from, other.to, Math.abs(first - second), `${kind}difference`),
      ]
    }),
  )
}

/** 'Two 45-minute lessons', '2 x 30 minutes'. */
function products(line: Word[], lengths: Candidate[]): Candidate[] {
  return lengths.flatMap(({ from, to, value }) =>
    [from - 1, from - 2, from - 3, from - 4].flatMap((at) => {
      const count = textAt(line, at) === 'double' ? 2 : (line[at]?.value ?? 0)
      return [2, 3, 4, 5].includes(count) ? [candidate(at, to, Number(value) * count, 'product')] : []
    }),
  )
}

interface Clock extends Span {
  /** Minutes on a 12-hour clock. */
  minutes: number
  /** Minutes since midnight, if am or pm is known. */
  ofDay: number | undefined
  isBare: boolean
  /** Whether it starts with 'half' or 'quarter'. */
  isPhrase: boolean
}

function clockOf({ from, to, type, groups }: Phrase): Clock {
  const { hour = '', minutes = '', before = '' } = groups
  const more = [minutes, before].map(minutesIn)
  const whole = (60 * amountIn(hour) + (more[0] ?? 0) - (more[1] ?? 0) + 1440) % 1440
  const half = groups.half ?? groups.when
  const isKnown = type === 'noon' || whole >= 780 || hour.startsWith('0')
  return {
    from,
    to,
    minutes: whole % 720,
    ofDay: half ? (whole % 720) + (/^[pen]|^af/.test(half) ? 720 : 0) : isKnown ? whole : undefined,
    isBare: type === 'bare' && to === from + 1,
    isPhrase: HOURS.has(minutes) || HOURS.has(before),
  }
}

/** Ranges between two clock times, adjacent or a few words apart. */
function ranges(line: Word[], all: Clock[]): Candidate[] {
  // The 'four' in 'half four' isn't a separate time; the one in 'four thirty' may be.
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
      const isBare = one.isBare && other.isBare
      if (!isJoined && isBare && words > 8) return []
      const minutes = (other.minutes - one.minutes + 720) % 720
      const way = isJoined ? 'range' : isBare ? 'bare-pair' : 'pair'
      const type = isShort(one) || isShort(other) ? `short-${way}` : way
      const range = { ...candidate(one.from, other.to, minutes, type), start: startOf(one, other, minutes) }
      return [
        ...(minutes >= 10 && minutes <= 480 ? [range] : []),
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
