// Decides when to transcribe a recording that's still being made, and what has been transcribed for good.
import { type Level, speechIn } from '#platform/speech/silence.ts'

/** How long a silence is a pause between sentences, in milliseconds. Pauses within words are shorter. */
export const PAUSE_MS = 300
/** Speech without a pause is transcribed this often, in milliseconds. */
const CONTINUOUS_MS = 3000
/** A word takes at least this long, in milliseconds. */
const WORD_MS = 200
/** The server accepts recordings from one second on. */
const LEAST_MS = 1200
/** Longer stretches take more than a second to transcribe, so they aren't transcribed again. */
const MOST_STRETCH_SECONDS = 8
/** The server allows 60 requests a minute, and the finished recording needs one, too. */
const MOST_REQUESTS = 40

export interface Heard {
  /** In seconds. What was said before has been transcribed. */
  from: number
  /** What was said before. */
  heard: string
}
export const NOTHING_HEARD: Heard = { from: 0, heard: '' }

/** Why to transcribe: a recording has begun, someone paused, or someone has been talking for a while. */
export type Reason = 'start' | 'pause' | 'talk'

interface Moment {
  /** Since the start of the recording, oldest first. */
  levels: readonly Level[]
  /** When it was last transcribed, on the same clock as the levels. Undefined if it hasn't been. */
  last: number | undefined
  requests: number
  /** The request that hasn't been answered. */
  busyWith: Reason | undefined
}

/**
 * Whether to transcribe now, and why. The first time, the server gets its language model ready. A pause takes the
 * place of an earlier request, unless that was for a pause, too: a slow server would never get to answer.
 */
export function momentToListen({ levels, last, requests, busyWith }: Moment): Reason | undefined {
  const [first, now] = [levels[0]?.at ?? 0, levels.at(-1)?.at ?? 0]
  if (now - first < LEAST_MS || requests >= MOST_REQUESTS) return undefined
  const { spokenMs, silentMs } = speechIn(levels, last)
  if (busyWith === 'pause') return undefined
  if (spokenMs >= WORD_MS && silentMs >= PAUSE_MS) return 'pause'
  if (busyWith) return undefined
  if (last === undefined) return 'start'
  return spokenMs >= CONTINUOUS_MS ? 'talk' : undefined
}

/**
 * What needn't be transcribed again: after a pause, everything before it, unless it's short. What follows a short
 * stretch is understood better along with it.
 */
export function settled(
  before: Heard,
  { transcript, live_seconds: seconds = 0 }: { transcript: string; live_seconds?: number },
): Heard {
  return seconds - before.from > MOST_STRETCH_SECONDS ? { from: seconds, heard: transcript } : before
}
