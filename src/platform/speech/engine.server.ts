// The interface that all speech engines implement, and the ways transcription can fail.

export type SpeechProblem =
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

/** An expected transcription failure. The reason is the error code sent to the caller. */
export class SpeechFailed extends Error {
  readonly reason: SpeechProblem

  constructor(reason: SpeechProblem, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

/** Hints about what the speaker is likely to say. Each engine uses what it can. */
export interface ListenFor {
  /** Names as people write them. */
  names: string[]
  subjects: string[]
  /** The hourly rates of the people named, in cents. */
  rates: number[]
  /** The words in the names and subjects, spelled as in the sentences. */
  words: string[]
  /** Example sentences in lower case, one per line. They're generated only if an engine asks for them. */
  sentences: () => Promise<string>
}

export interface Heard {
  text: string
  /** False if the recording isn't about sessions; undefined if the engine can't tell. */
  isOfThisKind?: boolean
  /**
   * Possible transcripts with their probabilities, most likely first, including `text`. Some engines don't
   * provide them.
   */
  hypotheses?: { text: string; probability: number }[]
  /** The second engine's transcript of the same audio, if two engines ran. */
  other?: string
  /** Whether there was background noise, which makes the hypotheses less reliable. */
  isNoisy?: boolean
}

export interface SpeechEngine {
  readonly name: 'local' | 'neural' | 'remote'
  /**
   * Transcribes audio.
   * @param pcm 16 kHz, mono, 16 bits, little endian
   */
  transcribe(pcm: Buffer, listenFor: ListenFor, signal: AbortSignal): Promise<Heard>
  close(): Promise<void>
}

/** Sample rate of all decoded audio. */
export const SAMPLE_RATE = 16_000
export const BYTES_PER_SECOND = SAMPLE_RATE * 2
