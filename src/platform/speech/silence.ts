// Decides when a recording may end by itself: something was said, and then nothing for a while.

export interface Level {
  /** In milliseconds, from any start. */
  at: number
  /** From 0 to 1, as the recorder measures it: 0.1 are 4.5 decibels. */
  level: number
}

/** How long it's quiet before a recording ends: longer than a pause for thought in a sentence. */
export const SILENCE_MS = 3000
/** How long somebody has to have spoken, so that a click or a cough isn't speech. */
const SPOKEN_MS = 600
/** The room's noise is what the quietest part of the last seconds is like. */
const NOISE_MS = 10_000
const QUIETEST = 0.1
/** Speech is this much louder than the room, 9 decibels. */
const LOUDER = 0.2
/** A level counts until the next one, but not longer than this: a tab in the background measures only now and then. */
const LONGEST_MS = 250

/** Whether a recording may end: somebody spoke, and it has been as quiet as the room since. @param levels oldest first */
export function endsInSilence(levels: readonly Level[]): boolean {
  const newest = levels.at(-1)
  if (!newest) return false
  const speech = noiseOf(levels, newest.at) + LOUDER
  let spoken = 0
  let lastSpoken = newest.at
  for (const [index, { at, level }] of levels.entries()) {
    if (level < speech) continue
    spoken += Math.min(LONGEST_MS, (levels[index + 1]?.at ?? at) - at)
    lastSpoken = at
  }
  return spoken >= SPOKEN_MS && newest.at - lastSpoken >= SILENCE_MS
}

/** The room's level without anybody speaking, from the last seconds before a moment. */
function noiseOf(levels: readonly Level[], now: number): number {
  const recent = levels.filter(({ at }) => at > now - NOISE_MS).map(({ level }) => level)
  return recent.sort((one, other) => one - other)[Math.floor(recent.length * QUIETEST)] ?? 0
}
