// The interface of all speech engines, and how transcription can fail.

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

/** An expected transcription failure. The reason is the code sent to the caller. */
export class SpeechFailed extends Error {
  readonly reason: SpeechProblem

  constructor(reason: SpeechProblem, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

/** What the speaker is likely to say; each engine uses what it can. */
export interface ListenFor {
  /** Names as people write them. */
  names: string[]
  subjects: string[]
  /** Hourly rates of the people named, in cents. */
  rates: number[]
  /** The words in both, as they appear in the sentences. */
  words: string[]
  /** Example sentences in lower case, one per line; generated when an engine asks for them. */
  sentences: () => Promise<string>
}

export interface Heard {
  text: string
  /** False if the speech is about something else; undefined if the engine can't tell. */
  isOfThisKind?: boolean
  /** What may have been said, including the text, most likely first, each with its probability; if the engine provides them. */
  hypotheses?: { text: string; probability: number }[]
  /** What a second engine heard in the same audio, if two listened. */
  other?: string
  /** Whether there was background noise; hypotheses are then less trustworthy. */
  isNoisy?: boolean
}

export interface SpeechEngine {
  readonly name: 'local' | 'neural' | 'remote'
  /** Turns audio into text. @param pcm 16 kHz, mono, 16 bits, little endian */
  transcribe(pcm: Buffer, listenFor: ListenFor, signal: AbortSignal): Promise<Heard>
  close(): Promise<void>
}

/** Samples per second of all decoded audio. */
export const SAMPLE_RATE = 16_000
export const BYTES_PER_SECOND = SAMPLE_RATE * 2
