// Whether a text speaks of a lesson at all: questions, orders and everything else must leave every field empty.
import { find, phrase, textOf, type Token } from './spoken-line.ts'
import { isBareNote, isOnlyFacts, isTold, tellsPast } from './telling.ts'

const LOGGING = phrase(`
  (?:log|logging|add|record|enter|put down|put in|put|note down|note|save|register|track|create|make a note|submit) (?:that |a |an |the |another |new |this |down |in |my |me |for |1 |
  us )*(?:session|lesson|class|@minutes|@person|@subject|tutoring|entry|@stranger|hour)|(?:can|could|would|will) you (?:please )?(?:log|add|record|enter|put|note|save)|new (?:session|lesson|
  entry)|(?:child|student) @(?:person|stranger)`)
const QUESTION = /^(what|when|where|who|whose|why|which|how|did(?! (?:an?|another|@minutes|@subject|@person @minutes))|do|does|is|are|was|were|should|shall|can|could|would|will|has|have|am) /
const ORDER = phrase(`
  (?:please |hey tutorlog |hey |ok |okay |so |um )*(?:remind|call|text|email|mail|message|cancel|delete|remove|erase|undo|show|play|set|buy|send|open|pay|find|search|order|tell|schedule|
  reschedule|change|edit|update|move|turn|start a|stop|pick|google|navigate|directions|invite|ask|give me|read me|list|export|print|download|check|look|book|get me|get the|go to|take me|
  add (?:a |an |the |my |new )*(?:tutor|child|student|kid|calendar|event|reminder|milk|to)|create (?:a |an |new )*(?:schedule|tutor|child|student|account|reminder|event)|don't|do not|dont|
  never mind|nevermind|i need|i want|i would like|i'd like|let's|we need|we should|we want|i'm looking|looking for|i have to|i've got to|make sure|remember to|don't forget)`)
const CALLED_OFF = phrase(`
  (?:was|were|got|is|are|been|being|has been|had to be) (?:just |again |also )?(?:cancelled|canceled|called off|postponed|rescheduled|moved|skipped|pushed back)|(?:didn't|did not|don't|
  doesn't|does not|won't|will not|couldn't|could not|can't|cannot|never|isn't|wasn't) (?:have|happen|show|show up|make it|take place|meet|come|go|get|do|attend|see|be|going)|no (?:lesson|
  session|class|tutoring|tutor)|(?:@person|@stranger|she|he|we|they|i|tutor) (?:just |had |has |have |also |again |completely |accidentally )*(?:ditched|dodged|blew off|missed(?! (?:logging|entering|adding|recording|writing))|cancelled|canceled|skipped|postponed|rescheduled)|had to (?:cancel|skip|miss|postpone|
  reschedule)|(?:has|have|had) (?:moved|rescheduled|postponed|shifted|swapped|switched|pushed)|(?:moved|switched|shifted|pushed|swapped|changed) (?:the |@person )?(?:@minutes|lesson|session|class|slot)|nothing to log|to cancel|(?:got |was |been )?(?:bumped|pushed|shifted)|had to leave (?:after|at once|right|straight|again|immediately)|no show|no showed|no shows|called in sick|calls in sick|stood (?:@person|@stranger|us|me|him|her|them) up|fell through|called it off|bailed|flaked|
  backed out|slept through|overslept|forgot (?:that )?(?:she|he|they|we|i|it|@person|@stranger) (?:had|was|were)|forgot (?:to (?:come|go|show|turn up|log (?:on|in)|join|bring @person)|(?:her|his|their|the|our|about) (?:@[a-z]+ )?(?:lesson|session|class|
  tutoring|tutor))|(?:sent|send|sending|turned) (?:@person|@stranger|her|him|them) (?:straight |right |back )*(?:home|away|back)|refused to (?:go|come|do|have|open|get|leave)|(?:locked out|nobody|no 1|no one) (?:was )?(?:home|answered|in|there|came)|never mind|nevermind|forget it|forget about it`)
