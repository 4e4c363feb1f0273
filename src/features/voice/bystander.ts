// What is told of a tutor and of nobody on the list of students: somebody else's lesson, a favour, a bill.
import { find, phrase, type Token } from './spoken-line.ts'

/** What a tutor does for others than the students. */
const FOR_OTHERS =
  phrase(`with (?:his|her|their) (?:own |little |big |older |younger )?(?:brother|sister|wife|husband|friend|friends|mom|mum|dad|mother|father|son|daughter|kids|children|family|girlfriend|boyfriend|partner|team|band|class|colleagues?|neighbors?)|
  (?:helped|gave|drove|lent|sold|brought|told|fixed|picked|took|called|texted|joined|visited) (?:me|my [a-z]+)|i (?:just )?(?:had|spent|got) @minutes (?:on the phone )?with @person|@person and (?:i|his|her|my [a-z]+)|
  (?:my|our|an?|the|his|her) (?:[a-z]+ )?(?:sister|brother|friend|neighbor|neighbour|neighbors|neighbours|cousin|niece|nephew|coworker|colleague|boss|mate|law|aunt|uncle|roommate) (?:[a-z]+ )?(?:had|saw|did|got|has|used|took|met|spent|worked|paid|hired)`)
/** Money that passes apart from a lesson. */
const BILL = phrase(
  'bill|bills|statement|llc|invoice|invoices|invoiced|billed|refund|refunded|advance|deposit|balance|transfer|transferred|cheque|receipt|reimbursed|paypal|zelle|bank',
)
/** 'Maya's friend had': a lesson of somebody else. */
const OF_ANOTHER = phrase(
  '@person (?:[a-z]+ )?(?:friend|friends|cousin|cousins|sister|brother|classmate|classmates|teammate|neighbor|neighbour|roommate|girlfriend|boyfriend) (?:[a-z]+ )?(?:had|did|got|has|took|was|saw|worked|met|spent)',
)
/** Somebody of the tutor's own. */
const WITH_THEIRS = phrase(
  'class of [0-9]+|with (?:his|her|their) (?:own |little |big |older |younger )?(?:brother|sister|wife|husband|friend|friends|mom|mum|dad|son|daughter|kids|family|girlfriend|boyfriend|team|band)',
)

/** Whether a line that names no student tells of other people's time or of a bill. @param isLesson whether a subject or a word such as 'lesson' is said */
export function isOfOthers(line: readonly Token[], transcript: string, isLesson: boolean): boolean {
  const has = (pattern: RegExp): boolean => find(line, pattern).length > 0
  return (
    has(BILL) ||
    has(OF_ANOTHER) ||
    has(WITH_THEIRS) ||
    (!isLesson && has(FOR_OTHERS)) ||
    paysMonth(line, transcript)
  )
}

const CHILD =
  '(?:boys?|girls?|sons?|daughters?|kids?|child|children|twins?|grandson|granddaughter|grandkids|nephew|niece|lads?|little (?:one|boy|girl)|teenager|toddler|baby|maid|husband|wife)'
const KIN =
  '(?:neighbou?rs?|friends?|colleagues?|coworkers?|boss|sisters?|brothers?|cousins?|aunts?|aunties?|uncles?|roommates?|landlord|landlady|cleaner|mate|sister in law|brother in law|best friend|classmate|pastor|doctor|dentist|accountant|hairdresser)'
const LEARNS =
  '(?:[a-z]+ )?(?:had|did|does|do|has|have|took|takes|take|learn|learns|learned|learnt|got|gets|sees|saw|goes|go|went|worked|works|studied|studies|study|spent|met|was|is|paid|pays|uses|used|came|comes)'
/** 'My neighbor's girl', 'my friend Huong her daughter', 'the Patels' daughter had', 'their Josh'. */
const OTHER_CHILD = phrase(
  `(?:my|our|the|an?|his|her|their|this|@person|@stranger) (?:[a-z]+ ){0,2}?${KIN} (?:(?:her|his|their|@stranger|[a-z]+) ){0,3}?${CHILD}(?! @stranger)|the (?:woman|man|lady|guy|family|people|couple|girls?|boys?|lads?|kids?|1) (?:from|at|over|next|across|down|up|in|opposite|who)|(?:an?|some) (?:boy|girl|lad|kid|child|pupil|man|woman) (?:from|in|at|over|down|up|across|along|who)|(?:taught|tutored|did|had|has|with|helped|saw) (?:my|our) (?:own )?(?:godson|goddaughter|godchild|nephew|niece|cousin)(?! @stranger)|their (?:eldest|oldest|youngest|middle 1|little 1|[2-4]|lot)|(?:the [a-z]+s|the @stranger|auntie @stranger|auntie [a-z]+|uncle [a-z]+|uncle @stranger|@stranger(?: [a-z]+)?) ${CHILD} ${LEARNS}|@person (?:best )?(?:mate|mates|friend|friends|pal|buddy|classmate|cousin|teammate|bestie) (?:@stranger )?${LEARNS}|(?:do|does|did|has|had|have|teaches|taught|tutors|tutored|sees|saw|takes|took|gets|gives|gave|got) their (?!lesson|session|usual|first|second|last|weekly|math|own)[a-z]+ (?:@day )?@minutes`,
)
/** 'Bea's mum says he did two hours with Bea'. */
const OTHER_PARENT = phrase(
  '(?<!(?:^| )(?:my|our|his|her|the|their) )(?:(?!(?:my|our|his|her|the|their) )[a-z@]+) (?:mum|mom|mummy|mommy|mother|dad|daddy|father|parents|gran|grandma|grandmother) (?:says|said|told|tells|reckons|thinks|pays|paid|uses|has|had|swears|was saying)',
)
/** What a tutor or the speaker learns: 'my own English class', 'I took a pottery class'. */
const OWN_CLASS = phrase(
  `(?<!(?:^| )(?:while|during|after|before|because|since|when) (?:[a-z]+ ){0,3}?)(?:my|our) own (?:(?:[a-z]+ |@subject ){0,2}(?:class|classes|lessons?|sessions?|course|tutor|teacher|coach)|(?:kids?|children|sons?|daughters?|boys?|girls?) (?:had|have|has|did|got|took))|(?:lesson|class|course|session) myself|i (?:just |also )?(?:took|take|attended|attend|signed up for|go to|started|joined) (?:an? |my )(?:[a-z]+ |@subject ){0,2}(?:class|classes|course|lessons?|workshop)(?! with @person)`,
)
const THEIR_OWN_CLASS = phrase(
  '@person own (?:[a-z]+ |@subject ){0,2}(?:class|classes|lessons?|sessions?|course|lecture|studies)|@person (?:is|was) (?:doing|studying|taking|starting|finishing) (?:for )?(?:an? |her |his |the )?(?:@stranger|masters|phd|degree|course|doctorate|exams|finals|teacher training)',
)

