// Whether a text speaks of a lesson at all: questions, orders and everything else must leave every field empty.
import { isAddressed, wordsBefore } from './address.ts'
import { isAhead } from './ahead.ts'
import { isByStudent, isOfOtherChild, isOfOthers, isOwnClass, isSum, isTalk } from './bystander.ts'
import { isEntry, isOfNoTutor } from './entry.ts'
import { isGathering } from './gathering.ts'
import { isPastime } from './pastime.ts'
import { find, phrase, type Token } from './spoken-line.ts'
import { isBareNote, isDense, isOnlyFacts, isTold, tellsPast } from './telling.ts'
import { isNoLesson, isUndone } from './undone.ts'

const LOGGING = phrase(`
  (?:log|logging|add|record|enter|put down|put in|put|note down|note|save|(?<!(?:the|cash) )register|track|create|make a note|submit|write(?= this| down| up)|jot) (?:that |a |an |the |another |new |this |that |down |up |in |my |me |for |1 |
  us )*(?:session|lesson|class|@minutes|@person|@subject|tutoring|entry|@stranger|hour)|(?:can|could|would|will) you (?:please )?(?:log|add|record|enter|put|note|save)|new (?:session|lesson|
  entry)|(?:child|student) @(?:person|stranger)`)
const QUESTION =
  /^(what|when|where|who|whose|why|which|how|did(?! (?:an?|another|(?:my|our|the|her|his) (?:usual |weekly |extra )?@minutes with|@minutes|@subject|@person @minutes))|do|does|is|are|was|were|should|shall|can|could|would|will|has|have|am) /
const ORDER = phrase(`
  (?:please |hey tutorlog |hey |ok |okay |so |um )*(?:remind|call|text|email|mail|message|cancel|delete|remove|erase|undo|show|play|set|buy|send|open|pay|find|search|order|tell|schedule|
  reschedule|change|edit|update|move|turn|start a|stop|pick|google|navigate|directions|invite|ask|give me|read me|list|export|print|download|check|look|book|get me|get the|go to|take me|
  add (?:a |an |the |my |new )*(?:tutor|child|student|kid|calendar|event|reminder|milk|to)|create (?:a |an |new )*(?:schedule|tutor|child|student|account|reminder|event)|don't|do not|dont|
  never mind|nevermind|reminder|planning|plan for|to do|todo|wish list|i need|i want|i would like|i'd like|let's(?! see| say| log| put)|we need|we should|we want|i'm looking|looking for|i have to|i've got to|make sure|remember to|don't forget)`)
const ELSEWHERE = phrase(`
  dentist|dentist's|doctor's|orthodontist|pediatrician|haircut|hair|birthday|party|playdate|play date|movie|movies|tv|television|video games|netflix|youtube|sleepover|flight|airport|dinner|
  lunch|breakfast|groceries|grocery|milk|eggs|pizza|dishes|laundry|nap|napped|slept|sleep|checkup|check up|vaccine|shots|fever|sick|vacation|beach|park|pool|playground|traffic|drive|drove|
  soccer practice|baseball practice|basketball practice|football practice|soccer game|baseball game|basketball game|football game|game|match|weather|rain|raining|podcast|song|timer|alarm|
  subscribe|watching|shopping|mall|meeting|appointment|interview|marathon|run|ran|went @subject|cousins|cousin|at school|gym|workout|church|wedding|funeral|camping|hike|hiking|concert|zoo|
  museum|babysitter|sitter|nanny|daycare|driver|plumber|cleaner|gardener|mechanic|electrician|barber|hairdresser|therapist|dog|cat|bath|bed|bedtime|chores|cleaned|cooked|ipad|screen time|waited|fight|fought|argued|detention|field trip|bus|recess|(?:another|other|different) (?:kid|kids|student|students|child|
  family|families)`)
const LESSON = phrase(
  'lesson|lessons|session|sessions|tutoring|tutored|taught|tutor|tuition|class|teaching|coached|coaching',
)
const DONE = phrase(`
  had|did|has|have|having|taught|tutored|worked|works|met|meets|took|got|gets|finished|completed|studied|spent|saw|helped|came|went over|reviewed|was with|were with|been with|charged|sat down|gave|
  attended|received|wrapped up|practiced|practised|learned|started|tutors|teaches|logged|log|add|record|came by|came over|paid|covered|cost|showed|is seeing|is having|drilled|tackled|focused|
  joined|led|owe`)