const ELSEWHERE = phrase(`
  dentist|dentist's|doctor's|orthodontist|pediatrician|haircut|hair|birthday|party|playdate|play date|movie|movies|tv|television|video games|netflix|youtube|sleepover|flight|airport|dinner|
  lunch|breakfast|groceries|grocery|milk|eggs|pizza|dishes|laundry|nap|napped|slept|sleep|checkup|check up|vaccine|shots|fever|sick|vacation|beach|park|pool|playground|traffic|drive|drove|
  soccer practice|baseball practice|basketball practice|football practice|soccer game|baseball game|basketball game|football game|game|match|weather|rain|raining|podcast|song|timer|alarm|
  subscribe|watching|shopping|mall|meeting|appointment|interview|marathon|run|ran|went @subject|cousins|cousin|at school|gym|workout|church|wedding|funeral|camping|hike|hiking|concert|zoo|
  museum|babysitter|sitter|nanny|daycare|driver|plumber|cleaner|gardener|mechanic|electrician|barber|hairdresser|therapist|dog|cat|bath|bed|bedtime|chores|cleaned|cooked|ipad|screen time|waited|fight|fought|argued|detention|field trip|bus|recess|(?:another|other|different) (?:kid|kids|student|students|child|
  family|families)`)
/** A lesson of the child's school. */
const AT_SCHOOL = phrase(`(?<!after )school (?:@subject )*(?:lesson|lessons|class|classes|trip|day)|(?:class|classes|lesson|lessons) at (?:@[a-z]+ )?school|in class|@person (?:@subject )?class (?:visited|went|watched|did|took|got|built|had)|(?:a |the )?(?:substitute|supply teacher)|(?:her|his|their) class|homeroom|year group`)
/** Time that passes with something else than a lesson. */
const LEISURE = phrase(`
  (?:went|gone|go|goes|going|took @person|taking @person|out) (?:out )?(?:for|on) (?:an? |the |their |his |her |our )*(?:[a-z]+ )?(?:run|jog|walk|swim|ride|drive|spin|hike|coffee|meal|picnic|pizza|ice cream|burger|day out|trip)|
  (?:went|took @person|go|been|gone) (?:[a-z]+ )?(?:running|jogging|walking|swimming|shopping|bowling|skating|skiing|climbing|fishing|camping|cycling|biking|sledding|hiking|sailing|surfing)|
  (?:played|playing) (?:[a-z]+ ){0,2}(?:games|fifa|minecraft|fortnite|roblox|football|soccer|basketball|cards|catch|tag|golf|five a side|outside|monopoly)|(?:watched|watching|binged) (?:[a-z]+ ){0,2}(?:movie|movies|film|films|
  tv|telly|game|match|cartoons|show|netflix|youtube)|babysat|babysitting|(?:made|wrote|bought|built|baked) @person (?:an?|some|the)|went (?:over |round )?to @person to (?:pick|get|drop|collect|say|help|feed|water|play|swim|borrow)|it took (?:him|her|them|us|me) (?:about |over )?@minutes|(?:baked|raked|mowed|shoveled|painted|gardened|hoovered|vacuumed|tidied|ironed)`)
/** And then somebody is told of who had a lesson all the same. */
const TELLS_LESSON = phrase('(?:@person|@stranger|she|he) (?:then |still |also )?(?:had|taught|tutored|worked with|got @minutes)')
const LESSON = phrase('lesson|lessons|session|sessions|tutoring|tutored|taught|tutor|tuition|class|teaching|coached|coaching')
const DONE = phrase(`
  had|did|has|have|having|taught|tutored|worked|works|met|meets|took|got|gets|finished|completed|studied|spent|saw|helped|came|went over|reviewed|was with|were with|been with|charged|sat down|gave|
  attended|received|wrapped up|practiced|practised|learned|started|tutors|teaches|logged|log|add|record|came by|came over|paid|covered|cost|showed|is seeing|is having|drilled|tackled|focused|
  joined|led|owe`)
