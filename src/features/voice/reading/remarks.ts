// Finds the subject, and the part of the text that is a remark for the notes.
import { plainSpelling } from '../name-spelling.ts'
import type { Candidate, Found, Piece } from './candidates.ts'
import { type Features, placesOf, probabilities, type Weights } from './model.ts'
import words from './words.json' with { type: 'json' }

const SUBJECTS = new Set(words.subjects)

/** Whether a word is a commonly taught subject. */
export function isSubject(word: string): boolean {
  return SUBJECTS.has(word)
}

export interface Span {
  from: number
  to: number
}

/** Maximum pieces searched for a subject. */
const MOST_PIECES = 120

/** Spans of up to three plain words that may name the subject. */
export function subjectSpans({ pieces, line }: Found): Span[] {
  // 'SAT' may also be a day, and 'algebra two' contains a number.
  const isPlain = ({ sign, from, to }: Piece, place: number): boolean =>
    /^\p{L}/u.test(sign) ||
    (to === from + 1 && isSubject(line[from]?.text ?? '')) ||
    (place > 0 && sign === '@small')
  return pieces.slice(0, MOST_PIECES).flatMap((piece, index): Span[] =>
    [1, 2, 3].flatMap((length) => {
      const last = pieces[index + length - 1]
      const all = pieces.slice(index, index + length)
      if (!last || !all.every(isPlain)) return []
      if (line.slice(piece.from + 1, last.to).some(({ gap }) => gap === ',' || gap === '.')) return []
      return [{ from: piece.from, to: last.to }]
    }),
  )
}

/** The features of each span as the subject, and of none. */
export function subjectChoices(found: Found, spans: Span[]): Features[] {
  const listed = new Set(found.task.tutors.flatMap(({ subjects }) => subjects.map(plainSpelling)))
  const at = new Map(found.pieces.map((piece, index) => [piece.from, index]))
  const features = spans.map(({ from, to }) => {
    const index = at.get(from) ?? 0
    const end = at.get(to) ?? found.pieces.length
    const sign = (place: number): string => found.pieces[place]?.sign ?? '|'
    const said = found.line.slice(from, to).map(({ text }) => text)
    const known = said.filter((word) => SUBJECTS.has(word)).length
    const isListed = listed.has(plainSpelling(said.join(' ')))
    const size = `${said.length} ${known} ${SUBJECTS.has(said.at(-1) ?? '')} ${isListed}`
    const [before, after] = [
      `${found.line[from]?.gap} ${sign(index - 1)}`,
      `${found.line[to]?.gap} ${sign(end)}`,
    ]
    return placesOf(
      [
        `size ${size}`,
        `listed ${isListed}`,
        `said ${said.join(' ')}`,
        `before ${before}`,
        `after ${after}`,
        `before ${before} ${size}`,
        `after ${after} ${size}`,
        `around ${before} ${after}`,
        `before ${sign(index - 2)} ${before}`,
        `first ${said[0]}`,
        `last ${said.at(-1)}`,
        ...said.map((word) => `word ${word}`),
      ].map((feature) => `subject ${feature}`),
    )
  })
  return [...features, placesOf(['subject none', `subject none ${spans.length > 0}`])]
}

/** The span that names the subject, preferring one from a tutor's list; undefined if there isn't one. */
export function subjectOf(weights: Weights, found: Found): Span | undefined {
  const listed = new Set(found.task.tutors.flatMap(({ subjects }) => subjects.map(plainSpelling)))
  const own = found.line
    .flatMap((_, from) => [4, 3, 2, 1].map((length) => ({ from, to: from + length })))
    .find(({ from, to }) => {
      const [first, last] = [found.line[from], found.line[to - 1]]
      return first && last && listed.has(plainSpelling(found.task.text.slice(first.start, last.end)))
    })
  if (own) return own
  const spans = subjectSpans(found)
  const chances = probabilities(weights, subjectChoices(found, spans))
  return spans[chances.reduce((best, chance, index) => (chance > (chances[best] ?? 0) ? index : best), 0)]
}

/**
 * For each piece, the features of being part of the remark and of not being.
 * @param places the lessons' facts
 */
