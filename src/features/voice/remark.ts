// What was said beside the facts of a session: its notes.
import type { Token } from './spoken-line.ts'

/** Words that join a remark to what was said before it; they are left out at its start. */
const JOINING =
  /^(and|but|also|so|then|note|notes|that|comment|comments|with|for|on|at|to|a|an|the|of|in|from|by|well|okay|ok|was|is|it|about|please|thanks|plus|as|where|because|during|while|just|after|before)$/
const FACTS = new Set(['day', 'minutes', 'money', 'person', 'stranger', 'fix'])

/** The remarks of a transcript whose facts are marked: stretches of three words or more behind the first fact, or whatever follows 'notes'. */
export function remarksOf(
  line: readonly Token<{ slot: string }>[],
  transcript: string,
  subject: number | undefined,
): string | null {
  const cue = line.findIndex((token) => /^(notes?|comments?)$/.test(token.text) && token.said === undefined)
  if (cue >= 0 && cue < line.length - 1)
    return clean(transcript.slice(line[cue]?.end ?? 0)).replace(/^(that|is|are) /i, '')
  const first = line.findIndex((token) => token.said !== undefined)
  const stretches: Token[][] = [[]]
  for (const [place, token] of line.entries()) {
    if (place <= first) continue
    const isFact =
      (token.said !== undefined && FACTS.has(token.said.slot) && !isInRemark(line, place)) ||
      place === subject
    if (isFact || token.breaks === '.') stretches.push([])
    if (!isFact) stretches.at(-1)?.push(token)
  }
  const remarks = stretches.flatMap((stretch) => {
    const start = stretch.findIndex(
      (token) => !JOINING.test(token.text) || /^(it|that|the)$/.test(token.text),
    )
    const words = start < 0 ? [] : stretch.slice(start)
    const [one, last] = [words[0], words.at(-1)]
    return words.length >= 3 && one && last ? [clean(transcript.slice(one.start, last.end))] : []
  })
  const text = remarks.filter(Boolean).join('. ')
  return text === '' ? null : text
}

/** 'Grace said he is ready': a name inside a remark belongs to it. */
function isInRemark(line: readonly Token<{ slot: string }>[], place: number): boolean {
  const slot = line[place]?.said?.slot
  return (
    (slot === 'person' || slot === 'stranger') &&
    /^(said|says|thinks|thought|told|mentioned|wants|asked|suggested|suggests|recommended|recommends|seemed|seems|felt|noticed)$/.test(
      line[place + 1]?.text ?? '',
    )
  )
}

function clean(text: string): string {
  return text.replace(/^[\s,.;:!?-]+|[\s,;:-]+$/g, '').replaceAll(/\s+/g, ' ')
}