const PAST = phrase('had|did|came|taught|tutored|finished|worked|gave|helped')
/** What a student does without a tutor as well. */
const WEAK = phrase('practiced|practised|studied|read|reads|plays|played|watched|spent|slept|practices|homework|by himself|by herself|alone|on (?:his|her) own')
const ALONE = phrase('@minutes (?:grading|marking|preparing|prepping|planning|driving|waiting|correcting|emailing|commuting|writing|making|looking|searching)|on the phone|by himself|by herself|alone|on (?:his|her) own')
/** A tutor's own work beside the lessons. */
const UNPAID = phrase('@minutes (?:grading|marking|planning|driving|waiting|correcting|emailing|commuting|(?:prepping|preparing|writing|making|printing|copying|getting|putting together) (?:for )?(?:@person|an?|the|my|some|new|worksheets|materials|notes|slides|flashcards|lessons?|ready))|(?:marking|grading|planning|prepping|preparing) (?:[a-z]+ |@[a-z]+ )*took')
const WITH_TUTOR = phrase(`
  (?:had|has|worked with|was with|tutored|taught|met with|did|does|having|had a (?:great|good) (?:time|one) with|together)(?: [a-z]+)? (?:@person|@stranger)|(?:@person|@stranger) (?:taught|
  tutored|worked with|helped|met with)`)
/** Talking about lessons is none. */
/** Company that is no lesson, unless a subject or a lesson is named with it. */
const COMPANY = phrase('(?:had|have|has|having|ate|eat|grabbed|got|met for|made|over for|out for|for) (?:an? |the |some |her |his |our |@minutes (?:of )?)*(?:lunch|dinner|breakfast|brunch|coffee|tea|ice cream|drinks?|glass of wine|beers?|natter|picnic|barbecue|a walk|walk|chat|phone call|call|meeting|conference|party|fun|playdate|sleepover|appointment|check ?up|surgery|interview|audition|rehearsal|haircut)')
const OUTING = phrase('(?<!(?:before|after|until|because of|missed|for) )(?:the|an?|our|my|at|on|watched|see|saw|her|his|their|@person) (?:[a-z]+ )?(?:meeting|conference|interview|appointment|movie|movies|film|game|match|party|field trip|trip|beach|park|zoo|concert|wedding|funeral|hike|vacation|flight|airport|museum|playground|drive|show|parade|picnic|barbecue)')
/** Time of something that is no lesson: 'a two hour layover', 'an hour looking for her book'. */
const OTHER_TIME = phrase(`an? @minutes (?!(?:lesson|session|class|tutoring|tutorial|of|with|for|on|in|at|and|long|online|zoom|skype|video|virtual|free|trial|extra|makeup|make|block|slot|review|catch|crash|intensive|one|1|prep|check|sit|
  revision|taster|intro|introductory|home|reading|practice|study|with|over|via|total|from|each|this|last|late|early|so|but|because|she|he|they|we|i|it|which|plus|then|before|after|while|by|to|worth|together|straight|instead)(?= |$))[a-z]+`)
const IDLE = phrase('an? @minutes (?:rehearsal|layover|meeting|flight|drive|nap|shift|match|game|concert|delay|wait|walk|ride|hike|swim|film|movie|show|gig|commute|train|bus|car|queue|interview|service|mass|ceremony|party|visit|call with the)|@minutes (?:just )?(?:looking|searching|hunting|waiting|driving|biking|cycling|cleaning|cooking|baking|shopping|texting|arguing|crying|sulking|sleeping|packing|scrolling|gaming|commuting|queueing|queuing|stuck|in traffic|to (?:kill|spare|go|wait|drive|get|burn|fill|rest|relax)|(?:before|until) @person(?! (?:and|had|did))|napping|crafting|cuddling)')
const IDLE_UNLESS = phrase('@minutes (?:just )?(?:talking|chatting|playing|watching|drawing|painting|building|walking|laughing|goofing|messing|eating|visiting|helping (?:me|us|with the))')
const CONDITION = phrase('if|unless|provided|assuming|in case|as long as')
/** That a tutor was there. */
const HERE = phrase('came|worked|helped|did|had|(?:was|were|been|is|stayed) (?:just |only )?(?:here|over|round|around|with (?:us|her|him|them))|stayed|(?:stopped|swung|came|dropped|popped) (?:by|in|over|round|around)|visited|sat with|after @minutes')
/** What a student goes to without a tutor. */
const EVENT = phrase('test|tests|exam|exams|quiz|quizzes|midterm|midterms|final|finals|the sat|the act|recital|concert|competition|tournament|meet|rehearsal|practice|club|camp|homework|khan|app|online course|video|videos|assembly|detention|school|scrimmage|lecture|lectures|webinar|workshop|audition|appointment')
const OWN_LESSON = phrase('(?<!(?:during|before|after|until|about|to|missed|miss|for) )(?:had|did|got|has|have|having|finished|completed|took|taken|attended|her|his|@person|last|next|weekly|first|@subject|@minutes|tutoring|for|log|add) (?:an? |the |another |one |of |his |her |@minutes |@subject |@day |long )*(?:lesson|lessons|session|sessions|class|tutoring|tuition|coaching)|was tutored|got tutored|(?:had|saw) (?:an?|the) (?:@subject )?tutor|tutor (?:who )?(?:came|worked|sat|did|taught|helped|went|had|gave|stayed|visited|saw|took|was)|with (?:her|his|the|an?|their|some|another|our) (?:[a-z]+ |@subject )?tutor')
const PLAIN_TIME = phrase('(?:had|did|got|finished|has|completed|just did|just had) (?:an? |another )?@minutes (?:of )?(?:@person )?@subject|@subject (?:@day )?(?:for )?@minutes|@minutes (?:of )?@subject')
const SPORT = /\b(?:swimming|tennis|gymnastics|karate|ballet|tap|dance|soccer|choir|cooking|knitting|sewing)\b/i
/** Work of one's own. */
const OWN_WORK = phrase('(?:did|does|doing|finished) (?:his|her|their) @subject|(?:took|takes|taking) the @subject|(?:worked|working|works|work|focused|spent|started|finished|wrote|revised|revising|crammed) (?:@minutes )?(?:on |for |in )?(?:his|her|their|the|a)(?: @subject| [a-z]+)|revised|revising|crammed|on (?:his|her) (?:own|@subject)')

