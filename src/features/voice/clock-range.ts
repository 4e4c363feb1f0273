// From one time of day to another: 'from four to five thirty', 'came at four and stayed until half past five'.
import type { Minutes } from '#kernel/duration.ts'
import type { SaidTime } from './spoken-duration.ts'
import { claim, find, phrase, type Token } from './spoken-line.ts'
import { isEnglishWord } from './word-list.ts'

const HALF = '(?: (?:in the )?(?:am|pm|morning|afternoon|evening|sharp))?'
const PLAIN = '(?:[1-9]|1[0-2])'
const MINUTE = '(?:oh [1-9]|[0-5]?[05]|[1-5][0-9])'
/** A time of day that is told from a plain number by its form. */
const CLEAR = `
  (?:(?:[0-9]{1,2}:[0-9]{2}|(?:1?[0-9]|2[0-3])[.][0-5][05])${HALF}|(?:half past|half|quarter past|quarter after|a quarter past|a quarter after|quarter to|a quarter to|quarter of|a quarter of|quarter until|(?:[0-9]{1,2}|
  20) (?:minute )?(?:past|after|to|until)) (?:[1-9]|1[0-2])${HALF}|noon|midday|midnight|${PLAIN} oclock${HALF}|${PLAIN} ${MINUTE}${HALF}|${PLAIN} (?:am|pm))`
/** '0930', '17h30': times of day only where another one stands beside them. */
const WRITTEN =
  '(?:(?:[01][0-9]|2[0-3]|[1-9])[0-5][05]|(?:[7-9]|1[0-9]|2[0-3]) hour(?: [0-5][05](?! minute))?)'
/** What goes from one number to another and is no time of day. */
const COUNTS =
  '(?<!(?:^| )(?:score|scores|scored|went|gone|improved|up|down|jumped|rose|raised|moved|war|century|years?|period|sat|psat|history|elo|pages|numbers|bc|ad)(?: [a-z@]+){0,2} )'
const CLOCK = `(?:${CLEAR}|${PLAIN})`
const COUNTED =
  '(?! (?:hour|minute|dollars|per|an hour|days|weeks|months|years|problems|pages|chapters|questions|times|sessions|lessons|percent|of|out)(?= |$))'
const THINGS = `
  (?<!(?:chapter|chapters|page|pages|problem|problems|question|questions|unit|units|grade|grades|number|numbers|age|ages|section|sections|score|scored|level|levels|lesson|lessons|exercise|
  exercises|verses|verse) )(?<!(?:chapter|chapters|page|pages|problems|questions|units|grade|grades|went|improved) from )`

const FROM_TO = phrase(`
  ${THINGS}(?:(?:from|between|starting at|starting|started at|at|beginning at) (?:about |around )?(?<start>${CLOCK}) (?:to|until|and|through|thru|ending at|and ended at|
  and finished at) (?:about |around )?(?<end>${CLOCK})${COUNTED}|(?<start2>${CLEAR}) (?:to|until|through|thru) (?:about |around )?(?<end2>${CLOCK})${COUNTED}|(?<start3>${PLAIN}) (?:to|until|
  through|thru) (?:about |around )?(?<end3>${CLEAR})${COUNTED}|(?<=@day |@person )(?<start5>${PLAIN}) to (?<end5>${PLAIN})${COUNTED}|(?<start4>${PLAIN}) (?:until|through|
  thru) (?<end4>${PLAIN})${COUNTED}|${COUNTS}(?:from |between )?(?<start6>${WRITTEN}) (?:to|until|through|thru|and) (?<end6>${WRITTEN}|${CLEAR})(?: hour)?${COUNTED})(?: (?:no|sorry|i mean|wait|no wait|no sorry|sorry no|wait no|make that|actually|or rather)(?: it was)?(?: until| to)? (?![0-9]+ (?:to|until) )(?<fixed>${CLEAR})(?! (?:to|until|through)))?`)
/** '4-5' as an entry of its own: between commas, or behind the day. */
const ALONE = phrase(`(?<start>${PLAIN}) to (?<end>${PLAIN})${COUNTED}`)
/** What is counted from one number to another, and is nobody's name. */
const COUNTED_THING =
  /^(?:chapters?|ch|pages?|pp?|problems?|questions?|qs?|units?|lessons?|exercises?|sections?|parts?|grades?|years?|ages?|levels?|books?|weeks?|days?|numbers?|verses?|acts?|scenes?|math|algebra|level|sessions?|rows?|score|scores|won|lost|nos?)$/
const START = phrase(`
  (?:(?:came|arrived|started|began|showed|turned|kicked|popped|logged|start|starting|starts|begin|beginning|from|met|met up|over|here|got here|there|by|in)(?: (?:by|over|here|up|off|in|on|round|around))?(?: (?:right |just )?(?:at|around|
  about))? |at |around )(?<clock>${CLOCK})${COUNTED}`)
const END = phrase(`
  (?:until|ended|finished|ending|finishing|left|done|stopped|wrapped up|finished up|went|stayed|end|finish|ended up|gone|packed|headed|wrapped|off)(?: (?:home|off|out|up|about|around|at|by|until|till|right at|just after))* (?:about |
  around )?(?<clock>${CLOCK})${COUNTED}`)

