// A program that is started with the first question, answers one line to each, and ends when nobody asked for a while.
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** Address space, most of it only reserved by Node.js: a recording of 120 s takes 420 MB of memory. */
const MEGABYTES = 4096
/** The longest answer; a transcript of two minutes is some 2 kB. */
const MOST_CHARACTERS = 64 * 1024
// The shell sets the limits and becomes the program.
const LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -c 0; shift; exec "$@"'

/** One such program; questions wait for each other. */
export class KeptChild {
  readonly #command: string[]
  readonly #idleMs: number
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param idleMs how long it is kept without a question */
  constructor(program: string, args: string[], idleMs: number) {
    this.#command = [program, ...args]
    this.#idleMs = idleMs
  }

  /** Whether the program runs. */
  get isRunning(): boolean {
    return this.#child !== undefined
  }

  /** The line that it answers, or undefined where it ended instead. Throws the signal's reason when nobody waits any more; the program ends then. */
  ask(question: Uint8Array, signal: AbortSignal): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#askNow(question, signal))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  /** Ends the program. */
  end(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #askNow(question: Uint8Array, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    hold(child, true)
    return new Promise((resolve, reject) => {
      let said = ''
      const stop = (settle: () => void, isOver: boolean) => {
        signal.removeEventListener('abort', leave)
        child.stdout?.removeListener('data', listen)
        child.removeListener('close', gone)
        child.removeListener('error', gone)
        hold(child, false)
        if (isOver) this.end()
        else this.#idle = setTimeout(() => this.end(), this.#idleMs).unref()
        settle()
      }
      const leave = () => stop(() => reject(signal.reason as Error), true)
      const gone = () => stop(() => resolve(undefined), true)
      const listen = (chunk: Buffer) => {
        said += chunk.toString('utf8')
        if (said.length > MOST_CHARACTERS) return gone()
        const end = said.indexOf('\n')
        if (end >= 0) stop(() => resolve(said.slice(0, end)), false)
      }
      signal.addEventListener('abort', leave, { once: true })
      child.stdout?.on('data', listen)
      child.on('close', gone)
      child.on('error', gone)
      child.stdin?.write(question)
    })
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', String(MEGABYTES * 1024), ...this.#command], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
      cwd: '/',
    })
    // A program that ends before it has read everything breaks the pipe; that it ended is told by 'close'.
    child.stdin?.on('error', () => undefined)
    child.on('close', () => {
      if (this.#child === child) this.end()
    })
    return child
  }
}

/** A program at work keeps the server from ending, one that only waits does not. */
function hold(child: ChildProcess, isAtWork: boolean): void {
  const way = isAtWork ? 'ref' : 'unref'
  child[way]()
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream[way]()
}