const PAST = phrase('had|did|came|taught|tutored|finished|worked|gave|helped')
/** What a student does without a tutor as well. */
const WEAK = phrase(
  'practiced|practised|studied|read|reads|plays|played|watched|spent|slept|practices|homework|by himself|by herself|alone|on (?:his|her) own',
)
const ALONE = phrase(
  '@person (?:practised|practiced|revised|crammed|studied|read|worked) (?:@day )?@minutes before|@minutes (?:grading|marking|preparing|prepping|planning|driving|waiting|correcting|emailing|commuting|writing|making|looking|searching)|on the phone|by himself|by herself|alone|on (?:his|her) own',
)
/** A tutor's own work beside the lessons. */
const UNPAID = phrase(
  '^(?:[a-z]+ ){0,3}(?:prepping|preparing|planning|prepped|prepared) for @person(?= @minutes| @day|$)|(?:prepared|printed|wrote|made|marked|graded|corrected|planned|copied|typed|typed up|laminated|put together|designed) (?:[a-z]+ |@subject |@person (?!for )){0,3}(?:worksheets?|materials|notes|slides|flashcards|essays?|exams?|tests?|lessons?|homework|papers?|reports?|plans?|exercises|handouts|quiz|quizzes|syllabus|problems|@subject)(?! (?:@[a-z]+ )*with (?:@person|her|him|them))|@minutes (?:grading|marking|planning|driving|waiting|correcting|emailing|commuting|(?:prepping|preparing|writing|making|printing|copying|getting|putting together) (?:for )?(?:@person|an?|the|my|some|new|worksheets|materials|notes|slides|flashcards|lessons?|ready))|(?:marking|grading|planning|prepping|preparing) (?:[a-z]+ |@[a-z]+ )*took',
)
const WITH_TUTOR = phrase(`
  (?:had|has|worked with|was with|tutored|taught|met with|did|does|having|had a (?:great|good) (?:time|one) with|together)(?: [a-z]+)? (?:@person|@stranger)|(?:@person|@stranger) (?:taught|
  tutored|worked with|helped|met with)`)
const CONDITION = phrase('if|unless|provided|assuming|in case|as long as')
/** That a tutor was there. */
const HERE = phrase(
  'just left|came|worked|helped|did|had|(?:was|were|been|is|stayed) (?:just |only )?(?:here|over|round|around|with (?:us|her|him|them))|stayed|(?:stopped|swung|came|dropped|popped) (?:by|in|over|round|around)|visited|sat with|after @minutes',
)
/** What a student goes to without a tutor. */
const EVENT = phrase(
  'test|tests|exam|exams|quiz|quizzes|midterm|midterms|final|finals|the sat|the act|recital|concert|competition|tournament|meet|rehearsal|practice|club|camp|homework|khan|app|online course|video|videos|assembly|detention|school|scrimmage|lecture|lectures|webinar|workshop|audition|appointment|resits?|paper [123]|(?<!(?:before|for) (?:his|her|their|the) )orals?(?! (?:practice|prep|skills|work|presentation))',
)
const OWN_LESSON = phrase(
  '(?<!(?:during|before|after|until|about|to|missed|miss|for) )(?:had|did|got|has|have|having|finished|completed|took|taken|attended|her|his|@person|last|next|weekly|first|make up|makeup|trial|@subject|@minutes|tutoring|for|log|add) (?:an? |the |another |one |of |his |her |@minutes |@subject |@day |long |make up |makeup |catch up |trial |extra |usual |online )*(?:lesson|lessons|session|sessions|class|tutoring|tuition|coaching)|was tutored|got tutored|(?:had|saw) (?:an?|the) (?:@subject )?tutor|tutor (?:who )?(?:came|worked|sat|did|taught|helped|went|had|gave|stayed|visited|saw|took|was)|with (?:her|his|the|an?|their|some|another|our) (?:[a-z]+ |@subject )?tutor',
)
const PLAIN_TIME = phrase(
  '(?:had|did|got|finished|has|completed|just did|just had) (?:an? |another )?@minutes (?:of )?(?:@person )?@subject|@subject (?:@day )?(?:for )?@minutes|@minutes (?:of )?@subject',
)
const SPORT =
  /\b(?:swimming|tennis|riding|rugby|cricket|netball|hockey|judo|taekwondo|fencing|skating|skiing|surfing|driving|cheerleading|athletics|golf|climbing|volleyball|lacrosse|archery|diving|gymnastics|karate|ballet|tap|dance|soccer|choir|cooking|knitting|sewing)\b/i
