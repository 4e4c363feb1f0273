// The days that a sentence names. 'Friday' is the one before today unless the sentence looks ahead.
import { addDays, type CalendarDay, daysInMonth } from '#kernel/calendar-day.ts'
import { dayOf, HOLIDAY_NAME, holiday, nthWeekday, weekdayOf } from './holiday.ts'
import { claim, find, type Found, phrase, type Token } from './spoken-line.ts'

/** A day that was said; an exact date outranks a weekday said beside it. */
export interface SaidDay {
  slot: 'day'
  day: CalendarDay
  isExact: boolean
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTH = `(?<month>${MONTHS.join('|')})`
const WEEKDAY = `(?<weekday>${WEEKDAYS.join('|')})`
const YEAR = '(?:(?: of| in)? (?<year>20[0-9]{2}|20 [0-9]{2}))?'
const COUNT = '(?<count>[0-9]+|a couple of|a couple|couple|a)'
const PART =
  '(?: (?:in the )?(?:morning|afternoon|evening|night|noon|lunchtime|midday|after school|before school|am(?= |$)|pm(?= |$)))?'
/** What follows an ordinal that counts things, not days. */
const COUNTED = `
  (?:grade|grader|chapter|unit|lesson|session|time|one|quarter|period|try|attempt|floor|place|week|problem|question|part|hour|step|draft|page|level|book|point|person|child|kid|test|quiz|exam|
  language|class|paragraph|section|set|round|module|marking|degree|row|thing|year|month|semester|trimester|base|generation|step|edition|person|world|amendment)(?= |$)`

/** Whether the sentence speaks of something still to come: such words stand before any word of the past. */
export function looksAhead(line: readonly Token[]): boolean {
  const ahead = find(line, AHEAD)[0]
  const past = find(line, PAST)[0]
  const notes = line.findIndex(({ text }) => /^notes?$/.test(text))
  return (
    ahead !== undefined && (notes < 0 || ahead.from < notes) && (past === undefined || ahead.from < past.from)
  )
}
const AHEAD = phrase(`
  (?:will|she'll|he'll|they'll|we'll|i'll) (?:have|be|do|take|meet|see|work|get|spend|tutor|teach|come|need|study)|(?:is|are|am) (?:going to|having|getting|seeing|meeting|taking|doing)|gonna|
  has (?:an? |1 |another )?(?:[a-z]+ )?(?:lesson|session|class|appointment)(?! @| with [a-z ]+ yesterday)|has (?:an?|1|half|[0-9.]+|another) (?:half )?(?:an )?(?:hour|minute)|upcoming|
  scheduled|booked`)
const PAST = phrase(
  'had|did|worked|taught|tutored|met|finished|came|spent|saw|got|took|went|completed|was|were|helped|charged|paid|covered|practiced|studied',
)

/** Marks every day that the line names. */
export function claimDays<Said>(start: Token<Said | SaidDay>[], today: CalendarDay): Token<Said | SaidDay>[] {
  const ahead = looksAhead(start)
  let line = spelled(parted(start))
  const mark = (
    source: RegExp,
    read: (groups: Record<string, string | undefined>, text: string, found: Found) => CalendarDay | undefined,
    isExact = false,
  ): void => {
    line = claim(line, source, '@day', (match, found) => {
      const day = read(match.groups ?? {}, match[0], found)
      return day && { slot: 'day', day, isExact }
    })
  }
  const nearest = (dayIn: (year: number) => CalendarDay | undefined): CalendarDay | undefined =>
    nearestYear(dayIn, today, ahead)
  // 'On Father's Day she had ...' speaks of the last one, also where the next is near.
  const isPast = !ahead && find(start, PAST).length > 0
  const nearestHoliday = (dayIn: (year: number) => CalendarDay | undefined): CalendarDay | undefined =>
    isPast ? nearestYear(dayIn, today, false, true) : nearest(dayIn)
  const dated = (groups: Record<string, string | undefined>, month: number): CalendarDay | undefined => {
    const date = Number(groups.date ?? groups.date2)
    const said = groups.year === undefined ? undefined : Number(groups.year.replace(' ', ''))
    return said === undefined ? nearest((guess) => dayOf(guess, month, date)) : dayOf(said, month, date)
  }
  const monthOf = (groups: Record<string, string | undefined>): number =>
    MONTHS.indexOf(groups.month ?? '') + 1
  const past = (groups: Record<string, string | undefined>): CalendarDay =>
    weekdayBefore(today, WEEKDAYS.indexOf(groups.weekday ?? ''))
  const inWeek = (groups: Record<string, string | undefined>, weeks: number): CalendarDay =>
    addDays(mondayOf(today), weeks * 7 + ((WEEKDAYS.indexOf(groups.weekday ?? '') + 6) % 7))

  mark(
    WEEKDAY_NUMERIC,
    (groups) => {
      const weekday = WEEKDAYS.indexOf(groups.weekday ?? '')
      const [one, two] = [Number(groups.one), Number(groups.two)]
      const days = [nearest((year) => dayOf(year, one, two)), nearest((year) => dayOf(year, two, one))]
      const fitting = days.filter((day) => day !== undefined && weekdayOf(day) === weekday).sort()
      return (
        fitting.findLast((day) => day !== undefined && day <= today) ??
        fitting[0] ??
        days.find((day) => day !== undefined)
      )
    },
    true,
  )
  mark(NUMERIC, (groups) => numericDay(groups, nearest, today), true)
  mark(
    EVE,
    (groups) => {
      const base = nearest((guess) =>
        groups.month === undefined
          ? holiday(groups.holiday ?? '', guess)
          : dayOf(guess, monthOf(groups), Number(groups.date)),
      )
      if (!base) return undefined
      const way = groups.way === 'before' ? -1 : 1
      const weekday = WEEKDAYS.indexOf(groups.weekday ?? '')
      if (weekday >= 0)
        return way < 0
          ? weekdayBefore(base, weekday)
          : addDays(weekdayBefore(base, weekday), 7 + (weekdayOf(base) === weekday ? 7 : 0))
      return addDays(base, way * daysOf(groups.unit) * countOf(groups.count))
    },
    true,
  )
  mark(DATE_MONTH, (groups) => dated(groups, monthOf(groups)), true)
  // '3 Nov, 5-7pm': what stands behind the comma is no date.
  mark(
    MONTH_DATE,
    (groups, _, { from, to }) =>
      /^[0-9]{1,2}$/.test(line[from - 1]?.text ?? '') &&
      line.slice(from + 1, to).some(({ breaks }) => breaks !== '')
        ? undefined
        : dated(groups, monthOf(groups)),
    true,
  )
  mark(DATE_MONTH_ALONE, (groups) => dated(groups, monthOf(groups)), true)
  mark(LAST_DAY, (groups) => lastDay(groups, today, nearest), true)
  mark(
    NTH_WEEKDAY,
    (groups) => {
      const nth = groups.nth === 'last' ? -1 : Number.parseInt(groups.nth ?? '', 10)
      const weekday = WEEKDAYS.indexOf(groups.weekday ?? '')
      if (groups.month !== undefined)
        return nearest((guess) => nthWeekday(guess, monthOf(groups), weekday, nth))
      const [inYear, month] = monthFrom(today, groups.which === 'last' ? -1 : groups.which === 'next' ? 1 : 0)
      return nthWeekday(inYear, month, weekday, nth)
    },
    true,
  )
  mark(
    DATE_OF_MONTH,
    (groups) => {
      const which = groups.which ?? groups.which2
      const [inYear, month] = monthFrom(
        today,
        which === 'last' || which === 'previous' ? -1 : which === 'next' ? 1 : 0,
      )
      return dayOf(inYear, month, Number(groups.date ?? groups.date2))
    },
    true,
  )
  mark(
    HOLIDAY,
    (groups) => {
      const named = groups.holiday ?? groups.holiday2 ?? ''
      const day = nearestHoliday((guess) => holiday(named, guess))
      return day && groups.year !== undefined ? holiday(named, Number(groups.year.replace(' ', ''))) : day
    },
    true,
  )
  // 'A week ago yesterday' before 'yesterday', 'a week last Friday' before 'last Friday'.
  mark(AGO_FROM, (groups) =>
    addDays(
      today,
      -daysOf(groups.unit ?? groups.unit2) * countOf(groups.count) +
        (/yesterday/.test(groups.anchor ?? '') ? -1 : groups.anchor === 'tomorrow' ? 1 : 0),
    ),
  )
  mark(WEEK_LAST, (groups) => addDays(past(groups), -7))
  mark(phrase('yesterday week'), () => addDays(today, -8))
  mark(phrase('(?:this time|this day|today) last week|last week (?:today|this time)'), () =>
    addDays(today, -7),
  )
  mark(WEEK_THEN, (groups) => inWeek(groups, -1))
  mark(DAYS_FROM_TODAY, (_, text) =>
    addDays(
      today,
      text.includes('before yesterday')
        ? -2
        : text.includes('night before last')
          ? -2
          : text.includes('after tomorrow')
            ? 2
            : /yesterday|last (?:night|evening)/.test(text)
              ? -1
              : text.includes('tomorrow')
                ? 1
                : 0,
    ),
  )
  mark(AGO, (groups) => {
    const count = countOf(groups.count)
    if (groups.unit === 'month') return sameDate(today, -count)
    const back = addDays(today, -daysOf(groups.unit) * count)
    if (groups.weekday !== undefined)
      return addDays(
        past(groups),
        -7 * (groups.unit === 'week' ? count : groups.unit === 'fortnight' ? 2 * count : 0),
      )
    return addDays(back, groups.anchor === 'yesterday' ? -1 : 0)
  })
  mark(BARE_WEEK, () => addDays(today, -7))
  mark(IT_IS, (groups) => (weekdayOf(today) === WEEKDAYS.indexOf(groups.weekday ?? '') ? today : undefined))
  mark(IN_DAYS, (groups) => addDays(today, daysOf(groups.unit) * countOf(groups.count)))
  mark(WEEKDAY_DATE, (groups) => bareDate(Number(groups.date), today, ahead), true)
  mark(FRIDAY_WEEK, (groups) => addDays(past(groups), -7))
  mark(JUST_GONE, past)
  mark(BEFORE_LAST, (groups) => addDays(past(groups), -7))
  mark(BESIDE_WEEKDAY, (groups) =>
    ahead ? undefined : addDays(past(groups), countOf(groups.count) * (groups.way === 'before' ? -1 : 1)),
  )
  mark(WEEKDAYS_AGO, (groups) => addDays(past(groups), -7 * (countOf(groups.count) - 1)))
  mark(WEEK_BEFORE_LAST, (groups) => inWeek(groups, -2))
  mark(OF_LAST_WEEK, (groups) => inWeek(groups, -1))
  mark(OF_NEXT_WEEK, (groups) => inWeek(groups, 1))
  mark(OF_THIS_WEEK, (groups) => inWeek(groups, 0))
  mark(COMING, (groups) =>
    addDays(past(groups), 7 + (weekdayOf(today) === WEEKDAYS.indexOf(groups.weekday ?? '') ? 7 : 0)),
  )
  mark(NEXT, (groups) => inWeek(groups, 1))
  mark(THIS, (groups) => {
    const day = inWeek(groups, 0)
    return ahead && day <= today ? addDays(day, 7) : day
  })
  mark(BARE, (groups, text) => {
    const day = past(groups)
    return ahead && !/last|past|previous/.test(text)
      ? addDays(day, weekdayOf(today) === WEEKDAYS.indexOf(groups.weekday ?? '') ? 14 : 7)
      : day
  })
  // 'Yesterday and the day before': told from the day that was said first.
  line = claim(
    line,
    phrase('(?<=@day and )(?:on )?the day (?<way>before|after)(?! @day)'),
    '@day',
    ({ groups }, { from, to }) => {
      const before = line[from - 2]?.said as SaidDay | undefined
      const ends =
        line[to] === undefined ||
        line[to]?.breaks !== '' ||
        /^(?:for|with|an?|both|each|[0-9.]+)$/.test(line[to]?.text ?? '')
      return before && ends
        ? {
            slot: 'day',
            day: addDays(before.day, groups?.way === 'before' ? -1 : 1),
            isExact: before.isExact,
          }
        : undefined
    },
  )
  mark(SHORT, (_, text) => weekdayBefore(today, text.endsWith('sat') ? 6 : text.endsWith('sun') ? 0 : 3))
  mark(BARE_DATE, (groups) => bareDate(Number(groups.date), today, ahead), true)
  return line
}

/** 'Sat' and 'sun' as days, by what stands behind them or because nothing stands beside them. */
function spelled<Said>(line: Token<Said>[]): Token<Said>[] {
  const places = new Set(find(line, SHORT_DAY).map(({ to }) => to - 1))
  const day = find(line, ANY_DAY).length > 0
  return line.map((token, place) => {
    if (!/^(?:sat|sun)$/.test(token.text)) return token
    const isAlone =
      !day &&
      (!token.isCapital || token.text === 'sun') &&
      token.breaks !== '' &&
      line[place + 1]?.breaks !== ''
    return isAlone || places.has(place)
      ? { ...token, text: token.text === 'sat' ? 'saturday' : 'sunday' }
      : token
  })
}

/** 'An hour thirty two weeks ago' is an hour thirty, two weeks ago. */
function parted<Said>(line: Token<Said>[]): Token<Said>[] {
  return line.flatMap((token, place) => {
    const isBoth =
      /^[2-5][1-9]$/.test(token.text) &&
      line[place - 1]?.text === 'hour' &&
      /^(?:week|day)s?$/.test(line[place + 1]?.text ?? '') &&
      line[place + 2]?.text === 'ago'
    return isBoth
      ? [
          { ...token, text: `${token.text[0]}0`, end: token.start + 1 },
          { ...token, text: token.text[1] ?? '', start: token.start + 1, breaks: '' as const },
        ]
      : [token]
  })
}

const CLOCK_NEXT =
  '(?:at )?(?:[0-9]{1,2}(?::[0-9]{2}|[.][0-9]{2})?(?: [ap]m)? (?:to|until) [0-9]|[0-9]{1,2}:[0-9]{2}|[0-9]{1,2} [ap]m|[01][0-9]{3} to)'
const SHORT_DAY = phrase(
  `(?<!\\b(?:the|an?|her|his|psat|practice|mock|she|he|they|we|i|and|of|who) )(?:sat|sun)(?= (?:(?:just )?gone|past|morning|afternoon|evening|night|lunchtime|am|pm|last week|this week|(?:the )?[0-9]{1,2}th|(?:the )?(?:[0-9]{1,2}(?:th)? )?(?:${MONTHS.join('|')})|[0-9]{1,2}[/][0-9]|${CLOCK_NEXT})(?= |$|[0-9:./]))`,
)
const ANY_DAY = phrase(
  `${WEEKDAYS.join('|')}|today|yesterday|tonight|this morning|this afternoon|this evening|last night|ago|[0-9]+th|[0-9]+/[0-9]+|[0-9]{4}-[0-9]+-[0-9]+`,
)
const NUMERIC = phrase(`
  (?<iso>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})|(?!(?:1|3)[/](?:2|4) (?:of )?(?:an? )?hour)(?<!hour(?: and)?(?: an?)? (?=[13][/][24] ))(?<numeric>[0-9]{1,2}[/][0-9]{1,2}(?:[/][0-9]{2,4})?|[0-9]{1,2}-[0-9]{1,2}-[0-9]{2,4})|
  (?<=on )(?<first>[1-9]|1[0-2]) (?:slash )?(?<second>[1-9]|[12][0-9]|3[01])(?! (?:minute|hour|dollars|per|a|an|am|pm|oclock))|(?<three>(?:[1-9]|1[0-2]) (?:[1-9]|[12][0-9]|3[01]) (?:20 2[0-9]|
  2[0-9]|202[0-9]))(?! (?:minute|hour|dollars|per|an?|am|pm|oclock))|(?<first2>[1-9]|1[0-2]) slash (?<second2>[1-9]|[12][0-9]|3[01])`)
/** 'Mon 11/5': the weekday tells which of the two is the month. */
const WEEKDAY_NUMERIC = phrase(`(?:on |last )?${WEEKDAY} (?:the )?(?<one>[0-9]{1,2})[/](?<two>[0-9]{1,2})`)
const EVE = phrase(
  `(?:on )?(?:(?:the )?(?:${COUNT} )?(?:(?<unit>day|week)s?|${WEEKDAY}) )(?<way>before|after) (?:(?<holiday>${HOLIDAY_NAME})|${MONTH} (?:the )?(?<date>[0-9]{1,2})(?:th)?)`,
)
/** 'The day before Tuesday', 'two days after Friday'. */
const BESIDE_WEEKDAY = phrase(
  `(?:on )?(?:the |a )?(?:${COUNT} )?days? (?<way>before|after) (?:last |on )?${WEEKDAY}`,
)
const NOT_A_DATE =
  '(?! (?:quarters|quarter|minute|hour|dollars|per|and a half hour|half hour|oclock|am|pm|each|hourly)(?= |$))'
const MONTH_DATE = phrase(
  `(?:on )?${MONTH} (?:the )?(?:(?<date>[0-9]{1,2})th|(?<date2>[0-9]{1,2})${NOT_A_DATE})${YEAR}`,
)
const DATE_MONTH = phrase(
  `(?:on )?(?:the )?(?:(?<date>[0-9]{1,2})th(?: day)?(?: of)? ${MONTH}${YEAR}|(?<date2>[0-9]{1,2})(?: of)? ${MONTH}${YEAR}(?! (?:the )?[0-9]{1,2}(?:th)?(?= |$)))`,
)
/** '15 June, 90': where no date follows the month, the number before it is one. */
const DATE_MONTH_ALONE = phrase(`(?:on )?(?<date>[0-9]{1,2})(?: of)? ${MONTH}`)
const LAST_DAY = phrase(
  `(?:on )?the (?<which>last(?: day)?(?= )|1th day) (?:of|in) (?:the month of )?(?:${MONTH}|(?<whose>the month|last month|this month|the year|last year|this year))`,
)
const NTH_WEEKDAY = phrase(
  `(?:on )?(?:the )?(?<nth>1th|2th|3th|4th|5th|last) ${WEEKDAY} (?:of|in) (?:${MONTH}|(?:the|(?<which>last|this|next)) month)`,
)
const DATE_OF_MONTH = phrase(
  '(?:on )?the (?<date>[0-9]{1,2})th (?:of |day of )?(?:the )?(?<which>last|previous|this|next|the)? ?month|(?<which2>last|this|next) month on the (?<date2>[0-9]{1,2})th',
)
const HOLIDAY = phrase(`
  (?:on |over )(?<holiday>${HOLIDAY_NAME})${YEAR}(?! (?:break|vacation|holiday|homework|story|stories|party|essay|song|songs|carol|carols|music|concert|week|weekend|recital|cards|card|present|presents|gift|gifts|bonus|tip|discount|tree|dinner|shopping|play|show))|
  (?<holiday2>${HOLIDAY_NAME})${YEAR}(?! (?:break|vacation|holiday|homework|story|stories|party|essay|song|songs|carol|carols|music|concert|week|weekend|recital|cards|card|present|presents|gift|gifts|bonus|tip|discount|tree|dinner|shopping|play|show|theme|project))`)
const DAYS_FROM_TODAY = phrase(`
  (?:on )?(?:(?:the )?day before yesterday|(?:the )?day after tomorrow|(?:the )?night before last|yesterday${PART}|last night|tomorrow${PART}|(?:late |early |earlier |later )?today(?: (?:at|
  after) (?:noon|lunch|school))?|(?:earlier |late |later |first thing )?(?:on )?this (?:very |same )?(?:morning|afternoon|evening|lunchtime|noon|am|pm|morn)|just this (?:minute|second|moment)|last evening|tonight|just now|right now|a (?:few|couple|couple of) minute ago|(?:[0-9.]+|a few|a couple of|
  a couple|an?|half an?) (?:minute|hour|seconds|moment|moments|while|half hour)(?: or so| and a half)? ago|(?:just )?(?:finished|wrapped up|ended|done) (?:just )?now|a moment ago|moments ago|
  minutes ago|a while ago today)`)
const AGO_FROM = phrase(
  `(?:about )?(?:${COUNT} (?<unit>day|week|fortnight)s? (?:ago|back|before) (?<anchor>today|yesterday|tomorrow)(?: morning| afternoon| evening)?)`,
)
/** 'A week last Friday', 'last Friday week', 'Monday week gone': the one before the last. */
const WEEK_LAST = phrase(`(?:a )?week (?:ago )?(?:last|past|gone)(?: on)? ${WEEKDAY}`)
/** 'Last week, it was the Monday'. */
const WEEK_THEN = phrase(
  `last week (?:(?:it was|i think it was|must have been|that was|so|i think|on|probably|the) )+${WEEKDAY}`,
)
const AGO = phrase(
  `(?:about )?${COUNT} (?<unit>day|night|evening|morning|afternoon|week|fortnight|month)s? (?:ago|back)(?: (?:(?<anchor>today|yesterday)|(?:on )?(?:last )?${WEEKDAY}))?|(?:on |last )?${WEEKDAY} ${COUNT} (?<unit>week)s? (?:ago|back)`,
)
/** As learners write it, and as 'a week ago' is heard when it is said fast. */
const BARE_WEEK = phrase('(?<!(?:few|several|some|many|couple|every|each) )week ago')
const IT_IS = phrase(`(?:it's|it is|today is|today's|this is) ${WEEKDAY}|today ${WEEKDAY}|${WEEKDAY} today`)
const IN_DAYS = phrase(`in ${COUNT} (?<unit>day|week)s?|${COUNT} (?<unit>day|week)s? from (?:now|today)`)
const WEEKDAY_DATE = phrase(`(?:on |last |this )?${WEEKDAY} (?:the )?(?<date>[0-9]{1,2})th(?! ${COUNTED})`)
const FRIDAY_WEEK = phrase(`(?:on )?last ${WEEKDAY} week`)
const JUST_GONE = phrase(
  `(?:on )?(?:this |the |last )?${WEEKDAY} (?:just )?(?:gone|past|passed|last)(?! week)(?= |$)`,
)
const BEFORE_LAST = phrase(
  `(?:on )?(?:the )?${WEEKDAY} before last(?! week)|(?:on )?(?:the )?last ${WEEKDAY} but (?:1|one)|(?:on )?(?:the )?${WEEKDAY} before (?:this )?last(?! week)`,
)
const WEEKDAYS_AGO = phrase(`(?:on )?${COUNT} ${WEEKDAY}s? ago`)
const WEEK_BEFORE_LAST = phrase(
  `(?:on )?${WEEKDAY}(?: of| in)? (?:the )?week before last(?: week)?|(?:the )?week before last(?: week)?(?: on)? ${WEEKDAY}`,
)
const OF_LAST_WEEK = phrase(
  `(?:on )?(?:the )?${WEEKDAY} ?(?:of|in|from)? (?:last|the previous|the past|this past) week|last week(?: on)?(?: the)? ${WEEKDAY}|(?:on )?last week ${WEEKDAY}`,
)
const OF_NEXT_WEEK = phrase(`(?:on )?${WEEKDAY}(?: of| in)? next week|next week(?: on)? ${WEEKDAY}`)
const OF_THIS_WEEK = phrase(
  `(?:on )?${WEEKDAY}(?: of)? this week|(?:earlier |later )?this week(?: on)? ${WEEKDAY}`,
)
const COMING = phrase(`(?:on )?(?:this |the )?(?:coming|upcoming) ${WEEKDAY}`)
const NEXT = phrase(`(?:on )?next ${WEEKDAY}${PART}`)
const THIS = phrase(`(?:on )?this ${WEEKDAY}${PART}`)
const BARE = phrase(
  `(?:on )?(?:this |the )?(?:last |past |previous |just past |most recent )?${WEEKDAY}${PART}(?! before last)`,
)
const SHORT = phrase(`
  (?<!(?:work|worked|working|works|focus|focused|focusing|practiced|practicing|help|lesson|lessons|session|sessions|prep|hour|minute|class|score|scored|over|hard) )(?:on|last|
  this past) (?:sat|sun|wed)(?! (?:prep|vocab|vocabulary|math|reading|practice|test|tests|score|scores|essay|writing|words|questions|section|sections|verbal|english|tutoring|stuff|work|
  subject|strategies))`)
const BARE_DATE = phrase(
  `(?:(?:on|from|dated|was) the|for the(?! 1th)) (?<date>[0-9]{1,2})th(?! ${COUNTED})|(?<=^|@[a-z]+ )the (?<date>[0-9]{1,2})th(?! ${COUNTED})(?! (?:since|ever|so|after|before|to|that|for|in)(?= |$))`,
)

function daysOf(unit: string | undefined): number {
  return unit === 'week' ? 7 : unit === 'fortnight' ? 14 : 1
}

function countOf(words: string | undefined): number {
  if (words === undefined || words === 'a') return 1
  return words.includes('couple') ? 2 : Math.min(Number(words), 999)
}

function numericDay(
  groups: Record<string, string | undefined>,
  nearest: (dayIn: (year: number) => CalendarDay | undefined) => CalendarDay | undefined,
  today: CalendarDay,
): CalendarDay | undefined {
  if (groups.three !== undefined) {
    const [month = 0, date = 0, year = 0, rest = 0] = groups.three.split(' ').map(Number)
    const whole = year >= 2000 ? year : 2000 + (rest || year)
    return Math.abs(whole - Number(today.slice(0, 4))) <= 1 ? dayOf(whole, month, date) : undefined
  }
  const parts = (
    groups.iso ??
    groups.numeric ??
    `${groups.first ?? groups.first2}/${groups.second ?? groups.second2}`
  )
    .split(/[-/]/)
    .map(Number)
  const [one = 0, two = 0, three] = parts
  if (groups.iso !== undefined) return dayOf(one, two, three ?? 0)
  // Month first, as Americans write; the other way round only where no month has that number.
  const [month, date] = one > 12 ? [two, one] : [one, two]
  if (three === undefined) return nearest((year) => dayOf(year, month, date))
  const year = three < 100 ? 2000 + three : three
  const [day, other] = [dayOf(year, month, date), dayOf(year, date, month)]
  // Day first also where the month first would lie more than a month ahead and this in the last weeks.
  return day && other && day > addDays(today, 30) && other <= today && other > addDays(today, -60)
    ? other
    : day
}

/** A date without a year: the last such day, or the next one where the sentence looks ahead or the last lies eleven months back. */
function nearestYear(
  dayIn: (year: number) => CalendarDay | undefined,
  today: CalendarDay,
  ahead: boolean,
  behind = false,
): CalendarDay | undefined {
  const year = Number(today.slice(0, 4))
  // Leap days and the like: the few years around today hold every date once.
  const days = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((shift) => dayIn(year + shift) ?? [])
  const last = days.findLast((day) => day <= today)
  const next = days.find((day) => day > today)
  if (ahead && next) return next
  if (behind && last) return last
  return next && (!last || (last < addDays(today, -335) && next <= addDays(today, 30))) ? next : last
}

function bareDate(date: number, today: CalendarDay, ahead: boolean): CalendarDay | undefined {
  for (let months = 0; months <= 12; months += 1) {
    const [year, month] = monthFrom(today, ahead ? months : -months)
    const day = dayOf(year, month, date)
    if (day && (ahead ? day > today : day <= today)) return day
  }
  return undefined
}

function lastDay(
  groups: Record<string, string | undefined>,
  today: CalendarDay,
  nearest: (dayIn: (year: number) => CalendarDay | undefined) => CalendarDay | undefined,
): CalendarDay | undefined {
  const end = (year: number, month: number): CalendarDay | undefined =>
    dayOf(year, month, groups.which?.startsWith('last') ? daysInMonth(year, month) : 1)
  if (groups.month !== undefined) return nearest((year) => end(year, MONTHS.indexOf(groups.month ?? '') + 1))
  if (groups.whose === 'the year')
    return nearest((year) => end(year, groups.which?.startsWith('last') ? 12 : 1))
  if (groups.whose?.endsWith('year'))
    return end(
      Number(today.slice(0, 4)) - (groups.whose === 'last year' ? 1 : 0),
      groups.which?.startsWith('last') ? 12 : 1,
    )
  return end(...monthFrom(today, groups.whose === 'last month' ? -1 : 0))
}

/** Year and month (from 1) some months away from a day's. */
function monthFrom(day: CalendarDay, months: number): [number, number] {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  return [Math.floor(count / 12), (count % 12) + 1]
}

function sameDate(day: CalendarDay, months: number): CalendarDay | undefined {
  const [year, month] = monthFrom(day, months)
  return dayOf(year, month, Math.min(Number(day.slice(8)), daysInMonth(year, month)))
}

function mondayOf(day: CalendarDay): CalendarDay {
  return addDays(day, -((weekdayOf(day) + 6) % 7))
}

/** The last such weekday strictly before a day. */
function weekdayBefore(day: CalendarDay, weekday: number): CalendarDay {
  return addDays(day, -(((weekdayOf(day) - weekday + 6) % 7) + 1))
}
