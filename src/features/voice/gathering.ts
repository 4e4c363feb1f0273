// What is done with many at once or among relatives: choir and church, clubs and teams, whole classes, an afternoon with a grandmother.
import { find, phrase, type Token } from './spoken-line.ts'
import { tellsPast } from './telling.ts'

const TEAM =
  '(?:choir|church|praise|worship|band|orchestra|ball|football|soccer|basketball|baseball|softball|volleyball|handball|netball|hockey|lacrosse|rugby|cricket|tennis|swim|swimming|track|cross country|cheer|cheerleading|dance|drill|team|squad|kabaddi|karate|judo|gymnastics|wrestling|golf|drama|play|marching band|jazz band|cadet|scout|fencing|skating|rowing|diving|martial arts|taekwondo|bhangra|bharatanatyam|athletics|sports?|theater|theatre|recital|concert|show)'
/** A student there is one of many. */
const AMONG_MANY = phrase(
  `(?<!(?:after|before|until|from|because|missed|to|for|since|between|about|than|during|around) (?:(?:the|her|his|their|they|she|he|@person) )?)(?:had|has|was at|were at|was in|was on|is at|did|went to|attended|played in|came to|helped at|sang at|sang in|joined|played|watched) (?:an? |the |his |her |their |our )?(?:@minutes (?:of )?)?(?:@day )?(?:(?:[a-z]+ |@subject )?(?:rehearsals?|club|tournament|try ?outs?|scrimmage|youth group|@day school|summer camp|camp|assembly|fellowship|vbs|hackathon|olympiad|science fair|carwash|potluck)|${TEAM} (?:practice|training|lesson with the|camp|meet|match|game|competition|nets|drills)|training)(?! (?:exam|test|homework|prep|songs?|music|pieces?|application|problems|lesson|with me|and then))|(?:the|our|an?) (?:[a-z]+ )?(?:service|concert|play|show|match|game|mass|film|movie|assembly|rehearsal|ceremony|party|recital|nativity|gala|fair|sermon|journey|wait|flight|queue) (?:was|took|lasted|went on|ran|is)|(?:took|sat|sits|taking) (?:the|her|his|their|an?) (?:[a-z]+ |@person |@subject ){0,3}(?:test|exam|entrance|oral|finals|quiz)(?! (?:@day |@aside |@minutes |@subject )*(?:with|prep|review))|@person (?:[a-z]+ |@subject ){0,2}(?:regatta|gala|tournament|jamboree|showcase|pageant|scrimmage)|(?:mass|church|assembly|detention|choir) (?:was|took|lasted|went on|ran)|(?:sang|performed|competed|marched|volunteered|busked) (?:at|in|for) (?:the|an?|her|his|our) [a-z]+|@person (?:[a-z] )?${TEAM} (?:practice|training|camp|meet|match|game) (?:with @person )?(?:was|took|lasted|went on|ran)|@person (?:football|rugby|cricket|hockey|baseball|basketball|softball|netball|lacrosse|scouts|brownies|cubs|guides|choir|band|orchestra|practice|training|gym|athletics|cheer|track|match|game) (?:was|took|lasted|went on|ran|is)`,
)
/** A tutor there has many before him. */
const BEFORE_MANY = phrase(
  `(?:taught|teaches|took|takes|led|leads|ran|runs|runs|directed|directing|coached|coaches|gave|conducted|hosted|organi[sz]ed|supervised|chaperoned|refereed|refereeing|umpired|judged|spoke (?:at|to)|preached|addressed|showed|kept|had|has) (?:all (?:of )?)?(?:(?:the|an?|our|her|his|their|my|@person) )?(?:(?:whole|entire) (?!(?:@|hour|lesson|session|thing|chapter|unit|book|time))(?:[a-z]+ |@subject ){0,2}(?:class(?! of)|group|grade|form|year|school|choir|team|fellowship|congregation|band|squad|room|lot|set|halaqa|circle|troop|cohort)|(?:@day )?(?:[a-z]+ |@subject ){0,2}?(?:@day school|youth group|youth|bible study|bible class|fellowship|choir|congregation|orchestra|camp|clinic|workshop|seminar|assembly|club|troop|squad|team|league|under (?:[0-9]+s?|[a-z]+s)|group(?! (?:lesson|session|class|tutoring|tuition|rate))|rehearsals?|service|[0-9]th (?:grade|form|year)s?|[0-9]th graders))|(?:led|leads|ran|directed|conducted|hosted) (?:the|an?|our) @subject(?= @day| @minutes| at)`,
)
const WITH_MANY = phrase(
  'with (?:the|her|his|their|our) (?:[a-z]+ )?(?:under [a-z0-9]+|team|squad|choir|band|orchestra|youth group|whole [a-z]+|congregation|scouts|cubs|brownies|cadets)|(?:whole|entire) class(?! of)|(?:to|with) the (?:whole|entire) (?!(?:hour|lesson|session|time|thing|chapter|book|essay|unit|afternoon|morning|evening|day|week|test|exam)(?= |$))[a-z]+|(?:vbs|holiday club|summer camp|day camp)(?= |$)|all of the (?:class|kids|children|pupils|[0-9]th grade)',
)
const KIN =
  "(?:nani|nana|nan|nans|nanna|gran|gran's|granny|gram|grams|grammy|grandma|grandpa|grandad|granddad|grandmother|grandfather|grandparents|papa|papaw|mamaw|meemaw|pawpaw|pop|uncle|uncles|aunt|aunty|auntie|aunts|cousin|cousins|dad|daddy|dada|dadi|dida|mum|mummy|mom|mommy|mother|father|brother|sister|brothers|sisters|siblings|oma|opa|abuela|abuelo|babushka|bibi|halmoni|lola|lolo|yiayia|nonna|nonno|stepdad|stepmom|godmother|godfather|parents|family|relatives)"
