/** What speech engines make of a recording. */
export interface Transcription {
  text: string
  /** False if the recording isn't about sessions; undefined if the engine can't tell. */
  isOfThisKind?: boolean
  /**
   * Possible transcripts and their probabilities, most likely first. Includes `text`, unless the recording isn't
   * about sessions: then these assume that it is. Not all engines provide them.
   */
  hypotheses?: { text: string; probability: number }[]
  /** If two engines ran, the second one's transcript of the same audio. */
  other?: string
  /** Whether there was background noise. If so, the hypotheses are less reliable. */
  isNoisy?: boolean
}
