// Requests that take seconds of CPU time. They wait in a queue and are turned away when it's full.
import type { FastifyReply } from 'fastify'
import { TaskRefused, type TaskProcess } from '#platform/task-process.server.ts'
import { ProblemError } from './problem.server.ts'

/**
 * Runs a request's task in a process. Call this outside a transaction, because it waits for earlier tasks.
 * Throws a ProblemError (503) if too many are waiting.
 * @param account the account that the task is for. Accounts take turns.
 */
export async function runHeavy<Task, Answer>(
  tasks: TaskProcess<Task>,
  account: string,
  task: Task,
  signal = new AbortController().signal,
): Promise<Answer> {
  try {
    return await tasks.run<Answer>(account, task, signal)
  } catch (error) {
    if (!(error instanceof TaskRefused) || error.reason !== 'busy') throw error
    const title = 'The server is busy creating files. Please try again in a moment.'
    throw new ProblemError(503, 'busy', title, { retryAfterSeconds: 5 })
  }
}

/** Aborted when the caller disconnects. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const reason = new ProblemError(400, 'gone', 'The client disconnected before the response was ready')
  reply.raw.once('close', () => gone.abort(reason))
  return gone.signal
}
