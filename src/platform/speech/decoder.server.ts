// Decodes recordings with ffmpeg in a child process. We trust only the decoded samples.
import { audioFormatOf } from './audio-format.ts'
import { programPath, runChild, UnnamedFile } from './child.server.ts'
import { BYTES_PER_SECOND, SAMPLE_RATE, SpeechFailed } from './engine.server.ts'

/**
 * docs/design/voice.md: 1 to 120 s of decoded audio. We limit the decoded length, because an hour of silence
 * fits in 2 MB.
 */
const LEAST_SECONDS = 1
const MOST_SECONDS = 120

/** The ffmpeg demuxer for each format we accept. */
const DEMUXERS = { webm: 'matroska', mp4: 'mov', ogg: 'ogg', wav: 'wav' } as const
const CODECS = 'opus,libopus,vorbis,aac,pcm_s16le,pcm_u8,pcm_s24le,pcm_s32le,pcm_f32le,pcm_mulaw,pcm_alaw'
const ONLY = ['-protocol_whitelist', 'file', '-codec_whitelist', CODECS]
/** Options for ffmpeg: decoded samples, 16 bits and mono. */
export const SAMPLES = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1']

/** 20 ms. */
const FRAME_BYTES = BYTES_PER_SECOND / 50
/** A frame is loud if its level is above this fraction of full scale (-50 dB). Speech has many loud frames. */
const QUIET = 0.003
const LEAST_LOUD_FRAMES = 10

export function hasDecoder(): boolean {
  return programPath('ffmpeg') !== undefined
}

/**
 * Decodes a recording to 16-bit, 16 kHz mono. Throws SpeechFailed if it isn't audio, or if it's too short,
 * too long or silent.
 */
export async function decodeAudio(recording: Uint8Array, signal: AbortSignal): Promise<Buffer> {
  const pcm = await decodeBegun(recording, signal)
  checkSound(pcm)
  return pcm
}

/** Decodes a recording that's still being made, so it may be short or silent so far. */
export async function decodeBegun(recording: Uint8Array, signal: AbortSignal): Promise<Buffer> {
  const format = audioFormatOf(recording)
  if (!format) throw new SpeechFailed('not_audio')
  if (format === 'other') throw new SpeechFailed('unsupported_audio')
  const seconds = MOST_SECONDS + 1
  const source = [...ONLY, '-f', DEMUXERS[format], '-i', '/dev/stdin', '-map', '0:a:0']
  const most = ['-t', String(seconds), '-fs', String(seconds * BYTES_PER_SECOND)]
  const file = new UnnamedFile(recording)
  try {
    const outputBytes = (seconds + 1) * BYTES_PER_SECOND
    const { code, output } = await runFfmpeg([...source, ...most, ...SAMPLES], file, outputBytes, signal)
    if (output.length === 0) throw new SpeechFailed('not_audio', `ffmpeg ended with ${code}`)
    return output
  } finally {
    file.close()
  }
}

/** Runs ffmpeg with these options and returns what it wrote. Throws SpeechFailed if it isn't installed. */
export async function runFfmpeg(
  options: readonly string[],
  input: UnnamedFile | Uint8Array,
  outputBytes: number,
  signal: AbortSignal,
): Promise<{ code: number | null; output: Buffer }> {
  const path = programPath('ffmpeg')
  if (!path) throw new SpeechFailed('speech_engine_missing', 'ffmpeg')
  const args = ['-nostdin', '-v', 'quiet', '-threads', '1', ...options, 'pipe:1']
  return runChild(path, args, { signal, megabytes: 1024, seconds: 20, outputBytes }, { input })
}

function checkSound(pcm: Buffer): void {
  const seconds = pcm.length / BYTES_PER_SECOND
  if (seconds < LEAST_SECONDS) throw new SpeechFailed('recording_too_short')
  if (seconds > MOST_SECONDS) throw new SpeechFailed('recording_too_long')
  if (!isAudible(pcm)) throw new SpeechFailed('recording_silent')
}

/** Whether there's enough sound for a word. */
export function isAudible(pcm: Buffer): boolean {
  return loudnessOf(pcm).filter((loudness) => loudness > QUIET).length >= LEAST_LOUD_FRAMES
}

/** The root mean square of each 20 ms frame, from 0 to 1. */
export function loudnessOf(pcm: Buffer): number[] {
  return Array.from({ length: Math.floor(pcm.length / FRAME_BYTES) }, (_, frame) => {
    let sum = 0
    for (let at = frame * FRAME_BYTES; at < (frame + 1) * FRAME_BYTES; at += 2)
      sum += (pcm.readInt16LE(at) / 32_768) ** 2
    return Math.sqrt(sum / (FRAME_BYTES / 2))
  })
}
