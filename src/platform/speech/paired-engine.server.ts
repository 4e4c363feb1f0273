// Runs two engines at once. The first has the account's names, and the second is better at free-form speech.
// Returns both transcripts, so that the code reading them can compare the two. If the second engine fails,
// returns only the first one's transcript.
import { type SpeechEngine, SpeechFailed } from './engine.server.ts'
import type { Transcription } from './transcription.ts'

/** How much longer than the first engine the second one may take. Loading its model takes two seconds. */
const TIMEOUT_MS = 8000

export function pairedEngine(first: SpeechEngine, second: SpeechEngine): SpeechEngine {
  return {
    name: second.name,
    async transcribe(pcm, vocabulary, signal): Promise<Transcription> {
      const late = new AbortController()
      const other = second
        .transcribe(pcm, vocabulary, AbortSignal.any([signal, late.signal]))
        .then(({ text }) => text)
        .catch(() => undefined)
      const [result] = await Promise.allSettled([first.transcribe(pcm, vocabulary, signal)])
      const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
      const text = await other
      clearTimeout(timer)
      signal.throwIfAborted()
      if (result.status === 'fulfilled')
        return text === undefined ? result.value : { ...result.value, other: text }
      if (text !== undefined && result.reason instanceof SpeechFailed) return { text }
      throw result.reason
    },
    // The second engine is no help with a few words, and two engines on two cores are slower than one.
    preview: first.preview?.bind(first),
    async close() {
      await Promise.all([first.close(), second.close()])
    },
  }
}
