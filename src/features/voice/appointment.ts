// Days of something else than the session: the next lesson, a test, when homework is due.
import type { SaidDay } from './spoken-date.ts'
import { find, phrase, textOf, type Token } from './spoken-line.ts'

const APPOINTMENT = phrase(`
  (?:next|following|another|upcoming) (?:lesson|session|class|one|time|meeting|appointment|tutoring|test)(?: (?:is|will be|would be|on|for|scheduled|set|at|again|happens|should be|a|
  the))* @day|(?:supposed to (?:be|come|meet|have|start)|supposed to have [a-z ]{0,20}|test|tests|exam|quiz|recital|midterm|final|finals|presentation|(?:essay|project|paper|homework|assignment|report)(?= (?:is|was|are|due|that is|that's|which is|for|by) )|
  competition|concert|audition|due|report|deadline|contest|tournament|game|party|trip|born|birthday|state test|spelling bee|bee)(?: (?:is|was|are|coming|up|on|due|for|by|from|this|coming up|
  will be|that is|that's|happening|set|the|at|scheduled))* @day|(?:until|(?<!week )before|(?<!(?:stopped|came|dropped|swung|stop|come|popped) )by|since|due|resume|resumes|resuming|rescheduled from|moved from|instead of|ready for|scheduled for|prepare for|
  preparing for|postponed from|originally|same as|due by) (?:the )?(?:on )?@day|(?:see|seeing|meet|meeting|meets|back|again|continue|continuing|finish|rematch|another one|more)(?: (?:her|him|
  them|us|you|it|@person|again|with|that|this|@subject|up|there|at))* (?:on )?@day(?= |$)|@day(?= (?:test|tests|exam|quiz|recital|midterm|final|competition|concert|game|party|deadline|
  presentation))|(?:will|going to|gonna|needs to|should|plans to|wants to)(?: [a-z]+){1,6} @day`)

/** A day on which somebody was away, where another day is named as well. */
const AWAY = phrase(
  "(?:cancelled|canceled|missed|skipped|sick|ill|away|out|postponed|unavailable|off|couldn't (?:come|make it|do)|didn't (?:come|show|show up)|no lesson|no session)(?: (?:on|last|our|the|this))* @day",
)

/** 'Sunday was the barbecue, it was Monday': what else the day was. */
const WAS_ELSE = phrase(
  '@day (?:was|is) (?:when (?:we|she|he|they|i) |(?:the|an?|our|my|his|her|their|@person|@stranger) (?!(?:[a-z]+ )?(?:@|lesson|session|class|good|great|long|short|first|second|last|usual|makeup|make|trial|day|1|one|half|hour))[a-z]+)',
)

const AND_AGAIN = /(?:^| )(?:and|then)(?: then| once)? again(?: on)?$/

/** Takes the mark from days that are not the session's own. */
export function claimAppointments<Said>(
  line: Token<Said | SaidDay | { slot: 'aside' }>[],
): Token<Said | SaidDay | { slot: 'aside' }>[] {
  const days = line.filter((token) => token.text === '@day').length
  const own = new Set<number>()
  const dayAt = (place: number): string => (line[place]?.said as SaidDay | undefined)?.day ?? ''
  const first = dayAt(line.findIndex(({ text }) => text === '@day'))
  // 'On Monday and again on Friday': a second session, where the day lies behind the first.
  const isAgain = (place: number): boolean =>
    AND_AGAIN.test(textOf(line.slice(Math.max(0, place - 4), place))) && dayAt(place) > first
  for (const { from, to, match } of find(line, APPOINTMENT)) {
    // 'Yesterday, exam on the 23rd': behind a comma it is no exam of yesterday.
    if (to - from === 1 && line[to]?.breaks !== '') continue
    const isLater =
      /^(will|going|gonna|needs|should|plans|wants|see|seeing|meet|meeting|meets|back|again|continue|continuing|finish|more)/.test(
        match[0],
      )
    for (let place = from; place < to; place += 1)
      if (
        line[place]?.text === '@day' &&
        (!isLater ||
          (days > 1 && place !== line.findIndex((token) => token.text === '@day') && !isAgain(place)))
      )
        own.add(place)
  }
  if (days > 1) for (const { to } of find(line, AWAY)) own.add(to - 1)
  if (days > 1) for (const { from } of find(line, WAS_ELSE)) own.add(from)
  return line.map((token, place) =>
    own.has(place) ? { ...token, text: '@aside', said: { slot: 'aside' } } : token,
  )
}
