// Lessons that did not take place: called off, missed, forgotten, or only meant to be.
import { find, phrase, textOf, type Token } from './spoken-line.ts'
import { tellsPast } from './telling.ts'

const CALLED_OFF = phrase(`
  (?:was|were|got|is|are|been|being|has been|had to be) (?:just |again |also )?(?:cancelled|canceled|called off|postponed|rescheduled|moved|skipped|pushed back)|(?:didn't|did not|don't|
  doesn't|does not|won't|will not|couldn't|could not|can't|cannot|never|isn't|wasn't) (?:have|happen|show|show up|make it|take place|meet|come|go|get|do|attend|see|be|going)|no (?:lesson|
  session|class|tutoring|tutor)|(?:@person|@stranger|she|he|we|they|i|tutor) (?:just |had |has |have |also |again |completely |accidentally )*(?:ditched|dodged|blew off|missed(?! (?:logging|entering|adding|recording|writing))|cancelled|canceled|skipped|postponed|rescheduled)|had to (?:cancel|skip|miss|postpone|
  reschedule)|(?:has|have|had) (?:moved|rescheduled|postponed|shifted|swapped|switched|pushed)|(?:moved|switched|shifted|pushed|swapped|changed) (?:the |@person )?(?:@minutes|lesson|session|class|slot)|nothing to log|to cancel|(?:got |was |been )?(?:bumped|pushed|shifted)|had to leave (?:after|at once|right|straight|again|immediately)|gave up|gave it up|(?:cancelling|canceling|skipping|postponing|rescheduling) (?:@person|the|our|her|his)|(?:lost|wasted) (?:(?:the|her|his|our|their) )?(?:whole |good )?@minutes|no show|no showed|no shows|called in sick|calls in sick|stood (?:@person|@stranger|us|me|him|her|them) up|fell through|called it off|bailed|flaked|
  backed out|slept through|overslept|forgot (?:that )?(?:she|he|they|we|i|it|@person|@stranger) (?:had|was|were)|forgot (?:to (?:come|go|show|turn up|log (?:on|in)|join|bring @person)|(?:her|his|their|the|our|about) (?:@[a-z]+ )?(?:lesson|session|class|
  tutoring|tutor))|(?:sent|send|sending|turned) (?:@person|@stranger|her|him|them) (?:straight |right |back )*(?:home|away|back)|refused to (?:go|come|do|have|open|get|leave)|(?:locked out|nobody|no 1|no one) (?:was )?(?:home|answered|in|there|came)|never mind|nevermind|forget it|forget about it`)
/** What ought to have been, and what else came of it. */
const SUPPOSED = phrase(
  "(?:was|were) (?:only |just |really |originally |actually )?(?:supposed|meant|due) to|(?:was|were|is|had been) (?:only |just |really |originally |actually )?(?:due|down|lined up|pencil?led in|slated|set|on|booked in|booked|scheduled)(?: in| down)?(?: for)? (?:an? |her |his |their |the )?(?:@minutes|lesson|session)|(?:had|have|has) (?:only |just |really |originally |actually |all )?(?:planned|hoped|intended|wanted)(?! out)|(?:was|were) to (?:have|be|get|do|see|meet)|(?:should|could) have (?:been|had|seen|met|gone|come|done)|would have (?:had|seen|met)|should've",
)
/** 'Make up for the one I cancelled'. */
const MAKES_UP =
  /(?:^| )(?:make up|makeup|making up|made up) for (?:[a-z0-9@]+ )*?(?:1|lesson|session|hour|@minutes|@day|time)(?: (?:that|which|@day))*$/
