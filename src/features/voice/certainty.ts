// How surely the words were heard from which a value was read: a value that may as well have been another is not filled in.

/** A word of a transcript, in characters from the first to before the last, and how probable it is among what else the sound may have been. */
export interface HeardWord {
  from: number
  to: number
  probability: number
}

/**
 * The least probability of any word of a value. On 211 clips with 15 dB of noise they leave out more than half of the values that are wrong,
 * and one right clip in nine; without noise one in fifty. Of tutors the probability told nothing, and of lengths of time only that of 'hour'
 * and 'minutes': names that are not made out become 'an hour'. A rate other than the tutor's usual one must be surer where the recording
 * is noisy, as 'fifty' and 'sixty' sound alike; nothing sounds like 'no charge'.
 */
export const LEAST = { student: 0.1, day: 0.15, unitOfTime: 0.25, otherRate: 0.5, otherRateInNoise: 0.8 } as const

/** The mean probability of words below which a recording counts as noisy: without noise 19 clips in 20 lie above 0.78, with 15 dB three in four below 0.81. */
const CLEAR = 0.8

/** How sure an unusual rate must be among these words. */
export function leastForRate(words: readonly HeardWord[]): number {
  const mean = words.reduce((sum, { probability }) => sum + probability, 0) / words.length
  return mean < CLEAR ? LEAST.otherRateInNoise : LEAST.otherRate
}

/** Words that carry no value, or whose like means the same: 'an hour' and 'one hour', 'hour' and 'hours'. */
const EMPTY = /^(?:an?|the|one|on|of|at|in|and|for|to|with|by|from|was|is|it|this|that|last|past|he|she|we|they|his|her|our|my|mister|missus|miss|doctor|coach|hours?|minutes?|dollars?|bucks|per|rate|total|charged|charges|paid|cost)$/i

const UNIT_OF_TIME = /^(?:hours?|minutes?)$/i

interface Part {
  start: number
  end: number
}

/** The probability of the least sure word of meaning in a part of the transcript; 1 where nothing is known of it. */
export function certaintyOf(transcript: string, part: Part, words: readonly HeardWord[]): number {
  return leastOf(part, words.filter(({ from, to }) => !EMPTY.test(transcript.slice(from, to))))
}

/** The same of its 'hour' or 'minutes' alone. */
export function certaintyOfUnit(transcript: string, part: Part, words: readonly HeardWord[]): number {
  return leastOf(part, words.filter(({ from, to }) => UNIT_OF_TIME.test(transcript.slice(from, to))))
}

function leastOf({ start, end }: Part, words: readonly HeardWord[]): number {
  return Math.min(1, ...words.filter(({ from, to }) => from < end && to > start).map(({ probability }) => probability))
}
