// Decides when a recording ends by itself (someone has spoken and then been silent for a while), and finds the
// pauses before that.

export interface Level {
  /** In milliseconds, from any fixed starting point. */
  at: number
  /** From 0 to 1, as measured by the recorder. A difference of 0.1 is 4.5 decibels. */
  level: number
}

/** How long a silence must last to end a recording. It's longer than a pause to think. */
export const SILENCE_MS = 3000
/** The minimum amount of speech. A click or a cough doesn't count. */
const SPOKEN_MS = 600
/** How far back to look for the quietest part, which is taken to be the room's background noise. */
const NOISE_MS = 10_000
const QUIETEST = 0.1
/** How much louder speech is than the room's background noise: 9 decibels. */
const LOUDER = 0.2
/**
 * A level counts until the next measurement, but for no longer than this. Background tabs take measurements
 * only occasionally.
 */
const LONGEST_MS = 250

/**
 * True if a recording may end: someone spoke, and then the level dropped back to background noise.
 * @param levels oldest first
 */
export function endsInSilence(levels: readonly Level[]): boolean {
  const { spokenMs, silentMs } = speechIn(levels)
  return spokenMs >= SPOKEN_MS && silentMs >= SILENCE_MS
}

/**
 * How much speech there is, and how long the silence after it has lasted, in milliseconds.
 * @param levels oldest first
 * @param since counts only the speech since then. The room's noise is that of all the levels.
 */
export function speechIn(
  levels: readonly Level[],
  since = -Infinity,
): { spokenMs: number; silentMs: number } {
  const now = levels.at(-1)?.at ?? 0
  const speech = noiseOf(levels, now) + LOUDER
  let spokenMs = 0
  let lastSpoken = now
  for (const [index, { at, level }] of levels.entries()) {
    if (level < speech || at < since) continue
    spokenMs += Math.min(LONGEST_MS, (levels[index + 1]?.at ?? at) - at)
    lastSpoken = at
  }
  return { spokenMs, silentMs: now - lastSpoken }
}

/** The room's background noise in the seconds before `now`. */
function noiseOf(levels: readonly Level[], now: number): number {
  const recent = levels.filter(({ at }) => at > now - NOISE_MS).map(({ level }) => level)
  return recent.sort((one, other) => one - other)[Math.floor(recent.length * QUIETEST)] ?? 0
}
