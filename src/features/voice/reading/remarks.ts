// Finds the subject, and the part of the text that is a remark for the notes.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import type { Found, Piece } from './candidates.ts'
import { around, filled, templates } from './features.ts'
import { type Features, hashed, probabilities, type Weights } from './model.ts'
import { overlaps, type Span } from './line.ts'
import words from './words.json' with { type: 'json' }

const SUBJECTS = new Set(words.subjects)

/** Whether a word is a commonly taught subject. */
export const isSubject = (word: string): boolean => SUBJECTS.has(word)

const TAG = templates(
  'fact | where | where later | near | near where | since where | 0 | 0 where | gap where | -1 0 | 0 1 | ' +
    '-2 | -1 | 1 | 2 | known | known -1 | known 1 | known before after | known -1 1 | gap known next',
)
/** Words that start a clause. */
const CLAUSE = /^(and|but|she|he|they|we|because)$/

/** For each piece, its features for a subject, for the remark, and for neither. `places` are the lessons' facts. */
export function tagChoices({ pieces, line }: Found, places: Span[]): Features[][] {
  const facts = pieces.map((piece) => places.some((place) => overlaps(piece, place)))
  const [first, last] = [facts.indexOf(true), facts.lastIndexOf(true)]
  const sign = (at: number): string => (at in pieces ? `${pieces[at]?.sign}${facts[at] ? '!' : ''}` : '|')
  const known = (at: number): string => String(isSubject(line[pieces[at]?.from ?? -1]?.text ?? ''))
  let [isLater, since] = [false, 99]
  return pieces.map((piece, at) => {
    const gap = line[piece.from]?.gap ?? ''
    isLater ||= gap === '.' && at > 0
    since = gap === '.' || gap === ',' || CLAUSE.test(piece.sign) ? 0 : since + 1
    const next = facts.indexOf(true, at)
    const values = {
      fact: String(facts[at]),
      where: at > last ? 'after' : at < first ? 'ahead' : 'among',
      later: String(isLater),
      near: next < 0 ? 'never' : String(Math.min(5, next - at)),
      since: String(Math.min(6, since)),
      gap,
      next: line[piece.to]?.gap ?? '.',
      known: known(at),
      before: known(at - 1),
      after: known(at + 1),
      ...around((offset) => sign(at + offset)),
    }
    const features = filled(TAG, values)
    return [hashed(features, 'subject'), hashed(features, 'remark'), hashed([], '')]
  })
}

/** The longest runs of pieces that pass a test, with their number of pieces. */
function runsOf(pieces: Piece[], test: (piece: Piece, at: number) => boolean): (Span & { length: number })[] {
  const runs: Piece[][] = [[]]
  for (const [at, piece] of pieces.entries())
    if (test(piece, at)) runs.at(-1)?.push(piece)
    else runs.push([])
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)]
    return first && last ? [{ from: first.from, to: last.to, length: run.length }] : []
  })
}

/** The spans that name subjects, preferring those from a tutor's list, and remarks: the likeliest, or several. */
export function tagged(weights: Weights, found: Found, places: Span[], isOne: boolean): [Span[], Span[]] {
  const { line, pieces, task } = found
  const listed = new Set(task.tutors.flatMap(({ subjects }) => subjects.map(plainSpelling)))
  const own = line
    .flatMap((_, from) => [4, 3, 2, 1].map((length) => ({ from, to: from + length })))
    .filter((span) => span.to <= line.length && listed.has(plainSpelling(wordsIn(found, span))))
  const chances = tagChoices(found, places).map((choices) => probabilities(weights, choices))
  const likely = runsOf(pieces, (_, at) => (chances[at]?.[0] ?? 0) > 0.5)
  const odds = chances.map(([, chance = 0]) => Math.log((chance + 1e-6) / (1 - chance + 1e-6)))
  const [listedFirst] = own
  const isNew = (span: Span): boolean => !own.some((other) => overlaps(span, other))
  const subjects = isOne && listedFirst ? [listedFirst] : [...own, ...likely.filter(isNew)]
  return [subjects.sort((one, other) => one.from - other.from), remarksIn(found, places, odds, isOne)]
}

/** Words that a remark may begin with, even if they look like part of what came before. */
const JOINS = /^(she|he|they|we|it|her|his|still|did|was|is|needs|not)$/

/** The runs of pieces that are probably remarks, each up to the next fact, comma, or sentence end. */
function remarksIn({ pieces, line, of }: Found, places: Span[], odds: number[], isOne: boolean): Span[] {
  const isFact = (piece: Piece): boolean => places.some((place) => overlaps(piece, place))
  // Among several lessons, a remark ends where the next one is told.
  const isEnd = (piece: Piece): boolean =>
    !isOne && isFact(piece) && !of.child.some((name) => overlaps(name, piece))
  const runs = [{ sum: 0, most: 0, from: 0, to: 0 }]
  odds.forEach((odd, index) => {
    const piece = pieces[index] as Piece
    const [run] = runs as [(typeof runs)[number]]
    const sum = isEnd(piece) ? 0 : Math.max(0, run.sum) + Math.max(-4, Math.min(4, odd))
    if (run.sum <= 0) runs.unshift({ sum, most: sum, from: index, to: index + 1 })
    else Object.assign(run, sum > run.most ? { sum, most: sum, to: index + 1 } : { sum })
  })
  const likely = runs.filter(({ most, from, to }) => most > 1 && to - from > 1)
  const best = likely.sort((one, other) => other.most - one.most).slice(0, isOne ? 1 : undefined)
  const parts = (at: number): boolean => /[.,]/.test(line[pieces[at]?.from ?? -1]?.gap ?? '.')
  return best.map((run) => {
    let { from, to } = run
    for (let next = pieces[to]; next && !isFact(next) && !parts(to); next = pieces[to]) to += 1
    while (from > 0 && !parts(from) && JOINS.test(pieces[from - 1]?.sign ?? '')) from -= 1
    return { from: pieces[from]?.from ?? 0, to: pieces[to - 1]?.to ?? 0 }
  })
}

/** The words of a span, as typed. */
export function wordsIn({ line, task }: Found, { from, to }: Span): string {
  return task.transcript.slice(line[from]?.start, line[to - 1]?.end)
}

const UNREAD = /^(?!@)|^@(small|number|ordinal|stranger)$/
/** The words that are neither facts nor remark, quoted as spoken, unless only a few short ones are left. */
export function leftover(found: Found, taken: Span[]): string | null {
  const isLeft = (piece: Piece): boolean =>
    UNREAD.test(piece.sign) && !taken.some((span) => overlaps(piece, span))
  const runs = runsOf(found.pieces, isLeft).filter(({ length }) => length > 2)
  return runs.map((run) => wordsIn(found, run)).join('; ') || null
}
