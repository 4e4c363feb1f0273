// What families and tutors do together that is no lesson: outings, meals, games, and the lessons of the child's school.
import { find, phrase, textOf, type Token } from './spoken-line.ts'

/** A lesson of the child's school. */
const AT_SCHOOL = phrase(
  `(?<!after )school (?:@subject )*(?:lesson|lessons|class|classes|trip|day)|(?:class|classes|lesson|lessons) at (?:@[a-z]+ )?school|in class|@person (?:@subject )?class (?:met|visited|went|watched|did|took|got|built|had)|(?:a |the )?(?:substitute|supply teacher)|(?:her|his|their) class|homeroom|year group|(?:school|morning) assembly|school (?:play|fair|concert|choir|bus|run|library)`,
)
/** What schools do with a child after its lessons. */
const KEPT_IN = phrase(
  '(?:kept|held) (?:him|her|them|@person) (?:in|back|behind)|(?:a |an? @minutes )?detention',
)
/** Time that passes with something else than a lesson. */
const LEISURE = phrase(`
  (?:was|were|got|been) (?:stuck|trapped|locked) (?:in|at|outside)|(?:been|was|were|is|are|kept) (?:[a-z]+ )?waiting|@person (?:just )?(?:hid|cried|sulked|screamed|yelled|laughed|danced|sunbathed) @minutes|
  visited (?:us|me)(?: @day)* and stayed|moved (?:house|flat|apartment|in|out)|(?:drove|driving|walked|gave) @person (?:home|back|an? (?:lift|ride)|to (?:school|the [a-z]+|@person))|@person (?:lent|recommended|sold|bought)|
  (?:went|gone|go|goes|going|took @person|taking @person|out) (?:out )?(?:for|on) (?:an? |the |their |his |her |our )*(?:[a-z]+ )?(?:run|jog|walk|swim|ride|drive|spin|hike|coffee|meal|picnic|pizza|ice cream|burger|day out|trip)|
  (?:went|took @person|go|been|gone) (?:[a-z]+ )?(?:running|jogging|walking|swimming|shopping|bowling|skating|skiing|climbing|fishing|camping|cycling|biking|sledding|hiking|sailing|surfing)|
  (?:played|playing) (?:[a-z]+ ){0,2}(?:games|fifa|minecraft|fortnite|roblox|football|soccer|basketball|cards|catch|tag|golf|ping pong|pool|darts|frisbee|five a side|outside|monopoly)|(?:watched|watching|binged) (?:[a-z]+ ){0,2}(?:movie|movies|film|films|
  tv|telly|game|match|cartoons|show|netflix|youtube)|babysat|babysitting|(?:made|wrote|bought|built|baked) @person (?:an?|some|the)|went (?:over |round )?to @person to (?:pick|get|drop|collect|say|help|feed|water|play|swim|borrow)|it took (?:him|her|them|us|me) (?:about |over )?@minutes|(?:baked|raked|mowed|shoveled|painted|gardened|hoovered|vacuumed|tidied|ironed)`)
/** With each other, whatever it is a subject of */
const PLAYED = phrase(
  'gave (?:an? |the |his |her )(?:talk|speech|presentation|lecture|concert|toast)|had to stay (?:behind )?@minutes after (?:school|class)|shared (?:an? )?(?:cab|taxi|ride|car|pizza|meal)|helped (?:us|me) (?:to |with the )?(?:choose|move|pick|carry|find|buy|decide|unpack|paint|fix|clean|pack|build|plan|set up|moving|packing|shopping|garden)|@person and @person (?:both )?(?:@day )?played(?! with @subject)',
)
/** And then somebody is told of who had a lesson all the same. */
const TELLS_LESSON = phrase(
  '(?:@person|@stranger|she|he) (?:then |still |also )?(?:had|taught|tutored|worked with|got @minutes)',
)
/** Company that is no lesson, unless a subject or a lesson is named with it. */
const COMPANY = phrase(
  '@fix an? (?:[a-z]+ )?(?:party|picnic|movie|chat|dinner)|at @person (?:[a-z]+ ){0,2}(?:party|wedding|funeral|barbecue|concert|exhibition|housewarming)|(?:had|have|has|having|ate|eat|grabbed|got|met for|made|over for|out for|for) (?:an? |the |some |her |his |our |@minutes (?:of )?)*(?:puja|dal bhat|lunch|dinner|breakfast|brunch|coffee|tea|ice cream|drinks?|glass of wine|beers?|natter|picnic|barbecue|a walk|walk|chat|phone call|call|meeting|conference|party|fun|playdate|sleepover|appointment|check ?up|surgery|interview|audition|rehearsal|haircut)',
)
const OUTING = phrase(
  '(?<!(?:before|after|until|because of|missed|for) )(?:the|an?|our|my|at|on|watched|see|saw|her|his|their|@person) (?:(?!mock )[a-z]+ )?(?:meeting|conference|interview|appointment|movie|movies|film|game|match|party|field trip|trip|beach|park|zoo|concert|wedding|funeral|hike|vacation|flight|airport|museum|playground|drive|show|parade|picnic|barbecue)',
)
/** Time of something that is no lesson: 'a two hour layover', 'an hour looking for her book'. */
const OTHER_TIME =
  phrase(`an? @minutes (?!(?:lesson|session|class|tutoring|tutorial|of|with|for|on|in|at|and|long|online|zoom|skype|video|virtual|free|trial|extra|makeup|make|block|slot|review|catch|crash|intensive|one|1|prep|check|sit|
  revision|taster|intro|introductory|home|reading|practice|study|with|over|via|total|from|each|this|last|late|early|so|but|because|she|he|they|we|i|it|which|plus|then|before|after|while|by|to|worth|together|straight|instead)(?= |$))[a-z]+`)
