// How long a lesson took: 'an hour and a half', '90 min', 'three quarters of an hour', 'two 45-minute blocks'.
import { MAX_HOURS, type Minutes } from '#kernel/duration.ts'
import { claim, find, phrase, type Token } from './spoken-line.ts'

/** A length of time that was said; a range of clock times gives way to a length in words. */
export interface SaidTime {
  slot: 'minutes'
  minutes: Minutes
  isRange: boolean
  /** Of a range, the wall clock at which it begins, HH:MM. */
  start?: string
}
/** A length of time of something else: being late, homework, a break. */
export interface SaidAside {
  slot: 'aside'
}

const ABOUT = `
  (?:(?:for |just |only |about |around |roughly |approximately |nearly |almost |a good |a full |a solid |a total of |exactly |a little over |a bit over |just over |just under |a little under |
  like |maybe |over |under |a whole |a quick |full |solid )*)`
const NOT_MINUTES =
  '(?! (?:dollars|an hour|per|each|hourly|oclock|percent|problems|questions|pages|every)(?= |$))'

/** Whole hours with what follows them: 'an hour and a quarter', '2 hours 15', 'one and a half hours'. */
const HOURS = phrase(`
  ${ABOUT}(?<count>[0-9.]+|an?|a couple of|a couple|couple of|couple|the|his|her|their)(?: (?:and )?(?:an? )?(?<inner>half|quarter|3 quarters|3 quarter|1/2|1/4|3/4))? (?:back to back |
  straight |full |whole |solid |long |consecutive |good |quick |nice |great |productive |usual |normal |regular |extra |intense |short )*hour(?: long)?(?:(?: and)? (?:an? )?(?<fraction>half|
  quarter|3 quarters|1/2|1/4|3/4)(?! (?:past|after|to) [0-9])|(?: and| plus)? (?<minutes>[0-9]{1,2}|a half) minute|(?: and)? (?<bare>[1-5][05])${NOT_MINUTES}| and (?<bare2>5)(?= of| with|
   on))?(?: long)?`)
const PARTS = phrase(
  `(?<!(?:[0-9]|hour) and (?:an? |3 )?)${ABOUT}(?:an? |1 )?(?<part>half|quarter|3 quarters|3 quarter|(?<![0-9] )(?:1/2|1/4|3/4))(?: of)? (?:an |a |1 )?hour(?: long)?(?: and (?:a )?(?<more>half|[0-9]{1,2} minute))?`,
)
const MINUTES = phrase(`${ABOUT}(?:(?<more>[0-9]{1,3}) plus )?(?<minutes>[0-9]{1,3}) minute(?: long)?`)
const BARE_HOUR = phrase(`
  hour (?:and a half|and half|and a quarter|and [0-9]{1,2} minute|[1-5][05](?! (?:dollars|per|an)))|(?<=(?:another|extra|additional|@person|@stranger) )hour|
  (?<=the (?:last|past) )hour(?: and a (?:half|quarter))?|(?<=the )hour(?= (?:that )?@person)|(?:hour)(?<fraction> and a half| and a quarter| and 3 quarters)?(?= (?:long|lesson|session|class|of|with|tutoring|[a-z]+ (?:lesson|session|class)))`)
const MERE_HOUR = phrase(
  '(?<=(?:@person|@stranger|@day|@money|the|her|his|their|our|that|this)(?: (?:whole|full|makeup|extra|weekly|usual|regular|first|second|last|free|trial|taster|bonus|solid|good|[a-z]+ly|@subject))? )hour(?! (?:late|early|before|after|ago|away|drive|from now|later|of (?:screen|tv)))',
)
const PRODUCT = phrase(`
  (?<count>[2-6]|both|a couple|a couple of) (?:(?:back to back|consecutive|separate) )?(?<each>@minutes) (?<noun>sessions|lessons|session|lesson|blocks|block|slots|slot|classes|chunks|periods|
  halves|sittings|sets|rounds|parts|meetings)|(?<count2>[2-6]) (?<noun2>sessions|lessons|blocks|slots|classes|chunks|periods|sittings|sets|
  rounds)(?: back to back)?(?: of(?: [a-z]+)?(?: (?:for|at))?|,| at| for| that were)? (?<each2>@minutes)(?: each| apiece| a piece)?|(?<count3>[2-6]) (?:times|x|lots of|goes of) (?<each3>@minutes)|(?<each4>@minutes) (?:x|times) (?<count4>[2-6])`)

