// Whether a line tells what was done or is fixed: a lesson that is wished for, asked about, planned or offered is none.
import { find, phrase, textOf, type Token } from './spoken-line.ts'

/** What people say of a lesson that took place. */
const TELLS_PAST = phrase(`
  had|did|done|made @minutes|made (?:an? )?(?:flashcards?|notes|posters?|outlines?|summary|summaries|mind ?maps?) with @person|called (?:in|round) (?:on|for) @person|corrected (?:@person )?@subject with (?:her|him|@person)|taught|tutored|worked|met|spent|took|saw|got|finished|completed|came|helped|practiced|practised|studied|reviewed|covered|went (?:ahead|at it|as|according|smoothly|better|badly|(?:round |down )?to @person|over|through|well|great|fine|ok|okay|good|long|until|
  from|for|by|into|past|on for|on @minutes|@minutes|back over|really|very|pretty)|sat|gave(?! (?:up|out|in|away|back))|charged|paid|attended|received|wrapped|learned|learnt|started|led|coached|drilled|focused|tackled|lasted|ran|ended|
  stayed(?! (?:up|home|out|away|in bed|behind|with (?:us|me)))|logged|joined|showed|cost|prepared|prepped|talked through|walked through|been|having|working|doing|finishing|read|wrote|crammed|cranked|knocked|squeezed|enjoyed|struggled|used|kept|played|managed|back from|home from|done with|
  ground|plowed|powered|explained|quizzed|introduced|tried|squeezed|fitted|revised|rehearsed|popped|dropped|swung|visited|just left|cracked on|got on with|got stuck into|(?<=just )out of @minutes|could only (?:stay|manage)(?: for)? @minutes|@money for @person @minutes|@money (?:off|out of) @person|waved|said goodbye|said bye|rang|phoned|zoomed|skyped|facetimed|subbed|filled in|stepped in|stood in|guided|(?:walked|talked|took|led|put|ran|brought) @person through|brushed up|hit the books|buckled down|knuckled down|dug into|dove into|dived into|
  hammered|ploughed|slogged|polished|translated|memorized|memorised|solved|analyzed|analysed|discussed|outlined|drafted|edited|proofread|happened|took place|was held|instructed|mentored|put in|got through|sped through|breezed through|whizzed through|helping|teaching|tutoring|finally|owe(?= @person @money| @money)|
  (?:was|were) (?:just |only |really |about )*(?:with|here|over|@minutes|@day|@person|@subject|an?|the|from|in|for|cut|great|good|ok|okay|fine|productive|long|short|extended|back|tutored|taught|doing|
  working|having|done|finished|charged|helped|by|at @money|at our|at the|at @person|zooming|online|on (?:zoom|skype|teams|facetime)|also|together|[0-9]+)`)
/** And of one that is fixed for a day to come, or is going on. */
const TELLS_NOW = phrase(`
  (?:will|(?:is|are|am) going to|gonna|she'll|he'll|they'll|we'll|i'll) (?:be )?(?:have|having|do|doing|meet|meeting|see|seeing|work|working|take|taking|teach|teaching|tutor|tutoring|get|spend)|
  (?:is|are|am) (?:having|doing|seeing|meeting|taking|getting)|has|have|teaches|tutors|works|gets|takes|meets|sees|does`)