const CHAT = phrase(`
  (?:i|we|my (?:wife|husband|mom|dad)) (?:just )?(?:talked|spoke|chatted|argued|waited|complained|emailed|called|texted|asked|met) (?:to|with|for|about)? ?(?:@person|
  @stranger)(?! and)(?: @day)?(?: @minutes)? (?:about|regarding|because|to talk|to discuss)|(?:i|we) (?:just )?(?:talked|spoke|chatted|argued)|did @minutes of (?:[a-z]+ )?(?:work|homework|practice) (?:on (?:his|her) own|alone|by (?:himself|herself))|forgot about|forgets|wants to|would like to|
  (?:@person|@stranger|i|we|she|he) needs? (?:to|@minutes|an?|another|more|some|[0-9.]+|extra)|got (?:tuned|fixed|lost|broken|(?:a|the|his|her)(?! @| lesson| session)|sick|in|into)`)
/** 'Add Sarah as a tutor'. */
const LISTING = phrase('(?:as|to|from) (?:a|my|the|our) (?:new )?(?:tutor|student|child|list|tutors|children|students|account|contacts)|named|called')
/** A family helps a child as well; without a tutor that is no session. */
const AT_HOME = phrase(`
  (?:i|we|my (?:husband|wife|mom|dad|mother|father|sister|brother|friend|partner)|grandma|grandpa|his (?:dad|mom|brother|sister)|her (?:dad|mom|brother|sister)) (?:just |also )?(?:helped|
  worked|studied|read|sat|did|practiced|went over|spent|quizzed)`)
/** What happens every week is a schedule, not a session. */
const HABIT = phrase('usually|normally|typically|generally|always|(?:every|each|most|on most) @day|every (?:day|week|other|night|morning|afternoon|evening|weekend|month|@day|single)|each (?:day|week)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|twice a week|once a week|times a week|on weekends')

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
const JUST_NOW_OR_A = phrase('just|(?:had|did|took|finished|did|got|completed) (?:an? |her |his |another |the )?(?:@subject )?(?:lesson|session|class)')
const AHEAD = phrase('will|going to|gonna|tomorrow|having|@day')