/** Time with relatives; where a tutor is named as well it may be beside the lesson. */
const WITH_KIN = phrase(
  `(?:sat|spent|stayed|was|were|played|went|chatted|talked|visited|had|did|watched|cooked|baked|worked|hung out|skyped|facetimed|walked|over|time|read|looked|@minutes|up) (?:(?:[a-z]+|@day|@minutes) ){0,4}?(?:with|at|to|round|and) (?:(?:her|his|my|our|their|the) )?(?:own )?(?:great )?${KIN}(?! (?:@person|@stranger|@day (?:had|did)))`,
)
/** What follows it may be a lesson all the same. */
const THEN = phrase(
  '(?:then|before|afterwards|and|so) (?:[a-z]+ |@person |@day ){0,4}?(?:had|did|saw|came|worked|taught|tutored|took|got|with) (?:[a-z]+ |@person |@day |@subject ){0,3}?(?:@minutes|@person)',
)
/** 'Dad did an hour of fractions with her.' */
const KIN_HELPS = phrase(
  `${KIN} (?:just |also |then )?(?:did|sat|worked|helped|read|quizzed|spent|taught) (?:@minutes|with|him|her|them|@person|@subject|over|through)`,
)
/** A teacher of the school before the class, and what a school does with a child. */
const SCHOOL_TEACHER = phrase(
  '(?:gave|showed|taught|made|kept|told|took|let) (?:them|everyone|everybody|the kids|the class|the boys|the girls|the children|all of them)|(?:kept|held|made) (?:him|her|them|@person|@stranger) (?:stay )?(?:in |back |behind )?@minutes (?:late|after|behind|back|in|past)|made (?:him|her|them|@person) (?:redo|re do|stay|sit|rewrite|repeat|copy|write)',
)
/** 'Her piano exam with Mr Cole was half an hour.' */
const EXAM = phrase(
  '@person (?:[a-z]+ )?(?:@subject )?(?:exam|mock|test|audition|recital|assessment|interview|oral) (?:with (?:@stranger|[a-z]+ [a-z]+|[a-z]+) )?(?:@day |@aside )?(?:was|is|took|lasted|went)',
)
/** A test that many sit, and whoever works at a school. */
const AT_SCHOOL = phrase(
  '(?:had|sat|took|have|has|did) an? @minutes (?:@subject )?(?:paper|exam|test|assessment|mock|quiz)(?= @day| @aside|$| at| in)|(?:lessons?|class|session) at (?:(?:her|his|the|their) )?school|form (?:tutor|teacher)|head (?:of year|teacher)|headteacher|headmaster|headmistress|principal|vice principal|counsell?or|school nurse|librarian|year head',
)
/** Whom a family pays that is no tutor. */
const MEDICAL = phrase(
  'therapy|therapist|copay|copayment|insurance|physio|physiotherapist|osteopath|optician|clinic|hospital|counselling|counseling|ot|surgeon|nurse',
)
/** What a tutor does before guests. */
const PERFORMS = phrase(
  '@person (?:played|sang|performed|preached|spoke|officiated|danced|conducted|accompanied) (?:(?:the|an?|some|for|her|his) )*(?:[a-z@]+ ){0,2}?(?:@minutes |@day |@subject )*(?:at|in|for) (?:the|an?|her|his|our|their|st [a-z]+|@person) (?:[a-z]+ )?(?:wedding|funeral|mass|concert|service|assembly|festival|fair|fete|prom|graduation|christening|baptism|barbecue|bbq|party|church|club)|(?:sermon|khutbah|homily|speech|lecture|talk|gig|recital|performance|message) (?:by|from) @person (?:was|took|lasted|went|ran)',
)
const SCHOOL_NIGHT = phrase(
  'parents? (?:evening|night|meeting|conference|day)|parent teacher|open (?:evening|house|day)|back to school night|pta',
)
/** Where 'her nani' is read as somebody's name. */
const asKin = (token: Token): Token => {
  const heard = (token.said as { heard?: string } | undefined)?.heard?.toLowerCase() ?? ''
  return token.text === '@stranger' && new RegExp(`^${KIN}$`).test(heard) ? { ...token, text: heard } : token
}

/** Whether it is told of a time among many people or among relatives. @param said.tutorKnown whether a tutor of the list is named */
export function isGathering(
  line: readonly Token[],
  said: { tutorKnown: boolean; lesson: boolean; speakerTeaches: boolean },
): boolean {
  const before = (pattern: RegExp): boolean => {
    const found = find(line, pattern)[0]
    return found !== undefined && !line.slice(0, found.from).some(({ text }) => text === '@minutes')
  }
  if (
    before(BEFORE_MANY) ||
    before(WITH_MANY) ||
    before(SCHOOL_NIGHT) ||
    find(line, PERFORMS).length > 0 ||
    (before(AMONG_MANY) && find(line.slice(find(line, AMONG_MANY)[0]?.to), THEN).length === 0)
  )
    return true
  if (said.tutorKnown) return false
  if (!said.speakerTeaches && (find(line, AT_SCHOOL).length > 0 || find(line, MEDICAL).length > 0))
    return true
  const exam = find(line, EXAM)[0]
  return (
    find(line, SCHOOL_TEACHER).length > 0 ||
    (exam !== undefined && !tellsPast(line.slice(exam.to))) ||
    (!said.lesson && (find(line.map(asKin), WITH_KIN).length > 0 || before(KIN_HELPS)))
  )
}
