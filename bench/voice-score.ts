// Scores how well the reader did on labeled sentences.
import { FACTS, type Fact } from '#features/voice/reading/choices.ts'
import { read, type Reading, type ReadSession } from '#features/voice/reading/read.ts'
import type { Weights } from '#features/voice/reading/model.ts'
import type { Labeled } from '../scripts/voice-data.ts'
import { isPaid, isRight, taskOf, truthOf } from '../scripts/voice-lab.ts'

export interface Score {
  labeled: Labeled
  got: Reading
  /**
   * For text with one lesson: the facts that are wrong in the first session that was read. Lists all facts if
   * nothing was read.
   */
  wrong: Fact[]
  /** Facts that were filled in with the wrong value. */
  wrongFilled: Fact[]
  /** For text with several lessons: whether all of them were read correctly. */
  allRight: boolean
  milliseconds: number
}

const VALUE: Record<Fact, (session: ReadSession) => string | number | null> = {
  child: ({ studentId }) => studentId,
  tutor: ({ tutorId }) => tutorId,
  day: ({ day }) => day,
  minutes: ({ minutes }) => minutes,
  rate: ({ rate }) => rate,
}

/** Reads one sentence and compares the result with its label. */
export function scoreOf(weights: Weights, labeled: Labeled): Score {
  const start = performance.now()
  const got = read(weights, taskOf(labeled))
  return compare(labeled, got, performance.now() - start)
}

export function compare(labeled: Labeled, got: Reading, milliseconds: number): Score {
  const wrongOf = (session: ReadSession | undefined, label: Labeled['sessions'][number]): Fact[] => {
    const truth = truthOf(label)
    return FACTS.filter((fact) => {
      const value = session ? VALUE[fact](session) : null
      return !isRight(fact, value, truth[fact])
    })
  }
  const [first] = got.sessions
  const [label] = labeled.sessions
  const wrong = !label ? [] : first ? wrongOf(first, label) : [...FACTS]
  const rest = [...labeled.sessions]
  const allRight =
    got.sessions.length === rest.length &&
    got.sessions.every((session) => {
      const at = rest.findIndex((one) => wrongOf(session, one).length === 0)
      if (at >= 0) rest.splice(at, 1)
      return at >= 0
    })
  return {
    labeled,
    got,
    wrong,
    wrongFilled: wrong.filter((fact) => first !== undefined && VALUE[fact](first) !== null),
    allRight,
    milliseconds,
  }
}

/**
 * Scores for a set of sentences, using the metrics from docs/decisions/0020-a-learned-reader.md, one per
 * line.
 */
export function report(name: string, scores: Score[]): string[] {
  const of = (part: Score[], whole: Score[]): string =>
    `${part.length} of ${whole.length}${whole.length === 0 ? '' : ` (${((100 * part.length) / whole.length).toFixed(1)} %)`}`
  const one = scores.filter(({ labeled }) => labeled.sessions.length === 1)
  const several = scores.filter(({ labeled }) => labeled.sessions.length > 1)
  const others = scores.filter(({ labeled }) => labeled.sessions.length === 0)
  const right = ({ wrong, got }: Score): boolean => wrong.length === 0 && got.sessions.length === 1
  const high = one.filter(({ got }) => got.sessions[0]?.confidence === 'high')
  const paid = scores.filter(({ labeled }) => labeled.sessions.some((session) => session.paid !== undefined))
  const times = scores.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return [
    `${name}: ${scores.length} texts`,
    `  all five right        ${of(one.filter(right), one)}`,
    ...FACTS.map(
      (fact) =>
        `  ${fact.padEnd(21)} ${of(
          one.filter(({ wrong }) => !wrong.includes(fact)),
          one,
        )}`,
    ),
    `  wrong but filled in   ${of(
      one.filter(({ wrongFilled }) => wrongFilled.length > 0),
      one,
    )}`,
    `  of these not marked   ${of(
      one.filter(({ wrongFilled, got }) => wrongFilled.length > 0 && got.sessions[0]?.confidence !== 'low'),
      one,
    )}; marked 'low' in all ${of(
      one.filter(({ got }) => got.sessions[0]?.confidence === 'low'),
      one,
    )}`,
    `  asked about           ${of(
      one.filter(({ got }) => got.sounds === 'maybe' || got.sounds === 'planned'),
      one,
    )}`,
    `  refused               ${of(
      [...one, ...several].filter(({ got }) => got.sessions.length === 0),
      [...one, ...several],
    )}`,
    `  'high' is right       ${of(high.filter(right), high)}; said of ${of(high, one)}`,
    `  several, all right    ${of(
      several.filter(({ allRight }) => allRight),
      several,
    )}`,
    `  others, filled in     ${of(
      others.filter(({ got }) => got.sounds === 'session'),
      others,
    )}; asked about ${of(
      others.filter(({ got }) => got.sounds === 'maybe' || got.sounds === 'planned'),
      others,
    )}`,
    `  payments              ${of(
      paid.filter(({ labeled, got }) => isPaid(labeled.sessions, got.paid)),
      paid,
    )}; wrong ${scores.filter(({ labeled, got }) => got.paid !== null && !isPaid(labeled.sessions, got.paid)).length}`,
    `  a sentence takes      ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(2)} ms at the 95th of a hundred`,
  ]
}
