// The reader, in its own worker thread: one user's text must not hold up other requests (promise I19).
import type { Heard } from '#platform/speech/engine.server.ts'
import { serveTasks } from '#platform/task-thread.server.ts'
import { type ExtractionInput, NO_SESSION } from './extraction.ts'
import { sessionHeard } from './heard-session.ts'
import { SENTENCES, spokenSentences, type SpokenNames } from './spoken-sentences.ts'
import { toVoiceResult, type VoiceResult } from './voice.ts'

/** What was heard or typed, with the account's lists. */
export interface ReadTask extends Omit<ExtractionInput, 'transcript'> {
  heard: Heard
}
/** An account's names, which become sentences for a speech engine: one per line. */
export interface SentencesTask {
  names: SpokenNames
}
export type ReaderTask = ReadTask | SentencesTask

serveTasks((task: ReaderTask): VoiceResult | string => {
  if ('names' in task) return spokenSentences(task.names, SENTENCES).join('\n')
  const { heard, ...lists } = task
  if (heard.isOfThisKind === false) return toVoiceResult(heard.text, NO_SESSION)
  const { text, found } = sessionHeard(heard, lists)
  return toVoiceResult(text, found)
})