/** Marks every length of time. */
export function claimMinutes<Said>(
  start: Token<Said | SaidTime | SaidAside>[],
): Token<Said | SaidTime | SaidAside>[] {
  const time = (minutes: number): SaidTime | undefined =>
    Number.isInteger(minutes) && minutes >= 0 && minutes <= MAX_HOURS * 60
      ? { slot: 'minutes', minutes: minutes as Minutes, isRange: false }
      : undefined
  let line = claim(
    start,
    phrase('(?<count>[0-9.]+) (?:back to back |straight |consecutive )?(?:half hour|1/2 hour)(?! and)'),
    '@minutes',
    ({ groups }) => (Number(groups?.count) > 1 ? time(Number(groups?.count) * 30) : undefined),
  )
  line = claim(line, phrase('(?<said>[0-9.]+) not [0-9.]+ (?<unit>minute|hour)'), '@minutes', ({ groups }) =>
    time(Number(groups?.said) * (groups?.unit === 'hour' ? 60 : 1)),
  )
  line = claim(line, phrase('(?<hours>[0-5]):(?<minutes>[0-5][0-9]) hour'), '@minutes', ({ groups }) =>
    time(Number(groups?.hours) * 60 + Number(groups?.minutes)),
  )
  line = claim(line, phrase('(?:an? |the )?double hour'), '@minutes', () => time(120))
  line = claim(line, PARTS, '@minutes', ({ groups }) => {
    const more =
      groups?.more === undefined ? 0 : groups.more === 'half' ? 30 : Number.parseInt(groups.more, 10)
    return time(partOf(groups?.part) + more)
  })
  line = claim(line, HOURS, '@minutes', ({ groups, 0: text }, { from, to }) => {
    // 'An hour, thirty five': what stands behind a comma is no part of the time.
    if (!groups || isParted(line.slice(from + 1, to))) return undefined
    const count = /^(an?|the|his|her|their)$/.test(groups.count ?? '')
      ? 1
      : (groups.count ?? '').includes('couple')
        ? 2
        : Number(groups.count)
    if (/^(the|his|her|their)$/.test(groups.count ?? '') && !/full|whole|half|quarter|[0-9]/.test(text))
      return undefined
    // A decimal that no one would call minutes (1.33 hours) still means whole minutes.
    const minutes =
      Math.round(count * 60) +
      partOf(groups.inner) +
      partOf(groups.fraction) +
      (groups.minutes === 'a half' ? 0 : Number(groups.minutes ?? groups.bare ?? groups.bare2 ?? 0))
    return time(minutes)
  })
  line = claim(line, phrase('(?<count>[0-9.]+|an?) hour'), '@minutes', ({ groups }) =>
    time(Math.round((Number(groups?.count) || 1) * 60)),
  )
  line = claim(line, MINUTES, '@minutes', ({ groups }) =>
    time(Number(groups?.minutes) + Number(groups?.more ?? 0)),
  )
  line = claim(line, BARE_HOUR, '@minutes', ({ 0: text }, { from, to }) =>
    isParted(line.slice(from + 1, to))
      ? undefined
      : time(
          60 +
            (text.includes('half')
              ? 30
              : text.includes('3 quarters')
                ? 45
                : text.includes('quarter')
                  ? 15
                  : Number(/[0-9]+/.exec(text)?.[0] ?? 0)),
        ),
  )
  line = claim(
    line,
    phrase(
      '(?<=(?:did|had|for|about|usual|regular) )(?<minutes>15|20|30|40|45|50|60|75|90|120)(?= (?:with|of) )',
    ),
    '@minutes',
    ({ groups }) =>
      line.some((token) => token.text === '@minutes') ? undefined : time(Number(groups?.minutes)),
  )
  line = claim(
    line,
    phrase(
      '(?<=@minutes (?:(?:no|nope|nah|sorry|wait|i mean|actually|make that|or rather) )+)(?<minutes>15|20|30|40|45|50|60|75|80|90|100|105|120)(?= (?:with|of|on|@)|$)',
    ),
    '@minutes',
    ({ groups }) => time(Number(groups?.minutes)),
  )
  line = claim(line, phrase('(?<=for the |for that )hour'), '@minutes', () =>
    line.some((token) => token.text === '@minutes') ? undefined : time(60),
  )
  line = claim(line, phrase('(?<=(?:did|had|for|got) )3 quarters(?= (?:with|of))'), '@minutes', () =>
    line.some((token) => token.text === '@minutes') ? undefined : time(45),
  )
  // 'Ivy's makeup hour', 'Tuesday's hour': the hour that was, where no other time is said.
  line = claim(line, MERE_HOUR, '@minutes', () =>
    line.some((token) => token.text === '@minutes') ? undefined : time(60),
  )
  line = claim(
    line,
    phrase(
      '@minutes (?:less|minus) @minutes|@minutes (?:and|plus|then) (?:then )?(?:another |an extra |an additional )@minutes(?! on)',
    ),
    '@minutes',
    ({ 0: text }, { from, to }) => {
      const [first, second] = [line[from]?.said, line[to - 1]?.said]
      return isTime(first) && isTime(second)
        ? time(
            text.includes('less') || text.includes('minus')
              ? first.minutes - second.minutes
              : first.minutes + second.minutes,
          )
        : undefined
    },
  )
  // 'An hour with Sarah plus an extra half hour', 'minus fifteen minutes'.
  line = claim(
    line,
    phrase(
      '@minutes(?: (?:with|@person|@day))+ (?<way>plus|and then|and|minus|less|extended by|shortened by|cut by) (?<more>an? extra |an? additional |another |an? )?@minutes(?! (?:of|late|early|in|drive|on|@day|with|for))',
    ),
    '@minutes',
    ({ groups }, { from, to }) => {
      const [first, second] = [line[from]?.said, line[to - 1]?.said]
      if (
        !isTime(first) ||
        !isTime(second) ||
        (groups?.way?.startsWith('and') && !/extra|additional/.test(groups.more ?? ''))
      )
        return undefined
      return time(
        /^(?:minus|less|shortened|cut)/.test(groups?.way ?? '')
          ? first.minutes - second.minutes
          : first.minutes + second.minutes,
      )
    },
  )
  // 'Five minutes short of an hour', 'ten minutes over the hour'.
  line = claim(
    line,
    phrase(
      '@minutes (?<way>short of|shy of|under|less than|shorter than|over|more than|longer than|past) (?:the |an? |her |his |their |our )?(?:full |usual |normal )?@minutes(?! mark)',
    ),
    '@minutes',
    ({ groups }, { from, to }) => {
      const [more, whole] = [line[from]?.said, line[to - 1]?.said]
      if (!isTime(more) || !isTime(whole) || more.minutes >= whole.minutes) return undefined
      return time(
        /^(?:over|more|longer|past)/.test(groups?.way ?? '')
          ? whole.minutes + more.minutes
          : whole.minutes - more.minutes,
      )
    },
  )
  line = claim(line, PRODUCT, '@minutes', ({ groups }, { from, to }) => {
    const each = line.slice(from, to).find((token) => isTime(token.said))?.said
    const said = groups?.count ?? groups?.count2 ?? groups?.count3 ?? groups?.count4 ?? ''
    const count = said === 'both' || said.includes('couple') ? 2 : Number(said)
    return isTime(each) ? time(each.minutes * count) : undefined
  })
  line = claim(
    line,
    phrase(
      '@minutes (?:rounded|rounding) (?<way>up|down)?(?: ?to)? ?(?:the )?(?:nearest |next )?(?<step>quarter(?: of an)?(?: hour)?|@minutes|hour|half)',
    ),
    '@minutes',
    ({ groups }, { from, to }) => {
      const [said, step] = [line[from]?.said, line[to - 1]?.said]
      if (!isTime(said)) return undefined
      const size = groups?.step === 'hour' ? 60 : isTime(step) ? step.minutes : 15
      const round = groups?.way === 'up' ? Math.ceil : groups?.way === 'down' ? Math.floor : Math.round
      return time(round(said.minutes / size) * size)
    },
  )
  line = overrun(line)
  // '... French, 1.5': a decimal like that, alone, is hours.
  if (!line.some((token) => token.text === '@minutes'))
    line = claim(line, phrase('(?<hours>[0-9][.](?:25|50?|75))(?! dollars)'), '@minutes', ({ groups }) =>
      time(Number(groups?.hours) * 60),
    )
  if (line.filter((token) => token.text === '@minutes').length > 1)
    line = claim(line, SOFT_ASIDE, '@aside', () => ({ slot: 'aside' }))
  line = claim(
    line,
    phrase(
      '(?<=during (?:the|her|his|their|our|@person) |(?:should have (?:had|been|done)|would have (?:had|been)|supposed to have) (?:(?:the|her|his|their|our|@person) )?)@minutes',
    ),
    '@aside',
    () => ({ slot: 'aside' }),
  )
  return claim(
    claim(line, ASIDE_AFTER, '@aside', () => ({ slot: 'aside' })),
    ASIDE_BEFORE,
    '@aside',
    () => ({ slot: 'aside' }),
  )
}

