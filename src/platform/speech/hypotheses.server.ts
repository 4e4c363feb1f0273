// Finds alternative transcripts for a recording: the most likely ones in the recognizer's word graph. Runs in
// a worker thread, usually for 0.1 s, or for 1 s on two noisy minutes.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { workAside } from './aside.server.ts'
import { probabilitiesOf } from './trigram.ts'
import { likelyTexts, type Hypothesis, wordsOfGraph } from './word-graph.ts'

/** On 351 clips, every value from 15 to 60 was equally good at distinguishing correct from incorrect results. */
const MOST_HYPOTHESES = 25

interface Task {
  graph: string
  /** The account's language model in ARPA format. */
  arpa: Uint8Array
}

/** Returns the most likely transcripts, best first. Empty if the graph is broken. */
export function hypothesesAside(task: Task, signal: AbortSignal): Promise<Hypothesis[]> {
  return workAside(new URL(import.meta.url), task, signal)
}

if (!isMainThread && parentPort && isTask(workerData)) {
  const { graph, arpa } = workerData
  parentPort.postMessage(
    likelyTexts(
      graph,
      probabilitiesOf(Buffer.from(arpa).toString('latin1'), wordsOfGraph(graph)),
      MOST_HYPOTHESES,
    ),
  )
}

function isTask(data: unknown): data is Task {
  return typeof data === 'object' && data !== null && 'graph' in data
}
