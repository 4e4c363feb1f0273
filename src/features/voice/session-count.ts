// How many sessions one breath tells of.
import { standing } from './correction.ts'
import type { SaidDay } from './spoken-date.ts'
import type { SaidTime } from './spoken-duration.ts'
import { find, phrase, textOf, type Token } from './spoken-line.ts'

const PEOPLE = phrase(
  '@person(?: @day)* and (?:then )?@person (?:after|before) (?:him|her|that)|@person(?: @day)* and (?:then )?@person (?:afterwards|next|too)|@person and (?:then |also )?@person(?: each| both)|@person (?:and|plus) @person|@person @person and @person|both @person and @person|(?:with|for) @person (?:and|then|plus) (?:@minutes|[0-9]+|another @minutes) (?:with|for) @person|both (?:kids|children|of them|girls|boys|twins)',
)
/** 'And so did Ethan': one student more than those of the words. */
const LIKEWISE = phrase(
  '(?:and )?(?:so did|as did|same for|same with|likewise for|ditto for|same thing for|same thing with|the same for|the same with) @person|and @person (?:did )?(?:too|as well|also did)|and @person had (?:1|his|hers|another)(?= @day)',
)
const DAYS = phrase(
  '@day(?: @day)*(?: and(?: then| again| also| another| a second| 1| one| the same)*(?: on)?)? @day',
)
const AGAIN = phrase(
  '(?:and|then|also|plus|again|another)(?: (?:and|then|another|again|also|on|a|for|an|the|same))* @minutes|another @minutes',
)

type Line = readonly Token<{ slot: string }>[]

/** One, or more where a second student, day or length of time is said that corrects nothing. */
export function sessionsIn(line: Line, isStudent: (place: number) => boolean): number {
  const students = find(line, PEOPLE).map(({ from, to }) => {
    const places = line
      .slice(from, to)
      .flatMap((token, index) => (token.text === '@person' ? [from + index] : []))
    return places.length === 0 ? 2 : places.filter(isStudent).length
  })
  const likewise = find(line, LIKEWISE).filter(({ from, to }) =>
    line.slice(from, to).some(({ text }, index) => text === '@person' && isStudent(from + index)),
  ).length
  const days = find(line, DAYS).map(({ from, to }) => {
    const stretch = line.slice(from, to)
    return stretch.some(({ text }) => text === 'and')
      ? new Set(stretch.flatMap(({ said }) => (isDay(said) ? [said.day] : []))).size
      : 1
  })
  const times = line.flatMap(({ said }, place) => (isTime(said) && !said.isRange ? [place] : []))
  const left = standing(line, times)
  const clauses =
    1 + left.slice(1).filter((place, index) => beginsAnother(line, left[index] ?? 0, place)).length
  return Math.max(
    Math.max(1 + likewise, ...students) * Math.max(1, ...days),
    clauses,
    daysWithTimes(line, left),
    eachWithTime(line, isStudent),
  )
}

/** How many students have a length of time of their own right beside the name, the name first: 'Chidi 4-5, Ngozi 5-6'. */
function eachWithTime(line: Line, isStudent: (place: number) => boolean): number {
  const own = find(line, phrase('@person(?: @day)* (?:for )?@minutes')).filter(
    ({ from }) => isStudent(from) && standing(line, [from]).length > 0,
  )
  const isCorrected = line.some(({ said }) => said?.slot === 'fix')
  return isCorrected
    ? 1
    : new Set(
        own.map(
          ({ from }) => (line[from]?.said as { students?: { id: string }[] } | undefined)?.students?.[0]?.id,
        ),
      ).size
}

/** On how many days a length of time is said beside the day: 'an hour on Tuesday, an hour on Thursday'. */
function daysWithTimes(line: Line, times: readonly number[]): number {
  const dayAt = (place: number): string | undefined => {
    const said = line[place]?.said
    return isDay(said) ? said.day : undefined
  }
  const days = line.flatMap((_, place) => (dayAt(place) === undefined ? [] : [place]))
  const isDayFirst = (days[0] ?? Infinity) < (times[0] ?? Infinity)
  // A day belongs to the time before it or behind it, the same way all along, and no other time stands between.
  const own = times.map((time, index) =>
    isDayFirst
      ? days.findLast((day) => day < time && day > (times[index - 1] ?? -1))
      : days.find((day) => day > time && day < (times[index + 1] ?? Infinity)),
  )
  return new Set(own.map((place) => (place === undefined ? undefined : dayAt(place))).filter(Boolean)).size
}

/** Whether the length of time at a place belongs to another session than the one before it: it is joined on, and has a day, a person or a subject of its own. */
function beginsAnother(line: Line, before: number, place: number): boolean {
  const since = line.slice(before + 1, place)
  const between = textOf(since)
  if (/(^| )(took|takes|lasted|ran|was)$/.test(between)) return false
  const isJoined =
    /(^| )(and|then|also|plus|again|another|(?:after|afterwards|later|next)(?= @person))( |$)/.test(
      between,
    ) ||
    since.some((token) => token.breaks === '.') ||
    find(line, AGAIN).some(({ from, to }) => from <= place && place < to)
  const hasOwn =
    /@day.*@day|@person|@stranger|another/.test(between) ||
    line.slice(place, place + 6).some(({ text }) => text === '@day' || text === '@subject')
  return isJoined && hasOwn
}

function isDay(said: { slot: string } | undefined): said is SaidDay {
  return said?.slot === 'day'
}
function isTime(said: { slot: string } | undefined): said is SaidTime {
  return said?.slot === 'minutes'
}
