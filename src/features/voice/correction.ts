// 'No wait, it was two hours': what is said after such words takes the place of what was said before them.
import { claim, phrase, type Token } from './spoken-line.ts'

/** Words by which people take back what they said. */
export interface SaidCorrection {
  slot: 'fix'
}

const TAIL =
  "(?: (?:it was|that was|that is|it is|it's|that's|was|it|that|to|no|on|with|for|of|actually|sorry|i mean|i meant|make that|wait|it should be|at|is|say|i should say|the|her|his|my))*"
const CUE = phrase(`
  (?:(?:no|oh|wait|well|ah|oops|sorry|and|hmm|let me think|let me see|let's see) ){0,4}(?:no wait|wait no|wait|no no|actually no|actually|i mean|i meant|meant to say|sorry|my mistake|my bad|scratch that|strike that|correction|
  let me correct that|correct that|oops|whoops|make that|make it|or rather|rather(?! than)|that's wrong|that is wrong|that's not right|i misspoke|ended up being|ended up doing|ended up taking|ended up with|ended up|turned into|turned out to be|i'm wrong|i was wrong|i am wrong|i got that wrong|i made a mistake|no let me think|no let me see|let me fix that|that's not it|call it|let's call it|let's say|hang on|hold on|
  on second thought|check that|i take that back|excuse me|pardon|change that to|change it to|nope|should be|should say|no it was|no it's|no that was|no i think it was|i think it was|more like|
  i tell a lie|tell a lie|i lie|that's a lie|scrap that|scrub that|come to think of it|now (?:that )?i think (?:of|about) it|thinking about it|on reflection|in fact|in actual fact|as a matter of fact|silly me|apologies|
  my apologies|beg your pardon|i beg your pardon|hold up|i stand corrected|let me rephrase|let me start over|what am i saying|or wait|or no|was it|or was it|or was that|wrong(?= @)|i thought but it was|except (?:that )?it was|or closer to|closer to|nearer to|but (?:it|that) (?:was|turned out to be|ended up being)(?: really| actually| only| just)?(?= @(?:minutes|day))|(?<=@minutes .*)(?:or |it was |well )?more(?= @minutes)|nah|nay|naw|or i should say|not quite|edit|nevermind that|
  never mind that|forget that|ignore that|well really|well actually|well(?= @(?:minutes|day|person|money) (?:really|actually|more like))|(?<=@minutes .*)(?:ran|ran on|stretched|stretched out|extended|grew|cut short|cut down|cut|shortened|went on|went|ran over) (?:in)?to(?= @minutes)|(?<=@minutes .*)(?:became|(?:only |just )?lasted(?: only| just)?)(?= @minutes))${TAIL}|no(?= (?:it was |that was |on |with |for |it's |not )?@)`)

/** Marks the words of correcting. */
export function claimCorrections<Said>(line: Token<Said | SaidCorrection>[]): Token<Said | SaidCorrection>[] {
  return claim(line, CUE, '@fix', () => ({ slot: 'fix' }))
}

/** How many words after the correcting words the right value may stand. */
const REACH = 7

/** Of places where one thing is said, those that were not taken back: the ones after the last correction that reaches one of them. */
export function standing(line: readonly Token<{ slot: string }>[], places: readonly number[]): number[] {
  const kept = places.filter((place) => !isDenied(line, place))
  let first = 0
  for (let index = 1; index < kept.length; index += 1) {
    const [before, here] = [kept[index - 1] ?? 0, kept[index] ?? 0]
    const fix = line.findLastIndex(
      (token, place) => place > before && place < here && token.said?.slot === 'fix',
    )
    if (fix >= 0 && here - fix <= REACH) first = index
  }
  return kept.slice(first)
}

/** 'not Monday', 'not with Sarah', 'rather than Monday'. */
function isDenied(line: readonly Token[], place: number): boolean {
  const [before, last] = [line[place - 2]?.text ?? '', line[place - 1]?.text ?? '']
  return (
    (last === 'not' && before !== 'or') ||
    (last === 'than' && before === 'rather') ||
    (before === 'it' && /^(?:wasn't|isn't)$/.test(last)) ||
    (before === 'not' && /^(on|with|for|by|at|the|just|only)$/.test(last))
  )
}
