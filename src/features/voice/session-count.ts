// How many sessions one breath tells of.
import { standing } from './correction.ts'
import { find, phrase, type Token } from './spoken-line.ts'

const PEOPLE = phrase('@person and @person|@person @person and @person|both @person and @person|both (?:kids|children|of them|girls|boys|twins)')
const DAYS = phrase('@day(?: @day)*(?: and| and (?:then |again |also )?(?:on )?)? @day')
const AGAIN = phrase('(?:and|then|also|plus|again|another)(?: (?:and|then|another|again|also|on|a|for|an|the|same))* @minutes|another @minutes')

/** One, or more where a second student, day or length of time is said that corrects nothing. */
export function sessionsIn(line: readonly Token<{ slot: string }>[], isStudent: (place: number) => boolean): number {
  const pairs = find(line, PEOPLE).map(({ from, to }) => {
    const places = Array.from({ length: to - from }, (_, index) => from + index).filter((place) => line[place]?.text === '@person')
    return places.length === 0 ? 2 : places.filter(isStudent).length
  })
  const students = Math.max(1, ...pairs)
  const days = find(line, DAYS).some(({ from, to }) => new Set(line.slice(from, to).flatMap((token) => (token.said?.slot === 'day' ? [(token.said as unknown as { day: string }).day] : []))).size > 1 && line.slice(from, to).some((token) => token.text === 'and')) ? find(line, DAYS).reduce((most, { from, to }) => Math.max(most, line.slice(from, to).filter((token) => token.text === '@day').length), 1) : 1
  const minutes = line.flatMap((token, place) => (token.text === '@minutes' && (token.said as unknown as { isRange: boolean }).isRange === false ? [place] : []))
  const left = standing(line, minutes)
  const clauses = 1 + left.slice(1).filter((place, index) => {
    const since = line.slice((left[index] ?? 0) + 1, place)
    const between = since.map((token) => token.text).join(' ')
    const joins = /(^| )(and|then|also|plus|again|another)( |$)/.test(between) || since.some((token) => token.breaks === '.') || find(line, AGAIN).some(({ from, to }) => from <= place && place < to)
    const behind = line.slice(place, place + 6).map((token) => token.text)
    const isOwn = /@day.*@day|@person|@stranger|another/.test(between) || (line[place]?.text === '@minutes' && /another/.test(`${line[place - 1]?.text}`)) || behind.some((text) => text === '@day' || text === '@subject')
    return joins && isOwn && !/(^| )(took|takes|lasted|ran|was)$/.test(between)
  }).length
  return Math.max(students * Math.max(days, 1), clauses)
}
