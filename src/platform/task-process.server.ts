// A process that runs one task at a time, so that one user's input doesn't hold up other users' requests. The
// process is reused, runs at low priority, and is replaced if a task crashes it or takes too long. It's not a
// thread because a thread's garbage is collected and its code compiled by threads of the server's priority.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'

interface TaskLimits {
  /** CPU time limit per task in milliseconds, not counting the time it takes to start the process. */
  deadlineMs: number
  /** The maximum number of tasks in the queue, in total and per account. */
  mostWaiting: number
  mostWaitingPerAccount: number
  /**
   * For tasks that take seconds. Only one of the server's heavy processes runs a task at a time, and only in
   * time that no other process wants.
   */
  isHeavy?: boolean
  /**
   * For tasks that take minutes and that nobody waits for: only in time that no other process wants, like heavy ones,
   * but beside them, so that they don't have to wait.
   */
  isPatient?: boolean
  /** The process's heap limit in megabytes; defaults to 256. */
  megabytes?: number
}

/** Heavy processes that have tasks, in the order they take turns. Only the first one may run a task. */
const turns: { next(): void }[] = []

/** The reason a task didn't finish: the queue was full, it took too long, or the process crashed. */
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

/** What a process sends. */
type Message = { isReady: true } | { answer: never } | { error: unknown }

/**
 * On a busy machine, a task gets less CPU time, so it's also stopped once its wall-clock time is this many
 * times its limit.
 */
const MOST_DEADLINES = 10
const MEGABYTES = 256
/**
 * A process that isn't used for this long is ended, because it takes 95 to 150 MB of memory, at least
 * 45 of them its own.
 */
const UNUSED_MS = 600_000
/** How many characters of a crashed process's error output to keep. */
const MOST_OUTPUT = 4000
const ENTRY = new URL('task-entry.server.ts', import.meta.url)

export class TaskProcess<Task> {
  readonly #module: URL
  readonly #limits: TaskLimits
  /** Waiting tasks by account. The first account goes next. */
  readonly #line = new Map<string, Job<Task>[]>()
  #child: ChildProcess | undefined
  #unused: NodeJS.Timeout | undefined
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
   * anymore, or whatever the task threw. Once no one is waiting for a heavy or patient task, it's stopped.
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
        const { isHeavy, isPatient } = this.#limits
        if ((isHeavy || isPatient) && job === this.#running) return this.#replace(signal.reason as Error)
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

  /** Stops the process and rejects the tasks that are still waiting. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of [this.#running, ...[...this.#line.values()].flat()])
      job?.reject(new TaskRefused('busy'))
    this.#line.clear()
    this.#running = undefined
    this.#endTurn()
    await this.#end()
  }

  #hasTurn(): boolean {
    if (!this.#limits.isHeavy) return true
    if (!turns.includes(this.#turn)) turns.push(this.#turn)
    return turns[0] === this.#turn
  }

  /** Lets the next heavy process run. This one rejoins the queue when it gets its next task. */
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
    clearTimeout(this.#unused)
    if (this.#line.size === 0) {
      this.#unused = setTimeout(() => void this.#end(), UNUSED_MS).unref()
      return this.#endTurn()
    }
    this.#child ??= this.#start()
    this.#child.ref()
    this.#child.channel?.ref()
    const job = this.#isReady && this.#hasTurn() ? this.#take() : undefined
    if (!job) return
    this.#running = job
    this.#child.send({ task: job.task })
    void this.#limit(this.#child, job)
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

  #start(): ChildProcess {
    const { megabytes = MEGABYTES, isHeavy, isPatient } = this.#limits
    const child = fork(ENTRY, [this.#module.href, isHeavy || isPatient ? 'idle' : 'low'], {
      execArgv: [`--max-old-space-size=${megabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    letGo(child)
    child.on('message', (message: Message) => {
      if (child !== this.#child) return
      if ('isReady' in message) this.#isReady = true
      else {
        const job = this.#running
        this.#running = undefined
        if ('answer' in message) job?.resolve(message.answer)
        else job?.reject(message.error)
        letGo(child)
        this.#endTurn()
      }
      this.#next()
    })
    const ended = (cause: unknown) => {
      if (child === this.#child && !this.#isClosed) this.#replace(new TaskRefused('crashed', cause))
    }
    let output = ''
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (output = (output + text).slice(-MOST_OUTPUT)))
    child.on('error', ended)
    child.once('close', (code, signal) => ended(`exit code ${code ?? signal}: ${output}`))
    return child
  }

  /** Starts a new process and gives up on the current task, or on the next one if the old one never started. */
  #replace(reason: Error): void {
    const job = this.#running ?? this.#take()
    const hadStarted = this.#isReady
    this.#running = undefined
    void this.#end()
    job?.reject(reason)
    this.#endTurn()
    // Loads the module now so that the next caller doesn't have to wait for it.
    if (hadStarted) this.#child = this.#start()
    this.#next()
  }

  /** Kills the process. Resolves when it's gone. */
  async #end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#isReady = false
    clearTimeout(this.#unused)
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async #limit(child: ChildProcess, job: Job<Task>): Promise<void> {
    const { deadlineMs } = job
    const giveUp = () => {
      if (this.#running === job) this.#replace(new TaskRefused('too_slow'))
    }
    const last = setTimeout(giveUp, deadlineMs * MOST_DEADLINES).unref()
    const before = processorMs(child)
    for (let used = 0; this.#running === job; used = processorMs(child) - before) {
      if (used >= deadlineMs) giveUp()
      else await new Promise((resolve) => setTimeout(resolve, Math.max(deadlineMs - used, 10)).unref())
    }
    clearTimeout(last)
  }
}

/** A process that has nothing to do must not keep the server running. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
}

/**
 * The CPU time of a process's main thread, in milliseconds. Where the system doesn't report it, the elapsed
 * time.
 */
function processorMs({ pid }: ChildProcess): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1_000_000
  } catch {
    return performance.now()
  }
}

/** The process's side: runs each task it receives. If `work` throws, so does the server's call. */
export function serveTasks<Task, Answer>(work: (task: Task) => Answer | Promise<Answer>): void {
  const send = process.send?.bind(process)
  if (!send) throw new Error('serveTasks must be called in a task process')
  process.on('message', async ({ task }: { task: Task }) => {
    try {
      send({ answer: await work(task) })
    } catch (error) {
      send({ error })
    }
  })
  send({ isReady: true })
}
