// Runs a module in a worker thread, so that it doesn't block other requests. The module posts a single
// result.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * Resolves with the module's result. Rejects with the signal's reason, the worker's error, or an error if the
 * worker exits without posting a result.
 */
export function runInWorker<Answer>(module: URL, task: object, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const worker = new Worker(module, { workerData: { module: module.href, task } })
    const stop = () => {
      void worker.terminate()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', (answer: Answer) => resolve(answer))
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('the worker ended without an answer'))
    })
  })
}

/** Posts the result if this is a worker that runs the module. */
export function answerInWorker<Task>(module: string, work: (task: Task) => unknown): void {
  const given = workerData as { module: string; task: Task } | null
  if (!isMainThread && given?.module === module) parentPort?.postMessage(work(given.task))
}