/** Work of one's own. */
const OWN_WORK = phrase(
  '(?:did|does|doing|finished) (?:his|her|their) @subject|(?:took|takes|taking) the @subject|(?:worked|working|works|work|focused|spent|started|finished|wrote|revised|revising|crammed) (?:@minutes )?(?:on |for |in )?(?:his|her|their|the|a)(?: @subject| [a-z]+)|revised|revising|crammed|on (?:his|her) (?:own|@subject)',
)

const CHAT = phrase(`
  (?:rang|phoned|called|texted|emailed|messaged|wrote to) @person (?:@day )?(?:about|regarding|to ask|to say)|on the phone with @person(?: @[a-z]+)* about (?!@subject)|
  (?:i|we|my (?:wife|husband|mom|dad)) (?:just )?(?:talked|spoke|chatted|argued|waited|complained|emailed|called|texted|asked|met) (?:to|with|for|about)? ?(?:@person|
  @stranger)(?! and)(?: @day)?(?: @minutes)? (?:about|regarding|because|to talk|to discuss)|(?:i|we) (?:just )?(?:talked|spoke|chatted|argued)|did @minutes of (?:[a-z]+ )?(?:work|homework|practice) (?:on (?:his|her) own|alone|by (?:himself|herself))|(?:was|were|been) (?:telling|asking|talking)|(?:told|tells|asked) (?:me|us|my [a-z]+) (?:about|that|how|all)|forgot about|forgets|wants? (?:to|an?|another|more|some|extra|@minutes|[0-9.]+ (?:more|extra))|would like to|
  (?:@person|@stranger|i|we|she|he) needs? (?:to|@minutes|an?|another|more|some|[0-9.]+|extra)|got (?:tuned|fixed|lost|broken|(?:a|the|his|her)(?! @| lesson| session)|sick|in|into)`)
/** 'Add Sarah as a tutor'. */
const LISTING = phrase(
  '(?:as|to|from) (?:a|my|the|our) (?:new )?(?:tutor|student|child|list|tutors|children|students|account|contacts)|named|called',
)
/** A family helps a child as well; without a tutor that is no session. */
const AT_HOME = phrase(`
  (?:i|we|my (?:husband|wife|mom|dad|mother|father|sister|brother|friend|partner)|grandma|grandpa|his (?:dad|mom|brother|sister)|her (?:dad|mom|brother|sister)) (?:just |also )?(?:helped|
  worked|studied|read|sat|did|practiced|went over|spent|quizzed)`)
/** A test that lies ahead, and how long it is. */
const TEST_AHEAD = phrase(
  '(?:exam|exams|test|quiz|midterm|final|finals|mock|recital)(?: (?:is|on|in))* (?:@aside|@day)|(?:has|have|having|takes|sits) (?:an? |her |his |their |another )?(?:@subject |[a-z]+ )?(?:exam|exams|test|quiz|midterm|final|finals|mock|recital)',
)
/** Things beside sessions that are put down as well. */
const PUT_ELSEWHERE = phrase(
  '(?:waiting|wait) list|waitlist|phone number|number in|address|email|birthday|(?:in|into|to|on) (?:the|my|our) (?:calendar|diary|planner|contacts?|phone|fridge|shopping list|to do list|budget)',
)
/** What happens every week is a schedule, not a session. */
const HABIT = phrase(
  '(?:on|of) a @day|usually|normally|typically|generally|always|(?:every|each|most|on most) @day|every (?:day|week|other|night|morning|afternoon|evening|weekend|month|@day|single)|each (?:day|week)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|twice a week|once a week|times a week|on weekends|(?:@minutes|@person) (?:a|per|each) (?:week|day|night|month|fortnight)',
)

