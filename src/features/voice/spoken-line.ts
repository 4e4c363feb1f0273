// A transcript as a line of words, in which found things are replaced one after another by what they mean.
import { plainSpelling } from './name-spelling.ts'
import { numberAt } from './spoken-number.ts'

export interface Token<Said = unknown> {
  /** The word as rules see it: lower case, numbers in digits (ordinals as 3th), titles and units in one spelling, and @slot for what was found. */
  text: string
  /** Where it stands in the transcript. */
  start: number
  end: number
  isCapital: boolean
  isPossessive: boolean
  /** Whether a comma or the end of a sentence comes before it. */
  breaks: '' | ',' | '.'
  said?: Said
  /** The word as it was typed, without 's; none for numbers and signs. */
  written?: string
}

const ONE_SPELLING: Record<string, string> = {
  mr: 'mister',
  mrs: 'missus',
  misses: 'missus',
  missis: 'missus',
  ms: 'miss',
  mz: 'miss',
  dr: 'doctor',
  prof: 'professor',
  'ma’am': 'madam',
  hr: 'hour',
  hrs: 'hour',
  hours: 'hour',
  hour: 'hour',
  hourlong: 'hour',
  min: 'minute',
  mins: 'minute',
  minutes: 'minute',
  minuet: 'minute',
  minuets: 'minute',
  mintues: 'minute',
  mintue: 'minute',
  minites: 'minute',
  minuts: 'minute',
  huor: 'hour',
  houre: 'hour',
  horu: 'hour',
  buck: 'dollars',
  bucks: 'dollars',
  dollar: 'dollars',
  usd: 'dollars',
  eur: 'euro',
  gbp: 'pounds',
  pound: 'pounds',
  "o'clock": 'oclock',
  til: 'until',
  till: 'until',
  "'til": 'until',
  maths: 'math',
  tues: 'tuesday',
  tue: 'tuesday',
  weds: 'wednesday',
  wed: 'wednesday',
  thur: 'thursday',
  thurs: 'thursday',
  thu: 'thursday',
  fri: 'friday',
  mon: 'monday',
  yest: 'yesterday',
  yday: 'yesterday',
  "y'day": 'yesterday',
  yesterdy: 'yesterday',
  yesturday: 'yesterday',
  '2day': 'today',
  tdy: 'today',
  '2nite': 'tonight',
  '2moro': 'tomorrow',
  tmrw: 'tomorrow',
  tomorow: 'tomorrow',
  wensday: 'wednesday',
  wendsday: 'wednesday',
  teached: 'taught',
  tought: 'taught',
  thaught: 'taught',
  teacht: 'taught',
  tutered: 'tutored',
  lession: 'lesson',
  lesons: 'lessons',
  leson: 'lesson',
  lessions: 'lessons',
  nite: 'night',
  nyt: 'night',
  arvo: 'afternoon',
  avo: 'afternoon',
  aft: 'afternoon',
  evng: 'evening',
  std: 'standard',
  qtr: 'quarter',
  qtrs: 'quarters',
  reg: 'regular',
  jan: 'january',
  feb: 'february',
  mar: 'march',
  apr: 'april',
  jun: 'june',
  jul: 'july',
  aug: 'august',
  sept: 'september',
  sep: 'september',
  oct: 'october',
  nov: 'november',
  dec: 'december',
}
/** A word in the one spelling in which rules see it. */
export function spellingOf(word: string): string {
  return ONE_SPELLING[word] ?? word
}
/** Words of hesitation: they carry nothing and are left out. */
const FILLERS = new Set(['um', 'uh', 'uhm', 'umm', 'erm', 'er', 'hmm', 'hm', 'mm', 'ah', 'uhh'])
const WORD =
  /(?<=(?<!\d)(?:15|[2-9][05]|1[0-8][05]))['’′](?![\w"])|(?<=^|[-–—,;|]\s)\d{1,2}[.](?:0?[1-9]|1[0-2])[.](?=\s[-–—]\s|,|\s\p{L})|(?<![\d.])\d{1,2}[.](?:0?[1-9]|1[0-2])[.](?=,)|\d,(?:5|25|75)(?=\s?h)|×|\d{4}[/.]\d{1,2}[/.]\d{1,2}(?!\d)|\d{1,2}[.]\d{1,2}[.](?:20)?\d{2}(?!\d)|(?<=\bon (?:the )?)(?:\d{1,2}[.](?:0?[1-9]|1[0-2])[.](?!\d)|(?:1[3-9]|2\d|3[01])[.](?:0[1-9]|1[0-2])(?![.\d]))|(?<!\d)2(?:day|nite|moro)\b|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/]\d{1,2}(?:[/]\d{2,4})?|\d{1,2}-\d{1,2}-\d{2,4}|[$£€]\s?\d+(?:,\d{3})*(?:\.\d{1,2})?|[$£€]|\d{1,2}:\d{2}|\d+(?:st|nd|rd|th)\b|(?:\d+(?:,\d{3})*)?\.\d+|\d+(?:,\d{3})*|[½¼¾]|[ap]\.\s?m\b\.?|\bw\/|o'clock|\p{L}[\p{L}\p{M}\u200c\u200d]*(?:['’]\p{L}[\p{L}\p{M}]*)*|[-=]>|→|~(?=\s?\d)|[-–—](?=\s?(?:\d|noon\b|midday\b))|[/@&+%?!.,;:|•·()\n]| [-–—] (?!\d)| \/ (?!(?:h|hr|hrs|hour|hours|session|lesson)\b)/giu
const ABBREVIATION =
  /^(mister|missus|miss|doctor|professor|hour|minute|[a-z]|st|jr|sr|vs|approx|january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday)$/
/** 'Fourish', 'about fiveish'. */
const VAGUE = /^(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)ish$/
const TEST_NEXT =
  /^\W+(?:prep|math|maths|reading|writing|verbal|vocab|vocabulary|practice|test|tests|score|scores|tutoring|words|questions|section|english|essay|work|stuff|down|with|next|beside|and (?:worked|did|went))\b/i
/** 'Sat - Maya', 'Sat: Maya': a day that begins an entry. */
const PARTED = /^(?: [-–—/] |[:,] )/
const SIGNS: Record<string, string> = {
  '/': 'per',
  '@': 'at',
  '&': 'and',
  '+': 'plus',
  '%': 'percent',
  '½': '0.5',
  '¼': '0.25',
  '¾': '0.75',
}

/** The words of a transcript, numbers already read. */
export function lineOf<Said>(transcript: string): Token<Said>[] {
  const tokens: Token<Said>[] = []
  let breaks: Token['breaks'] = ''
  for (const match of transcript.matchAll(WORD)) {
    const raw = match[0]
    const before = tokens.at(-1)
    if (/^(?:[?!.,;:|•·()\n]| [-–—/] )$/.test(raw)) {
      const closesAbbreviation =
        raw === '.' &&
        before !== undefined &&
        before.end === match.index &&
        isAbbreviated(transcript.slice(before.start, before.end), before.text)
      if (!closesAbbreviation) breaks = /[.?!\n]/.test(raw) ? '.' : breaks || ','
      continue
    }
    const token = tokenOf<Said>(raw, match.index, before)
    if (!token) {
      // '1 hr - 55': such a dash parts what stands around it.
      if (
        /^[-–—]$/.test(raw) &&
        /^\s$/.test(transcript[match.index - 1] ?? '') &&
        /^\s$/.test(transcript[match.index + 1] ?? '')
      )
        breaks ||= ','
      continue
    }
    token.breaks = tokens.length === 0 ? '.' : breaks
    breaks = ''
    // 'Sat' inside a sentence is the day; the test is written 'SAT'.
    if (
      /^(?:Sat|Sun)$/.test(raw) &&
      (token.breaks !== '.' || PARTED.test(transcript.slice(token.end))) &&
      !TEST_NEXT.test(transcript.slice(token.end))
    )
      token.text = raw === 'Sat' ? 'saturday' : 'sunday'
    const isStammer =
      before?.text === token.text &&
      token.breaks === '' &&
      /^\p{L}+$/u.test(token.text) &&
      !before.isPossessive &&
      !numberAt([token.text], 0)
    if (isStammer) before.end = token.end
    else tokens.push(token)
  }
  return readNumbers(tokens)
}

/** Whether a dot behind a word belongs to it: 'Mr.', 'hr.', 'J.', but not 'hour.'. */
function isAbbreviated(written: string, read: string): boolean {
  return (
    ABBREVIATION.test(read) &&
    /\p{L}/u.test(written) &&
    written.length < 6 &&
    (written.toLowerCase() !== read || written.length < 3)
  )
}

function tokenOf<Said>(raw: string, start: number, before: Token<Said> | undefined): Token<Said> | undefined {
  const end = start + raw.length
  const isWord = /^\p{L}/u.test(raw)
  const plain = isWord ? plainSpelling(raw) : raw.replaceAll('’', "'").toLowerCase()
  const afterDigits = before !== undefined && before.end === start && /\d$/.test(before.text)
  const possessive = /^(.{2,})'s$/.exec(plain)
  const isPossessive =
    possessive !== null &&
    !/^(it|that|he|she|let|what|there|here|who|how|where|one)$/.test(possessive[1] ?? '')
  const bare = isPossessive ? (possessive[1] ?? '') : plain.replace(/^'|'$/g, '')
  if (FILLERS.has(bare) || (bare === 'ish' && before?.end !== undefined && before.end >= start - 1))
    return undefined
  if (/^[$£€]$/.test(raw))
    return before !== undefined && /\d$/.test(before.text) && start - before.end <= 1
      ? { text: 'dollars', start, end, isCapital: false, isPossessive: false, breaks: '' }
      : undefined
  let text = ONE_SPELLING[bare] ?? VAGUE.exec(bare)?.[1] ?? SIGNS[bare] ?? bare
  // '1 h', but not the h of '45 / h'.
  if (
    bare === 'h' &&
    raw === 'h' &&
    before !== undefined &&
    before.end + 1 >= start &&
    /^\d[\d:.,]*$/.test(before.text)
  )
    text = 'hour'
  // Lengths that lessons have, and no race.
  if (
    raw === 'm' &&
    before !== undefined &&
    before.end + 1 === start &&
    /^(?:30|45|75|90|120)$/.test(before.text)
  )
    text = 'minute'
  if (raw === 'n') text = 'and'
  if (raw === '×') text = 'x'
  if (/^\d,\d+$/.test(raw)) text = raw.replace(',', '.')
  if (afterDigits && bare === 'h') text = 'hour'
  if (afterDigits && (bare === 'm' || /^['’′]$/.test(raw))) text = 'minute'
  if (afterDigits && /^[ap]$/.test(bare)) text = `${bare}m`
  if (/^[ap]\.\s?m\.?$/.test(plain)) text = `${plain[0]}m`
  if (plain === 'w/' || raw === 'w') text = 'with'
  if (/^[£€]/.test(raw)) text = text.replace(/^./, '$$')
  if (/^\d+[./]\d+[./]\d+$/.test(raw) && !/^\d{1,2}[/]/.test(raw)) text = isoOf(raw)
  if (
    /^\d+[.]\d+[.]$/.test(raw) ||
    (/^(?:1[3-9]|2\d|3[01])[.](?:0[1-9]|1[0-2])$/.test(raw) && before?.text.match(/^(?:on|the)$/))
  )
    text = raw.replace(/^(\d+)[.](\d+)[.]?$/, '$2/$1')
  if (/^(?:[-–—~→]|[-=]>)$/.test(raw))
    text =
      before !== undefined &&
      (/\d|^[ap]m$|^noon$/.test(before.text) || (before.text === 'hour' && before.end === start))
        ? 'to'
        : ''
  if (text === 'per' && raw === '/' && before === undefined) return undefined
  return text === ''
    ? undefined
    : {
        text: text.replace(/^\$\s+/, '$'),
        start,
        end,
        isCapital: /^\p{Lu}/u.test(raw),
        isPossessive,
        breaks: '',
        ...(isWord ? { written: isPossessive ? raw.slice(0, -2) : raw } : {}),
      }
}

/** A date with dots is written day first, one that begins with the year is not. */
function isoOf(written: string): string {
  const [one = '', two = '', three = ''] = written.split(/[./]/)
  if (one.length === 4) return `${one}-${two}-${three}`
  const year = three.length === 2 ? `20${three}` : three
  return Number(two) > 12 ? `${year}-${one}-${two}` : `${year}-${two}-${one}`
}

function readNumbers<Said>(tokens: Token<Said>[]): Token<Said>[] {
  const line: Token<Said>[] = []
  for (let index = 0; index < tokens.length;) {
    const first = tokens[index]
    if (!first) break
    // A number never runs across a comma or the end of a sentence.
    const stretch = tokens.slice(index, index + 10)
    const breakAt = stretch.findIndex((token, place) => place > 0 && token.breaks !== '')
    const words = (breakAt < 0 ? stretch : stretch.slice(0, breakAt)).map((token) => token.text)
    const found =
      /^\d[\d,]*$/.test(first.text) && words.length > 1 && /^0\.(5|25|75)$/.test(words[1] ?? '')
        ? { value: Number(first.text) + Number(words[1]), isOrdinal: false, length: 2 }
        : numberAt(words, 0)
    const last = found && tokens[index + found.length - 1]
    if (found && last) {
      // '6.30' keeps its nought: it may be a time of day. So does '0800'.
      const isWritten = found.length === 1 && /^(?:\d{1,3}[.]\d0|0\d{3})$/.test(first.text)
      line.push({
        ...first,
        text: isWritten ? first.text : `${found.value}${found.isOrdinal ? 'th' : ''}`,
        end: last.end,
        isPossessive: false,
        isCapital: false,
      })
      index += found.length
    } else {
      line.push(first)
      index += 1
    }
  }
  return line
}

/** A pattern over whole words of a line; line ends in its source and the blanks behind them mean nothing. */
export function phrase(source: string): RegExp {
  return new RegExp(`(?<=^| )(?:${source.replace(/\n */g, '')})(?=$| )`, 'g')
}

/** The line as one text, words parted by one blank. */
export function textOf(line: readonly Token[]): string {
  return line.map((token) => token.text).join(' ')
}

export interface Found {
  match: RegExpExecArray
  /** The words it covers: from the first to before the last. */
  from: number
  to: number
}

/** Where a pattern stands in a line, in words. */
export function find(line: readonly Token[], pattern: RegExp): Found[] {
  const text = textOf(line)
  const starts: number[] = []
  let offset = 0
  for (const token of line) {
    starts.push(offset)
    offset += token.text.length + 1
  }
  return [...text.matchAll(pattern)].flatMap((match) => {
    if (match[0] === '') return []
    const from = starts.indexOf(match.index)
    const end = match.index + match[0].length
    const to = starts.findIndex((start) => start > end)
    return from < 0 ? [] : [{ match, from, to: to < 0 ? line.length : to }]
  })
}

/** Replaces every place of a pattern by a word that holds its meaning; where the meaning is undefined, the words stay. */
export function claim<Said>(
  line: Token<Said>[],
  pattern: RegExp,
  word: string,
  meaning: (match: RegExpExecArray, found: Found) => Said | undefined,
): Token<Said>[] {
  const result: Token<Said>[] = []
  let next = 0
  for (const found of find(line, pattern)) {
    const said = found.from < next ? undefined : meaning(found.match, found)
    const [first, last] = [line[found.from], line[found.to - 1]]
    if (said === undefined || !first || !last) continue
    // People and days that stand inside what is found stay, before it: 'paid Sarah sixty dollars'.
    const kept = line
      .slice(found.from, found.to)
      .filter(({ text }) => text !== word && (text === '@person' || text === '@day'))
    result.push(...line.slice(next, found.from), ...kept, {
      text: word,
      start: first.start,
      end: last.end,
      isCapital: first.isCapital,
      isPossessive: last.isPossessive,
      breaks: first.breaks,
      said,
    })
    next = found.to
  }
  return [...result, ...line.slice(next)]
}