export function remarkChoices({ pieces, line }: Found, places: Span[]): Features[][] {
  const facts = pieces.map((piece) => overlaps(piece, places))
  const last = facts.lastIndexOf(true)
  const first = facts.indexOf(true)
  let sentence = 0
  let since = 99
  return pieces.map(({ sign, from }, index) => {
    const gap = line[from]?.gap ?? ''
    if (gap === '.' && index > 0) sentence += 1
    since = gap === '.' || gap === ',' || /^(and|but|she|he|they|we|because)$/.test(sign) ? 0 : since + 1
    const where = index > last ? 'after' : index < first ? 'ahead' : 'among'
    const next = facts.findIndex((isFact, place) => isFact && place >= index)
    const near = next < 0 ? 'never' : String(Math.min(5, next - index))
    const signs = [-2, -1, 0, 1, 2].map((offset) => {
      const other = pieces[index + offset]
      return other ? `${other.sign}${facts[index + offset] ? '!' : ''}` : '|'
    })
    const features = [
      `fact ${facts[index]}`,
      where,
      `${where} ${sentence > 0}`,
      `near ${near}`,
      `near ${near} ${where}`,
      `since ${Math.min(6, since)} ${where}`,
      `is ${signs[2]}`,
      `is ${signs[2]} ${where}`,
      ...signs.map((other, place) => `${place} ${other}`),
      `gap ${gap} ${where}`,
      `pair ${signs[1]} ${signs[2]}`,
      `pair ${signs[2]} ${signs[3]}`,
    ]
    return [placesOf(features.map((feature) => `remark ${feature}`)), placesOf([])]
  })
}

function overlaps({ from, to }: Span, spans: readonly (Span | undefined)[]): boolean {
  return spans.some((span) => span !== undefined && from < span.to && to > span.from)
}

/**
 * The span that is most likely a remark; undefined if there isn't one.
 * @param places the lessons' facts
 */
export function remarkOf(weights: Weights, found: Found, places: Span[]): Span | undefined {
  const best = { sum: 0, from: 0, to: 0 }
  let run = { sum: 0, from: 0 }
  remarkChoices(found, places).forEach((choices, index) => {
    const [chance = 0.5] = probabilities(weights, choices)
    const odds = Math.max(-4, Math.min(4, Math.log((chance + 1e-6) / (1 - chance + 1e-6))))
    if (run.sum <= 0) run = { sum: 0, from: index }
    run.sum += odds
    if (run.sum > best.sum) Object.assign(best, { sum: run.sum, from: run.from, to: index + 1 })
  })
  if (best.sum <= 1 || best.to - best.from < 2) return undefined
  const isOpen = (piece: Piece | undefined): boolean => piece !== undefined && !overlaps(piece, places)
  const parts = (piece: Piece | undefined): boolean => /[.,]/.test(found.line[piece?.from ?? -1]?.gap ?? '.')
  // Extend the remark to the next fact, comma, or sentence end.
  while (isOpen(found.pieces[best.to]) && !parts(found.pieces[best.to])) best.to += 1
  const JOINS = /^(she|he|they|we|it|her|his|still|did|was|is|needs|not)$/
  while (
    best.from > 0 &&
    !parts(found.pieces[best.from]) &&
    JOINS.test(found.pieces[best.from - 1]?.sign ?? '')
  )
    best.from -= 1
  const [first, last] = [found.pieces[best.from], found.pieces[best.to - 1]]
  return first && last ? { from: first.from, to: last.to } : undefined
}

/** The words that are neither facts nor remark, quoted as said, unless only a few short words are left. */
export function leftover(
  { line, pieces, task }: Found,
  taken: (Span | Candidate | undefined)[],
): string | null {
  const runs: Piece[][] = [[]]
  for (const piece of pieces) {
    if (
      overlaps(piece, taken) ||
      (piece.sign.startsWith('@') && !/^@(small|number|ordinal|stranger)$/.test(piece.sign))
    )
      runs.push([])
    else runs.at(-1)?.push(piece)
  }
  const said = runs
    .filter((run) => run.length > 2)
    .map((run) => task.text.slice(line[run[0]?.from ?? 0]?.start, line[(run.at(-1)?.to ?? 1) - 1]?.end))
  return said.length > 0 ? said.join('; ') : null
}
