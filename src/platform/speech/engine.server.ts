// The interface all speech engines implement, and the ways transcription can fail.

import type { Transcription } from './transcription.ts'

type SpeechProblem =
  | 'not_audio'
  | 'unsupported_audio'
  | 'recording_too_short'
  | 'recording_too_long'
  | 'recording_silent'
  | 'nothing_heard'
  | 'speech_off'
  | 'speech_engine_missing'
  | 'speech_busy'
  | 'speech_timeout'
  | 'speech_failed'

/** An expected transcription failure. The reason is the error code the caller gets. */
export class SpeechFailed extends Error {
  readonly reason: SpeechProblem

  constructor(reason: SpeechProblem, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

/** Hints about what the speaker is likely to say. Engines use whichever they can. */
export interface Vocabulary {
  /** The names as people write them. */
  names: string[]
  subjects: string[]
  /** The named people's hourly rates, in cents. */
  rates: number[]
  /** The words in the names and subjects, spelled as they are in the sentences. */
  words: string[]
  /** Example sentences in lowercase, one per line. Generated only if an engine asks for them. */
  sentences: () => Promise<string>
}

export interface SpeechEngine {
  readonly name: 'local' | 'neural' | 'remote'
  /**
   * Transcribes audio.
   * @param pcm 16 kHz, mono, 16 bits, little endian
   */
  transcribe(pcm: Buffer, vocabulary: Vocabulary, signal: AbortSignal): Promise<Transcription>
  /**
   * Transcribes part of a recording that's still being made. Fast, but without alternatives, and without
   * checking what the speech is about. Missing if the engine can't do it in time.
   */
  preview?(pcm: Buffer, vocabulary: Vocabulary, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

export const SAMPLE_RATE = 16_000
export const BYTES_PER_SECOND = SAMPLE_RATE * 2

/** The header of a WAV file with this many bytes of 16-bit samples, one channel. */
export function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(BYTES_PER_SECOND, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}