const ASIDE_AFTER = phrase(`
  @minutes (?:late|early|behind|a night|a day|a week|each night|every night|every week|each week|per night|per day|per week|nightly|daily|weekly|break|ago|left|from now|
  away|drive|before the|after the|of homework|of break|nap|of tv|of screen time|of detention|of recess|of traffic|of sleep|of rest|of free time|of notice|longer|shorter|in the car|at home|on (?:his|her|their|my) own|of notice|notice|warm up|warmup|of (?:warm up|
  warmups|review at the start)|at the end(?! of)|at the start(?! of))`)
/** These speak of something else only where another length of time is said. */
const SOFT_ASIDE = phrase(
  '(?:after|before) @minutes of(?! (?:tutoring|lesson|@))|(?:slept|watched|drove|walked|queued|travelled|traveled)(?: for)? @minutes|@minutes (?:meeting|nap|flight|match|game|movie|film|drive|ride|walk|wait(?! (?:no|it|i|that|actually|sorry)(?= |$))|rehearsal|queue|journey|commute)|@minutes (?:each day|every day)|in @minutes(?! (?:of|with|lesson|session|class))|(?<=(?:was|were|been) (?:only |just )?due (?:for )?|(?:meant|supposed|due|going|was|were|scheduled|booked|hoping|planning|planned) to (?:have|do|get|be|last|run|go)(?: on)?(?: for)? (?:just |only )?|(?:booked|down|arranged|pencilled|penciled|slated|agreed|reserved)(?: it| them| her| him)?(?: in)? (?:as|for|on) (?:just |only )?)@minutes',
)
const ASIDE_BEFORE = phrase(`
  (?:starts|start|begins|begin|be there|back|leave|leaving|ready|over|ends|home|call back) in @minutes|
  (?:supposed to be|supposed to last|meant to be|instead of|instead of the usual|instead of (?:her|his) usual|the usual|usually|normally|(?:took|takes) (?:us|me|him|her|them)(?= @minutes to (?:get|drive|reach|find|park|walk|come))|planned for|planned|scheduled for|was only going to be|
  late by|early by|takes (?:him|her|them|me)|homework took|homework took (?:him|her|them)|running|ran over by|ran over|ran late by|delayed|delayed by|waited|(?<=(?:to|a|the|an?) )wait|a break of|break of|the first|
  (?<!for )the last|drove|driving) @minutes(?! (?:of|with|lesson|session|class))`)

