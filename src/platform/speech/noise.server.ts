// Detects and reduces background noise: the recognizer's own model was made from quiet recordings.
import { programPath, runChild } from './child.server.ts'
import { loudnessOf } from './decoder.server.ts'
import { SpeechFailed } from './engine.server.ts'

/**
 * Decibels between the quiet tenth and the loud tenth of a recording, below which it counts as noisy. With 15 dB of pink noise clips lie at
 * 19 to 22, with 25 dB at 28 to 32, without any above 47. From 25 dB on the filter helps; on clean speech it costs a clip in fifty.
 */
const CLEAR_DECIBELS = 30
/** What the filter takes away at most, and where it starts to look for the noise, below the level of the quiet tenth. Other values that were tried left more wrong. */
const REDUCTION = 12
const BELOW = 6
/** The limits of the filter's own parameter. */
const [LOWEST, HIGHEST] = [-80, -20]

/** The level of the background noise, in decibels of full scale; undefined if there's next to none. */
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

/** The same audio with less noise of this level. @param pcm 16 kHz, mono, 16 bits */
export async function quieted(pcm: Buffer, level: number, signal: AbortSignal): Promise<Buffer> {
  const floor = Math.max(LOWEST, Math.min(HIGHEST, Math.round(level) - BELOW))
  const sound = ['-f', 's16le', '-ar', '16000']
  const { code, output } = await runChild(
    programPath('ffmpeg') ?? 'ffmpeg',
    [
      '-nostdin',
      '-v',
      'quiet',
      '-threads',
      '1',
      ...sound,
      '-ac',
      '1',
      '-i',
      'pipe:0',
      '-af',
      `afftdn=nr=${REDUCTION}:nf=${floor}`,
      ...sound,
      '-ac',
      '1',
      'pipe:1',
    ],
    { signal, megabytes: 1024, seconds: 20, outputBytes: pcm.length + 16_000 },
    { input: pcm },
  )
  if (code !== 0) throw new SpeechFailed('speech_failed', `the noise filter ended with ${code}`)
  return output
}
