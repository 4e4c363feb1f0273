// What is said to somebody: a request to a tutor, an order to pay or to move a lesson, a call to a child in the room. It tells of no lesson.
import { find, phrase, textOf, type Token } from './spoken-line.ts'
import { tellsPast } from './telling.ts'

/** How somebody is spoken to before it is said what he shall do. */
const CALL =
  '^(?:(?:dear|hi|hello|hey|good morning|good afternoon|good evening|ok|okay|so|well|and|oh|no|please|pls|plz|kindly|just|maybe|possibly|also|perhaps|abeg|beta|kids|guys|boys|girls|honey|sweetie|darling|love|there|ji|sir|madam|teacher|coach|auntie|uncle|@person|@stranger) )*'

const ASKS = new RegExp(
  `${CALL}(?:(?:can|could|would|will|shall|may|do|did|are|have) (?:you|u|we)(?! (?:log|add|record|enter|put|note|save|believe|know|hear|imagine|remember|say))|(?:can|could|would|will|shall) (?:i|@person|it|that|@day)|(?:is|was|would) (?:it|that|there|your|@day)(?: [a-z@]+){0,4} (?:ok|okay|fine|good|possible|free|alright|convenient|suitable|available|still|work)|(?:is|does|would|will) (?:@day|@aside|@minutes)|(?:what|where|when|why|how)(?: (?:long|much|many|come|about))? (?:did|do|does|is|are|was|were|have|can|could|should|would|will) (?:you|u|we|i|they|he|she|it|the|your|@person)|any (?:chance|possibility|way|time|space|slot|openings?))(?= |$)`,
)
/** Money to be sent, or a lesson to be moved. */
const BIDS = new RegExp(
  `${CALL}(?:(?:refund|reimburse|credit)(?= (?:me|us|@|the|her|him))|(?:shift|swap|switch|flip|push|bump|postpone|exchange|book|reserve|venmo|zelle|paypal|wire|transfer|cash app|e transfer|etransfer|interac|revolut|cashapp|bank|cash (?:for|to))(?= (?:@|the |an? |my |our |to |over |her |his |both |[0-9]))|(?:leave|put|stick|drop) (?:the |her |his )?@money (?=(?:in|on|into|under|aside|out|towards?) )|(?:bring|put) (?:forward|off|back) @)`,
)
/** 'Bilal, please keep his place', 'say hello to her'. */
const PLEASE =
  /^(?:(?:hi|hello|dear|hey|so|ok|okay) )*(?:@person|@stranger)(?: ji| sir| madam)? (?:please|pls|plz|kindly) (?!and |@)[a-z]|^(?:(?:and|now|kids|ok|okay) )*(?:say|tell) (?:(?:@person|him|her|them) )?(?:thank|thanks|hello|hi|bye|goodbye|sorry)(?= |$)/
/** A lesson that is told of behind what somebody is bidden. */
const TOLD_BEHIND =
  /(?:^| )(?:@person|she|he|they|who|we|i) (?:[a-z]+ )?(?:had|did|came|worked|took|was|saw|got|went|finished|taught|tutored|spent|met)(?= |$)/
