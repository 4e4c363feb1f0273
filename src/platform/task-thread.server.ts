// A worker thread that runs one task at a time, so that one user's input doesn't hold up other users'
// requests. The thread is reused, runs at low priority, and is replaced if a task crashes it or takes too
// long.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'

export interface TaskLimits {
  /** CPU time limit per task in milliseconds, not counting the time it takes to load the module. */
  deadlineMs: number
  /** The maximum number of tasks in the queue, in total and per account. */
  mostWaiting: number
  mostWaitingPerAccount: number
  /** For tasks that take seconds. Only one of the process's heavy threads runs a task at a time. */
  isHeavy?: boolean
  /** The thread's heap limit in megabytes; defaults to 256. */
  megabytes?: number
}

/** Heavy threads that have tasks, in the order they take turns. Only the first one may run a task. */
const turns: { next(): void }[] = []

/** The reason a task didn't finish: the queue was full, it took too long, or the thread crashed. */
export class TaskRefused extends Error {
  readonly reason: 'busy' | 'too_slow' | 'crashed'

  constructor(reason: TaskRefused['reason'], cause?: unknown) {
    super(`the task was refused: ${reason}`, { cause })
    this.reason = reason
  }
}

interface Job<Task> {
  account: string
  task: Task
  deadlineMs: number
  resolve: (answer: never) => void
  reject: (error: unknown) => void
}

type Message = { isReady: true } | { answer: never } | { error: unknown }

/**
 * On a busy machine, a task gets less CPU time, so it's also stopped once its wall-clock time is this many
 * times its limit.
 */
const MOST_DEADLINES = 10
const MEGABYTES = 256

/** A worker thread with its task queue. */
export class TaskThread<Task> {
  readonly #module: URL
  readonly #limits: TaskLimits
  /** Waiting tasks by account. The first account goes next. */
  readonly #line = new Map<string, Job<Task>[]>()
  #worker: Worker | undefined
  #isReady = false
  #running: Job<Task> | undefined
  #isClosed = false
  readonly #turn = { next: () => this.#next() }

  /** @param module must call `serveTasks`; loaded when the first task runs */
  constructor(module: URL, limits: TaskLimits) {
    this.#module = module
    this.#limits = limits
  }