const AND_THEN = phrase('but|so|and|instead|then')
/** A lesson that was none, whatever else is said of it. */
const NOT_AT_ALL = phrase(
  "will have (?:had|done|taken|spent)|(?:taught|teaching|tutored) (?:her|his|their|my|our|the) (?:own |little |big |new )?(?:dog|cat|parrot|puppy|wife|husband|maid|nanny|cleaner|driver|cook|gardener|boss|neighbou?rs?|sister|brother|mother|father|mom|dad|friends?|cousins?|kids|colleagues?)(?= |$)(?! (?:[a-z]+ ){0,2}@person)|^(?:i |we |just |so )*(?:met|spoke|talked|sat|had an? (?:meeting|call|chat)) (?:up |down )?(?:with )?@person (?:@[a-z]+ )*(?:to|and) (?:go over|went over|discuss|discussed|talk|talked|review|reviewed) (?:about )?(?:@person |her |his |their |the )?(?:report|grades|progress|future|schedule|behaviou?r|fees|payments?)|in @minutes than|@subject @person (?:reference|recommendation|feedback|report card)|(?:did|done|doing) (?:absolutely |almost |just )?nothing(?! but)|but (?:@person|she|he|they) (?:says?|said|claims|denies)(?: that)? (?:not|no|otherwise|(?:it|they|he|she) (?:never|didn't|did not))|never happened|(?:had|have|having) (?:an? )?(?:coffee|lunch|dinner|breakfast|drinks?|tea) with (?:me|us|my)|(?:taught|teaching|showed|helped) @person (?:how )?(?:to )?(?:ride|bake|drive|skate|ski|fish|juggle|sew|knit|tie)|(?:@person|she|he|they|we) never (?:had(?! (?:so|such|an?|it so))|got|took|did|attended|came|showed)|(?:app|phone|page|screen|tablet|it) (?:crashed|froze|died|hung)|^in @minutes (?:@person|we|she|he|i|they)|@subject (?:exam|recital|competition|audition) with @person colleague",
)

/** Whether a lesson is said to have been called off, missed or only meant to be, and no other one is told of with it. */
export function isUndone(line: readonly Token[]): boolean {
  const calledOff = find(line, CALLED_OFF).find(
    ({ from }) => !MAKES_UP.test(textOf(line.slice(Math.max(0, from - 8), from))),
  )
  if (calledOff && !tellsAnother(line, calledOff.to) && !wasTold(line, calledOff.from)) return true
  const supposed = find(line, SUPPOSED)[0]
  return supposed !== undefined && !wasTold(line, supposed.from) && !cameOtherwise(line.slice(supposed.to))
}

/** Whether it was no lesson, whatever else is said of it: 'that never happened'. */
export function isNoLesson(line: readonly Token[]): boolean {
  return find(line, NOT_AT_ALL).length > 0
}

/** Whether, behind 'she was supposed to', it says how long a lesson there was after all. */
function cameOtherwise(rest: readonly Token[]): boolean {
  const turn = find(rest, AND_THEN)[0]
  return (
    turn !== undefined &&
    tellsPast(rest.slice(turn.from)) &&
    rest.slice(turn.from).some(({ text }) => text === '@minutes')
  )
}

const IN_VAIN = phrase('(?:sat|stood|waited|hung) (?:there|around|about|outside)|waited (?:for )?@minutes')

/** Whether a lesson is told of behind 'Sarah cancelled so ...'. */
function tellsAnother(line: readonly Token[], from: number): boolean {
  const rest = line.slice(from)
  return (
    tellsPast(rest) &&
    find(rest, IN_VAIN).length === 0 &&
    rest.some((token) => token.text === '@minutes') &&
    rest.some((token) => token.text === '@person' || token.text === '@stranger')
  )
}

/** Whether a lesson was told of before 'she couldn't do the last one' or 'next week is cancelled'. */
function wasTold(line: readonly Token[], to: number): boolean {
  const before = line.slice(0, to)
  // 'A makeup lesson with Sarah on Sunday because she cancelled': what follows only says why.
  if (
    tellsPast(before) &&
    /(?:^| )(?:because|since|as|after)(?: (?:he|she|they|we|i|@person|@stranger|it|had|was))*$/.test(
      textOf(before),
    ) &&
    before.some(({ text }) => text === '@person')
  )
    return true
  if (
    !before.some(({ text }) =>
      /^(?:@person|@stranger|she|he|they|we|i|lesson|session|tutoring|tutor)$/.test(text),
    )
  )
    return false
  return (
    tellsPast(before) &&
    before.some((token) => token.text === '@minutes') &&
    !/ but (it|that|this|she|he|they)$/.test(` ${before.map((token) => token.text).join(' ')}`)
  )
}