/** Marks the time between two times of day. */
export function claimRanges<Said>(start: Token<Said | SaidTime>[]): Token<Said | SaidTime>[] {
  const ranged = claim(start, FROM_TO, '@minutes', ({ groups }) => {
    const [from, to] = [
      groups?.start ?? groups?.start2 ?? groups?.start3 ?? groups?.start4 ?? groups?.start5 ?? groups?.start6,
      groups?.fixed ??
        groups?.end ??
        groups?.end2 ??
        groups?.end3 ??
        groups?.end4 ??
        groups?.end5 ??
        groups?.end6,
    ]
    return rangeOf(from, to)
  })
  const hasDay = ranged.some(({ text }) => text === '@day')
  const line = claim(ranged, ALONE, '@minutes', ({ groups }, { from, to }) => {
    const before = ranged[from - 1]
    const isName =
      before !== undefined &&
      (before.isCapital || !isEnglishWord(before.text)) &&
      !COUNTED_THING.test(before.text)
    const begins = ranged[from]?.breaks !== '' || before?.text === '@day' || (isName && hasDay)
    const ends = to === ranged.length || ranged[to]?.breaks !== ''
    return begins && ends ? rangeOf(groups?.start, groups?.end) : undefined
  })
  const begins = find(line, START)
  const ends = find(line, END).find((end) => begins.some((begin) => begin.to <= end.from))
  const begin = begins.find((found) => ends !== undefined && found.to <= ends.from)
  const said = begin && ends && rangeOf(begin.match.groups?.clock, ends.match.groups?.clock)
  if (!begin || !ends || !said) return line
  return line.flatMap((token, index) => {
    if (index === ends.from)
      return [
        {
          ...token,
          text: '@minutes',
          end: line[ends.to - 1]?.end ?? token.end,
          said,
        },
      ]
    const isTime =
      (index >= begin.from &&
        index < begin.to &&
        !/^(came|arrived|met|here|over|there|by|in)$/.test(token.text)) ||
      (index > ends.from && index < ends.to)
    return isTime ? [] : [token]
  })
}

/** The time between two times of day; undefined where that is no lesson. */
function rangeOf(from: string | undefined, to: string | undefined): SaidTime | undefined {
  if (from === undefined || to === undefined) return undefined
  const minutes = between(from, to)
  return minutes && { slot: 'minutes', minutes, isRange: true, start: startOf(from, to, minutes) }
}

/** Before this hour few lessons begin: "from 4" is in the afternoon, and "from 9" in the morning. */
const EARLIEST = 8 * 60

/** The wall clock at which a range begins, HH:MM; where no half of the day was said, the one at which lessons are given. */
function startOf(from: string, to: string, minutes: Minutes): string | undefined {
  const [start, end] = [clockOf(from), clockOf(to)]
  if (!start || !end) return undefined
  const guessed = (start.minutes % 720) + (start.minutes % 720 < EARLIEST ? 720 : 0)
  const written = /^0\d{3}$/.test(from) || start.half ? start.minutes : undefined
  const at = written ?? (end.half ? (end.minutes - minutes + 1440) % 1440 : guessed)
  return [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Minutes from one time to the next; undefined where that is no lesson (nothing, or above ten hours). */
function between(from: string, to: string): Minutes | undefined {
  const [start, end] = [clockOf(from), clockOf(to)]
  if (!start || !end) return undefined
  // With both halves of the day said the difference is plain; otherwise it is the shortest way forward on a twelve-hour face.
  const face = start.half && end.half ? 1440 : 720
  const minutes = (((end.minutes - start.minutes) % face) + face) % face
  return minutes > 0 && minutes <= 600 ? (minutes as Minutes) : undefined
}

function clockOf(text: string): { minutes: number; half: boolean } | undefined {
  if (/^(noon|midday)$/.test(text)) return { minutes: 720, half: true }
  if (text === 'midnight') return { minutes: 0, half: true }
  const half = /am|morning/.test(text) ? 'am' : /pm|afternoon|evening/.test(text) ? 'pm' : undefined
  const whole = /^([0-9]{1,2})([0-9]{2})$/.exec(text)
  const numbers = whole ? [Number(whole[1]), Number(whole[2])] : [...text.matchAll(/[0-9]+/g)].map(Number)
  let [hour = 0, minute = 0] = numbers
  if (/^(half|a quarter|quarter|[0-9]+ (?:minute )?(?:past|after|to|until))/.test(text)) {
    const amount = text.startsWith('half') ? 30 : text.includes('quarter') ? 15 : hour
    hour = numbers.at(-1) ?? 0
    const isBefore = /(?:^| )(to|of|until) /.test(text)
    minute = 0
    const total = hour * 60 + (isBefore ? -amount : amount)
    return { minutes: (total % 720) + (half === 'pm' ? 720 : 0), half: half !== undefined }
  }
  if (hour > 23 || minute > 59) return undefined
  const base = hour > 12 ? hour * 60 + minute : (hour % 12) * 60 + minute + (half === 'pm' ? 720 : 0)
  return { minutes: base, half: half !== undefined || hour > 12 }
}