/** What ought to have been, and what else came of it. */
const SUPPOSED = phrase("(?:was|were) (?:only |just |really |originally |actually )?(?:supposed|meant|due) to|(?:should|could) have (?:been|had|seen|met|gone|come|done)|would have (?:had|seen|met)|should've")
const AND_THEN = phrase('but|so|and|instead|then')
/** A lesson that was none, whatever else is said of it. */
const NOT_AT_ALL = phrase("never happened|(?:had|have|having) (?:an? )?(?:coffee|lunch|dinner|breakfast|drinks?|tea) with (?:me|us|my)|(?:taught|teaching|showed|helped) @person (?:how )?(?:to )?(?:ride|bake|drive|skate|ski|fish|juggle|sew|knit|tie)|(?:@person|she|he|they|we) never (?:had(?! (?:so|such|an?|it so))|got|took|did|attended|came|showed)|(?:app|phone|page|screen|tablet|it) (?:crashed|froze|died|hung)|^in @minutes (?:@person|we|she|he|i|they)|@subject (?:exam|recital|competition|audition) with @person colleague")
/** What nobody is tutored in. */
const HOBBY = /\b(?:of|did|had|doing|do|for|played) (?:some |a bit of )?(?:yoga|pilates|zumba|gardening|trampolin\w+|paintball|laser tag|karaoke|board games?|video games?|screen time|hide and seek|housework|chores|physio\w*)\b/i
/** 'Is free on Saturday': time to give, not a price. */
const FREE_THEN = /\b(?:is|are|am|be)(?: also| still| only)? free (?:on|at|from|until|this|next|tomorrow|after|before|all|most|in|mon|tue|wed|thu|fri|sat|sun)/i
/** What a tutor does for others than the students. */
const FOR_OTHERS = phrase(`with (?:his|her|their) (?:own |little |big |older |younger )?(?:brother|sister|wife|husband|friend|friends|mom|mum|dad|mother|father|son|daughter|kids|children|family|girlfriend|boyfriend|partner|team|band|class|colleagues?|neighbors?)|
  (?:helped|gave|drove|lent|sold|brought|told|fixed|picked|took|called|texted|joined|visited) (?:me|my [a-z]+)|i (?:just )?(?:had|spent|got) @minutes (?:on the phone )?with @person|@person and (?:i|his|her|my [a-z]+)|
  (?:my|our|an?|the|his|her) (?:[a-z]+ )?(?:sister|brother|friend|neighbor|neighbour|neighbors|neighbours|cousin|niece|nephew|coworker|colleague|boss|mate|law|aunt|uncle|roommate) (?:[a-z]+ )?(?:had|saw|did|got|has|used|took|met|spent|worked|paid|hired)`)
/** Money that passes apart from a lesson. */
const BILL = phrase('bill|bills|invoice|invoices|invoiced|billed|refund|refunded|advance|deposit|balance|transfer|transferred|cheque|receipt|reimbursed|paypal|zelle|bank')
/** 'Maya's friend had': a lesson of somebody else. */
const OF_ANOTHER = phrase('@person (?:[a-z]+ )?(?:friend|friends|cousin|cousins|sister|brother|classmate|classmates|teammate|neighbor|neighbour|roommate|girlfriend|boyfriend) (?:[a-z]+ )?(?:had|did|got|has|took|was|saw|worked|met|spent)')

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
  /** Students or tutors whose own name was said, not one that is on no list. */
  known: boolean
}