/** 'Pay Daniel sixty', which the amount is read of. */
const PAYS = /^\W*(?:(?:please|ok|okay|so|and|pls) )*(?:pay|give|hand|send|monzo|revolut|slip)\s/i
/** 'Happy birthday to Kyle'. */
const WISHES =
  /^(?:(?:hi|hello|dear|hey|so|ok|okay) )*(?:(?:a )?(?:very )?(?:happy (?:birthday|new year|anniversary|diwali|eid|christmas|holidays|easter)|merry christmas|eid mubarak|congratulations|congrats|good luck|get well|best wishes|welcome back)|(?:receipt|invoice|overdue|statement|estimate|quote|quotation)(?= )(?! (?:and|worthy))|you've reached)/
/** Money that lies ready. */
const LIES = phrase(
  '@money (?:[a-z]+ |@person ){0,2}(?:in|on|under|behind) (?:the|an?|her|his|my) (?:[a-z]+ )?(?:jug|jar|envelope|drawer|tin|purse|mug|table|counter|fridge|shelf|bowl|desk)|[0-9]+ in the (?:jug|jar|envelope|drawer|tin|purse|mug|bowl)',
)
/** What a child in the room is told to do. */
const HOUSE = new RegExp(
  `^(?:(?:ok|okay|hey|so|no|oh|please|and) )*(?:@person|kids|guys|boys|girls|beta|sweetie|honey)(?: (?:please|and|now|beta|quick|just|both of you))* (?:(?:go|come)(?: and)? )*(?:(?:get|put|take|pick|grab|bring|pack|brush|wash|finish|eat|drink|clean|tidy|close|open|turn|move|tie|zip|find|leave|call|show|mind|watch|hand|give|do|comb|fix|button|feed|answer|stop|quit|hang|charge|make|clear|dry|change|check|wipe)(?: (?!@)[a-z]+){0,4} (?:your|yourself|yourselves)(?= |$)|(?:come|get|go|run|hurry) (?:down|downstairs|upstairs|inside|off|out of|up(?! (?:to|with))|dressed|ready|away|eat|outside|in the car|wash)(?= |$)|(?:turn|switch|shut|put) (?:that|it|the [a-z]+|those|this|off|down|up)(?= |$)|(?:quit|stop) [a-z]+ing(?= |$)|be (?:quiet|nice|good|ready|polite|careful)(?= |$)|sit (?:down|up|still)(?= |$)|quiet(?= |$)|let(?:'s)? (?:go|me|him|her)(?= |$)|leave (?:him|her|it|that|the)(?= |$)|hurry(?= |$))`,
)
/** 'She is here in ten minutes': when, and not how long. */
const SOON = phrase(
  '(?:here|there|coming|comes|arrives|arriving|due|ready|leaving|leaves|leave|starts|starting|over|home|back|(?:have|has|got|see|expecting) (?:@person|@stranger)) (?:again )?in (?:about |just |like |only )?@minutes',
)

/** Whether a line asks something of somebody, bids him do something, or calls a child. */
export function isAddressed(line: readonly Token[], transcript: string): boolean {
  const text = textOf(line)
  const times = line.filter(({ text: word }) => word === '@minutes').length
  if (ASKS.test(text) || asksOfFacts(line, transcript) || isCall(line, text)) return true
  const bids =
    PLEASE.test(text) ||
    BIDS.test(text) ||
    WISHES.test(text) ||
    find(line, LIES).length > 0 ||
    (PAYS.test(transcript) && line.some(({ text: word }) => word === '@money'))
  return (times < 2 && find(line, SOON).length > 0) || (bids && !TOLD_BEHIND.test(text))
}

/** Whether a student, or whoever is in the room, is told to do something, and nothing is told behind it. */
function isCall(line: readonly Token[], text: string): boolean {
  const call = HOUSE.exec(text)?.[0]
  if (!call) return false
  const called = line.find((token) => token.text === '@person')
  if (
    call.includes('@person') &&
    (called?.isPossessive ||
      ((called?.said as { students?: unknown[] } | undefined)?.students?.length ?? 0) === 0)
  )
    return false
  const rest = line.slice(call.trim().split(' ').length)
  return !(
    tellsPast(rest) &&
    rest.some((token) => token.text === '@minutes') &&
    rest.some((token) => token.text === '@person')
  )
}

/** Whether a sentence with a question mark asks of people or days, and no other one tells what was done. */
function asksOfFacts(line: readonly Token[], transcript: string): boolean {
  const ends = line.flatMap((_, place) =>
    place === line.length - 1 || line[place + 1]?.breaks === '.' ? [place + 1] : [],
  )
  const sentences = ends.map((end, index) => line.slice(ends[index - 1] ?? 0, end))
  const isAsked = (sentence: readonly Token[], index: number): boolean =>
    transcript.slice(sentence.at(-1)?.end, sentences[index + 1]?.[0]?.start).includes('?')
  return (
    sentences.some(
      (sentence, index) => isAsked(sentence, index) && sentence.some(({ text }) => FACT.test(text)),
    ) && !tellsPast(line)
  )
}
const FACT = /^@(?:person|stranger|day|minutes|money|subject)$/

/** 'Is this on?', by which people begin. */
const SOUND_CHECK =
  /^(?:(?:hey|hi|hello|ok|okay|so|right|well|testing|google|siri|alexa|tutorlog) )*(?:is (?:this|it) (?:thing )?(?:on|working|recording|listening)(?: now)?|can you hear me(?: (?:now|okay|ok))?|are you (?:there|listening|on)|testing|test(?= 1 2)(?: [0-9])*)(?= (?:@|yes|yeah|okay|ok|so|right|well|hello|alright|good|[a-z]+ @))/

/** Where the text begins behind 'is this on?' and behind questions that hold no fact: the number of words to leave out. */
export function wordsBefore(line: readonly Token[], transcript: string): number {
  const check = SOUND_CHECK.exec(textOf(line))?.[0]
  if (check) return check.split(' ').length
  const next = line.findIndex(({ breaks }, place) => place > 0 && breaks === '.')
  if (
    next < 0 ||
    line.slice(0, next).some(({ text }) => FACT.test(text)) ||
    !transcript.slice(line[next - 1]?.end, line[next]?.start).includes('?')
  )
    return 0
  return line.slice(next).some(({ text }) => text === '@minutes') ? next : 0
}
