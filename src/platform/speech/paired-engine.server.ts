// Two engines at once: the first knows the account's names, the second hears free speech. What each heard is told apart, and
// the reader compares them; without the second everything is as if there were only the first.
import { type Heard, type SpeechEngine, SpeechFailed } from './engine.server.ts'

/** How much longer than the first the second may take; loading its model takes two seconds. */
const PATIENCE_MS = 8000

/** Lets two engines listen to the same sound. */
export function pairedEngine(first: SpeechEngine, second: SpeechEngine): SpeechEngine {
  return {
    name: second.name,
    async transcribe(pcm, listenFor, signal): Promise<Heard> {
      const late = new AbortController()
      const other = second
        .transcribe(pcm, listenFor, AbortSignal.any([signal, late.signal]))
        .then(({ text }) => text)
        .catch(() => undefined)
      const heard = await first.transcribe(pcm, listenFor, signal).catch((error: unknown) => error)
      const timer = setTimeout(() => late.abort(), PATIENCE_MS)
      const text = await other
      clearTimeout(timer)
      signal.throwIfAborted()
      if (isHeard(heard)) return text === undefined ? heard : { ...heard, other: text }
      if (text !== undefined && heard instanceof SpeechFailed) return { text }
      throw heard
    },
    async close() {
      await Promise.all([first.close(), second.close()])
    },
  }
}

function isHeard(value: unknown): value is Heard {
  return !(value instanceof Error)
}