/** Whether a line whose names and facts are marked tells of a lesson that took place or will. */
export function speaksOfSession(line: readonly Token[], transcript: string, found: Found): boolean {
  const has = (pattern: RegExp): boolean => find(line, pattern).length > 0
  const text = line.map((token) => token.text).join(' ').replace(/^(?:hey tutorlog |hey |hi |hello |ok |okay |so |well |um |yeah |and |please |alright |right )+/, '')
  const isLogging = has(LOGGING) && !has(phrase('(?:while|when|as) (?:i|we) (?:was|were) (?:logging|adding|entering|recording)'))
  const facts = [found.student, found.tutor, found.minutes, found.subject, found.money].filter(Boolean).length
  const isRich = found.minutes && (found.student || found.tutor) && facts >= 3
  if (isLogging && /^(?:did|have|has|do|does|what|when|which|who|how|why|was|is|are) /.test(text)) return false
  if (!isLogging) {
    const asks = QUESTION.test(text) || (/\?\s*$/.test(transcript) && !isRich)
    if (asks) return false
    const order = find(line, ORDER)[0]
    if (order?.from === line.findIndex((token) => !/^(hey|tutorlog|hi|hello|ok|okay|so|well|yeah|and|please|alright|right)$/.test(token.text))) return false
  }
  if (!isLogging && !isTold(line)) return false
  const unsure = isLogging ? undefined : find(line, UNSURE)[0]
  // 'An hour of tutoring on Wednesday, can't remember who with': only something beside it is unknown.
  if (unsure && !line.slice(0, unsure.from).some((token) => token.text === '@minutes')) return false
  if (!found.known && has(OTHERS) && !isLogging) return false
  const calledOff = find(line, CALLED_OFF)[0]
  if (calledOff && !tellsAnother(line, calledOff.to) && !wasTold(line, calledOff.from)) return false
  if (!isLogging && (/^(?:thank you|thanks) (?!.* (?:log|add|record))/.test(text) || has(NOT_AT_ALL) || (HOBBY.test(transcript) && !has(LESSON)) || (FREE_THEN.test(transcript) && !tellsPast(line)))) return false
  const supposed = find(line, SUPPOSED)[0]
  if (supposed && !wasTold(line, supposed.from) && !cameOtherwise(line.slice(supposed.to))) return false
  if (!isLogging && !found.student && (has(BILL) || has(OF_ANOTHER))) return false
  if (!isLogging && !found.student && found.tutor && !found.subject && !has(LESSON) && has(FOR_OTHERS)) return false
  if (!isLogging && !found.student && has(phrase('with (?:his|her|their) (?:own |little |big |older |younger )?(?:brother|sister|wife|husband|friend|friends|mom|mum|dad|son|daughter|kids|family|girlfriend|boyfriend|team|band)'))) return false
  if (!isLogging && !found.minutes && !has(LESSON) && has(phrase('@subject (?:exam|exams|recital|competition|audition|finals?|midterm)'))) return false
  if (!found.tutor && !has(phrase('tutor|tutored|tutoring')) && !found.speakerTeaches && SPORT.test(transcript)) return false
  if (has(ELSEWHERE) && !(found.minutes && found.tutorKnown && found.student) && !(isRich && (found.tutorKnown || has(LESSON)))) return false
  if (has(AT_SCHOOL) && !found.tutor && !has(phrase('tutor|tutoring|tutored'))) return false
  const leisure = find(line, LEISURE)[0]
  if (leisure && !found.subject && !has(LESSON) && !line.slice(0, leisure.from).some(({ text: word }) => word === '@minutes') && find(line.slice(leisure.to), TELLS_LESSON).length === 0) return false
  const outing = find(line, OUTING)[0]
  if (outing && !found.subject && !has(LESSON) && !line.slice(0, outing.from).some(({ text: word }) => word === '@minutes')) return false
  if (!isLogging && has(CONDITION) && !tellsPast(line)) return false
  if (has(COMPANY) && !found.subject && !has(LESSON)) return false
  if (has(IDLE) || ((has(OTHER_TIME) || has(IDLE_UNLESS)) && !found.subject)) {
    if (!has(LESSON) && line.filter(({ text: word }) => word === '@minutes').length < 2) return false
  }
  if (!found.student && !isLogging && paysMonth(line, transcript)) return false
  const chat = find(line, CHAT)[0]
  const chats = chat !== undefined && !line.slice(0, chat.from).some((token) => token.text === '@minutes')
  if (!found.student && !found.tutor) return found.minutes && (has(LESSON) || found.subject) && has(DONE) && (isLogging || has(phrase('my (?:son|daughter|kid|child)|she|he|tutor|i (?:taught|tutored)|lesson|session|tutoring')))
  if (has(LISTING) && !found.minutes) return false
  if (isLogging) return found.known || facts >= 3
  const isPast = tellsPast(line)
  // A day to come and the time at which it begins: an appointment, and nothing to log.
  if (found.ahead && !isPast && has(phrase('at (?:about |around )?[0-9:.]+|at (?:half|quarter|1 half|1 quarter|0.25|0.5) (?:past|to|after) [0-9]+|[0-9:.]+ oclock|@day [0-9]+:[0-9]+|at noon'))) return false
  if (found.known && found.minutes && isOnlyFacts(line, found.tutor) && (found.tutor || found.day) && !SPORT.test(transcript)) return true
  if (has(HABIT) && !(isPast && found.minutes && found.day && !has(EACH))) return false
  if (!found.minutes && !isPast && !isBareNote(line) && !has(AHEAD)) return false
  if (found.student && found.tutor) {
    if (chats) return false
    // A doctor or a coach on no list teaches only where a subject or a lesson is named.
    if (!found.tutorKnown && !found.subject && !has(LESSON) && /\b(?:doctor|dr|coach|nurse)\b/i.test(transcript)) return false
    // 'Sarah charges sixty for an hour' names a price.
    if (found.minutes) return isPast || found.day || !/\b(?:charges|costs)\b/i.test(transcript)
    return (has(LESSON) && (found.day || found.money || has(JUST_NOW_OR_A))) || (found.subject && has(DONE) && (found.day || found.money || has(WITH_TUTOR))) || (has(WITH_TUTOR) && (found.day || found.money))
  }
  if (!found.known) return found.minutes && (has(LESSON) || (found.subject && has(DONE)))
  if (found.tutor) return (found.minutes && (has(LESSON) || found.subject || found.money || has(WITH_TUTOR) || has(HERE)) && (tellsPast(line.filter(({ text }) => !/^(?:paid|charged|cost)$/.test(text))) || (found.day && isBareNote(line)))) || (has(LESSON) && found.day && has(PAST))
  if (chats || (has(AT_HOME) && !found.speakerTeaches)) return false
  if (found.speakerTeaches && has(UNPAID)) return false
  if (has(found.speakerTeaches ? ALONE : WEAK) && !has(LESSON) && !found.money) return false
  if (!found.speakerTeaches && !has(OWN_LESSON) && (has(EVENT) || has(OWN_WORK) || has(phrase('@person (?:taught|tutored|coached|helped|quizzed|showed)')) || (found.subject && (SPORT.test(transcript) || !has(PLAIN_TIME))))) return false
  if (found.minutes) return found.subject || (found.speakerTeaches ? has(LESSON) : has(OWN_LESSON)) || found.speakerTeaches || /^(?:[^ ]+ ){0,2}@minutes with @person/.test(text) || has(phrase('(?:had|got|did) @minutes(?: @day| @money| today|$)')) || isHours(line)
  return has(LESSON) && found.day && has(DONE)
}