/** Such a verb tells nothing behind 'should', 'if' or 'would like to'. */
const ADVERBS = 'and|also|just|ever|probably|maybe|really|even|still|have|has|had|been|be|only|either'
const BEFORE = new RegExp(
  `(?:^| )(?:(?:to|never|not)(?: (?:${ADVERBS}))*|(?:should|could|would|might|can|must|cannot|let|let's|shall|if|whether|unless|until|'d|i'd|we'd|she'd|he'd|they'd|[a-z]+n't|asking|wish|wishes|hope|hopes|once|how about|what about|when can|instead of)(?: (?:@person|@stranger|@aside|i|we|you|he|she|they|it|my|our|son|daughter|kid|${ADVERBS}))*)$`,
)
/** Nor where it only says what was wanted, or that there would be time. */
const WANTED = phrase(`
  (?:just )?(?:left|leaving|off|gone|going|setting off|set off|headed|heading|went off|on (?:his|her|the|their) way) (?:to|for) (?:his|her|their|the|an?) (?:@minutes|lesson|session|class)|
  (?:has|have|had) @minutes(?: (?:with|for|on|of|in)| @[a-z]+)* (?:booked|scheduled|planned|arranged|lined up|set up|reserved|pencill?ed in)|(?:has|have|had) (?:asked|wanted|hoped|planned|intended|meant|
  booked|scheduled|better|offered|agreed|promised|no time|been (?:asking|hoping|planning|meant|supposed|offered|trying))|(?:was|were|been) (?:just |really )?(?:meant|supposed|due|scheduled|hoping|
  planning|booked|going|asked|asking|wondering|thinking|about to|trying|offered|told|looking|wanting|at(?! @person)|in [a-z]+|for the|sick|ill|away|late|busy|off|on(?! (?:zoom|skype|teams|facetime|video))|invited)|(?:has|have) (?:an? |1 |no |some )?(?:@minutes|
  opening|slot|time|space|room|availability|hour)(?: (?:of|with|for|on))*(?: @[a-z]+| (?:on|for|in|at))* (?:free|open|available|left|going)|got (?:to|an? (?:opening|slot|offer))|gets? (?:home|back|off|
  out|up)|got (?:home|back|off|out|up|sick|hurt|lost)|came (?:over |by |round |along )?to (?:watch|see|pick|drop|collect|get|say|fix|bring|cheer|eat|celebrate)|has to|have to|had to|having trouble|came (?:home|down|back)|took (?:off|us|me)|was too|were too|did(?:n't| not)`)
/** What else a sentence with names and times may say, so that its bare facts are no note in few words. */
const OTHERWISE = phrase(`
  should|could|would|might|taking @person|dropping|picking|heading|leaving|bringing|(?<!(?:and|with|for) )will|[a-z]+'ll|try|tries|may (?:have|do|want|need|be|take|get)|can|must|cannot|[a-z]+n't|i'd|we'd|wants?|needs?|hopes?|hoping|wish|wishes|plans?|planning|meant|due to|offers|offering|agrees|asks|
  asking|suggests|recommends|prefers?|like to|love to|loves?|hates?|likes|trying|willing|available|availability|opening|slot|booking|scheduling|confirm|confirming|upcoming|voicemail|ring me|call me|tentative|pending|provisionally|thinks?|thinking|thought|wonder|
  wondering|if|whether|unless|talks|talking|chatting|chats|spoke|speaking|arguing|waiting|waits|walking|drove|driving|drives|cooking|ate|eating|baking|shopping|hiking|visiting|slept|sleeping|
  swam|calls|calling|texting|emailing|watching|watches|forgot|forgets|misses|lost|sick|ill|late|busy|away|cancel|cancels|quit|moving|looking|switch|switching|hire|every|each week|instead|
  moves|shifts|switches|swaps|clashes|conflicts|changes|invites|says|said|told|tell|why|how|ask|starts|begins|lives|flew|flies|travels?|owes?|lasts|charges|costs|fee|fees|babysat|sold|bought|sent|made|brought|broke|fell|left|won|built|sang|
  drew|caught|fought|heard|knew|began|felt|grew|became|put|cut|hit|hurt|kept|keeps|makes|comes|goes|went|usually|normally|always|are|am|be|(?:was|were) (?:going|supposed|meant|due|about)|has|have|gets|takes|sees|meets|works|teaches|does|
  (?<!(?:this|that|it|here|rate|subject|date|duration|tutor|child|student) )is(?! (?:@minutes|for @person|@money|@person with))|
  (?!(?:extended|combined|mixed|advanced|shared|based|guided|supervised|discounted|reduced|transferred|received|zelled|venmoed|need|indeed|speed|seed)(?: |$))[a-z]{3,}ed`)
/** 'Her lesson with Sarah is on Friday' announces; so do lessons that are arranged. */
const ANNOUNCES = phrase(`
  ^(?:so )?(?:it's|it is|it'd be|that's|that is) @money @minutes(?!.*@day)|
  (?:is|are|still) (?:still )?(?:on|confirmed|happening|going ahead)(?=$| (?:for|at|as|@day))|
  (?:lesson|session|class|tutoring|appointment|@minutes)(?: (?:with|for|of|in) (?:@person|@subject|@stranger))*(?: @day)? (?:is|are|starts|begins|should be|is now|is set|is scheduled|is booked)
  (?: (?:on|at|for|from|set|scheduled|booked|now|this|still))* (?:@day|@minutes|@aside|[0-9:]+|noon|oclock|on|tomorrow)|
  @minutes(?: (?:with|for|of|in) (?:@person|@subject|@stranger))*(?: @day)? (?:booked|scheduled|planned|arranged|lined up|set up|pencill?ed in|reserved|available|open|free)`)

