// Splits long recordings into segments no longer than those the recognizer was trained on.

const SAMPLES_PER_SECOND = 16_000
/** Moonshine was trained on segments of up to 30 s. */
const MOST_SECONDS = 25
const LEAST_SECONDS = 10
/** Minimum length of a pause between words. */
const PAUSE_SAMPLES = SAMPLES_PER_SECOND / 10

/**
 * Splits 16 kHz audio at its quietest points into segments of 10 to 25 s. The last one may be shorter. No
 * audio is dropped.
 */
export function phrasesOf(sound: Float32Array): Float32Array[] {
  const phrases: Float32Array[] = []
  let from = 0
  while (sound.length - from > MOST_SECONDS * SAMPLES_PER_SECOND) {
    const cut = quietest(
      sound,
      from + LEAST_SECONDS * SAMPLES_PER_SECOND,
      from + MOST_SECONDS * SAMPLES_PER_SECOND,
    )
    phrases.push(sound.subarray(from, cut))
    from = cut
  }
  return [...phrases, sound.subarray(from)]
}

/** Finds the middle of the quietest tenth of a second between two positions. */
function quietest(sound: Float32Array, from: number, to: number): number {
  let best = { at: to, energy: Infinity }
  for (let at = from; at + PAUSE_SAMPLES <= to; at += PAUSE_SAMPLES / 2) {
    const energy = sound.subarray(at, at + PAUSE_SAMPLES).reduce((sum, sample) => sum + sample * sample, 0)
    if (energy < best.energy) best = { at: at + PAUSE_SAMPLES / 2, energy }
  }
  return best.at
}
