// Detects and reduces background noise, because the recognizer's model was trained on quiet recordings.
import { loudnessOf, runFfmpeg, SAMPLES } from './decoder.server.ts'
import { SpeechFailed } from './engine.server.ts'

/**
 * A recording is noisy if the levels of its quietest and loudest tenths are fewer than this many decibels
 * apart. That difference was 19 to 22 dB on clips with pink noise at 15 dB, 28 to 32 dB with noise at 25 dB,
 * and more than 47 dB on clean clips. The filter helps at 25 dB and below. On clean speech, it breaks one
 * clip in fifty.
 */
const CLEAR_DECIBELS = 30
/**
 * The filter's maximum reduction, and how far below the quietest tenth to set its noise level. Other values
 * caused more errors.
 */
const REDUCTION = 12
const BELOW = 6
/** The range of noise levels the filter accepts. */
const [LOWEST, HIGHEST] = [-80, -20]

/** The background noise in decibels relative to full scale. Undefined if there's almost none. */
export function noiseLevel(pcm: Buffer): number | undefined {
  const levels = loudnessOf(pcm)
    .sort((one, other) => one - other)
    .map((loudness) => 20 * Math.log10(Math.max(loudness, 1e-5)))
  const [quiet, loud] = [
    levels[Math.floor(levels.length * 0.1)] ?? 0,
    levels[Math.floor(levels.length * 0.9)] ?? 0,
  ]
  return loud - quiet < CLEAR_DECIBELS ? quiet : undefined
}

/**
 * Reduces background noise at the given level.
 * @param pcm 16 kHz, mono, 16 bits
 */
export async function quieted(pcm: Buffer, level: number, signal: AbortSignal): Promise<Buffer> {
  const floor = Math.max(LOWEST, Math.min(HIGHEST, Math.round(level) - BELOW))
  const options = [...SAMPLES, '-i', 'pipe:0', '-af', `afftdn=nr=${REDUCTION}:nf=${floor}`, ...SAMPLES]
  const { code, output } = await runFfmpeg(options, pcm, pcm.length + 16_000, signal)
  if (code !== 0) throw new SpeechFailed('speech_failed', `the noise filter ended with ${code}`)
  return output
}