/** Not knowing what happened is a question as well. */
const UNSURE = phrase(`
  (?:not sure|unsure|don't know|do not know|wonder|wondering|can't remember|cannot remember|don't remember|do not remember|can't recall|don't recall|forget|do you know|any idea|no idea|find out|check|
  ask|asked|asks|asking|know|curious)(?: @person| @stranger| him| her| them| me| us)? (?:if|whether|how many|how much|how long|which|who|what)`)
/** Lessons of other families, where nobody named is on the lists. */
const OTHERS = phrase(`
  neighbor|neighbour|neighbors|neighbours|coworker|coworkers|colleague|friend|friends|cousin|cousins|boss|roommate|in law|guy|lady|people|family|families|parents|mom|mother|twins|boy next|brother|sister|
  nephew|niece|aunt|uncle|next door|(?:@person|@stranger|his|her|their) (?:class|school|team|band|choir|teacher)|some (?:tutor|teacher|guy|lady)|their (?:tutor|kids|kid|
  son|daughter|child)`)

const EACH = phrase('(?:every|each|most)(?: other| second| single)? @day')
const JUST_NOW_OR_A = phrase(
  'just|(?:had|did|took|finished|did|got|completed) (?:an? |her |his |another |the )?(?:@subject )?(?:lesson|session|class)',
)
const JUST = phrase('just|now done|only now')
const AHEAD = phrase('will|going to|gonna|tomorrow|having|@day')

/** 'Is free on Saturday': time to give, not a price. */
const FREE_THEN =
  /\b(?:is|are|am|be)(?: also| still| only)? free (?:on|at|from|until|this|next|tomorrow|after|before|all|most|in|mon|tue|wed|thu|fri|sat|sun)/i

/** When something begins. */
const AT_CLOCK = phrase(
  'at (?:about |around )?[0-9:.]+|at (?:half|quarter|1 half|1 quarter|0.25|0.5) (?:past|to|after) [0-9]+|[0-9:.]+ oclock|@day [0-9]+:[0-9]+|at noon',
)

/** A name that goes on a list or beside a payment. */
const ON_LIST = phrase(
  '(?:put|add|note|enter|save) @person (?:on|in|as|under) (?:the|a|my|our|her|his) (?:[a-z]+ )?(?:memo|subject|note|reference|comment|list|line|description|rota|team|car)',
)

/** What was found on the line, as far as it matters here. */
export interface Found {
  student: boolean
  tutor: boolean
  /** The tutor is one of the lists. */
  tutorKnown: boolean
  minutes: boolean
  money: boolean
  subject: boolean
  day: boolean
  /** The day is still to come. */
  ahead: boolean
  /** The speaker is the tutor. */
  speakerTeaches: boolean
  /** One tutor alone is on the list, who may be the speaker. */
  ownBooks: boolean
  /** Students or tutors whose own name was said, not one that is on no list. */
  known: boolean
}

