// Finds alternative transcripts of a recording: the most likely ones in the recognizer's word graph. Runs in
// a worker thread. Usually takes 0.1 s, or 1 s for two noisy minutes.
import { answerInWorker, runInWorker } from './worker-thread.server.ts'
import { probabilitiesOf } from './trigram.ts'
import { likelyTexts, type Hypothesis, wordsOfGraph } from './word-graph.ts'

/** On 351 clips, all values from 15 to 60 were equally good at telling correct results from incorrect ones. */
const MOST_HYPOTHESES = 25

interface Task {
  graph: string
  /** The account's language model in ARPA format. */
  arpa: Uint8Array
}

/** Returns the most likely transcripts, best first. Returns none if the graph is broken. */
export function hypothesesInWorker(task: Task, signal: AbortSignal): Promise<Hypothesis[]> {
  return runInWorker(new URL(import.meta.url), task, signal)
}

answerInWorker(import.meta.url, ({ graph, arpa }: Task) => {
  const probabilities = probabilitiesOf(Buffer.from(arpa).toString('latin1'), wordsOfGraph(graph))
  return likelyTexts(graph, probabilities, MOST_HYPOTHESES)
})
