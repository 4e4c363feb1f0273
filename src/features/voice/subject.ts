// What was taught: a subject that is commonly tutored or is on a tutor's list, or whatever stands where a subject stands.
import { standing } from './correction.ts'
import { plainSpelling } from './name-spelling.ts'
import { claim, find, phrase, type Token } from './spoken-line.ts'

/** A subject that was said; its words are read from the transcript. */
export interface SaidSubject {
  slot: 'subject'
  /** Whether it is a subject that is commonly tutored, or stands on a tutor's list. */
  isKnown: boolean
}

const BEFORE = `
  (?:(?:world|us|american|european|ancient|modern|art|music|ap|ib|honors|honours|pre|linear|abstract|college|organic|inorganic|general|advanced|basic|intermediate|beginner|beginning|creative|
  essay|academic|persuasive|technical|english|french|spanish|german|latin|mental|business|applied|multivariable|vector|discrete|differential|integral|high school|middle school|elementary|
  conversational|mandarin|ancient|environmental|earth|life|physical|political|social|computer|data|human|marine|classical|jazz|electric|acoustic|bass|3th grade|4th grade|5th grade|6th grade|
  7th grade|8th grade|9th grade|oral|speed|early|public|web|game|graphic|digital|3d|sight|vocal|voice|medical|financial|coordinate|plane|trigonometric) )*`
const CORE = `
  (?:algebra|geometry|trigonometry|trig|calculus|calc|precalculus|precalc|statistics|stats|probability|arithmetic|math|mathematics|maths|multiplication tables|times tables|number theory|
  equations|differential equations|fractions|long division|physics|chemistry|chem|biology|bio|anatomy|physiology|astronomy|geology|ecology|botany|genetics|science|sciences|studies|economics|
  econ|accounting|finance|psychology|sociology|philosophy|anthropology|civics|government|politics|history|geography|geo|english|literature|lit|grammar|vocabulary|spelling|phonics|handwriting|
  penmanship|cursive|reading comprehension|reading|essay writing|writing|essay|essays|composition|poetry|journalism|public speaking|speech|debate|french|spanish|german|italian|portuguese|
  latin|greek|russian|chinese|mandarin|cantonese|japanese|korean|arabic|hebrew|hindi|urdu|bengali|tamil|telugu|punjabi|polish|ukrainian|dutch|swedish|turkish|vietnamese|tagalog|farsi|
  sign language|asl|esl|language arts|piano|violin|viola|cello|guitar|ukulele|bass|drums|drum|percussion|flute|clarinet|saxophone|sax|trumpet|trombone|oboe|harp|organ|voice|singing|vocals|
  choir|music theory|music|solfege|composition|art|drawing|painting|sketching|sculpture|ceramics|photography|dance|ballet|tap|drama|theater|theatre|acting|coding|programming|computer science|
  comp sci|cs|python|java|javascript|scratch|robotics|web design|typing|chess|swimming|tennis|gymnastics|karate|soccer coaching|study skills|organization skills|executive function|
  executive functioning|test taking|homework help|homework support|college essays|college essay|college applications|college prep|sat prep|sat math|sat reading|sat(?! on (?:the|her|his|my|our)(?= )| (?:down|through|beside|next to|there|in on)(?= |$))(?<!(?:^|(?:@person|she|he|they|we|i|who|and|just|then) )sat(?= (?:with|her|his|their|the|through)(?: |$)))|act prep|act math|psat prep|
  psat|gre prep|gre|gmat prep|gmat|lsat prep|lsat|mcat prep|mcat|toefl prep|toefl|ielts prep|ielts|ged prep|ged|ssat prep|isee prep|isee|gcse|a level|test prep|exam prep|reg(?:ents) prep|
  entrance exam prep|logic|critical thinking|ela|stem|history of art|religious studies|bible study|torah|quran|cooking|knitting|sewing)`
const AFTER =
  '(?:(?: (?:1|2|3|ab|bc|a|b|c|prep|honors|theory|test prep|exam prep|review)(?= |$)(?! (?:hour|minute|bit|lot|few|couple|half|good|great|little|dollars|sessions|lessons|times|books|@minutes|@day)))*)'
const KNOWN = phrase(`${BEFORE}${CORE}${AFTER}`)
/** Words that stand where a subject stands and are none. */
const NONE = `
  (?!(?:tutoring|lesson|lessons|session|sessions|class|classes|work|working|trial|makeup|make|long|short|great|good|extra|usual|regular|weekly|online|quick|double|first|second|private|zoom|
  the|a|an|his|her|their|our|my|some|it|that|this|homework|help|time|total|another|full|whole|fun|best|real|practice|review|video|phone|in|on|at|of|for|with|and|or|each|one|good|hard|intense|
  productive|virtual|remote|face|group|individual|solo|catch|half|free|paid|last|next|test|exam|couple|few|lot|bunch|things|stuff|teaching|them|him|me|us|you|not|no|so|very|much|more|just|
  only|how|such|been|gone|skipped|missed|nothing|something|everything|person|family|families|parents|guests|company|people|home|school|house|back|up|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lunch|dinner|breakfast|coffee|morning|afternoon|evening|night|today|course|hour|minute|1|2|3|
  had|did|was|were|is|will|planned|hoped|wanted|intended|booked|scheduled|arranged|agreed|tutor|tutors|student|kid|dollars|late|early|scheduled|canceled|cancelled|same|different|new|old|own|big|little|previous)(?: |$))`