/** Whether a line whose names and facts are marked tells of a lesson that took place or will. */
export function speaksOfSession(whole: readonly Token[], written: string, found: Found): boolean {
  const before = wordsBefore(whole, written)
  const line = whole.slice(before)
  const transcript = before === 0 ? written : written.slice(line[0]?.start ?? 0).padStart(written.length)
  const has = (pattern: RegExp): boolean => find(line, pattern).length > 0
  const text = line
    .map((token) => token.text)
    .join(' ')
    .replace(
      /^(?:hey tutorlog |hey |hi |hello |ok |okay |so |well |um |yeah |and |please |alright |right )+/,
      '',
    )
  const isLogging =
    has(LOGGING) &&
    !has(ON_LIST) &&
    !has(phrase('(?:while|when|as) (?:i|we) (?:was|were) (?:logging|adding|entering|recording)'))
  const facts = [found.student, found.tutor, found.minutes, found.subject, found.money].filter(Boolean).length
  const isRich = found.minutes && (found.student || found.tutor) && facts >= 3
  if (
    isLogging &&
    /^(?:did|have|has|do|does|what|when|which|who|how|why|was|is|are|should|shall|may|might|must|where|isn't|aren't|shouldn't|what's) /.test(
      text,
    )
  )
    return false
  if (
    isLogging &&
    /^(?:delete|remove|erase|undo|scrap|void|discard|cancel) (?!.*(?:instead| and (?:log|add|put|record|enter)))/.test(
      text,
    )
  )
    return false
  if (!isLogging) {
    const asks =
      QUESTION.test(text) ||
      /^\W*(?:was|were|is) (?:it|that|this) /i.test(transcript) ||
      (/\?\s*$/.test(transcript) && !(isRich && tellsPast(line)))
    if (asks) return false
    const order = find(line, ORDER)[0]
    const first = line.findIndex(
      (token) => !/^(hey|tutorlog|hi|hello|ok|okay|so|well|yeah|and|please|alright|right)$/.test(token.text),
    )
    if (order && order.from <= first && first < order.to) return false
  }
  const isNoted = found.student && found.minutes && !found.ahead && isEntry(line, found.ownBooks)
  if (!isLogging && !isNoted && !isTold(line)) return false
  if (isUndone(line) || isPastime(line, transcript, { ...found, lesson: has(LESSON) })) return false
  if (!isLogging && !found.student && isOfOthers(line, transcript, found.subject || has(LESSON))) return false
  const isPast = tellsPast(line)
  if (
    !isLogging &&
    (isAddressed(line, transcript) ||
      isOfOtherChild(line) ||
      isOwnClass(line) ||
      isTalk(line) ||
      isGathering(line, { ...found, lesson: has(LESSON) }))
  )
    return false
  if (!isLogging && !isPast && isAhead(line, transcript, found.ahead)) return false
  const unsure = isLogging ? undefined : find(line, UNSURE)[0]
  // 'An hour of tutoring on Wednesday, can't remember who with': only something beside it is unknown.
  if (unsure && !line.slice(0, unsure.from).some((token) => token.text === '@minutes')) return false
  if (!found.known && has(OTHERS) && !isLogging) return false
  if (
    !isLogging &&
    (/^(?:thank you|thanks) (?!.* (?:log|add|record))/.test(text) ||
      isNoLesson(line) ||
      (FREE_THEN.test(transcript) && !tellsPast(line)))
  )
    return false
  if (
    !isLogging &&
    !found.minutes &&
    !has(LESSON) &&
    has(phrase('@subject (?:exam|exams|recital|competition|audition|finals?|midterm)'))
  )
    return false
  if (
    !found.tutor &&
    !has(phrase('tutor|tutored|tutoring')) &&
    !found.speakerTeaches &&
    SPORT.test(transcript)
  )
    return false
  const elsewhere = find(line, ELSEWHERE)[0]
  const isTaughtBefore =
    isRich && found.speakerTeaches && line.slice(0, elsewhere?.from).some(({ text }) => text === '@minutes')
  if (
    elsewhere &&
    !isTaughtBefore &&
    !(found.minutes && found.tutorKnown && found.student) &&
    !(isRich && (found.tutorKnown || has(LESSON)))
  )
    return false
  if (!isLogging && has(CONDITION) && !tellsPast(line)) return false
  if (!isLogging && (isByStudent(line) || isSum(line, found.day))) return false
  if (!isLogging && !isPast && !found.minutes && has(AT_CLOCK) && has(phrase('has|have|goes|sees|meets')))
    return false
  const test = isLogging || tellsPast(line) ? undefined : find(line, TEST_AHEAD)[0]
  if (test && !line.slice(0, test.from).some(({ text }) => text === '@minutes')) return false
  if (isLogging && !tellsPast(line) && has(PUT_ELSEWHERE)) return false
  const chat = find(line, CHAT)[0]
  const chats = chat !== undefined && !line.slice(0, chat.from).some((token) => token.text === '@minutes')
  if (!found.student && !found.tutor)
    return (
      found.minutes &&
      (has(LESSON) || found.subject) &&
      has(DONE) &&
      (isLogging ||
        has(
          phrase('my (?:son|daughter|kid|child)|she|he|tutor|i (?:taught|tutored)|lesson|session|tutoring'),
        ))
    )
  if (has(LISTING) && !found.minutes) return false
  if (isLogging) return found.known || facts >= 3
  // A day to come and the time at which it begins: an appointment, and nothing to log.
  if (found.ahead && !isPast && has(AT_CLOCK)) return false
  if (isNoted && found.known) return true
  if (
    !isPast &&
    ((found.ahead && isOnlyFacts(line, found.tutor)) || (!found.tutor && (found.ahead || isOfNoTutor(line))))
  )
    return false
  if (
    found.known &&
    found.minutes &&
    isOnlyFacts(line, found.tutor) &&
    (found.tutor || found.day) &&
    !SPORT.test(transcript)
  )
    return true
  if (has(HABIT) && !(isPast && found.minutes && found.day && !has(EACH))) return false
  if (!found.minutes && !isPast && !isBareNote(line) && !has(AHEAD)) return false
  if (found.student && found.tutor) {
    // Names and a time alone, and words that tell nothing: 'Theo, you've got an hour, then it's Daniel'.
    if (found.minutes && !isPast && !found.day && !found.money && !has(JUST) && !isDense(line)) return false
    if (chats) return false
    // A doctor or a coach on no list teaches only where a subject or a lesson is named.
    if (
      !found.tutorKnown &&
      !found.subject &&
      !has(LESSON) &&
      /\b(?:doctor|dr|coach|nurse)\b/i.test(transcript)
    )
      return false
    // 'Sarah charges sixty for an hour' names a price.
    if (found.minutes) return isPast || found.day || !/\b(?:charges|costs)\b/i.test(transcript)
    return (
      (has(LESSON) && (found.day || found.money || has(JUST_NOW_OR_A))) ||
      (found.subject && has(DONE) && (found.day || found.money || has(WITH_TUTOR))) ||
      (has(WITH_TUTOR) && (found.day || found.money))
    )
  }
  if (chats && found.tutor) return false
  if (!found.known) return found.minutes && (has(LESSON) || (found.subject && has(DONE)))
  if (found.tutor)
    return (
      (found.minutes &&
        (has(LESSON) || found.subject || found.money || has(WITH_TUTOR) || has(HERE)) &&
        (tellsPast(line.filter(({ text }) => !/^(?:paid|charged|cost)$/.test(text))) ||
          (found.day && isBareNote(line)))) ||
      (has(LESSON) && found.day && has(PAST))
    )
  if (chats || (has(AT_HOME) && !found.speakerTeaches)) return false
  if (found.speakerTeaches && has(UNPAID)) return false
  if (has(found.speakerTeaches ? ALONE : WEAK) && !has(LESSON) && !found.money) return false
  if (
    !found.speakerTeaches &&
    !has(OWN_LESSON) &&
    (has(EVENT) ||
      has(OWN_WORK) ||
      has(phrase('@person (?:taught|tutored|coached|helped|quizzed|showed)')) ||
      (found.subject && (SPORT.test(transcript) || !has(PLAIN_TIME))))
  )
    return false
  if (found.minutes)
    return (
      found.subject ||
      (found.speakerTeaches ? has(LESSON) : has(OWN_LESSON)) ||
      found.speakerTeaches ||
      /^(?:[^ ]+ ){0,2}@minutes with @person/.test(text) ||
      has(
        phrase(
          '(?:had|got|did) (?:a @money )?(?:(?:his|her|their) (?:usual |normal |weekly |regular )*)?@minutes(?: @day| @money| today|$)',
        ),
      ) ||
      isHours(line)
    )
  return has(LESSON) && found.day && has(DONE)
}

/** 'Maya's hour yesterday': not her two hour nap. */
function isHours(line: readonly Token[]): boolean {
  return line.some(
    ({ text, isPossessive }, place) =>
      text === '@person' &&
      isPossessive &&
      line[place + 1]?.text === '@minutes' &&
      /^(?:@day|@money|was|went|cost|)$/.test(line[place + 2]?.text ?? ''),
  )
}
