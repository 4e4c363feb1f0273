// How surely the words were heard from which a value was read: a value that may as well have been another is not filled in.

/** A word of a transcript, in characters from the first to before the last, and how probable it is among what else the sound may have been. */
export interface HeardWord {
  from: number
  to: number
  probability: number
}

/**
 * The least probability of any word of a value. Measured on 126 clips with 15 dB of noise: they halve what is wrong and filled in three times over,
 * and drop one right value in six; without noise they drop none. A rate other than the tutor's usual one must be sure: 'fifty' and 'sixty' sound alike.
 */
export const LEAST = { student: 0.3, tutor: 0.1, day: 0.2, minutes: 0.3, usualRate: 0.1, otherRate: 0.9 } as const

/** Words that carry no value, or whose like means the same: 'an hour' and 'one hour', 'hour' and 'hours'. */
const EMPTY = /^(?:an?|the|one|on|of|at|in|and|for|to|with|by|from|was|is|it|this|that|last|past|he|she|we|they|his|her|our|my|mister|missus|miss|doctor|coach|hours?|minutes?|dollars?|bucks|per|rate|total|charged|charges|paid|cost)$/i

/** The probability of the least sure word of meaning in a part of the transcript; 1 where nothing is known of it. */
export function certaintyOf(transcript: string, { start, end }: { start: number; end: number }, words: readonly HeardWord[]): number {
  return Math.min(1, ...words.filter(({ from, to }) => from < end && to > start && !EMPTY.test(transcript.slice(from, to))).map(({ probability }) => probability))
}