/** Whether, behind 'she was supposed to', it says how long a lesson there was after all. */
function cameOtherwise(rest: readonly Token[]): boolean {
  const turn = find(rest, AND_THEN)[0]
  return turn !== undefined && tellsPast(rest.slice(turn.from)) && rest.slice(turn.from).some(({ text }) => text === '@minutes')
}

/** Whether a lesson is told of behind 'Sarah cancelled so ...'. */
function tellsAnother(line: readonly Token[], from: number): boolean {
  const rest = line.slice(from)
  return tellsPast(rest) && rest.some((token) => token.text === '@minutes') && rest.some((token) => token.text === '@person' || token.text === '@stranger')
}

/** Whether a lesson was told of before 'she couldn't do the last one' or 'next week is cancelled'. */
function wasTold(line: readonly Token[], to: number): boolean {
  const before = line.slice(0, to)
  // 'A makeup lesson with Sarah on Sunday because she cancelled': what follows only says why.
  if (tellsPast(before) && /(?:^| )(?:because|since|as|after)(?: (?:he|she|they|we|i|@person|@stranger|it|had|was))*$/.test(textOf(before)) && before.some(({ text }) => text === '@person')) return true
  if (!before.some(({ text }) => /^(?:@person|@stranger|she|he|they|we|i|lesson|session|tutoring|tutor)$/.test(text))) return false
  return tellsPast(before) && before.some((token) => token.text === '@minutes') && !/ but (it|that|this|she|he|they)$/.test(` ${before.map((token) => token.text).join(' ')}`)
}

/** 'Maya's hour yesterday': not her two hour nap. */
function isHours(line: readonly Token[]): boolean {
  return line.some(({ text, isPossessive }, place) => text === '@person' && isPossessive && line[place + 1]?.text === '@minutes' && /^(?:@day|@money|was|went|cost|)$/.test(line[place + 2]?.text ?? ''))
}

/** 'I paid Sarah for the four hours in March': a bill, and no lesson. */
function paysMonth(line: readonly Token[], transcript: string): boolean {
  return find(line, phrase('paid|pay|sent|handed|gave|transferred|venmoed|mailed|wrote|owed?|settled|@money')).length > 0 && /\b(?:in|from|for|of|all|during) (?:last month|this month|the month|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?! (?:the )?(?:\d|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]+teenth|twent|thirt)))/i.test(transcript)
}