const OVERRUN = phrase(`
  @minutes(?: (?!@minutes|@aside)[@a-z']+){0,8} (?:(?:(?:ran|went|run|gone) (?:over|on) (?:by|for)(?: an extra| another| a further)? @minutes|overran by @minutes|(?:ran|went|was|were) (?:about |almost |nearly )?@minutes (?:over|too long)(?! (?:zoom|the|an?|skype|video|a))|
  (?:was|were|came up|ended up|stopped|ran|fell) (?:about |almost |nearly )?@minutes short))`)

/** 'An hour with Sarah that ran over by ten minutes' lasted seventy; what stands between stays. */
function overrun<Said>(line: Token<Said | SaidTime | SaidAside>[]): Token<Said | SaidTime | SaidAside>[] {
  const [found] = find(line, OVERRUN)
  if (!found) return line
  const places = line.flatMap(({ said }, place) =>
    place >= found.from && place < found.to && isTime(said) ? [place] : [],
  )
  const [first = 0, second = 0] = places
  const [whole, more] = [line[first]?.said, line[second]?.said]
  if (!isTime(whole) || !isTime(more) || more.minutes >= whole.minutes + 60) return line
  const minutes = whole.minutes + (found.match[0].endsWith('short') ? -more.minutes : more.minutes)
  if (minutes <= 0 || minutes > MAX_HOURS * 60) return line
  return line.map((token, place) =>
    place === first
      ? { ...token, said: { ...whole, minutes: minutes as Minutes } }
      : place === second
        ? { ...token, text: '@aside', said: { slot: 'aside' } }
        : token,
  )
}

/** Whether a number stands behind a comma. */
function isParted(words: readonly Token[]): boolean {
  return words.some((token) => token.breaks !== '' && /^(?:[0-9]|half|quarter)/.test(token.text))
}

function isTime(said: unknown): said is SaidTime {
  return (said as SaidTime | undefined)?.slot === 'minutes'
}

function partOf(part: string | undefined): number {
  if (part === undefined) return 0
  if (part.startsWith('3')) return 45
  return part === 'half' || part === '1/2' ? 30 : 15
}