  /**
   * Runs a task when it's the account's turn. Throws TaskRefused, the signal's reason if no one is waiting
   * anymore, or whatever the task threw. Once no one is waiting for a heavy task, it's stopped.
   * @param deadlineMs overrides the limit for this task
   */
  run<Answer>(
    account: string,
    task: Task,
    signal: AbortSignal,
    deadlineMs = this.#limits.deadlineMs,
  ): Promise<Answer> {
    return new Promise((resolve: (answer: Answer) => void, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const own = this.#line.get(account) ?? []
      const waiting = [...this.#line.values()].reduce((sum, jobs) => sum + jobs.length, 0)
      if (
        this.#isClosed ||
        own.length >= this.#limits.mostWaitingPerAccount ||
        waiting >= this.#limits.mostWaiting
      )
        return reject(new TaskRefused('busy'))
      const leave = () => {
        if (this.#limits.isHeavy && job === this.#running) return this.#replace(signal.reason as Error)
        this.#leave(job)
        reject(signal.reason as Error)
      }
      const job: Job<Task> = {
        account,
        task,
        deadlineMs,
        resolve: (answer: Answer) => {
          signal.removeEventListener('abort', leave)
          resolve(answer)
        },
        reject: (error) => {
          signal.removeEventListener('abort', leave)
          reject(error)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#line.set(account, [...own, job])
      this.#next()
    })
  }

  /** Stops the thread and rejects the tasks that are still waiting. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of [this.#running, ...[...this.#line.values()].flat()])
      job?.reject(new TaskRefused('busy'))
    this.#line.clear()
    this.#running = undefined
    this.#endTurn()
    await this.#worker?.terminate()
  }

  #hasTurn(): boolean {
    if (!this.#limits.isHeavy) return true
    if (!turns.includes(this.#turn)) turns.push(this.#turn)
    return turns[0] === this.#turn
  }

  /** Lets the next heavy thread run. This thread rejoins the queue when it gets its next task. */
  #endTurn(): void {
    const at = turns.indexOf(this.#turn)
    if (at < 0) return
    turns.splice(at, 1)
    turns[0]?.next()
  }

  #leave(job: Job<Task>): void {
    const left = (this.#line.get(job.account) ?? []).filter((other) => other !== job)
    if (left.length > 0) this.#line.set(job.account, left)
    else this.#line.delete(job.account)
  }

  #next(): void {
    if (this.#isClosed || this.#running) return
    if (this.#line.size === 0) return this.#endTurn()
    this.#worker ??= this.#start()
    this.#worker.ref()
    const job = this.#isReady && this.#hasTurn() ? this.#take() : undefined
    if (!job) return
    this.#running = job
    this.#worker.postMessage(job.task)
    void this.#limit(this.#worker, job)
  }

  /** The first task of the account whose turn is next. That account then goes to the end of the queue. */
  #take(): Job<Task> | undefined {
    const [turn] = this.#line
    if (!turn) return undefined
    const [account, [job, ...rest]] = turn
    this.#line.delete(account)
    if (rest.length > 0) this.#line.set(account, rest)
    return job
  }

  #start(): Worker {
    const worker = new Worker(this.#module, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.megabytes ?? MEGABYTES },
    })
    // An idle thread must not keep the process running.
    worker.unref()
    worker.on('message', (message: Message) => {
      if (worker !== this.#worker) return
      if ('isReady' in message) this.#isReady = true
      else {
        const job = this.#running
        this.#running = undefined
        if ('answer' in message) job?.resolve(message.answer)
        else job?.reject(message.error)
        worker.unref()
        this.#endTurn()
      }
      this.#next()
    })
    let cause: unknown
    worker.once('error', (error) => (cause = error))
    worker.once('exit', () => {
      if (worker === this.#worker && !this.#isClosed) this.#replace(new TaskRefused('crashed', cause))
    })
    return worker
  }

  /** Starts a new thread and gives up on the current task, or on the next one if the old thread never started. */
  #replace(reason: Error): void {
    const job = this.#running ?? this.#take()
    const hadStarted = this.#isReady
    const old = this.#worker
    this.#running = this.#worker = undefined
    this.#isReady = false
    job?.reject(reason)
    this.#endTurn()
    void old?.terminate()
    // Loads the module now so that the next caller doesn't have to wait for it.
    if (hadStarted) this.#worker = this.#start()
    this.#next()
  }

  async #limit(worker: Worker, job: Job<Task>): Promise<void> {
    const { deadlineMs } = job
    const giveUp = () => {
      if (this.#running === job) this.#replace(new TaskRefused('too_slow'))
    }
    const last = setTimeout(giveUp, deadlineMs * MOST_DEADLINES).unref()
    const before = await processorMs(worker)
    for (let used = 0; this.#running === job; used = (await processorMs(worker)) - before) {
      if (used >= deadlineMs) giveUp()
      else await new Promise((resolve) => setTimeout(resolve, Math.max(deadlineMs - used, 10)).unref())
    }
    clearTimeout(last)
  }
}

/** A thread's CPU time. If this Node.js version can't report that, the elapsed time. */
async function processorMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return performance.now()
  }
}

/**
 * The worker's side. Runs each task it receives, at low priority. If `work` throws, so does the sender's
 * call.
 */
export function serveTasks<Task, Answer>(work: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (!port) throw new Error('serveTasks must be called in a worker thread')
  lowerPriority()
  port.on('message', async (task: Task) => {
    try {
      port.postMessage({ answer: await work(task) })
    } catch (error) {
      port.postMessage({ error })
    }
  })
  port.postMessage({ isReady: true })
}

/** Linux schedules each thread separately. Elsewhere, the thread keeps the server's priority. */
function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 10)
  } catch {
    // Running at a lower priority is optional, so failures are ignored.
  }
}