const IDLE = phrase(
  '@minutes on the (?:train|bus|road|plane|motorway|way|couch|sofa|ipad|tablet|trampoline)|@minutes (?:workshop|seminar|webinar|lecture|masterclass|assembly|training|conference|open day)|an? @minutes (?:rehearsal|layover|meeting|flight|drive|nap|shift|match|game|concert|delay|wait|walk|ride|hike|swim|film|movie|show|gig|commute|train|bus|car|queue|interview|service|mass|ceremony|party|visit|call with the)|@minutes (?:just )?(?:fishing|bowling|skating|skiing|hiking|climbing|camping|sailing|surfing|sunbathing|gossiping|looking|searching|hunting|waiting|driving|biking|cycling|cleaning|cooking|baking|shopping|texting|arguing|crying|sulking|sleeping|packing|scrolling|gaming|commuting|queueing|queuing|stuck|in traffic|to (?:kill|spare|go(?! over| through)|wait|drive|get|burn|fill|rest|relax)|(?:before|until) @person(?! (?:and|had|did))|napping|crafting|cuddling)',
)
const IDLE_UNLESS = phrase(
  '@minutes (?:just )?(?:talking|chatting|playing|watching|drawing|painting|building|walking|laughing|goofing|messing|eating|visiting|helping (?:me|us|with the))',
)
/** A child's own event, and how long it was. */
const OWN_EVENT = phrase(
  '@person (?:[a-z]+ |@subject )?(?:meet|gala|recital|tournament|rehearsal|competition|match|game|concert|play|party|audition|lecture|talk|speech|show) (?:was|took|lasted|ran|went|is|takes|lasts)',
)
/** What nobody is tutored in. */
const HOBBY =
  /\b(?:of|did|had|doing|do|for|played) (?:some |a bit of )?(?:yoga|pilates|zumba|gardening|trampolin\w+|paintball|laser tag|karaoke|board games?|video games?|screen time|hide and seek|housework|chores|fortnite|minecraft|roblox|fifa|playstation|xbox|nintendo|lego|netflix|tv|telly|gaming|physio\w*)\b/i

/** Errands with a child, though a tutor or a language is named on the way, and what a parish teaches. */
const ERRAND = phrase(
  '(?:go|goes|went|gone|been) to (?:see )?(?:the |an? |her |his |their |our )?(?:doctor|dentist|orthodontist|hospital|clinic|optician|vet|barber|hairdresser|church|mosque|temple|mass|bank|consulate|embassy)(?! @person)',
)
const PARISH = /\bcatechism|\b(?:communion|confirmation) (?:class|lesson)/i

/** Who comes for the piano, and not for the child. */
const TRADE =
  /\b(?:piano|organ|violin|guitar|boiler|chimney|window) (?:tuner|tuning|repair|repairs|repairman|repairer|movers?|restringing|service|sweep|cleaner)\b/i
/** A tutor's work without the student; 'preparing Maya for her test' is with her. */
const PREPARATION = phrase(
  '(?:spent|took|used|needed) @minutes (?:@day )?(?:preparing|prepping|marking|grading|correcting|planning|printing|photocopying|writing up|typing up)(?! (?:@person (?:for|to|on)|for))',
)

/** Hours that are bought beforehand. */
const BUNDLE = /\b(?:package|bundle|pack|voucher|gift card|punch ?card) (?:of|for)\b/i

/** Whether the time that is told of passed with something else than a tutor's lesson; a subject or a word such as 'lesson' that is named tells against it. */
export function isPastime(
  line: readonly Token[],
  transcript: string,
  said: { lesson: boolean; subject: boolean; tutor: boolean },
): boolean {
  const has = (pattern: RegExp): boolean => find(line, pattern).length > 0
  if (has(KEPT_IN)) return true
  if (has(AT_SCHOOL) && !said.tutor && !has(phrase('tutor|tutoring|tutored'))) return true
  if (PARISH.test(transcript) && !said.tutor) return true
  if (said.lesson) return false
  const errand = find(line, ERRAND)[0]
  if (isBeforeTime(line, errand?.from) && find(line.slice(errand?.to), TELLS_LESSON).length === 0) return true
  if (TRADE.test(transcript) || has(PREPARATION)) return true
  if (HOBBY.test(transcript) || BUNDLE.test(transcript)) return true
  const isOneTime = line.filter(({ text }) => text === '@minutes').length < 2
  if (isOneTime && has(IDLE)) return true
  if (isBeforeTime(line, find(line, PLAYED)[0]?.from)) return true
  if (said.subject) return false
  const leisure = find(line, LEISURE)[0]
  const outing = find(line, OUTING).find(
    ({ from }) => !/^@aside (?:was|is)$/.test(textOf(line.slice(Math.max(0, from - 2), from))),
  )
  return (
    has(COMPANY) ||
    has(OWN_EVENT) ||
    (isOneTime && (has(OTHER_TIME) || has(IDLE_UNLESS))) ||
    isBeforeTime(line, outing?.from) ||
    (isBeforeTime(line, leisure?.from) && find(line.slice(leisure?.to), TELLS_LESSON).length === 0)
  )
}

/** Whether no length of time is said before a place: what is said behind it is of the time that follows. */
function isBeforeTime(line: readonly Token[], place: number | undefined): boolean {
  return place !== undefined && !line.slice(0, place).some(({ text }) => text === '@minutes')
}
