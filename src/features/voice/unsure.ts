// Words that an engine heard, but might have heard otherwise: what rests on them is not filled in.

/** A part of a transcript, in characters: from the first to before the last. */
export interface Stretch {
  from: number
  to: number
}

/** Words that carry no value, or whose like means the same: 'an hour' and 'one hour', 'hour' and 'hours'. */
const EMPTY = /^(?:an?|the|one|on|of|at|in|and|for|to|with|by|from|was|is|it|this|that|last|past|he|she|we|they|his|her|our|mister|missus|miss|doctor|coach|hours?|minutes?|dollars?|bucks|per|rate|total|charged|charges|paid|cost|in|my)$/i

/** Whether a part of the transcript holds a word of meaning that lies in an unsure stretch. */
export function restsOn(transcript: string, { start, end }: { start: number; end: number }, unsure: readonly Stretch[]): boolean {
  return unsure.some(({ from, to }) => from < end && to > start && !EMPTY.test(transcript.slice(from, to)))
}
