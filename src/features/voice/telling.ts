// Whether a line tells what was done or is fixed: a lesson that is wished for, asked about, planned or offered is none.
import { find, phrase, textOf, type Token } from './spoken-line.ts'

/** Verbs by which people tell of a lesson, and of one that is fixed for a day to come. */
const TELLS = phrase(`
  (?:will|(?:is|are|am) going to|gonna|she'll|he'll|they'll|we'll|i'll) (?:be )?(?:have|having|do|doing|meet|meeting|see|seeing|work|working|take|taking|teach|teaching|tutor|tutoring|get|spend)|
  (?:is|are|am) (?:having|doing|seeing|meeting|taking|getting)|(?:had|did|done|taught|tutored|worked|met|spent|took|saw|got|finished|completed|came|helped|practiced|practised|studied|reviewed|covered|
  went|sat|gave|charged|charges|paid|attended|received|wrapped|learned|learnt|started|led|coached|drilled|focused|tackled|lasted|ran|ended|stayed|logged|joined|showed|cost|prepared|prepped|
  talked through|walked through|has|have|teaches|tutors|works|gets|takes|owe|owes|drove over|was|were|been|having|working|doing|finishing|led|read|wrote|played|crammed|cranked|knocked|squeezed|
  enjoyed|struggled|used|kept|ground|plowed|powered|helping|teaching|tutoring|meets|sees|does)`)
/** Such a verb tells nothing behind 'should', 'if' or 'would like to', nor where it only says what was wanted. */
const BEFORE = /(?:^| )(?:to|should|could|would|might|can|must|cannot|let|let's|shall|if|whether|unless|until|'d|i'd|we'd|she'd|he'd|they'd|not|never|n't|[a-z]+n't|asking|wish|wishes|hope|hopes|once|how about|what about|when can|instead of)(?: (?:@person|@stranger|@aside|i|we|you|he|she|they|it|and|also|just|ever|probably|maybe|really|even|still|have|has|had|been|be|my|our|son|daughter|kid|only))*$/
const WANTED = /^(?:(?:has|have|had) (?:asked|wanted|hoped|planned|intended|meant|booked|scheduled|better|offered|agreed|promised|been (?:asking|hoping|planning|meant|supposed|offered|trying))|(?:was|were|been) (?:just |really )?(?:meant|supposed|due|scheduled|hoping|planning|booked|going|asked|asking|wondering|thinking|about|trying|offered|told|looking|wanting|at|in|sick|ill|away|late|busy|off|on|told|invited)|(?:has|have) (?:an? |1 |no |some )?(?:@minutes|opening|slot|time|space|room|availability|hour)(?: (?:of|with|for|on))*(?: @[a-z]+| (?:on|for|in|at))*(?: (?:free|open|available|left|going))|got (?:to|an? (?:opening|slot|offer))|gets? (?:home|back|off|out|up)|has to|have to|having trouble)(?= |$)/
/** What else a sentence with names and times may say, so that its bare facts are no note in few words. */
const OTHERWISE = phrase(`
  should|could|would|might|may (?:have|do|want|need|be|take|get)|can|must|cannot|can't|couldn't|shouldn't|wouldn't|won't|don't|doesn't|didn't|wants?|wanted|needs?|needed|hopes?|hoped|hoping|
  wish|wishes|plans?|planned|planning|supposed|meant|due to|offered|offers|offering|agreed|agrees|promised|asked|asks|asking|suggested|suggests|recommended|recommends|prefers?|preferred|
  like to|love to|loves?|loved|would like|hates?|likes|tried|trying|willing|available|availability|opening|slot|booked|booking|scheduled|scheduling|arranged|pencill?ed|confirmed|confirm|thinks?|
  thinking|thought|wonder|wondering|if|whether|unless|talked|talks|talking|chatted|chatting|chats|spoke|speaking|argued|arguing|waited|waiting|waits|walked|walking|drove|driving|drives|cooked|
  cooking|ate|eating|baked|baking|shopped|shopping|hiked|hiking|visited|visiting|slept|sleeping|swam|called|calls|calling|texted|texting|emailed|emailing|phoned|messaged|watched|watching|
  watches|complained|apologized|forgot|forgets|missed|misses|lost|sick|ill|late|busy|away|cancel|cancels|cancelled|canceled|resigned|quit|retired|moved|moving|looking|switch|switching|hire|
  hired|fired|every|each week|instead|invited|invites|says|said|told|tell|why|how|prefer|ask|starts|begins|lives|flew|flies|travels?|owes?|lasts|takes`)
/** 'Her lesson with Sarah is on Friday' announces; so do lessons that are arranged. */
const ANNOUNCES = phrase(`
  (?:lesson|session|class|tutoring|appointment|@minutes)(?: (?:with|for|of|in) (?:@person|@subject|@stranger))*(?: @day)? (?:is|are|starts|begins|should be|is now|is set|is scheduled|is booked)
  (?: (?:on|at|for|from|set|scheduled|booked|now|this|still))* (?:@day|@minutes|@aside|[0-9:]+|noon|oclock|on|tomorrow)|@minutes(?: (?:with|for|of|in) (?:@person|@subject|@stranger))*(?: @day)?
   (?:booked|scheduled|planned|arranged|lined up|set up|pencill?ed in|reserved|available|open|free)`)

/** Whether the line tells of something that took place or is fixed, or is a note in so few words that nothing else is said. */
export function isTold(line: readonly Token[]): boolean {
  // What is said behind all the facts is a remark: 'we should bring the book next time'.
  const facts = line.slice(0, line.findLastIndex(({ text }) => /^@(person|stranger|minutes|money)$/.test(text)) + 1)
  return tells(line) || (find(facts, OTHERWISE).length === 0 && find(line, ANNOUNCES).length === 0)
}

/** Whether a verb that tells stands in the line, not one that is wished, doubted or denied. */
export function tells(line: readonly Token[]): boolean {
  return find(line, TELLS).some(({ from }) => !BEFORE.test(textOf(line.slice(Math.max(0, from - 5), from))) && !WANTED.test(textOf(line.slice(from, from + 10))))
}