const FRIEND = /^(?:mate|mates|friend|friends|pal|buddy|classmate|cousin|teammate|bestie)$/
/** Whether the lesson is that of a child of other people, and no student is named. */
export function isOfOtherChild(line: readonly Token[]): boolean {
  const isStudent = ({ said }: Token): boolean =>
    ((said as Partial<Record<string, unknown[]>> | undefined)?.students?.length ?? 0) > 0
  return (
    !line.some(
      (token, place) => isStudent(token) && !(token.isPossessive && FRIEND.test(line[place + 1]?.text ?? '')),
    ) &&
    (find(line, OTHER_CHILD).length > 0 || find(line, OTHER_PARENT).length > 0)
  )
}

/** A talk with a tutor about what shall be. */
const PLANS = phrase(
  '(?:met|meeting|sat down|spoke|talked|zoomed|skyped|chatted|coffee|a call|phone call) (?:with |to )?@person (?:@[a-z]+ )*(?:to|and) (?:plan|planned|discuss|discussed|talk|talked|arrange|arranged|agree|agreed|sort|sorted|set up|choose|chose|decide|decided|go over (?:@person |her |his |their |the )?(?:report|progress|marks|grades|options|plan|schedule))|@person (?:read|went (?:over|through)|looked (?:at|over|through)|discussed|talked (?:over|through)|reviewed|shared) (?:it|them|that|this|@person [a-z]+|(?:her|his|the|their) [a-z]+) with (?:us|me)',
)

/** Whether a tutor and the speaker talked about lessons. */
export function isTalk(line: readonly Token[]): boolean {
  return find(line, PLANS).some(({ from, to }) =>
    line
      .slice(from, to)
      .some(
        ({ text, said }) =>
          text === '@person' && ((said as { students?: unknown[] } | undefined)?.students?.length ?? 0) === 0,
      ),
  )
}

/** Whether the speaker or a tutor was the one who learned. */
export function isOwnClass(line: readonly Token[]): boolean {
  const isTutor = (place: number): boolean =>
    ((line[place]?.said as Partial<Record<string, unknown[]>> | undefined)?.tutors?.length ?? 0) > 0
  return find(line, OWN_CLASS).length > 0 || find(line, THEIR_OWN_CLASS).some(({ from }) => isTutor(from))
}

/** 'I paid Sarah for the four hours in March': a bill, and no lesson. */
function paysMonth(line: readonly Token[], transcript: string): boolean {
  return (
    find(line, phrase('paid|pay|sent|handed|gave|transferred|venmoed|mailed|wrote|owed?|settled|@money'))
      .length > 0 &&
    /\b(?:in|from|for|of|all|during) (?:last month|this month|the month|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?! (?:the )?(?:\d|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]+teenth|twent|thirt)))/i.test(
      transcript,
    )
  )
}

/** 'Maya gave Sarah a guitar lesson': the student was the one who taught. */
export function isByStudent(line: readonly Token[]): boolean {
  const fits = (place: number, list: 'students' | 'tutors'): boolean =>
    ((line[place]?.said as Partial<Record<string, unknown[]>> | undefined)?.[list]?.length ?? 0) > 0
  const isTutor = line.some((_, place) => fits(place, 'tutors'))
  if (!isTutor && find(line, HELPED).some(({ from }) => fits(from, 'students'))) return true
  return find(
    line,
    phrase('@person (?:taught|tutored|gave) @person (?!@money|@minutes)(?:an?|some|the|how|her|his)'),
  ).some(
    ({ from }) =>
      fits(from, 'students') &&
      !fits(from, 'tutors') &&
      fits(from + 2, 'tutors') &&
      !fits(from + 2, 'students'),
  )
}

const HELPED = phrase(
  '@person (?:taught|tutored|helped|coached|quizzed|minded|babysat) (?:@stranger|(?:her|his|their|an?|the|some) (?:[a-z]+ )?[a-z]+)',
)

/** 'Six hours in September': more than one lesson takes, and no day. */
export function isSum(line: readonly Token[], hasDay: boolean): boolean {
  const hours =
    line.reduce((sum, { said }) => sum + ((said as { minutes?: number } | undefined)?.minutes ?? 0), 0) / 60
  return !hasDay && hours > 3 && find(line, IN_MONTH).length > 0
}
const IN_MONTH = phrase(
  '(?:in|during|for|over|all|throughout) (?:all of )?(?:january|february|march|april|may|june|july|august|september|october|november|december|last month|this month|the month|the summer|the year|the term|last week|this week)',
)
