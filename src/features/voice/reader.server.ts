// The reader, in a worker thread of its own: no text of a user may hold up the requests of others (promise I19).
import type { Heard } from '#platform/speech/engine.server.ts'
import { serveTasks } from '#platform/task-thread.server.ts'
import { type ExtractionInput, NO_SESSION } from './extraction.ts'
import { sessionHeard } from './heard-session.ts'
import { SENTENCES, spokenSentences, type SpokenNames } from './spoken-sentences.ts'
import { toVoiceResult, type VoiceResult } from './voice.ts'

/** What was heard or typed, with the lists of its account. */
export interface ReadTask extends Omit<ExtractionInput, 'transcript'> {
  heard: Heard
}
/** The names of an account, of which sentences are made for a speech engine: one a line. */
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