/** Whether the line tells of something that took place or is fixed, or is a note in so few words that nothing else is said. */
export function isTold(line: readonly Token[]): boolean {
  return tellsPast(line) || isThere(line, TELLS_NOW) || isBareNote(line)
}

/** Whether a verb of the past tells of it, not one that is wished, doubted or denied. */
export function tellsPast(line: readonly Token[]): boolean {
  return isThere(line, TELLS_PAST)
}

/** Whether it is a note in few words: names and facts, and no word that says something else. What is said behind all the facts is a remark. */
export function isBareNote(line: readonly Token[]): boolean {
  const facts = line.findLastIndex(({ text }) => /^@(person|stranger|minutes|money)$/.test(text)) + 1
  const remark = line.findIndex(
    ({ text, breaks }, place) =>
      place >= facts && (breaks !== '' || /^(we|she|he|they|it|i|notes?|and|but|please|@day)$/.test(text)),
  )
  return (
    find(line.slice(0, remark < 0 ? line.length : remark), OTHERWISE).length === 0 &&
    find(line, ANNOUNCES).length === 0
  )
}

function isThere(line: readonly Token[], verbs: RegExp): boolean {
  const wanted = find(line, WANTED)
  const isHasGot = (place: number): boolean =>
    line[place]?.text === 'got' &&
    (line[place - 1]?.isPossessive === true ||
      /(?:^| )(?:has|have|i've|we've|she's|he's|they've|you've)(?: (?:only|just|still|also|already|now))?$/.test(
        textOf(line.slice(Math.max(0, place - 2), place)),
      ))
  // 'It took two hours' says how long something else went on, which is told before it.
  const isLasting = (place: number): boolean =>
    line[place]?.text === 'took' &&
    (/^(?:it|which|that|this)$/.test(line[place - 1]?.text ?? '') ||
      (line[place]?.breaks !== '' &&
        /^(?:her|him|them|us|me) @minutes/.test(textOf(line.slice(place + 1, place + 3)))))
  return find(line, verbs).some(
    ({ from }) =>
      !isHasGot(from) &&
      !isLasting(from) &&
      !BEFORE.test(textOf(line.slice(Math.max(0, from - 5), from))) &&
      !wanted.some((place) => place.from <= from && from < place.to),
  )
}

const FACT = /^@(?:person|stranger|minutes|day|money|subject|fix)$/
const BESIDE =
  /^(?:with|and|then|plus|for|at|on|in|of|from|by|an?|the|to|per|so|ok|okay|please|done|logged|late|lesson|session|tutoring|back|again|online|zoom|over|via|this|total|both|each|now|row|after|first)$/

/**
 * Whether nothing but names and facts is said, and the small words between them: 'two hours yesterday with Mr. Baptiste'.
 * Behind a comma a remark may follow; one on no subject only where `mayRemark`.
 */
export function isOnlyFacts(line: readonly Token[], mayRemark = false): boolean {
  const last = line.findLastIndex(({ text }) => /^@(?:person|stranger|minutes|day|money)$/.test(text))
  const rest = line.slice(last + 1)
  const isRemark =
    rest.length > 0 &&
    (mayRemark
      ? rest[0]?.breaks !== '' || /^(?:we|she|he|they|it|but)$/.test(rest[0].text)
      : rest[0]?.breaks !== '' && rest.some(({ text }) => text === '@subject') && rest.length < 4)
  return (isRemark ? line.slice(0, last + 1) : line).every(({ text }) => FACT.test(text) || BESIDE.test(text))
}

/** Whether nothing but facts and small words stands from the first name or time to the last: what is said around them is a remark. */
export function isDense(line: readonly Token[]): boolean {
  const isFact = ({ text }: Token): boolean => /^@(?:person|stranger|minutes)$/.test(text)
  return line
    .slice(line.findIndex(isFact), line.findLastIndex(isFact) + 1)
    .every(
      ({ text }) => FACT.test(text) || BESIDE.test(text) || /^(?:here|there|w|x|was|math|trial)$/.test(text),
    )
}