const END =
  '(?= (?:with|for|on|at|from|by|and|yesterday|today|it|we|she|he|they|i|this|last|@day|@minutes|@money|@person|@stranger|@fix|notes|note|in|where|covering|focusing|again|because|before|after|to|went|over|online)(?: |$)|$)'
const OPEN = [
  phrase(`subject (?:is |was )?(?<subject>[a-z]+(?: [a-z]+)?)${END}`),
  phrase(
    `(?:@minutes|lesson|session|class|tutoring|lessons|sessions) (?:of|in|on) ${NONE}(?<subject>${NONE}[a-z]+(?: ${NONE}[a-z]+)?(?: ${NONE}[a-z]+)?)${END}`,
  ),
  phrase(
    `(?:an?|her|his|the|their|@minutes|@person|had|for|did|our|@day|weekly|usual|regular|long) ${NONE}(?<subject>[a-z]+(?: ${NONE}[a-z]+)?) (?:lesson|session|class|tutoring|lessons|sessions|coaching|tuition)`,
  ),
  phrase(
    `(?:doing|studying|studied|learning|learned|practicing|practiced|taught|did|had|covered|worked on|working on) (?:@person |@stranger )?(?:some |a bit of |a little )?${NONE}(?<subject>[a-z]+)${END}`,
  ),
]

/** Marks the subjects on the line: those of the tutors' lists and the common ones. */
export function claimSubjects<Said>(
  line: Token<Said | SaidSubject>[],
  listed: readonly string[],
): Token<Said | SaidSubject>[] {
  const plain = listed.map((subject) =>
    plainSpelling(subject)
      .replaceAll(/[^\p{L}\p{M}\p{N} ]/gu, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
  )
  const own = [...new Set(plain)]
    .filter((subject) => subject.length > 1)
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_LISTED)
  const said = (): SaidSubject => ({ slot: 'subject', isKnown: true })
  const first = own.length === 0 ? line : claim(line, phrase(own.join('|')), '@subject', said)
  return claim(first, KNOWN, '@subject', ({ 0: text }) =>
    /^(scratch|bass|tap|composition)$/.test(text) ? undefined : said(),
  )
}
/** More subjects than any family's tutors teach; it bounds the pattern that is made of them. */
const MOST_LISTED = 500

const SUBJECT_AFTER =
  /^(@minutes|@person|@stranger|@day|@money|@fix|of|on|in|at|for|with|a|an|1|the|her|his|some|did|had|doing|taught|tutored|teaching|worked|studying|learning|practiced|practicing|covered|subject)$/
const SUBJECT_BEFORE = /^(@minutes|@day|lesson|lessons|session|sessions|class|tutoring|homework|with|for|by)$/

/** The place of the session's subject on a line whose other things are marked; a subject out of a remark at the end gives way. */
export function subjectPlace(line: readonly Token<{ slot: string }>[]): number | undefined {
  const places = line.flatMap((token, place) => (token.said?.slot === 'subject' ? [place] : []))
  const remark = remarkFrom(line)
  const left = standing(line, places).filter((place) => place < remark)
  const named = left.find(
    (place) =>
      SUBJECT_AFTER.test(line[place - 1]?.text ?? '') || SUBJECT_BEFORE.test(line[place + 1]?.text ?? ''),
  )
  return named ?? left[0]
}

/** Marks the words that stand where a subject stands, for a subject that no list holds. */
export function claimOpenSubject<Said>(line: Token<Said | SaidSubject>[]): Token<Said | SaidSubject>[] {
  for (const pattern of OPEN) {
    for (const { match, from, to } of find(line, pattern)) {
      const words = (match.groups?.subject ?? '').split(' ')
      const begin = line.findIndex(
        (_, place) =>
          place >= from &&
          words.every((word, index) => line[place + index]?.text === word) &&
          place + words.length <= to,
      )
      const [one, last] = [line[begin], line[begin + words.length - 1]]
      if (
        begin < 0 ||
        !one ||
        !last ||
        line.slice(begin, begin + words.length).some((token) => token.said !== undefined)
      )
        continue
      return [
        ...line.slice(0, begin),
        { ...one, text: '@subject', end: last.end, said: { slot: 'subject', isKnown: false } },
        ...line.slice(begin + words.length),
      ]
    }
  }
  return line
}

/** Where 'note ...' or 'next time ...' begins, else behind the last word. */
function remarkFrom(line: readonly Token[]): number {
  return (
    find(line, phrase('notes?|note that|remark|remarks|comment|comments|remember|reminder'))[0]?.from ??
    line.length
  )
}
