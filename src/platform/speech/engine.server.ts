// The port that every speech engine stands behind, and what can go wrong on the way from bytes to words.

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

/** An expected failure of hearing; the reason is the stable code that the caller is answered. */
export class SpeechFailed extends Error {
  readonly reason: SpeechProblem

  constructor(reason: SpeechProblem, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

/** What the speaker is likely to say; engines use what they can of it. */
export interface ListenFor {
  /** Names as they are written. */
  names: string[]
  subjects: string[]
  /** Cents that the people named take for an hour. */
  rates: number[]
  /** The words of both as they stand in the sentences. */
  words: string[]
  /** Sentences in lower case, one a line, that show how such a thing is said; made when an engine asks for them. */
  sentences: () => Promise<string>
}

export interface Heard {
  text: string
  /** False where the sound is speech of another kind than what was listened for; undefined where the engine cannot tell. */
  isOfThisKind?: boolean
  /** What may have been said, the text among it, the likeliest first, and how probable each is among them; where the engine tells. */
  hypotheses?: { text: string; probability: number }[]
  /** Noise lay behind the voice; hypotheses are then to be trusted less. */
  isNoisy?: boolean
}

export interface SpeechEngine {
  readonly name: 'local' | 'neural' | 'remote'
  /** Turns sound into text. @param pcm 16 kHz, mono, 16 bits, little endian */
  transcribe(pcm: Buffer, listenFor: ListenFor, signal: AbortSignal): Promise<Heard>
  close(): Promise<void>
}

/** Samples a second of all sound behind the decoder. */
export const SAMPLE_RATE = 16_000
export const BYTES_PER_SECOND = SAMPLE_RATE * 2
